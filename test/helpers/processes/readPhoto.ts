// Reads one photo in a process of its own, as the practice service's writer does, and says how it went: node readPhoto.ts <photo>
import { createPhotoReader } from '../../../src/practice/writer/reading/photoReader.ts';
import { startReader } from '../practice/startReader.ts';

const [source = ''] = process.argv.slice(2);
const reader = createPhotoReader({ startReader });
const seen = await reader.read(source);
await reader.close();
console.log(seen === undefined ? 'not read' : 'read');
