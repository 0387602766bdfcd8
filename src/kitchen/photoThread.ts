import { Worker } from 'node:worker_threads';
import type { KitchenJob } from '../photoContract/messages.ts';
import { isFromThread, type Made, type ThreadStart, type ToThread } from './threadMessages.ts';

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

/** A photo that is in work longer than this has caught the decoder in a loop. The slowest known takes 13 s. */
const jobLimitMs = 120_000;
/** WebAssembly memory never shrinks: after a photo this large the thread is replaced, to give the memory back. */
const hugePixels = 60e6;

type Running = {
  id: number;
  finish: (made: Made | null) => void;
  place?: Place;
  limit: ReturnType<typeof createTimeLimit>;
};

/** Calls `onOver` once its time has passed. While it is paused none passes. */
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
  /** Flags of Node for the thread: it does not inherit those that lock its process. */
  flags: readonly string[];
};

/** One worker thread, running one job at a time. `room` bounds the pixels that all threads decode at once. */
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
      // Others may decode for long before there is room; and nothing of this one's is decoded meanwhile.
      running.limit.pause();
      running.place = room.ask(pixels, () => go(id));
      return;
    }
    if (running?.id === message.result.id) settle({ result: message.result, pictures: message.pictures });
  });

  return {
    /** Whether it can take another job; one that is worn is to be stopped and replaced. */
    usable: (): boolean => alive && !worn,
    /**
     * Answers null when the thread ends, or has to, before the job does. Its time runs from here on, whatever is asked
     * for, but not while it waits for room.
     */
    run: (job: KitchenJob, original: Uint8Array<ArrayBuffer>): Promise<Made | null> =>
      new Promise((finish) => {
        if (!alive) return finish(null);
        running = { id: job.id, finish, limit: createTimeLimit(jobLimitMs, overdue) };
        worker.postMessage({ type: 'job', job, original } satisfies ToThread, [original.buffer]);
      }),
    /** Resolves once it has ended, which one inside a decoder does not hear. */
    stop,
  };
};
export type PhotoThread = ReturnType<typeof startPhotoThread>;
