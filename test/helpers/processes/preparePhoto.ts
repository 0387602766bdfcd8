// Prepares one photo in a separate process and prints the result and which processes loaded which libraries: node
// preparePhoto.ts <photo> <folder>
import { readFileSync } from 'node:fs';
import { createPhotoWorkers } from '../../../src/core/photos/photoWorkers.ts';
import { listDescendants } from '../hosts/listDescendants.ts';
import { startKitchen } from '../photos/startKitchen.ts';

const [source = '', outDir = ''] = process.argv.slice(2);
const workers = createPhotoWorkers({ startKitchen, size: 1 });
const made = await workers.prepare({ source, outDir });
const loadedBy = (pid: number): string[] => {
  const maps = readFileSync(`/proc/${pid}/maps`, 'utf8');
  return [...new Set([...maps.matchAll(/\/lib(glib-2\.0|vips-cpp)[^/\n]*$/gm)].map(([, name]) => String(name)))].sort();
};
const kitchen = listDescendants(process.pid).flatMap(loadedBy);
const own = loadedBy(process.pid);
await workers.close();
console.log(made.ok ? 'ready' : made.code, JSON.stringify({ own, kitchen }));
