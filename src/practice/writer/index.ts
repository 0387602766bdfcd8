export { createBuiltInWriter } from './builtInWriter.ts';
export { chooseWriter } from './chooseWriter.ts';
export type { NotWritten, Unknown, Writer, Written, WrittenListing, WritingInput } from './writer.ts';
