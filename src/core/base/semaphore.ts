import { abortReason } from './abortable.ts';

/**
 * Does work on each of a list, `count` at a time; the answers have the order of the list. Rejects with the first failure,
 * after which nothing more is begun.
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

/** A few places and a line before them, first come first served. */
export type Semaphore = {
  /** Waits for a place; answers how to give it back. Rejects with the signal's reason. */
  take: (id: string, signal: AbortSignal) => Promise<() => void>;
  /** Takes a place even beyond the number: for what was already in one before a restart. */
  keep: () => () => void;
  /** Its place in the line, counting from 1; null when it does not wait, or so far back that nobody counts. */
  position: (id: string) => number | null;
  /** Whether nobody is in a place or waits for one. */
  isEmpty: () => boolean;
};

/** Of thousands that wait, each that leaves would move all others: only the first are told where they stand. */
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
