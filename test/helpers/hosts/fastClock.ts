import { setTimeout as wait } from 'node:timers/promises';
import type { Clock } from '../../../src/core/base/ports.ts';

/** A clock whose waits take a fiftieth of their time: where the order of things is looked at, not their length. */
export const fastClock: Clock = {
  now: () => Date.now(),
  elapsedMs: () => performance.now(),
  sleep: async (ms, signal) => void (await wait(ms / 50, undefined, signal ? { signal } : {})),
};
