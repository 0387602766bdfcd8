import { availableParallelism } from 'node:os';
import {
  photoProcessOutput,
  type Barcode,
  type PhotoJobRequest,
  type PhotoJobResult,
} from '../../photoContract/messages.ts';
import {
  createProcessClient,
  JobLost,
  type OptionalProcessPorts,
  type StartProcess,
} from '../../isolated/processClient.ts';
import type { Original } from './openInside.ts';
import {
  matchesPhotoRequest,
  createOriginalThumbnail,
  preparePhotoFiles,
  preparePictureOnly,
  readFullSizeBarcodes,
  shrinkPhotoBytes,
} from './preparePhoto.ts';
import { createPhotoQueue } from './photoQueue.ts';
import { createRefusal } from '../../photoContract/refusals.ts';
import { photoThreads } from '../../photoContract/photoLimits.ts';
import type { ThumbnailJob, PictureJob, PrepareJob, PreparedPhoto, PreparedPicture } from './preparedPhotos.ts';

/**
 * Decoding one photo can take two minutes, and several jobs can wait for the same thread. A much shorter limit would
 * end a process that works normally.
 */
const photoProcessTimeoutMs = 600_000;

const sentences = {
  started: 'Photos are decoded in a process of their own.',
  ended: 'The process that decodes photos ended.',
  held: 'A photo held the process that decodes photos, which was ended.',
};

type PhotoWorkersOptions = OptionalProcessPorts & {
  startKitchen: StartProcess;
  size?: number;
  /** While the person uses a window, one processor is left free for it. */
  isWindowInUse?: () => boolean;
};

const jobsBesideWindow = Math.max(1, Math.min(photoThreads, availableParallelism() - 1));

/**
 * Prepares photos in a separate process and stores the results. The process starts with the first photo and does not
 * keep the companion running.
 */
export const createPhotoWorkers = ({
  startKitchen,
  size,
  isWindowInUse = () => false,
  ...ports
}: PhotoWorkersOptions) => {
  const kitchen = createProcessClient<PhotoJobRequest, PhotoJobResult>({
    ...{ ...ports, start: startKitchen, sentences, answersWithinMs: photoProcessTimeoutMs },
    read: (head) => photoProcessOutput.safeParse(head).data ?? null,
    fits: matchesPhotoRequest,
  });
  const maxJobs = size ?? photoThreads + 1;
  const queue = createPhotoQueue(
    (signal) => (request, original) => kitchen.ask(request, original, signal),
    maxJobs,
    () => (isWindowInUse() ? Math.min(maxJobs, jobsBesideWindow) : maxJobs),
  );

  return {
    begin: kitchen.begin,
    /**
     * Prepares one photo for upload. Returns a refusal if the photo is unusable. Rejects with the signal's reason, or
     * when the workers are closed.
     */
    prepare: (job: PrepareJob, signal?: AbortSignal): Promise<PreparedPhoto> =>
      queue.add('prepare', (ask) => preparePhotoFiles(ask, job), createRefusal, signal),
    picture: (job: PictureJob, signal?: AbortSignal): Promise<PreparedPicture> =>
      queue.add('picture', (ask) => preparePictureOnly(ask, job), createRefusal, signal),
    /** Returns a JPEG whose long edge has at most `longEdgePx` pixels; null if the photo is unusable. */
    shrink: (bytes: Uint8Array, longEdgePx: number, signal?: AbortSignal): Promise<Uint8Array | null> =>
      queue.add(
        'picture',
        (ask) => shrinkPhotoBytes(ask, bytes, longEdgePx),
        () => null,
        signal,
      ),
    thumbnail: (job: ThumbnailJob, signal?: AbortSignal): Promise<{ thumbPath: string } | null> => {
      const createThumbnail = (ask: Parameters<typeof createOriginalThumbnail>[0]) =>
        createOriginalThumbnail(ask, job).catch((error: unknown) => {
          if (error instanceof JobLost) throw error;
          return null;
        });
      return queue.add('thumbnail', createThumbnail, () => null, signal);
    },
    readBarcodes: (job: Original, signal?: AbortSignal): Promise<Barcode[]> =>
      queue.add(
        'barcodes',
        (ask) => readFullSizeBarcodes(ask, job),
        () => [],
        signal,
      ),
    /** Ends the photo process and rejects all jobs. Waits for the exit of the process unless `left` is true. */
    close: async (how?: { left: boolean }): Promise<void> => {
      queue.close();
      await kitchen.close(how);
      await queue.settled();
    },
  };
};

export type PhotoWorkers = ReturnType<typeof createPhotoWorkers>;
