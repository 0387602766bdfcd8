import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import {
  readingAnswer,
  type PhotoReading,
  type ReaderStart,
  type ReadingAnswer,
  type ReadingRequest,
} from './photoReading.ts';
import type { NotWritten } from '../writer.ts';

/** Reads photos by their path. Everything rejects with the signal's reason when it is aborted. */
export type PhotoReader = {
  /** What the photo shows, or nothing when it cannot be read as a photo. */
  read(path: string, signal?: AbortSignal): Promise<PhotoReading | undefined>;
  /** Only the barcodes of a photo that is larger than the size it is read at, or nothing as above. */
  readFullSizeBarcodes(path: string, signal?: AbortSignal): Promise<PhotoReading | undefined>;
  /** The photo as a small JPEG without metadata, or nothing when it cannot be read as a photo. */
  shrink(path: string, signal?: AbortSignal): Promise<Uint8Array | undefined>;
  close(): Promise<void>;
};

type Options = { workerUrl: URL; limitMs?: number };

type Question = { request: ReadingRequest; limitMs: number; onHang: () => void };

// The thread counts for the life of the process only while a question to it is open.
const askThread = (thread: Worker, { request, limitMs, onHang }: Question): Promise<ReadingAnswer | undefined> => {
  thread.ref();
  return new Promise((resolve) => {
    const finish = (answer: ReadingAnswer | undefined): void => {
      clearTimeout(limit);
      thread.off('message', hear).off('error', die).off('exit', die);
      thread.unref();
      resolve(answer);
    };
    const hear = (message: unknown): void => {
      const answer = readingAnswer.safeParse(message);
      if (!answer.success) return finish(undefined);
      if (answer.data.id === request.id) finish(answer.data);
    };
    const die = (): void => finish(undefined);
    const limit = setTimeout(() => {
      onHang();
      finish(undefined);
    }, limitMs);
    thread.on('message', hear).once('error', die).once('exit', die);
    thread.postMessage(request);
  });
};

// Inside Electron on Linux the native image library brings a second GLib into the process and crashes it. The main thread
// knows where it runs; whether the worker threads of Electron name its version depends on the version.
const readerStart = (): ReaderStart => ({
  wasm: process.platform === 'linux' && process.versions.electron !== undefined,
});

/** A place for one thread at a time, which is started when it is needed and again after it has ended. */
type ThreadPlace = { running: () => Worker; stop: () => Promise<void> };

const createThreadPlace = (workerUrl: URL): ThreadPlace => {
  let thread: Worker | undefined;
  const ending = new Set<Promise<unknown>>();
  const start = (): Worker => {
    const started = new Worker(workerUrl, { workerData: readerStart() });
    const forget = (): void => {
      if (thread === started) thread = undefined;
    };
    return started.on('error', forget).on('exit', forget);
  };
  return {
    running: (): Worker => (thread ??= start()),
    /** Settles when every thread has ended, those that were stopped before as well. */
    stop: async (): Promise<void> => {
      if (thread) {
        const ended = thread.terminate().finally(() => ending.delete(ended));
        ending.add(ended);
      }
      thread = undefined;
      await Promise.all(ending);
    },
  };
};

/** Lends each place to one at a time, to those who ask in the order in which they ask. */
const createLending = (places: readonly ThreadPlace[]) => {
  const free = [...places];
  const waiting: ((place: ThreadPlace) => void)[] = [];
  return async <T>(work: (place: ThreadPlace) => Promise<T>): Promise<T> => {
    const place = free.pop() ?? (await new Promise<ThreadPlace>((resolve) => waiting.push(resolve)));
    try {
      return await work(place);
    } finally {
      const next = waiting.shift();
      if (next) next(place);
      else free.push(place);
    }
  };
};

/** More would only take memory: each keeps the text reader's model. */
const mostThreads = 4;

/**
 * Reads photos in worker threads, as many at a time as the machine has cores. A thread starts with the first photo
 * that needs it, does not keep the process alive while idle, and is replaced when it dies or hangs; the photo it died of
 * counts as unreadable.
 */
export const createPhotoReader = ({ workerUrl, limitMs = 30_000 }: Options): PhotoReader => {
  const places = Array.from({ length: Math.min(mostThreads, availableParallelism()) }, () =>
    createThreadPlace(workerUrl),
  );
  const lend = createLending(places);
  let lastId = 0;
  let closed = false;

  const request = (task: ReadingRequest['task'], path: string, signal?: AbortSignal) =>
    lend(async ({ running, stop }) => {
      signal?.throwIfAborted();
      if (closed) throw new Error('The photo reader is closed.');
      const question = { id: (lastId += 1), task, path };
      return askThread(running(), { request: question, limitMs, onHang: () => void stop() });
    });

  const readingOf = (answer: ReadingAnswer | undefined): PhotoReading | undefined =>
    answer?.ok && 'reading' in answer ? answer.reading : undefined;

  const read: PhotoReader['read'] = async (path, signal) => readingOf(await request('read', path, signal));

  const readFullSizeBarcodes: PhotoReader['readFullSizeBarcodes'] = async (path, signal) =>
    readingOf(await request('fullSizeBarcodes', path, signal));

  const shrink: PhotoReader['shrink'] = async (path, signal) => {
    const answer = await request('shrink', path, signal);
    return answer?.ok && 'jpeg' in answer ? answer.jpeg : undefined;
  };

  const close = async (): Promise<void> => {
    closed = true;
    await Promise.all(places.map(({ stop }) => stop()));
  };

  return { read, readFullSizeBarcodes, shrink, close };
};

/** The answer for an item of which no photo can be read. */
export const unreadable = (count: number): NotWritten => ({
  ok: false,
  code: 'IMAGES_UNREADABLE',
  sentence:
    count === 0
      ? 'There are no photos to read. Please add at least one photo of the item.'
      : 'None of the photos could be read. Please add JPEG, PNG or WebP photos that open on your computer.',
});

const readEach = async (reader: PhotoReader, paths: readonly string[], signal?: AbortSignal) => {
  const readings = await Promise.all(paths.map(async (path) => ({ path, reading: await reader.read(path, signal) })));
  return readings.flatMap(({ path, reading }) => (reading ? [{ path, reading }] : []));
};

// Reading at full size costs much and helps rarely: only when no photo has shown a code, and until one does.
const readBarcodesAtFullSize = async (reader: PhotoReader, paths: readonly string[], signal?: AbortSignal) => {
  for (const path of paths) {
    const reading = await reader.readFullSizeBarcodes(path, signal);
    if (reading && reading.barcodes.length > 0) return reading.barcodes;
  }
  return [];
};

/** What every photo that can be read shows; the others are passed over. */
export const readPhotos = async (
  reader: PhotoReader,
  paths: readonly string[],
  signal?: AbortSignal,
): Promise<PhotoReading[]> => {
  const read = await readEach(reader, paths, signal);
  const [first, ...others] = read.map(({ reading }) => reading);
  if (!first || [first, ...others].some(({ barcodes }) => barcodes.length > 0))
    return read.map(({ reading }) => reading);
  const barcodes = await readBarcodesAtFullSize(
    reader,
    read.filter(({ reading }) => Math.max(reading.width, reading.height) > 1600).map(({ path }) => path),
    signal,
  );
  return [{ ...first, barcodes }, ...others];
};
