import type { PhotoJobRequest, PhotoJobResult } from '../../photoContract/messages.ts';
import { JobLost, type JobOutput } from '../../isolated/processClient.ts';

/** Sends a job to the photo process. Rejects with `JobLost` if that process ends. */
export type SendPhotoJob = (request: PhotoJobRequest, original: Uint8Array) => Promise<JobOutput<PhotoJobResult>>;

/** `WORKER_DIED`: the photo crashed the photo process twice. `MACHINE_BUSY`: no photo process could be started. */
export type LostPhoto = 'WORKER_DIED' | 'MACHINE_BUSY';

export type PhotoJobKind = 'thumbnail' | 'prepare' | 'picture' | 'barcodes';

/** A person waits for thumbnails, so they come first. */
const jobPriorities: Record<PhotoJobKind, number> = { thumbnail: 0, prepare: 1, picture: 1, barcodes: 2 };

/**
 * After this many thumbnails in a row, another job runs. Otherwise ten thousand thumbnails would delay the first item
 * by minutes.
 */
const maxThumbnails = 8;

const maxDeaths = 2;

type Task = {
  kind: PhotoJobKind;
  /** Reads the original and runs the whole job. It is called again if the photo process crashes. */
  run: (ask: SendPhotoJob) => Promise<void>;
  refuse: (why: LostPhoto) => void;
  fail: (reason: unknown) => void;
  gone: AbortController;
  deaths: number;
};

type PrioritisedTask = { kind: PhotoJobKind };

const removeFromList = <T>(all: T[], one: T): void => {
  const at = all.indexOf(one);
  if (at >= 0) all.splice(at, 1);
};

const createPriorityQueue = <T extends PrioritisedTask>() => {
  const queue: T[] = [];
  let thumbnails = 0;
  const recordTakenTask = (task: T | undefined): T | undefined => {
    thumbnails = task?.kind === 'thumbnail' ? thumbnails + 1 : 0;
    return task;
  };
  return {
    add: (task: T): void => {
      const firstLater = queue.findIndex((other) => jobPriorities[other.kind] > jobPriorities[task.kind]);
      if (firstLater >= 0) queue.splice(firstLater, 0, task);
      else queue.push(task);
    },
    addFirst: (task: T): void => void queue.unshift(task),
    take: (): T | undefined => {
      if (queue.length === 0) return undefined;
      const other = thumbnails < maxThumbnails ? -1 : queue.findIndex(({ kind }) => kind !== 'thumbnail');
      return recordTakenTask(other < 0 ? queue.shift() : queue.splice(other, 1)[0]);
    },
    takeThumbnail: (): T | undefined => {
      const isTurn = thumbnails < maxThumbnails || queue.every(({ kind }) => kind === 'thumbnail');
      return isTurn && queue[0]?.kind === 'thumbnail' ? recordTakenTask(queue.shift()) : undefined;
    },
    drop: (task: T): void => removeFromList(queue, task),
    all: (): T[] => [...queue],
  };
};

/** `getLimit` returns how many permits there are now. A permit that was given stays until it is released. */
const createProcessSemaphore = (getLimit: () => number) => {
  const queue = createPriorityQueue<PrioritisedTask & { enter: () => void }>();
  let given = 0;
  const admitWaitingTasks = (): void => {
    while (given < getLimit()) {
      const first = queue.take();
      if (!first) return;
      given += 1;
      first.enter();
    }
  };
  const releasePermit = (): void => {
    given -= 1;
    admitWaitingTasks();
  };
  return {
    take: (kind: PhotoJobKind, signal: AbortSignal): Promise<() => void> =>
      new Promise((resolve, reject) => {
        signal.throwIfAborted();
        const enter = (): void => {
          signal.removeEventListener('abort', rejectWaitingTask);
          resolve(releasePermit);
        };
        const waiting = { kind, enter };
        const rejectWaitingTask = (): void => {
          queue.drop(waiting);
          reject(signal.reason as Error);
        };
        signal.addEventListener('abort', rejectWaitingTask, { once: true });
        queue.add(waiting);
        admitWaitingTasks();
      }),
  };
};

type ConnectPhotoProcess = (signal: AbortSignal) => SendPhotoJob;

const createConcurrencyLimitedSender = (
  askFor: ConnectPhotoProcess,
  processSemaphore: ReturnType<typeof createProcessSemaphore>,
  { kind, gone: { signal } }: Task,
): SendPhotoJob => {
  const ask = askFor(signal);
  return async (request, original) => {
    const leave = await processSemaphore.take(kind, signal);
    return ask(request, original).finally(leave);
  };
};

