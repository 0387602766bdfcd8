import type { Ports } from '../../base/ports.ts';
import {
  getRandomDelayMs,
  getListingsDueAt,
  getBudgetRenewalAt,
  getRandomPauseMs,
  getSecondTryDelayMs,
  getRandomRetryDelayMs,
  type DelayName,
} from './waits.ts';
import { createRequestQueue, type RequestQueue } from './requestQueue.ts';

/** All times are in ms. */
export type Pacing = {
  /** The photo store has its own queue, because it can be on another host. */
  service: RequestQueue;
  storage: RequestQueue;
  /** Returns whether a retry after this error waits in one of the queues. */
  waitsForService: (error: unknown) => boolean;
  getRandomDelayMs: (wait: DelayName) => number;
  localPauseMs: (failures: number) => number;
  /** The minimum time between two starts of a repeated step. */
  repeatMs: (repeats: number) => number;
  retryAfterMs: (retryAfterS: number) => number;
  /** Returns the delay before a retry while a caller waits; null if there must be no retry. */
  secondTryMs: (retryAfterS: number | undefined) => number | null;
  newBudgetsInMs: () => number;
  /** Returns a time in ms on the monotonic clock. `doneAt` is null if the listings were never read. */
  listingsDueAt: (doneAt: number | null, atStart: boolean) => number;
  /** The listener is called when the service or the photo store fails or recovers. */
  onServiceStateChange: (listener: () => void) => void;
  /** Delays background work after the companion starts. `hurry` ends the delay. */
  start: () => void;
  hurry: () => void;
  /** Repeats work while it fails because of a fault of the service. Each retry waits in the queue. */
  retryWhileDown: <T>(work: () => Promise<T>, failed?: (error: unknown) => void) => Promise<T>;
  /** Runs the work after `ms`. The returned function runs the work at once if it has not started. */
  runLater: (ms: number, work: () => void, signal: AbortSignal) => () => void;
};

/**
 * The longest pause after a problem of this machine, such as a full disk. A retry does not burden the service, so it
 * can come soon.
 */
const maxLocalMs = 60_000;
const maxRepeatMs = 20_000;

/** Creates the timing of background requests. All waits are random, so that many companions do not send at once. */
export const createPacing = ({ clock, random }: Pick<Ports, 'clock' | 'random'>): Pacing => {
  const listeners = new Set<() => void>();
  const notifyStateListeners = (): void => listeners.forEach((listener) => listener());
  const service = createRequestQueue(clock, random, notifyStateListeners);
  const storage = createRequestQueue(clock, random, notifyStateListeners);
  const waitsForService = (error: unknown): boolean => service.waitsForService(error) || storage.waitsForService(error);

  return {
    service,
    storage,
    waitsForService,
    getRandomDelayMs: (wait) => getRandomDelayMs(wait, random),
    localPauseMs: (failures) => getRandomPauseMs(failures, random, maxLocalMs),
    repeatMs: (repeats) => getRandomPauseMs(repeats, random, maxRepeatMs),
    retryAfterMs: (retryAfterS) => getRandomRetryDelayMs(retryAfterS, random),
    secondTryMs: (retryAfterS) => getSecondTryDelayMs(retryAfterS, random),
    newBudgetsInMs: () => {
      const now = clock.now();
      return getBudgetRenewalAt(now, random) - now;
    },
    listingsDueAt: (doneAt, atStart) => getListingsDueAt(doneAt, clock.elapsedMs(), atStart, random),
    onServiceStateChange: (listener) => void listeners.add(listener),
    start: () => {
      const ms = getRandomDelayMs('start', random);
      for (const queue of [service, storage]) queue.delayAll(ms);
    },
    hurry: () => {
      for (const queue of [service, storage]) queue.hurry();
    },
    retryWhileDown: async (work, failed = () => undefined) => {
      for (;;) {
        try {
          return await work();
        } catch (error) {
          if (!waitsForService(error)) throw error;
          failed(error);
        }
      }
    },
    runLater: (ms, work, signal) => {
      const over = new AbortController();
      const runWorkNow = (): void => {
        if (over.signal.aborted || signal.aborted) return;
        over.abort();
        work();
      };
      if (ms <= 0) runWorkNow();
      else clock.sleep(ms, AbortSignal.any([over.signal, signal])).then(runWorkNow, () => undefined);
      return runWorkNow;
    },
  };
};
