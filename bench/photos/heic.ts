import { execFile } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { compare, type Compared } from '../compare.ts';
import { heifConvert, isThere } from './peers.ts';
import { drawPhonePhotos } from './phonePhotos.ts';
import { inWorkshop, prepareAll, rate } from './workshop.ts';

// Four photos would leave a processor without work at the end of each round, because three threads share them.
const count = 12;

export const benchHeic = async (): Promise<Compared[]> => {
  if (!(await isThere('heif-enc'))) {
    console.error('heif-enc and heif-convert are not installed; the figure for HEIC is left out.');
    return [];
  }
  return inWorkshop(async (folder, workers) => {
    const files: string[] = [];
    for (const jpeg of await drawPhonePhotos(folder, count)) {
      const heic = jpeg.replace(/jpg$/, 'heic');
      await promisify(execFile)('heif-enc', ['-q', '60', '-p', 'preset=ultrafast', '-o', heic, jpeg]);
      files.push(heic);
    }
    await prepareAll(workers, files.slice(0, 2), folder);
    const names = { what: 'HEIC prepared (12 MP)', unit: 'photos/s', peer: 'two heif-convert processes (goal 1)' };
    return [
      await compare(
        names,
        () => rate(count, () => prepareAll(workers, files, folder)),
        async () => {
          const outDir = await mkdtemp(join(folder, 'peer-'));
          return rate(count, () => heifConvert(files, outDir));
        },
      ),
    ];
  });
};
