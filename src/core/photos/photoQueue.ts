import type { KitchenRequest, KitchenResult } from '../../photoContract/messages.ts';
import { JobLost, type Made } from '../../isolated/processClient.ts';

/** Sends a job to the process that decodes photos. Rejects with JobLost. */
export type Ask = (request: KitchenRequest, original: Uint8Array) => Promise<Made<KitchenResult>>;

/** Why a photo has no result: it crashed its process twice, or no process could be started. */
export type LostPhoto = 'WORKER_DIED' | 'MACHINE_BUSY';

/** The kind of job for a photo. */
export type Kind = 'thumbnail' | 'prepare' | 'picture' | 'barcodes';

/** The priority of each kind. Thumbnails come first because a person is waiting; full-size barcodes come last. */
const turn: Record<Kind, number> = { thumbnail: 0, prepare: 1, picture: 1, barcodes: 2 };

/**
 * After this many thumbnails in a row another job runs. Otherwise, with ten thousand photos, the first item would wait
 * for minutes.
 */
const mostThumbnails = 8;

/** A photo that has crashed its thread, or the process while running alone, this often is refused. */
const mostDeaths = 2;

type Task = {
  kind: Kind;
  /** Runs the whole job from reading the original on; repeated from the start if the process ended. */
  run: (ask: Ask) => Promise<void>;
  refuse: (why: LostPhoto) => void;
  fail: (reason: unknown) => void;
  gone: AbortController;
  deaths: number;
};

type Turned = { kind: Kind };

const drop = <T>(all: T[], one: T): void => {
  const at = all.indexOf(one);
  if (at >= 0) all.splice(at, 1);
};

/** A queue by priority. */
const createTurns = <T extends Turned>() => {
  const queue: T[] = [];
  let thumbnails = 0;
  const took = (task: T | undefined): T | undefined => {
    thumbnails = task?.kind === 'thumbnail' ? thumbnails + 1 : 0;
    return task;
  };
  return {
    add: (task: T): void => {
      const firstLater = queue.findIndex((other) => turn[other.kind] > turn[task.kind]);
      if (firstLater >= 0) queue.splice(firstLater, 0, task);
      else queue.push(task);
    },
    addFirst: (task: T): void => void queue.unshift(task),
    take: (): T | undefined => {
      if (queue.length === 0) return undefined;
      const other = thumbnails < mostThumbnails ? -1 : queue.findIndex(({ kind }) => kind !== 'thumbnail');
      return took(other < 0 ? queue.shift() : queue.splice(other, 1)[0]);
    },
    /** Returns the next task if it is a thumbnail and no other kind is due. */
    takeThumbnail: (): T | undefined => {
      const isTurn = thumbnails < mostThumbnails || queue.every(({ kind }) => kind === 'thumbnail');
      return isTurn && queue[0]?.kind === 'thumbnail' ? took(queue.shift()) : undefined;
    },
    drop: (task: T): void => drop(queue, task),
    all: (): T[] => [...queue],
  };
};

/** The places in the process that decodes. Tasks that have read their file wait here, by the same priority. */
const createSeats = (count: number) => {
  const queue = createTurns<Turned & { enter: () => void }>();
  let free = count;
  const next = (): void => {
    while (free > 0) {
      const first = queue.take();
      if (!first) return;
      free -= 1;
      first.enter();
    }
  };
  const leave = (): void => {
    free += 1;
    next();
  };
  return {
    /** Returns a function that frees the place. Rejects with the signal's reason. */
    take: (kind: Kind, signal: AbortSignal): Promise<() => void> =>
      new Promise((resolve, reject) => {
        signal.throwIfAborted();
        const enter = (): void => {
          signal.removeEventListener('abort', onAbort);
          resolve(leave);
        };
        const waiting = { kind, enter };
        const onAbort = (): void => {
          queue.drop(waiting);
          reject(signal.reason as Error);
        };
        signal.addEventListener('abort', onAbort, { once: true });
        queue.add(waiting);
        next();
      }),
  };
};

type AskFor = (signal: AbortSignal) => Ask;

