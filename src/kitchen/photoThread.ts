import { Worker } from 'node:worker_threads';
import type { KitchenJob } from '../photoContract/messages.ts';
import { isFromThread, type ThreadResult, type ThreadStart, type ToThread } from './threadMessages.ts';

/** A granted or requested place in the semaphore; releasing it twice is harmless. */
type SemaphorePlace = { leave(): void };

type WaitingEntry = { amount: number; enter: (place: SemaphorePlace) => void };

/** Limits the total weight of the jobs in work. Requests are granted in order; one larger than the limit runs alone. */
export const createWeightedSemaphore = (size: number) => {
  let taken = 0;
  const line: WaitingEntry[] = [];

  const admitWaitingEntries = (): void => {
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
          admitWaitingEntries();
        },
      });
    }
  };

  return {
    /**
     * Requests a place and calls `entered` once it is granted, possibly at once. Returns the place, which can be
     * released before or after that.
     */
    ask(amount: number, entered: () => void): SemaphorePlace {
      let place: SemaphorePlace | undefined;
      const waiting: WaitingEntry = {
        amount,
        enter: (got) => {
          place = got;
          entered();
        },
      };
      line.push(waiting);
      admitWaitingEntries();
      return {
        leave: () => {
          const at = line.indexOf(waiting);
          if (at >= 0) line.splice(at, 1);
          if (place) place.leave();
          else admitWaitingEntries();
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

type RunningJob = {
  id: number;
  finish: (made: ThreadResult | null) => void;
  place?: SemaphorePlace;
  limit: ReturnType<typeof createTimeLimit>;
};

/** Calls `onOver` once the time has passed, not counting the time while it is paused. */
const createTimeLimit = (ms: number, onOver: () => void) => {
  let leftMs = ms;
  let since = 0;
  let timer: NodeJS.Timeout | undefined;
  const resume = (): void => {
    since = performance.now();
    timer = setTimeout(onOver, leftMs);
  };
  resume();
  return {
    pause: (): void => {
      clearTimeout(timer);
      leftMs = Math.max(0, leftMs - (performance.now() - since));
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
  let running: RunningJob | undefined;
  let isAlive = true;
  let isWorn = false;

  const settleRunningJob = (made: ThreadResult | null): void => {
    const done = running;
    running = undefined;
    done?.limit.end();
    done?.place?.leave();
    done?.finish(made);
  };
  const stop = async (): Promise<void> => {
    isAlive = false;
    await worker.terminate();
  };
  const grantDecoding = (id: number): void => {
    if (running?.id !== id) return;
    running.limit.resume();
    worker.postMessage({ type: 'go', id } satisfies ToThread);
  };
  const onThreadEnd = (): void => {
    isAlive = false;
    settleRunningJob(null);
  };
  const onTimeLimit = (): void => {
    settleRunningJob(null);
    void stop();
  };

  worker.on('error', onThreadEnd);
  worker.on('exit', onThreadEnd);
  worker.on('message', (message: unknown) => {
    if (!isFromThread(message)) return void stop();
    if (message.type === 'weight') {
      const { id, pixels } = message;
      if (running?.id !== id) return;
      isWorn ||= pixels > hugePixels;
      // Waiting for the other threads does not count towards this job's time limit.
      running.limit.pause();
      running.place = room.ask(pixels, () => grantDecoding(id));
      return;
    }
    if (running?.id === message.result.id) settleRunningJob({ result: message.result, pictures: message.pictures });
  });

  return {
    /** Whether it can take another job; a worn thread is to be stopped and replaced. */
    usable: (): boolean => isAlive && !isWorn,
    /**
     * Runs a job. Resolves to null if the thread ends or must be ended first. The time limit starts now and pauses
     * while the job waits for permission to decode.
     */
    run: (job: KitchenJob, original: Uint8Array<ArrayBuffer>): Promise<ThreadResult | null> =>
      new Promise((finish) => {
        if (!isAlive) return finish(null);
        running = { id: job.id, finish, limit: createTimeLimit(jobLimitMs, onTimeLimit) };
        worker.postMessage({ type: 'job', job, original } satisfies ToThread, [original.buffer]);
      }),
    /** Resolves once the thread has ended; a thread inside a decoder ends late. */
    stop,
  };
};
export type PhotoThread = ReturnType<typeof startPhotoThread>;
