import { Worker } from 'node:worker_threads';
import type { KitchenJob } from '../photoContract/messages.ts';
import { isFromThread, type Made, type ThreadStart, type ToThread } from './threadMessages.ts';

/** A granted or requested place in the semaphore; releasing it twice is harmless. */
type Place = { leave(): void };

type Waiting = { amount: number; enter: (place: Place) => void };

/** Limits the total weight of the jobs in work. Requests are granted in order; one larger than the limit runs alone. */
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
    /**
     * Requests a place and calls `entered` once it is granted, possibly at once. Returns the place, which can be
     * released before or after that.
     */
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

/** The time limit of a job in ms: beyond it the decoder is stuck in a loop. The slowest known photo takes 13 s. */
const jobLimitMs = 120_000;
/** WebAssembly memory never shrinks: after a photo this large the thread is replaced to free the memory. */
const hugePixels = 60e6;

type Running = {
  id: number;
  finish: (made: Made | null) => void;
  place?: Place;
  limit: ReturnType<typeof createTimeLimit>;
};

/** Calls `onOver` once the time has passed, not counting the time while it is paused. */
const createTimeLimit = (ms: number, onOver: () => void) => {
  let left = ms;
  let since = 0;
  let timer: NodeJS.Timeout | undefined;
  const resume = (): void => {
    since = performance.now();
    timer = setTimeout(onOver, left);
  };
  resume();
  return {
    pause: (): void => {
      clearTimeout(timer);
      left = Math.max(0, left - (performance.now() - since));
    },
    resume,
    end: (): void => clearTimeout(timer),
  };
};

type Options = {
  url: URL;
  start: ThreadStart;
  /** Node flags for the thread, which does not inherit the permission flags of its process. */
  flags: readonly string[];
};

/** Starts a worker thread that runs one job at a time. `room` limits the pixels that all threads decode at once. */
export const startPhotoThread = ({ url, start, flags }: Options, room: WeightedSemaphore) => {
  const worker = new Worker(url, { workerData: start, execArgv: [...flags], env: process.env, name: 'photos' });
  let running: Running | undefined;
  let alive = true;
  let worn = false;

  const settle = (made: Made | null): void => {
    const done = running;
    running = undefined;
    done?.limit.end();
    done?.place?.leave();
    done?.finish(made);
  };
  const stop = async (): Promise<void> => {
    alive = false;
    await worker.terminate();
  };
  const go = (id: number): void => {
    if (running?.id !== id) return;
    running.limit.resume();
    worker.postMessage({ type: 'go', id } satisfies ToThread);
  };
  const died = (): void => {
    alive = false;
    settle(null);
  };
  const overdue = (): void => {
    settle(null);
    void stop();
  };

  worker.on('error', died);
  worker.on('exit', died);
  worker.on('message', (message: unknown) => {
    if (!isFromThread(message)) return void stop();
    if (message.type === 'weight') {
      const { id, pixels } = message;
      if (running?.id !== id) return;
      worn ||= pixels > hugePixels;
      // Waiting for the other threads does not count towards this job's time limit.
      running.limit.pause();
      running.place = room.ask(pixels, () => go(id));
      return;
    }
    if (running?.id === message.result.id) settle({ result: message.result, pictures: message.pictures });
  });

  return {
    /** Whether it can take another job; a worn thread is to be stopped and replaced. */
    usable: (): boolean => alive && !worn,
    /**
     * Runs a job. Resolves to null if the thread ends or must be ended first. The time limit starts now and pauses
     * while the job waits for permission to decode.
     */
    run: (job: KitchenJob, original: Uint8Array<ArrayBuffer>): Promise<Made | null> =>
      new Promise((finish) => {
        if (!alive) return finish(null);
        running = { id: job.id, finish, limit: createTimeLimit(jobLimitMs, overdue) };
        worker.postMessage({ type: 'job', job, original } satisfies ToThread, [original.buffer]);
      }),
    /** Resolves once the thread has ended; a thread inside a decoder ends late. */
    stop,
  };
};
export type PhotoThread = ReturnType<typeof startPhotoThread>;
