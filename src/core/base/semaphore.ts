import { abortReason } from './abortable.ts';

/**
 * Maps a list with at most `count` calls at a time; results keep the order of the list. Rejects with the first
 * failure, after which no further call starts.
 */
export const mapConcurrently = async <T, R>(
  all: readonly T[],
  count: number,
  work: (one: T) => Promise<R>,
): Promise<R[]> => {
  const answers: R[] = [];
  const line = [...all.entries()];
  const lane = async (): Promise<void> => {
    for (let next = line.shift(); next; next = line.shift()) {
      const [at, one] = next;
      try {
        answers[at] = await work(one);
      } catch (error) {
        line.length = 0;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: count }, lane));
  return answers;
};

/** A counting semaphore with a first-in, first-out queue. */
export type Semaphore = {
  /** Waits for a place; returns the release function. Rejects with the signal's reason. */
  take: (id: string, signal: AbortSignal) => Promise<() => void>;
  /** Takes a place even beyond the limit, for work that had one before a restart. */
  keep: () => () => void;
  /** Returns the position in the queue, from 1; null if it is not queued or too far back to be counted. */
  position: (id: string) => number | null;
  /** Returns whether no place is taken and the queue is empty. */
  isEmpty: () => boolean;
};

/** Positions are counted only up to this: with thousands in the queue, each departure would update all of them. */
const counted = 100;

export const createSemaphore = (count: number): Semaphore => {
  const line: { id: string; go: () => void }[] = [];
  let taken = 0;
  const next = (): void => {
    if (taken < count) line.shift()?.go();
  };
  const hold = (): (() => void) => {
    taken += 1;
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      taken -= 1;
      next();
    };
  };
  const take = (id: string, signal: AbortSignal): Promise<() => void> =>
    new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const waiter = { id, go: () => (signal.removeEventListener('abort', leave), resolve(hold())) };
      const leave = () => {
        line.splice(line.indexOf(waiter), 1);
        reject(abortReason(signal));
      };
      signal.addEventListener('abort', leave, { once: true });
      line.push(waiter);
      next();
    });
  const position = (id: string): number | null => {
    const index = line.slice(0, counted).findIndex((waiter) => waiter.id === id);
    return index === -1 ? null : index + 1;
  };
  return { take, keep: hold, position, isEmpty: () => taken === 0 && line.length === 0 };
};
