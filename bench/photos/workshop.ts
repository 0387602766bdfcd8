import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPhotoWorkers, type PhotoWorkers } from '../../src/core/photos/photoWorkers.ts';
import { startKitchen } from '../../test/helpers/photos/startKitchen.ts';

/** A folder for one benchmark, and photo workers as everybody has them. Everything is gone afterwards. */
export const inWorkshop = async <T>(work: (folder: string, workers: PhotoWorkers) => Promise<T>): Promise<T> => {
  const folder = await mkdtemp(join(tmpdir(), 'bench-photos-'));
  const workers = createPhotoWorkers({ startKitchen });
  try {
    return await work(folder, workers);
  } finally {
    await workers.close();
    await rm(folder, { recursive: true, force: true });
  }
};

/** Prepares photos into a new folder; throws when one is refused. */
export const prepareAll = async (workers: PhotoWorkers, sources: readonly string[], folder: string): Promise<void> => {
  const outDir = await mkdtemp(join(folder, 'out-'));
  const made = await Promise.all(sources.map((source) => workers.prepare({ source, outDir })));
  for (const photo of made) if (!photo.ok) throw new Error(photo.sentence);
  await rm(outDir, { recursive: true });
};

/** Makes only the pictures, as the command line does; throws when one is refused. */
export const picturesOf = async (workers: PhotoWorkers, sources: readonly string[], folder: string): Promise<void> => {
  const outDir = await mkdtemp(join(folder, 'out-'));
  const made = await Promise.all(
    sources.map((source, at) => workers.picture({ source, path: join(outDir, `${at}.jpg`) })),
  );
  for (const picture of made) if (!picture.ok) throw new Error(picture.sentence);
  await rm(outDir, { recursive: true });
};

/** Things a second, for `count` of them. */
export const rate = async (count: number, run: () => Promise<unknown>): Promise<number> => {
  const from = performance.now();
  await run();
  return count / ((performance.now() - from) / 1_000);
};
