// Reads one photo in a separate process, like the practice service's writer, and prints the result: node readPhoto.ts
// <photo>
import { createPhotoReader } from '../../../src/practice/writer/reading/photoReader.ts';
import { startReader } from '../practice/startReader.ts';

const [source = ''] = process.argv.slice(2);
const reader = createPhotoReader({ startReader });
const seen = await reader.read(source);
await reader.close();
console.log(seen === undefined ? 'not read' : 'read');
