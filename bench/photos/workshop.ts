import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPhotoWorkers, type PhotoWorkers } from '../../src/core/photos/photoWorkers.ts';
import { startKitchen } from '../../test/helpers/photos/startKitchen.ts';

/** Runs work with a temporary folder and photo workers, and removes both afterwards. */
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

export const prepareAll = async (workers: PhotoWorkers, sources: readonly string[], folder: string): Promise<void> => {
  const outDir = await mkdtemp(join(folder, 'out-'));
  const made = await Promise.all(sources.map((source) => workers.prepare({ source, outDir })));
  for (const photo of made) if (!photo.ok) throw new Error(photo.sentence);
  await rm(outDir, { recursive: true });
};

/** Makes only the prepared pictures, like the command line. Throws if a photo is refused. */
export const picturesOf = async (workers: PhotoWorkers, sources: readonly string[], folder: string): Promise<void> => {
  const outDir = await mkdtemp(join(folder, 'out-'));
  const made = await Promise.all(
    sources.map((source, at) => workers.picture({ source, path: join(outDir, `${at}.jpg`) })),
  );
  for (const picture of made) if (!picture.ok) throw new Error(picture.sentence);
  await rm(outDir, { recursive: true });
};

export const rate = async (count: number, run: () => Promise<unknown>): Promise<number> => {
  const from = performance.now();
  await run();
  return count / ((performance.now() - from) / 1_000);
};
