import { readFile, stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import type { NotWritten, Writer, WritingInput, Written } from '../writer.ts';
import {
  createProcessClient,
  JobLost,
  type JobOutput,
  type OptionalProcessPorts,
  type StartProcess,
} from '../../../isolated/processClient.ts';
import { createWeightedSemaphore, type SemaphorePermit } from '../../../isolated/weightedSemaphore.ts';
import { fromReader, maxPhotoBytes, type PhotoReading, type ReaderResult, type ReadingTask } from './photoReading.ts';

/**
 * Each method that reads a photo returns undefined if the photo is unreadable. After an abort, it rejects with the
 * signal's reason.
 */
export type PhotoReader = {
  read(path: string, signal?: AbortSignal): Promise<PhotoReading | undefined>;
  /** Returns no barcodes for a small photo, because `read` has already searched it at full size. */
  readFullSizeBarcodes(path: string, signal?: AbortSignal): Promise<PhotoReading | undefined>;
  shrink(path: string, signal?: AbortSignal): Promise<Uint8Array | undefined>;
  close(): Promise<void>;
};

const readPhotoFile = async (path: string): Promise<Uint8Array | null> =>
  (await stat(path)).size <= maxPhotoBytes ? readFile(path) : null;

/**
 * Each thread keeps the model of the text reader in memory, so there are only a few threads. One processor stays free for
 * the windows of the companion, which would have it to themselves if the service were remote.
 */
const maxThreads = Math.max(1, Math.min(4, availableParallelism() - 1));

/**
 * Reading a photo takes a few seconds, but the process has a low priority, so on a busy computer it can wait minutes for
 * the processor. If a photo takes longer, its decoder is probably in an endless loop.
 */
const answersWithinMs = 600_000;

const sentences = {
  started: 'The practice service reads photos in a process of its own.',
  ended: 'The process that reads photos for the practice service ended.',
  held: 'A photo held the process that reads photos for the practice service, which was ended.',
};

export type ReaderOptions = OptionalProcessPorts & { startReader: StartProcess };

const neverAborted = new AbortController().signal;

/**
 * Reads photos in a separate process that receives only their bytes. A photo that blocks or crashes the process counts
 * as unreadable. The other photos that were being read at that time are read again.
 */
export const createPhotoReader = ({ startReader, ...ports }: ReaderOptions): PhotoReader => {
  const client = createProcessClient<{ type: 'read'; task: ReadingTask }, ReaderResult>({
    ...{ ...ports, start: startReader, sentences, answersWithinMs },
    read: (head) => fromReader.safeParse(head).data ?? null,
    fits: ({ task }, { result, pictures }) => (task === 'shrink' ? !result.reading : pictures.length === 0),
  });
  const threads = createWeightedSemaphore(maxThreads);
  let isClosed = false;

  const runInThreads = async <T>(count: number, work: () => Promise<T>): Promise<T> => {
    let permit: SemaphorePermit | undefined;
    await new Promise<void>((enter) => (permit = threads.ask(count, enter)));
    return work().finally(() => permit?.leave());
  };

  /** Returns the result. If the process was lost, returns whether this photo was the cause. */
  const requestSingleAttempt = (task: ReadingTask, path: string, threadCount: number, signal: AbortSignal) =>
    runInThreads(threadCount, async (): Promise<JobOutput<ReaderResult> | JobLost['guilt']> => {
      const bytes = await readPhotoFile(path).catch(() => null);
      signal.throwIfAborted();
      if (isClosed) throw new Error('The photo reader is closed.');
      if (bytes === null) return 'blamed';
      return client.ask({ type: 'read', task }, bytes, signal).catch((error: unknown) => {
        signal.throwIfAborted();
        if (error instanceof JobLost) return error.guilt;
        throw error;
      });
    });

  const requestResult = async (task: ReadingTask, path: string, signal = neverAborted) => {
    const forgiven = new Set<JobLost['guilt']>(['suspected', 'innocent']);
    let outcome = await requestSingleAttempt(task, path, 1, signal);
    while (typeof outcome === 'string') {
      if (isClosed || !forgiven.delete(outcome)) return undefined;
      outcome = await requestSingleAttempt(task, path, outcome === 'suspected' ? maxThreads : 1, signal);
    }
    return outcome;
  };

  const requestReading = async (task: ReadingTask, path: string, signal?: AbortSignal) =>
    (await requestResult(task, path, signal))?.result.reading;

  return {
    read: (path, signal) => requestReading('read', path, signal),
    readFullSizeBarcodes: (path, signal) => requestReading('fullSizeBarcodes', path, signal),
    shrink: async (path, signal) => (await requestResult('shrink', path, signal))?.pictures[0],
    close: async () => {
      isClosed = true;
      await client.close();
    },
  };
};

const createUnreadableAnswer = (count: number): NotWritten => ({
  ok: false,
  code: 'IMAGES_UNREADABLE',
  sentence:
    count === 0
      ? 'There are no photos to read. Please add at least one photo of the item.'
      : 'None of the photos could be read. Please add JPEG, PNG or WebP photos that open on your computer.',
});

/**
 * Reads all readable photos. Reading at full size is slow, so large photos are read at full size only if no photo shows
 * a barcode, and only until one does.
 */
export const readPhotos = async (
  reader: PhotoReader,
  paths: readonly string[],
  signal?: AbortSignal,
): Promise<PhotoReading[]> => {
  const all = await Promise.all(paths.map(async (path) => ({ path, reading: await reader.read(path, signal) })));
  const readings = all.flatMap(({ reading }) => reading ?? []);
  const [first, ...others] = readings;
  if (!first || readings.some(({ barcodes }) => barcodes.length > 0)) return readings;
  for (const { path, reading } of all) {
    if (!reading || Math.max(reading.width, reading.height) <= 1600) continue;
    const barcodes = (await reader.readFullSizeBarcodes(path, signal))?.barcodes ?? [];
    if (barcodes.length > 0) return [{ ...first, barcodes }, ...others];
  }
  return readings;
};

/** Creates a writer that reads the photos first. Closing the writer aborts its work and closes its photo reader. */
export const createPhotoWriter = (
  reader: PhotoReader,
  writeListing: (readings: readonly PhotoReading[], input: WritingInput, signal: AbortSignal) => Promise<Written>,
): Writer => {
  const closing = new AbortController();
  return {
    write: async (input, asked = closing.signal) => {
      const signal = AbortSignal.any([asked, closing.signal]);
      const paths = input.photos.map(({ path }) => path);
      const readings = await readPhotos(reader, paths, signal);
      signal.throwIfAborted();
      return readings.length > 0 ? writeListing(readings, input, signal) : createUnreadableAnswer(paths.length);
    },
    close: async () => {
      closing.abort(new Error('The writer is closed.'));
      await reader.close();
    },
  };
};
