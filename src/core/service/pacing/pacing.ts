import type { Ports } from '../../base/ports.ts';
import { drawn, listingsDueAt, newBudgetsAt, pauseMs, secondTryMs, retryAfterMs, type Wait } from './waits.ts';
import { createRequestQueue, type RequestQueue } from './requestQueue.ts';

/** When the companion asks by itself. All times are in ms. */
export type Pacing = {
  /** The service, and the place that photos are put to, which may be elsewhere. */
  service: RequestQueue;
  storage: RequestQueue;
  /** Whether the next try after this error waits for one of them by itself. */
  counts: (error: unknown) => boolean;
  draw: (wait: Wait) => number;
  /** The pause after so many failures in a row on this machine. */
  localPauseMs: (failures: number) => number;
  /** The least time from the beginning of a step to that of its repeat, after so many repeats in a row. */
  repeatMs: (repeats: number) => number;
  /** What a Retry-After comes to. */
  retryAfterMs: (retryAfterS: number) => number;
  /** How long a second try waits while somebody waits for the answer; null for none. */
  secondTryMs: (retryAfterS: number | undefined) => number | null;
  /** How long until daily budgets may be used again. */
  newBudgetsInMs: () => number;
  /** By the elapsed time; `doneAt` is null where they were never read. */
  listingsDueAt: (doneAt: number | null, atStart: boolean) => number;
  /** Told when a service goes down or is there again. */
  onTurn: (listener: () => void) => void;
  /** After a start: nothing that goes on by itself goes at once, unless somebody hurries. */
  start: () => void;
  hurry: () => void;
  /** Does work until it does not fail for want of the service; it waits for that where it asks. */
  persist: <T>(work: () => Promise<T>, failed?: (error: unknown) => void) => Promise<T>;
  /** Does work after a time; the answer does it at once where it has not begun. */
  later: (ms: number, work: () => void, signal: AbortSignal) => () => void;
};

/** Local trouble, as a full disk, is looked at again after this at the latest: no service is asked. */
const mostLocalMs = 60_000;
/** As long as a step waits for a place: what waits by itself waits no longer for being a repeat. */
const mostRepeatMs = 20_000;

/**
 * When the companion asks the service by itself, and when it asks again. All companions are alike, so whatever they do by
 * the clock they would do together; everything here is drawn from a span. `random` answers numbers from 0 up to 1.
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
