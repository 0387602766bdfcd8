import { setTimeout as wait } from 'node:timers/promises';
import type { Clock } from './ports.ts';

/** The machine's own clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: async (ms, signal) => {
    await wait(ms, undefined, signal ? { signal } : {});
  },
};
