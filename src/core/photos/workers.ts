import { availableParallelism } from 'node:os';
import type { ThumbnailJob } from './decode/thumbnail.ts';
import { startPhotoThread, ThreadDied, type PhotoThread, createWeightedSemaphore } from './photoThread.ts';
import type {
  PictureJob,
  PrepareJob,
  PreparedPhoto,
  PreparedPicture,
  WorkerJob,
  WorkerResult,
} from './decode/workerMessages.ts';
import { refuse } from './decode/refusals.ts';
import type { BarcodeJob } from './decode/barcodes.ts';
import { needsWasm } from './decode/sharpBackend.ts';
import type { Barcode } from '../storage/tables/itemRecord.ts';

/** Pixels decoded at once in all threads: two of the usual 50-megapixel photos, or one of 200 megapixels alone. */
const pixelsAtOnce = 120e6;

const turn: Record<WorkerJob['type'], number> = { thumbnail: 0, prepare: 1, picture: 1, barcodes: 2 };

/** After so many thumbnails in a row something is prepared: of ten thousand photos the first item would wait for minutes. */
const mostThumbnails = 8;

/** Starting a thread anew takes a third of a second. */
const restAfterMs = 15_000;

type Task = {
  job: WorkerJob;
  finish: (result: WorkerResult | null) => void;
  fail: (reason: unknown) => void;
  deaths: number;
};

type Options = {
  /** The worker's module: `worker.ts` beside this file when run from source, a bundle otherwise. */
  workerUrl: URL;
  /** Threads at most. Default: one a core, up to four. */
  size?: number;
  /** Uses sharp's WebAssembly build everywhere (tests); on Linux inside Electron it is used anyway. */
  forceWasm?: boolean;
};

/** The tasks that wait for a thread, by their turns. */
const createTaskLine = () => {
  const line: Task[] = [];
  let thumbnails = 0;
  return {
    /** Someone looks at the screen and waits for a thumbnail; preparation waits for it, and full-size barcodes for both. */
    add: (task: Task): void => {
      const firstLater = line.findIndex((other) => turn[other.job.type] > turn[task.job.type]);
      if (firstLater >= 0) line.splice(firstLater, 0, task);
      else line.push(task);
    },
    addFirst: (task: Task): void => void line.unshift(task),
    take: (): Task | undefined => {
      if (line.length === 0) return undefined;
      const other = thumbnails < mostThumbnails ? -1 : line.findIndex(({ job }) => job.type !== 'thumbnail');
      const task = other < 0 ? line.shift() : line.splice(other, 1)[0];
      thumbnails = task?.job.type === 'thumbnail' ? thumbnails + 1 : 0;
      return task;
    },
    drop: (task: Task): void => {
      const at = line.indexOf(task);
      if (at >= 0) line.splice(at, 1);
    },
    all: (): Task[] => [...line],
  };
};

/** Threads that are started when they are needed, and ended after a rest. */
const createThreads = (start: () => PhotoThread) => {
  const idle: PhotoThread[] = [];
  let resting: NodeJS.Timeout | undefined;
  /** Threads that were told to end and have not yet: one inside a decoder does not hear it. */
  const ending = new Set<Promise<void>>();
  const end = (thread: PhotoThread): Promise<void> => {
    const ended = thread.stop().finally(() => ending.delete(ended));
    ending.add(ended);
    return ended;
  };
  const endIdle = (): void => {
    for (const thread of idle.splice(0)) void end(thread);
  };
  return {
    take: (): PhotoThread => {
      clearTimeout(resting);
      let thread = idle.pop();
      while (thread && !thread.usable()) thread = idle.pop();
      return thread ?? start();
    },
    giveBack: (thread: PhotoThread): void => void idle.push(thread),
    stayAwake: (): void => clearTimeout(resting),
    /** Decoders keep the memory of the largest photo they have had: threads without work give it back after a while. */
    restSoon: (): void => {
      clearTimeout(resting);
      resting = setTimeout(endIdle, restAfterMs).unref();
    },
    end,
    endIdle,
    /** Waits for all that were told to end. */
    ended: (): Promise<unknown> => Promise.all(ending),
  };
};

