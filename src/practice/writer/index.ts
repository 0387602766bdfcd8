export { createBuiltInWriter } from './builtInWriter.ts';
export type { NotWritten, Unknown, Writer, Written, WrittenListing, WritingInput } from './writer.ts';
