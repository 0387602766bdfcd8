import { pathToFileURL } from 'node:url';

const built = process.env['COMPANION_PHOTO_WORKER'];

/**
 * The module of the threads that prepare photos. `npm test` names the one that was just built: each of the hundreds of worlds
 * starts its own threads, and a bundle is there in half the time that its sources take.
 */
export const photoWorkerUrl =
  built === undefined ? new URL('../../../src/core/photos/decode/worker.ts', import.meta.url) : pathToFileURL(built);
