import type { Assistant } from '../core/assistants/assistantWork.ts';

/** So many requests of one assistant may wait at a time; each holds a connection, and those are for all. */
const mostWaiting = 32;

/**
 * Runs a request that may wait for news. `work` is told how many ms it may wait: as long as its caller wants, or 0 while
 * too many requests of that assistant wait already.
 */
export type LongPoll = <T>(by: Assistant, wantedMs: number, work: (waitMs: number) => Promise<T>) => Promise<T>;

/** Limits how many requests of each assistant wait at a time. */
export const createLongPoll = (): LongPoll => {
  const waiting = new Map<string, number>();
  return async ({ assistantId }, wantedMs, work) => {
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
