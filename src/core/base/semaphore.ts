import { getAbortReason } from './raceWithAbort.ts';

/** Maps a list and runs at most `count` calls at a time. Rejects with the first failure; no call starts after it. */
export const mapConcurrently = async <T, R>(
  all: readonly T[],
  count: number,
  work: (one: T) => Promise<R>,
): Promise<R[]> => {
  const answers: R[] = [];
  const line = all.entries();
  let isFailed = false;
  const runQueuedCalls = async (): Promise<void> => {
    for (const [at, one] of line) {
      if (isFailed) return;
      try {
        answers[at] = await work(one);
      } catch (error) {
        isFailed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: count }, runQueuedCalls));
  return answers;
};

export type Semaphore = {
  /** Resolves with the function that releases the place. Rejects with the signal's reason. */
  acquire: (id: string, signal: AbortSignal) => Promise<() => void>;
  /** Acquires a place even beyond the limit, for work that had a place before a restart. */
  acquireUnconditionally: () => () => void;
  /** Returns the position in the queue, from 1. Null if the id is not queued or if its position is above 100. */
  position: (id: string) => number | null;
  isIdle: () => boolean;
};

/**
 * The highest position that is counted. When a place becomes free, the position of every waiting call changes, and
 * counting thousands of positions each time would be slow.
 */
const maxCountedPositions = 100;

export const createSemaphore = (count: number): Semaphore => {
  const line: { id: string; go: () => void }[] = [];
  let taken = 0;
  const admitNextWaiter = (): void => {
    if (taken < count) line.shift()?.go();
  };
  const occupyOnePlace = (): (() => void) => {
    taken += 1;
    let isOccupied = true;
    return () => {
      if (!isOccupied) return;
      isOccupied = false;
      taken -= 1;
      admitNextWaiter();
    };
  };
  const acquire = (id: string, signal: AbortSignal): Promise<() => void> =>
    new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const waiter = { id, go: () => (signal.removeEventListener('abort', leaveQueue), resolve(occupyOnePlace())) };
      const leaveQueue = () => {
        line.splice(line.indexOf(waiter), 1);
        reject(getAbortReason(signal));
      };
      signal.addEventListener('abort', leaveQueue, { once: true });
      line.push(waiter);
      admitNextWaiter();
    });
  const position = (id: string): number | null => {
    const index = line.slice(0, maxCountedPositions).findIndex((waiter) => waiter.id === id);
    return index === -1 ? null : index + 1;
  };
  return { acquire, acquireUnconditionally: occupyOnePlace, position, isIdle: () => taken === 0 && line.length === 0 };
};
