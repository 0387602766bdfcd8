import type { Ports } from '../../base/ports.ts';
import { drawn, listingsDueAt, newBudgetsAt, pauseMs, secondTryMs, toldMs, type Wait } from './waits.ts';
import { createWay } from './way.ts';

export type Pacing = ReturnType<typeof createPacing>;

/** Local trouble, as a full disk, is looked at again after this at the latest: no service is asked. */
const mostLocalMs = 60_000;

/**
 * When the companion asks the service by itself, and when it asks again. All companions are alike, so whatever they do by
 * the clock they would do together; everything here is drawn from a span. `random` answers numbers from 0 up to 1.
 */
export const createPacing = ({ clock, random }: Pick<Ports, 'clock' | 'random'>) => {
  const listeners = new Set<() => void>();
  const turned = (): void => listeners.forEach((listener) => listener());
  /** The service, and the place that photos are put to, which may be elsewhere. */
  const service = createWay(clock, random, turned);
  const storage = createWay(clock, random, turned);
  const counts = (error: unknown): boolean => service.counts(error) || storage.counts(error);

  return {
    service,
    storage,
    counts,
    draw: (wait: Wait): number => drawn(wait, random),
    localPauseMs: (failures: number): number => pauseMs(failures, random, mostLocalMs),
    toldMs: (retryAfterS: number): number => toldMs(retryAfterS, random),
    secondTryMs: (retryAfterS: number | undefined): number | null => secondTryMs(retryAfterS, random),
    newBudgetsAt: (): number => newBudgetsAt(clock.now(), random),
    listingsDueAt: (doneAt: number | null, atStart: boolean): number =>
      listingsDueAt(doneAt, clock.now(), atStart, random),
    /** Told when a service goes down or is there again. */
    onTurn: (listener: () => void): void => void listeners.add(listener),
    /** After a start: nothing that goes on by itself goes at once, unless somebody hurries. */
    start: (): void => {
      const ms = drawn('start', random);
      for (const way of [service, storage]) way.quiet(ms);
    },
    hurry: (): void => {
      for (const way of [service, storage]) way.hurry();
    },
    /** Does work until it does not fail for want of the service; it waits for that where it asks. */
    persist: async <T>(work: () => Promise<T>, failed: (error: unknown) => void = () => undefined): Promise<T> => {
      for (;;) {
        try {
          return await work();
        } catch (error) {
          if (!counts(error)) throw error;
          failed(error);
        }
      }
    },
    /** Does work after a time; the answer does it at once where it has not begun. */
    later: (ms: number, work: () => void, signal: AbortSignal): (() => void) => {
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
