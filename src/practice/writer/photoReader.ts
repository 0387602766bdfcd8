import { Worker } from 'node:worker_threads';
import {
  readingAnswer,
  type PhotoReading,
  type ReaderStart,
  type ReadingAnswer,
  type ReadingRequest,
} from './reading.ts';

export type PhotoReader = {
  /** What the photo shows, or nothing when it cannot be read as a photo. */
  read(task: 'look' | 'closer', path: string, signal?: AbortSignal): Promise<PhotoReading | undefined>;
  /** The photo as a small JPEG without metadata, or nothing when it cannot be read as a photo. */
  shrink(path: string, signal?: AbortSignal): Promise<Uint8Array | undefined>;
  close(): Promise<void>;
};

type Options = { workerUrl: URL; limitMs?: number };

type Question = { request: ReadingRequest; limitMs: number; onHang: () => void };

// The thread counts for the life of the process only while a question to it is open.
const ask = (thread: Worker, { request, limitMs, onHang }: Question): Promise<ReadingAnswer | undefined> => {
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

// One thread at a time, started when needed and again after it has ended.
const keepThread = (workerUrl: URL) => {
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

/**
 * Reads photos in a worker thread, one at a time. The thread starts with the first photo, does not keep the
 * process alive while idle, and is replaced when it dies or hangs; the photo it died of counts as unreadable.
 */
export const createPhotoReader = ({ workerUrl, limitMs = 30_000 }: Options): PhotoReader => {
  const { running, stop } = keepThread(workerUrl);
  let queue: Promise<unknown> = Promise.resolve();
  let lastId = 0;
  let closed = false;

  const request = (task: ReadingRequest['task'], path: string, signal?: AbortSignal) => {
    const turn = queue.then(() => {
      signal?.throwIfAborted();
      if (closed) throw new Error('The photo reader is closed.');
      const question = { id: (lastId += 1), task, path };
      return ask(running(), { request: question, limitMs, onHang: () => void stop() });
    });
    queue = turn.catch(() => undefined);
    return turn;
  };

  const read: PhotoReader['read'] = async (task, path, signal) => {
    const answer = await request(task, path, signal);
    return answer?.ok && 'reading' in answer ? answer.reading : undefined;
  };

  const shrink: PhotoReader['shrink'] = async (path, signal) => {
    const answer = await request('shrink', path, signal);
    return answer?.ok && 'jpeg' in answer ? answer.jpeg : undefined;
  };

  const close = async (): Promise<void> => {
    closed = true;
    await stop();
  };

  return { read, shrink, close };
};
