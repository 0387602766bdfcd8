import type { Ports } from '../../base/ports.ts';
import { drawn, listingsDueAt, newBudgetsAt, pauseMs, secondTryMs, retryAfterMs, type Wait } from './waits.ts';
import { createRequestQueue, type RequestQueue } from './requestQueue.ts';

/** The timing of the companion's background requests. All times are in ms. */
export type Pacing = {
  /** The queues of the service and of the photo store, which may be another host. */
  service: RequestQueue;
  storage: RequestQueue;
  /** Returns whether a retry after this error waits in one of the queues. */
  counts: (error: unknown) => boolean;
  draw: (wait: Wait) => number;
  /** The pause after a number of consecutive local failures. */
  localPauseMs: (failures: number) => number;
  /** The minimum time between the starts of a repeated step, after a number of consecutive repeats. */
  repeatMs: (repeats: number) => number;
  /** The delay for a Retry-After value. */
  retryAfterMs: (retryAfterS: number) => number;
  /** The delay before a retry while a caller waits; null for no retry. */
  secondTryMs: (retryAfterS: number | undefined) => number | null;
  /** The time until daily budgets are renewed. */
  newBudgetsInMs: () => number;
  /** By the elapsed time; `doneAt` is null if the listings were never read. */
  listingsDueAt: (doneAt: number | null, atStart: boolean) => number;
  /** Subscribes to the service or store going down or recovering. */
  onTurn: (listener: () => void) => void;
  /** Delays background work after a start, unless `hurry` is called. */
  start: () => void;
  hurry: () => void;
  /** Retries work while it fails because of a service fault; each retry waits in the queue. */
  persist: <T>(work: () => Promise<T>, failed?: (error: unknown) => void) => Promise<T>;
  /** Runs work after a delay; the returned function runs it at once if it has not started. */
  later: (ms: number, work: () => void, signal: AbortSignal) => () => void;
};

/** The longest pause after a local failure such as a full disk, as no service is affected. */
const mostLocalMs = 60_000;
/** The longest pause of a repeated step; equal to the usual wait for a place. */
const mostRepeatMs = 20_000;

/**
 * Creates the timing of background requests. All waits are random, as many companions would otherwise send at the
 * same time. `random` returns numbers in [0, 1).
 */
export const createPacing = ({ clock, random }: Pick<Ports, 'clock' | 'random'>): Pacing => {
  const listeners = new Set<() => void>();
  const turned = (): void => listeners.forEach((listener) => listener());
  const service = createRequestQueue(clock, random, turned);
  const storage = createRequestQueue(clock, random, turned);
  const counts = (error: unknown): boolean => service.counts(error) || storage.counts(error);

  return {
    service,
    storage,
    counts,
    draw: (wait) => drawn(wait, random),
    localPauseMs: (failures) => pauseMs(failures, random, mostLocalMs),
    repeatMs: (repeats) => pauseMs(repeats, random, mostRepeatMs),
    retryAfterMs: (retryAfterS) => retryAfterMs(retryAfterS, random),
    secondTryMs: (retryAfterS) => secondTryMs(retryAfterS, random),
    newBudgetsInMs: () => {
      const now = clock.now();
      return newBudgetsAt(now, random) - now;
    },
    listingsDueAt: (doneAt, atStart) => listingsDueAt(doneAt, clock.elapsedMs(), atStart, random),
    onTurn: (listener) => void listeners.add(listener),
    start: () => {
      const ms = drawn('start', random);
      for (const queue of [service, storage]) queue.quiet(ms);
    },
    hurry: () => {
      for (const queue of [service, storage]) queue.hurry();
    },
    persist: async (work, failed = () => undefined) => {
      for (;;) {
        try {
          return await work();
        } catch (error) {
          if (!counts(error)) throw error;
          failed(error);
        }
      }
    },
    later: (ms, work, signal) => {
      const over = new AbortController();
      const go = (): void => {
        if (over.signal.aborted || signal.aborted) return;
        over.abort();
        work();
      };
      if (ms <= 0) go();
      else clock.sleep(ms, AbortSignal.any([over.signal, signal])).then(go, () => undefined);
      return go;
    },
  };
};
