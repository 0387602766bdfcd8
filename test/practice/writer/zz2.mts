import { createPhotoReader } from '../../../src/practice/writer/photoReader.ts';
const r = createPhotoReader({ workerUrl: new URL('../../../src/practice/writer/worker.ts', import.meta.url) });
const x = await r.read('look', '/tmp/draw/mug.jpg');
console.log(JSON.stringify(x?.lines.map((l) => [l.text, l.confidence, l.words])));
await r.close();
