// Prepares one photo in a process of its own and says how it went: node preparePhoto.ts <photo> <folder>
import { createPhotoWorkers } from '../../../src/core/photos/workers.ts';

const [source = '', outDir = ''] = process.argv.slice(2);
const workers = createPhotoWorkers({
  workerUrl: new URL('../../../src/core/photos/decode/worker.ts', import.meta.url),
  size: 1,
});
const made = await workers.prepare({ source, outDir });
await workers.close();
console.log(made.ok ? 'ready' : made.code);
