import { Worker } from 'node:worker_threads';
import type { ThreadStart } from '../isolated/photoThreads.ts';
import type { SemaphorePermit, WeightedSemaphore } from '../isolated/weightedSemaphore.ts';
import type { PhotoJob } from '../photoContract/messages.ts';
import { isThreadMessage, type ReturnedJob, type ThreadResult, type ToThread } from './threadMessages.ts';

/** A decoder that needs longer is in an endless loop. The slowest known photo takes 13 s. */
const jobLimitMs = 120_000;
/** WebAssembly memory never shrinks, so a thread that decoded a larger photo is replaced. */
const hugePixels = 60e6;

type JobOutcome = ThreadResult | ReturnedJob | null;

type RunningJob = {
  id: number;
  finish: (outcome: JobOutcome) => void;
  place?: SemaphorePermit;
  limit: ReturnType<typeof createTimeLimit>;
};

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
  flags: readonly string[];
};

export const startPhotoThread = ({ url, start, flags }: Options, room: WeightedSemaphore) => {
  const worker = new Worker(url, { workerData: start, execArgv: [...flags], env: process.env, name: 'photos' });
  let running: RunningJob | undefined;
  let isAlive = true;
  let isWorn = false;

  const finishRunningJob = (outcome: JobOutcome): void => {
    const done = running;
    running = undefined;
    done?.limit.end();
    done?.place?.leave();
    done?.finish(outcome);
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
    finishRunningJob(null);
  };
  const onTimeLimit = (): void => {
    finishRunningJob(null);
    void stop();
  };

  worker.on('error', onThreadEnd);
  worker.on('exit', onThreadEnd);
  worker.on('message', (message: unknown) => {
    if (!isThreadMessage(message)) return void stop();
    if (message.type === 'weight') {
      const { id, pixels } = message;
      if (running?.id !== id) return;
      isWorn ||= pixels > hugePixels;
      // The time limit of the job does not include waiting for other threads.
      running.limit.pause();
      running.place = room.ask(pixels, () => grantDecoding(id));
      return;
    }
    if (message.type === 'returned') {
      if (running?.id === message.id) finishRunningJob({ id: message.id, original: message.original });
      return;
    }
    if (running?.id === message.result.id) finishRunningJob({ result: message.result, pictures: message.pictures });
  });

  return {
    usable: (): boolean => isAlive && !isWorn,
    /** With `isAlone`, the caller lets no other thread work until the answer. Returns null if the thread ended. */
    run: (job: PhotoJob, original: Uint8Array<ArrayBuffer>, isAlone: boolean): Promise<JobOutcome> =>
      new Promise((finish) => {
        if (!isAlive) return finish(null);
        running = { id: job.id, finish, limit: createTimeLimit(jobLimitMs, onTimeLimit) };
        worker.postMessage({ type: 'job', job, original, isAlone } satisfies ToThread, [original.buffer]);
      }),
    stop,
  };
};
export type PhotoThread = ReturnType<typeof startPhotoThread>;
