import type { Assistant } from './door.ts';

/** So many requests of one assistant may wait at a time; each holds a connection, and those are for all. */
const mostWaiting = 32;

/** Answers how long a request may wait: as long as it wants, or not at all while too many of its assistant wait already. */
export const createPatience = () => {
  const waiting = new Map<string, number>();
  return async <T>({ assistantId }: Assistant, wantedMs: number, work: (waitMs: number) => Promise<T>): Promise<T> => {
    const now = waiting.get(assistantId) ?? 0;
    if (wantedMs === 0 || now >= mostWaiting) return work(0);
    waiting.set(assistantId, now + 1);
    try {
      return await work(wantedMs);
    } finally {
      waiting.set(assistantId, (waiting.get(assistantId) ?? 1) - 1);
    }
  };
};