/** Returns the ask function of a task: it waits for a place in the process, until the task is aborted. */
const seatedAsk = (askFor: AskFor, seats: ReturnType<typeof createSeats>, { kind, gone: { signal } }: Task): Ask => {
  const ask = askFor(signal);
  return async (request, original) => {
    const leave = await seats.take(kind, signal);
    return ask(request, original).finally(leave);
  };
};

/**
 * Runs as many tasks as the process takes, plus one that reads its file ahead. Tasks that were in the process when it
 * crashed are suspects: each is retried alone while the others wait.
 */
const createPool = (askFor: AskFor, taken: number) => {
  const queue = createTurns<Task>();
  const seats = createSeats(taken);
  const suspects: Task[] = [];
  const busy = new Set<Task>();
  const runs = new Set<Promise<void>>();
  let alone: Task | null = null;
  let closed = false;

  const lost = (task: Task, guilt: JobLost['guilt']): void => {
    if (guilt === 'unstarted') return task.refuse('MACHINE_BUSY');
    if (guilt === 'blamed') task.deaths += 1;
    if (task.deaths >= mostDeaths) return task.refuse('WORKER_DIED');
    if (guilt === 'innocent' && alone !== task) queue.addFirst(task);
    else suspects.push(task);
  };

  const start = async (task: Task): Promise<void> => {
    busy.add(task);
    try {
      await task.run(seatedAsk(askFor, seats, task));
    } catch (error) {
      if (task.gone.signal.aborted || closed) task.fail(task.gone.signal.reason ?? error);
      else if (error instanceof JobLost) lost(task, error.guilt);
      else task.fail(error);
    }
    busy.delete(task);
    if (alone === task) alone = null;
    next();
  };

  /** Takes the next task. A thumbnail may also overtake a task that has already read its file. */
  const takeNext = (): Task | undefined => (busy.size <= taken ? queue.take() : queue.takeThumbnail());

  const next = (): void => {
    while (!closed && alone === null && busy.size < (suspects.length > 0 ? 1 : taken + 2)) {
      const suspect = suspects.shift();
      const task = suspect ?? takeNext();
      if (!task) return;
      alone = suspect ?? null;
      const run = start(task).finally(() => runs.delete(run));
      runs.add(run);
    }
  };

  /** Drops a waiting task at once. A running task rejects at once, but keeps its place until its thread has ended. */
  const cancel = (task: Task, reason: unknown): void => {
    queue.drop(task);
    drop(suspects, task);
    task.fail(reason);
    task.gone.abort(reason);
  };

  return {
    add: (task: Task): void => {
      queue.add(task);
      next();
    },
    cancel,
    isClosed: (): boolean => closed,
    close: (): void => {
      closed = true;
      const why = new Error('The photo workers were closed.');
      for (const task of [...queue.all(), ...suspects, ...busy]) cancel(task, why);
    },
    /** Waits until no read or write is running. */
    settled: async (): Promise<void> => void (await Promise.all(runs)),
  };
};

/**
 * Creates the queue for work on photos. `askFor` returns the connection to the decoding process until a signal; `taken`
 * is the number of jobs that it takes at a time.
 */
export const createPhotoQueue = (askFor: AskFor, taken: number) => {
  const pool = createPool(askFor, taken);
  return {
    /**
     * Runs work on a photo. Returns the result of `lost` if the process failed; rejects with the signal's reason when
     * aborted, and when the queue is closed.
     */
    add: async <T>(
      kind: Kind,
      work: (ask: Ask) => Promise<T>,
      lost: (why: LostPhoto) => T,
      signal?: AbortSignal,
    ): Promise<T> => {
      signal?.throwIfAborted();
      if (pool.isClosed()) throw new Error('The photo workers are closed.');
      let onAbort: (() => void) | undefined;
      try {
        return await new Promise<T>((finish, fail) => {
          const run = async (ask: Ask): Promise<void> => finish(await work(ask));
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
    /** Rejects all waiting and running tasks; running ones may still write their files. */
    close: pool.close,
    settled: pool.settled,
  };
};
