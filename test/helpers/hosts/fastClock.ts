import { setTimeout as wait } from 'node:timers/promises';
import type { Clock } from '../../../src/core/base/ports.ts';

let addedMs = 0;

/** A clock with waits at a fiftieth of their length, for tests of order rather than duration. */
export const fastClock: Clock & { advance: (ms: number) => void } = {
  now: () => Date.now() + addedMs,
  elapsedMs: () => performance.now() + addedMs,
  sleep: async (ms, signal) => void (await wait(ms / 50, undefined, signal ? { signal } : {})),
  /** Lets time pass that is only measured. Waits keep their end. */
  advance: (ms) => void (addedMs += ms),
};
