import { setTimeout as wait } from 'node:timers/promises';
import type { Clock, Log } from '../base/ports.ts';
import { fromKitchen, type Barcode, type KitchenRequest, type KitchenResult } from '../../photoContract/messages.ts';
import { createProcessClient, JobLost, type StartProcess } from '../../isolated/processClient.ts';
import type { Original } from './openInside.ts';
import {
  fitsRequest,
  makeThumbnailAt,
  preparePhoto,
  preparePicture,
  readFullBarcodes,
  shrinkPhoto,
} from './preparePhoto.ts';
import { createPhotoQueue } from './photoQueue.ts';
import { refuse } from '../../photoContract/refusals.ts';
import { photoThreads } from '../../photoContract/photoThreads.ts';
import type { ThumbnailJob, PictureJob, PrepareJob, PreparedPhoto, PreparedPicture } from './keepPrepared.ts';

/** Threads have two minutes each once they decode, and wait for one another; past this nobody answers any more. */
const answersWithinMs = 600_000;

const sentences = {
  started: 'Photos are decoded in a process of their own.',
  ended: 'The process that decodes photos ended.',
  held: 'A photo held the process that decodes photos, which was ended.',
};

type Options = {
  startKitchen: StartProcess;
  /** Photos in the kitchen at a time. Default: one for each of its threads, and one that waits there. */
  size?: number;
  /** Waits. The default does not keep the process alive. */
  sleep?: Clock['sleep'];
  log?: Log;
};

const waitIdle: Clock['sleep'] = async (ms, signal) => {
  await wait(ms, undefined, signal ? { signal, ref: false } : { ref: false });
};

/**
 * Prepares photos in a process of its own, the kitchen, and keeps what comes of them. The kitchen starts when there is
 * something to do, or will be, and never keeps this process alive by itself.
 */
export const createPhotoWorkers = ({ startKitchen, size, sleep = waitIdle, log = () => undefined }: Options) => {
  const kitchen = createProcessClient<KitchenRequest, KitchenResult>({
    ...{ start: startKitchen, sleep, log, sentences, answersWithinMs },
    read: (head) => fromKitchen.safeParse(head).data ?? null,
    fits: fitsRequest,
  });
  const seats = size ?? photoThreads + 1;
  const queue = createPhotoQueue((signal) => (request, original) => kitchen.ask(request, original, signal), seats);

  return {
    /** Starts the kitchen for photos that are about to come. */
    begin: kitchen.begin,
    /**
     * Prepares one photo for upload. Answers with a refusal when it cannot be used (WORKER_DIED when it ended the kitchen
     * twice, MACHINE_BUSY when no kitchen could be started); rejects with the signal's reason when cancelled, and when the workers are closed.
     */
    prepare: (job: PrepareJob, signal?: AbortSignal): Promise<PreparedPhoto> =>
      queue.add('prepare', (ask) => preparePhoto(ask, job), refuse, signal),
    /** Makes only the upload-ready picture of one photo; refusals and cancelling as with `prepare`. */
    picture: (job: PictureJob, signal?: AbortSignal): Promise<PreparedPicture> =>
      queue.add('picture', (ask) => preparePicture(ask, job), refuse, signal),
    /** A JPEG of a photo's bytes, its long edge at most so many pixels; null for what cannot be used. */
    shrink: (bytes: Uint8Array, longEdgePx: number, signal?: AbortSignal): Promise<Uint8Array | null> =>
      queue.add(
        'picture',
        (ask) => shrinkPhoto(ask, bytes, longEdgePx),
        () => null,
        signal,
      ),
    /** A small picture of one photo, quickly; null when there is none. Goes before preparation in the queue. */
    thumbnail: (job: ThumbnailJob, signal?: AbortSignal): Promise<{ thumbPath: string } | null> => {
      const work = (ask: Parameters<typeof makeThumbnailAt>[0]) =>
        makeThumbnailAt(ask, job).catch((error: unknown) => {
          if (error instanceof JobLost) throw error;
          return null;
        });
      return queue.add('thumbnail', work, () => null, signal);
    },
    /** Reads product barcodes from one photo at its full size, when there is nothing else to do; see fullSizeBarcodes. */
    readBarcodes: (job: Original, signal?: AbortSignal): Promise<Barcode[]> =>
      queue.add(
        'barcodes',
        (ask) => readFullBarcodes(ask, job),
        () => [],
        signal,
      ),
    /** Ends the kitchen; what is waiting or running is rejected. Who ends as well may leave its last moments to the system. */
    close: async (how?: { left: boolean }): Promise<void> => {
      queue.close();
      await kitchen.close(how);
      await queue.settled();
    },
  };
};

/** What prepares photos; see {@link createPhotoWorkers}. */
export type PhotoWorkers = ReturnType<typeof createPhotoWorkers>;
