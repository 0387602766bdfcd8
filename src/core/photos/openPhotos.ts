import { neededFiles } from '../items/neededFiles.ts';
import type { CoreParts } from '../openParts.ts';
import { createIntake } from './intake.ts';
import { createPhotoDisk } from './photoDisk.ts';
import { createPhotoWorkers } from './workers.ts';

/** Photos on this machine: the threads that prepare them, the bytes that came without a path, and what all of it takes on disk. */
export const openPhotos = ({ dir, db }: CoreParts, workerUrl: URL) => {
  const places = { preparedDir: dir('prepared'), copiesDir: dir('intake') };
  return {
    ...places,
    workers: createPhotoWorkers({ workerUrl }),
    intake: createIntake(places.copiesDir),
    disk: createPhotoDisk({ ...places, needed: () => neededFiles(db), now: Date.now }),
  };
};
