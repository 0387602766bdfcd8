import { readFile, stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import type { NotWritten } from '../writer.ts';
import { createProcessClient, JobLost, type JobOutput, type StartProcess } from '../../../isolated/processClient.ts';
import { fromReader, maxPhotoBytes, type PhotoReading, type ReaderResult, type ReadingTask } from './photoReading.ts';

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

/** Bounds how many are in work at once. What is to be alone waits until nothing else is in work, and is next then. */
const createPlaces = (count: number) => {
  const line: { isAlone: boolean; enter: () => void }[] = [];
  let taken = 0;
  let isClosed = false;
  const admit = (): void => {
    for (let [next] = line; next && !isClosed && taken < (next.isAlone ? 1 : count); [next] = line) {
      line.shift();
      taken += 1;
      isClosed = next.isAlone;
      next.enter();
    }
  };
  return async <T>(isAlone: boolean, work: () => Promise<T>): Promise<T> => {
    await new Promise<void>((enter) => {
      line[isAlone ? 'unshift' : 'push']({ isAlone, enter });
      admit();
    });
    try {
      return await work();
    } finally {
      taken -= 1;
      isClosed = false;
      admit();
    }
  };
};

/** The bytes of a file; null when they cannot be had. */
const bytesOf = async (path: string): Promise<Uint8Array | null> => {
  try {
    return (await stat(path)).size <= maxPhotoBytes ? await readFile(path) : null;
  } catch {
    return null;
  }
};

/** More would only take memory: each thread keeps the text reader's model. */
const maxAtOnce = 4;

/** Past this a photo has caught a decoder in a loop. */
const answersWithinMs = 30_000;

const sentences = {
  started: 'The practice service reads photos in a process of its own.',
  ended: 'The process that reads photos for the practice service ended.',
  held: 'A photo held the process that reads photos for the practice service, which was ended.',
};

type ClientOptions = Parameters<typeof createProcessClient<{ type: string }, ReaderResult>>[0];
export type ReaderOptions = {
  /** Starts the process that reads photos. */
  startReader: StartProcess;
  /** Waits. The default keeps nothing alive that only rests. */
  sleep?: ClientOptions['sleep'];
  /** Hears how the process starts and ends. */
  log?: ClientOptions['log'];
};

const unheldSleep: ClientOptions['sleep'] = (ms, signal) => wait(ms, undefined, { signal, ref: false });
/** Where nobody asks who aborts. */
const never = new AbortController().signal;

/**
 * Reads photos in a process of its own that is given nothing but their bytes, as many at a time as the machine has cores.
 * It does not keep this one alive while idle. A photo that hangs or ends it counts as unreadable; one that was only beside
 * such a photo, or in work when somebody else ended the process, is read once more.
 */
export const createPhotoReader = (options: ReaderOptions): PhotoReader => {
  const { startReader: start, sleep = unheldSleep, log = () => undefined } = options;
  const client = createProcessClient<{ type: 'read'; task: ReadingTask }, ReaderResult>({
    ...{ start, sleep, log, sentences, answersWithinMs },
    read: (head) => fromReader.safeParse(head).data ?? null,
    fits: ({ task }, { result }) => (result.type === 'shrunk') === (task === 'shrink'),
  });
  const enter = createPlaces(Math.min(maxAtOnce, availableParallelism()));
  let closed = false;

  /** What one photo shows, or why that was lost. */
  const askOnce = (task: ReadingTask, path: string, isAlone: boolean, signal: AbortSignal) =>
    enter(isAlone, async (): Promise<JobOutput<ReaderResult> | JobLost['guilt']> => {
      const bytes = await bytesOf(path);
      signal.throwIfAborted();
      if (closed) throw new Error('The photo reader is closed.');
      if (bytes === null) return 'blamed';
      return client.ask({ type: 'read', task }, bytes, signal).catch((error: unknown) => {
        signal.throwIfAborted();
        if (error instanceof JobLost) return error.guilt;
        throw error;
      });
    });

  const request = async (task: ReadingTask, path: string, signal = never) => {
    const forgiven = new Set<JobLost['guilt']>(['suspected', 'innocent']);
    let outcome = await askOnce(task, path, false, signal);
    while (typeof outcome === 'string') {
      if (closed || !forgiven.delete(outcome)) return undefined;
      outcome = await askOnce(task, path, outcome === 'suspected', signal);
    }
    return outcome;
  };

  const readingOf = async (asked: ReturnType<typeof request>): Promise<PhotoReading | undefined> => {
    const result = (await asked)?.result;
    return result?.type === 'seen' ? result.reading : undefined;
  };

  return {
    read: (path, signal) => readingOf(request('read', path, signal)),
    readFullSizeBarcodes: (path, signal) => readingOf(request('fullSizeBarcodes', path, signal)),
    shrink: async (path, signal) => {
      const made = await request('shrink', path, signal);
      return made?.result.type === 'shrunk' ? made.pictures[0] : undefined;
    },
    close: async () => {
      closed = true;
      await client.close();
    },
  };
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
