import { Worker } from 'node:worker_threads';
import {
  fromWorker,
  type ToWorker,
  type WorkerJob,
  type WorkerResult,
  type WorkerStart,
} from './decode/workerMessages.ts';

/** A place in the room; leaving twice is harmless. */
type Place = { leave(): void };

type Waiting = { amount: number; enter: (place: Place) => void };

/**
 * Bounds how much is in work at once. Who comes first enters first; what is larger than the whole room enters alone.
 */
export const createWeightedSemaphore = (size: number) => {
  let taken = 0;
  const line: Waiting[] = [];

  const pairedAsker = (): void => {
    for (let next = line[0]; next && (taken === 0 || taken + next.amount <= size); next = line[0]) {
      const { amount, enter } = next;
      line.shift();
      taken += amount;
      let inside = true;
      enter({
        leave: () => {
          if (!inside) return;
          inside = false;
          taken -= amount;
          pairedAsker();
        },
      });
    }
  };

  return {
    /** Calls `entered` when there is room, maybe at once. The answer gives the place up, before or after that. */
    ask(amount: number, entered: () => void): Place {
      let place: Place | undefined;
      const waiting: Waiting = {
        amount,
        enter: (got) => {
          place = got;
          entered();
        },
      };
      line.push(waiting);
      pairedAsker();
      return {
        leave: () => {
          const at = line.indexOf(waiting);
          if (at >= 0) line.splice(at, 1);
          if (place) place.leave();
          else pairedAsker();
        },
      };
    },
  };
};
type WeightedSemaphore = ReturnType<typeof createWeightedSemaphore>;

/** The thread ended while it had a job. */
export class ThreadDied extends Error {
  override readonly name = 'ThreadDied';
}

/** A photo that decodes longer than this has caught the decoder in a loop. The slowest known takes 13 s. */
const jobLimitMs = 120_000;
/** WebAssembly memory never shrinks: after a photo this large the thread is replaced, to give the memory back. */
const hugePixels = 60e6;

type Running = {
  id: number;
  finish: (result: WorkerResult) => void;
  fail: (error: Error) => void;
  place?: Place;
  timer?: NodeJS.Timeout;
};

/** One worker thread, running one job at a time. `room` bounds the pixels all threads decode at once. */
export const startPhotoThread = (workerUrl: URL, start: WorkerStart, room: WeightedSemaphore) => {
  // Flags of the host (a test runner's, a debugger's) are not meant for the worker.
  const worker = new Worker(workerUrl, { workerData: start, execArgv: [], name: 'photos' });
  worker.unref();
  let running: Running | undefined;
  let alive = true;
  let worn = false;

  const settle = (): Running | undefined => {
    const done = running;
    running = undefined;
    clearTimeout(done?.timer);
    done?.place?.leave();
    worker.unref();
    return done;
  };
  const die = (reason: unknown): void => {
    alive = false;
    settle()?.fail(new ThreadDied('A photo worker ended while it had a photo in work.', { cause: reason }));
  };
  const stop = async (): Promise<void> => {
    alive = false;
    await worker.terminate();
  };
  const go = (id: number): void => {
    if (running?.id !== id) return;
    running.timer = setTimeout(() => void stop(), jobLimitMs);
    worker.postMessage({ type: 'go', id } satisfies ToWorker);
  };

  worker.on('error', die);
  worker.on('exit', die);
  worker.on('message', (data: unknown) => {
    const message = fromWorker.safeParse(data);
    if (!message.success) return void stop();
    const { id } = message.data;
    if (running?.id !== id) return;
    if (message.data.type === 'weight') {
      const { pixels } = message.data;
      worn ||= pixels > hugePixels;
      running.place = room.ask(pixels, () => go(id));
      return;
    }
    settle()?.finish(message.data);
  });

  return {
    /** Whether it can take another job; one that is worn is to be stopped and replaced. */
    usable: (): boolean => alive && !worn,
    /** Rejects with ThreadDied when the thread ends before the job does. */
    run: (job: WorkerJob): Promise<WorkerResult> =>
      new Promise((finish, fail) => {
        if (!alive) return fail(new ThreadDied('The photo worker has ended.'));
        running = { id: job.id, finish, fail };
        worker.ref();
        worker.postMessage(job);
      }),
    stop,
  };
};
export type PhotoThread = ReturnType<typeof startPhotoThread>;
