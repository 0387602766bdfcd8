import { Worker } from 'node:worker_threads';
import { readingAnswer, type PhotoReading, type ReadingRequest } from './reading.ts';

export type PhotoReader = {
  /** What the photo shows, or nothing when it cannot be read as a photo. */
  read(task: ReadingRequest['task'], path: string, signal?: AbortSignal): Promise<PhotoReading | undefined>;
  close(): Promise<void>;
};

type Options = { workerUrl: URL; limitMs?: number };

/**
 * Reads photos in a worker thread, one at a time. The thread starts with the first photo, does not keep the
 * process alive while idle, and is replaced when it dies or hangs; the photo it died of counts as unreadable.
 */
export const createPhotoReader = ({ workerUrl, limitMs = 30_000 }: Options): PhotoReader => {
  let worker: Worker | undefined;
  let queue: Promise<unknown> = Promise.resolve();
  let lastId = 0;
  let closed = false;

  const stop = async (): Promise<void> => {
    const stopped = worker;
    worker = undefined;
    await stopped?.terminate();
  };

  const running = (): Worker => {
    if (worker) return worker;
    const started = new Worker(workerUrl);
    const forget = (): void => {
      if (worker === started) worker = undefined;
    };
    started.on('error', forget).on('exit', forget);
    worker = started;
    return started;
  };

  const ask = (task: ReadingRequest['task'], path: string): Promise<PhotoReading | undefined> => {
    const thread = running();
    const id = (lastId += 1);
    thread.ref();
    return new Promise<PhotoReading | undefined>((resolve) => {
      const finish = (reading: PhotoReading | undefined): void => {
        clearTimeout(limit);
        thread.off('message', hear).off('error', die).off('exit', die);
        thread.unref();
        resolve(reading);
      };
      const hear = (message: unknown): void => {
        const answer = readingAnswer.safeParse(message);
        if (!answer.success) return finish(undefined);
        if (answer.data.id === id) finish(answer.data.ok ? answer.data.reading : undefined);
      };
      const die = (): void => finish(undefined);
      const limit = setTimeout(() => {
        void stop();
        finish(undefined);
      }, limitMs);
      thread.on('message', hear).once('error', die).once('exit', die);
      thread.postMessage({ id, task, path } satisfies ReadingRequest);
    });
  };

  const read: PhotoReader['read'] = (task, path, signal) => {
    const turn = queue.then(() => {
      signal?.throwIfAborted();
      if (closed) throw new Error('The photo reader is closed.');
      return ask(task, path);
    });
    queue = turn.catch(() => undefined);
    return turn;
  };

  const close = async (): Promise<void> => {
    closed = true;
    await stop();
  };

  return { read, close };
};
