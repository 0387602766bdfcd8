import { neededFiles } from '../storage/tables/neededFiles.ts';
import type { Foundation } from './foundation.ts';
import { createIntake } from '../photos/intake.ts';
import { createPhotoDisk } from '../photos/photoDisk.ts';
import { createPhotoWorkers } from '../photos/workers.ts';

export type PhotosOfCompanion = ReturnType<typeof openPhotos>;

/** Photos on this machine: the threads that prepare them, the bytes that came without a path, and what all of it takes on disk. */
export const openPhotos = ({ dir, db }: Foundation, workerUrl: URL) => {
  const places = { preparedDir: dir('prepared'), copiesDir: dir('intake') };
  return {
    ...places,
    workers: createPhotoWorkers({ workerUrl }),
    intake: createIntake(places.copiesDir),
    disk: createPhotoDisk({ ...places, needed: () => neededFiles(db), now: Date.now }),
  };
};