/**
 * Runs tasks in parallel. After a crash of the photo process, the tasks that might have caused it are retried one at a
 * time.
 */
const createTaskPool = (askFor: ConnectPhotoProcess, taken: number, getLimit: () => number) => {
  const queue = createPriorityQueue<Task>();
  const processSemaphore = createProcessSemaphore(getLimit);
  const suspects: Task[] = [];
  const busy = new Set<Task>();
  const runs = new Set<Promise<void>>();
  let alone: Task | null = null;
  let closed = false;

  const handleLostTask = (task: Task, guilt: JobLost['guilt']): void => {
    if (guilt === 'unstarted') return task.refuse('MACHINE_BUSY');
    if (guilt === 'blamed') task.deaths += 1;
    if (task.deaths >= maxDeaths) return task.refuse('WORKER_DIED');
    if (guilt === 'innocent' && alone !== task) queue.addFirst(task);
    else suspects.push(task);
  };

  const runTask = async (task: Task): Promise<void> => {
    busy.add(task);
    try {
      await task.run(createConcurrencyLimitedSender(askFor, processSemaphore, task));
    } catch (error) {
      if (task.gone.signal.aborted || closed) task.fail(task.gone.signal.reason ?? error);
      else if (error instanceof JobLost) handleLostTask(task, error.guilt);
      else task.fail(error);
    }
    busy.delete(task);
    if (alone === task) alone = null;
    runNextTasks();
  };

  /**
   * One extra task is allowed if it is a thumbnail, so that it can overtake a task that waits for the photo process.
   */
  const takeNextTask = (): Task | undefined => (busy.size <= taken ? queue.take() : queue.takeThumbnail());

  const runNextTasks = (): void => {
    while (!closed && alone === null && busy.size < (suspects.length > 0 ? 1 : taken + 2)) {
      const suspect = suspects.shift();
      const task = suspect ?? takeNextTask();
      if (!task) return;
      alone = suspect ?? null;
      const run = runTask(task).finally(() => runs.delete(run));
      runs.add(run);
    }
  };

  /** Rejects the task at once. If it is already running, it keeps its permit until its thread has ended. */
  const cancel = (task: Task, reason: unknown): void => {
    queue.drop(task);
    removeFromList(suspects, task);
    task.fail(reason);
    task.gone.abort(reason);
  };

  return {
    add: (task: Task): void => {
      queue.add(task);
      runNextTasks();
    },
    cancel,
    isClosed: (): boolean => closed,
    close: (): void => {
      closed = true;
      const why = new Error('The photo workers were closed.');
      for (const task of [...queue.all(), ...suspects, ...busy]) cancel(task, why);
    },
    /** Waits until no task reads or writes a file. */
    settled: async (): Promise<void> => void (await Promise.all(runs)),
  };
};

/**
 * Creates the queue of photo jobs. `taken` is the number of jobs that the photo process accepts at a time. `getLimit`
 * returns how many of them may run now, at least 1.
 */
export const createPhotoQueue = (askFor: ConnectPhotoProcess, taken: number, getLimit = () => taken) => {
  const pool = createTaskPool(askFor, taken, getLimit);
  return {
    /**
     * Runs `work` with a connection to the photo process. Returns `lost(…)` if the photo process fails. Rejects with
     * the signal's reason, or when the queue is closed.
     */
    add: async <T>(
      kind: PhotoJobKind,
      work: (ask: SendPhotoJob) => Promise<T>,
      lost: (why: LostPhoto) => T,
      signal?: AbortSignal,
    ): Promise<T> => {
      signal?.throwIfAborted();
      if (pool.isClosed()) throw new Error('The photo workers are closed.');
      let onAbort: (() => void) | undefined;
      try {
        return await new Promise<T>((finish, fail) => {
          const run = async (ask: SendPhotoJob): Promise<void> => finish(await work(ask));
          const refuse = (why: LostPhoto): void => finish(lost(why));
          const task: Task = { kind, run, refuse, fail, gone: new AbortController(), deaths: 0 };
          onAbort = () => pool.cancel(task, signal?.reason);
          signal?.addEventListener('abort', onAbort, { once: true });
          pool.add(task);
        });
      } finally {
        if (onAbort) signal?.removeEventListener('abort', onAbort);
      }
    },
    /** Rejects all tasks. A running task might still write its files. */
    close: pool.close,
    settled: pool.settled,
  };
};
