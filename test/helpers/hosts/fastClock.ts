import { setTimeout as wait } from 'node:timers/promises';
import type { Clock } from '../../../src/core/base/ports.ts';

/** A clock with waits at a fiftieth of their length, for tests of order rather than duration. */
export const fastClock: Clock = {
  now: () => Date.now(),
  elapsedMs: () => performance.now(),
  sleep: async (ms, signal) => void (await wait(ms / 50, undefined, signal ? { signal } : {})),
};