/** Gives tasks to threads, `atMost` at a time. */
const createPool = (start: () => PhotoThread, atMost: number) => {
  const line = createTaskLine();
  const threads = createThreads(start);
  const busy = new Map<Task, PhotoThread>();
  let closed = false;

  const settle = (task: Task, outcome: () => void): void => {
    const thread = busy.get(task);
    busy.delete(task);
    if (thread?.usable() && !closed) threads.giveBack(thread);
    else if (thread) void threads.end(thread);
    outcome();
    next();
    threads.stayAwake();
    if (busy.size === 0) threads.restSoon();
  };

  /** A thread that died may have been unlucky (memory): one more try, alone in a new thread. */
  const failed = (task: Task, error: unknown): void => {
    if (!busy.has(task)) return;
    if (!(error instanceof ThreadDied)) return settle(task, () => task.fail(error));
    task.deaths += 1;
    if (task.deaths > 1) return settle(task, () => task.finish(null));
    settle(task, () => line.addFirst(task));
  };

  const next = (): void => {
    while (!closed && busy.size < atMost) {
      const task = line.take();
      if (!task) return;
      const thread = threads.take();
      busy.set(task, thread);
      thread.run(task.job).then(
        (result) => busy.has(task) && settle(task, () => task.finish(result)),
        (error: unknown) => failed(task, error),
      );
    }
  };

  /** Drops a waiting task at once and a running one by ending its thread: decoders cannot be interrupted. */
  const cancel = (task: Task, reason: unknown): void => {
    const thread = busy.get(task);
    line.drop(task);
    busy.delete(task);
    task.fail(reason);
    if (thread) void threads.end(thread).then(next);
  };

  return {
    add: (task: Task): void => {
      line.add(task);
      next();
    },
    cancel,
    isClosed: (): boolean => closed,
    /** Ends all threads and waits for those that were ended before; what is waiting or running is rejected. */
    close: async (): Promise<void> => {
      closed = true;
      threads.endIdle();
      for (const task of [...line.all(), ...busy.keys()]) cancel(task, new Error('The photo workers were closed.'));
      await threads.ended();
    },
  };
};

/** Has a job done by a thread of the pool; null when its thread ended twice. */
const enqueue = async (
  pool: ReturnType<typeof createPool>,
  job: WorkerJob,
  signal: AbortSignal | undefined,
): Promise<WorkerResult | null> => {
  signal?.throwIfAborted();
  if (pool.isClosed()) throw new Error('The photo workers are closed.');
  let onAbort: (() => void) | undefined;
  try {
    return await new Promise((finish, fail) => {
      const task: Task = { job, finish, fail, deaths: 0 };
      onAbort = () => pool.cancel(task, signal?.reason);
      signal?.addEventListener('abort', onAbort, { once: true });
      pool.add(task);
    });
  } finally {
    if (onAbort) signal?.removeEventListener('abort', onAbort);
  }
};

/**
 * Threads that prepare photos. They start when there is something to do and never keep the process alive by themselves.
 */
export const createPhotoWorkers = ({ workerUrl, size, forceWasm = false }: Options) => {
  const wasm = forceWasm || needsWasm();
  const room = createWeightedSemaphore(pixelsAtOnce);
  const atMost = Math.max(1, size ?? Math.min(4, availableParallelism()));
  const pool = createPool(() => startPhotoThread(workerUrl, { wasm }, room), atMost);
  let lastId = 0;

  return {
    /**
     * Prepares one photo for upload. Answers with a refusal when it cannot be used (WORKER_DIED when its thread ended
     * twice); rejects with the signal's reason when cancelled, and when the workers are closed.
     */
    prepare: async (job: PrepareJob, signal?: AbortSignal): Promise<PreparedPhoto> => {
      const result = await enqueue(pool, { type: 'prepare', id: ++lastId, ...job }, signal);
      return result?.type === 'prepared' ? result.result : refuse('WORKER_DIED');
    },
    /** Makes only the upload-ready picture of one photo; refusals and cancelling as with `prepare`. */
    picture: async (job: PictureJob, signal?: AbortSignal): Promise<PreparedPicture> => {
      const result = await enqueue(pool, { type: 'picture', id: ++lastId, ...job }, signal);
      return result?.type === 'picture' ? result.result : refuse('WORKER_DIED');
    },
    /** A small picture of one photo, quickly; null when there is none. Goes before preparation in the line. */
    thumbnail: async (job: ThumbnailJob, signal?: AbortSignal): Promise<{ thumbPath: string } | null> => {
      const result = await enqueue(pool, { type: 'thumbnail', id: ++lastId, ...job }, signal);
      return result?.type === 'thumbnail' ? result.result : null;
    },
    /** Reads product barcodes from one photo at its full size, when there is nothing else to do; see fullSizeBarcodes. */
    readBarcodes: async (job: BarcodeJob, signal?: AbortSignal): Promise<Barcode[]> => {
      const result = await enqueue(pool, { type: 'barcodes', id: ++lastId, ...job }, signal);
      return result?.type === 'barcodes' ? result.result : [];
    },
    /** Ends all threads and waits for those that were ended before; what is waiting or running is rejected. */
    close: pool.close,
  };
};

/** What prepares photos; see {@link createPhotoWorkers}. */
export type PhotoWorkers = ReturnType<typeof createPhotoWorkers>;
