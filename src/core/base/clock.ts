import { uptime } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import type { Clock } from './ports.ts';

type ClockSources = {
  wallMs: () => number;
  steadyMs: () => number;
  /** The time in ms since the machine started, including sleep; null if `steadyMs` already includes sleep. */
  uptimeMs: (() => number) | null;
};

/**
 * The operating system reports the uptime only roughly, so a difference of up to this many ms is not counted as sleep.
 */
const minSleepMs = 2_000;

/** Creates a clock that counts the time asleep as elapsed. */
export const createClock = ({ wallMs, steadyMs, uptimeMs }: ClockSources): Clock => {
  const readUptimeOffsetMs = (): number => (uptimeMs ? uptimeMs() - steadyMs() : 0);
  const atStartMs = readUptimeOffsetMs();
  let sleptMs = 0;
  return {
    now: wallMs,
    elapsedMs: () => {
      const newlySleptMs = readUptimeOffsetMs() - atStartMs - sleptMs;
      if (newlySleptMs > minSleepMs) sleptMs += newlySleptMs;
      return Math.floor(steadyMs() + sleptMs);
    },
    sleep: async (ms, signal) => {
      await wait(ms, undefined, signal ? { signal } : {});
    },
  };
};

/** The clock of the machine. `performance.now()` stops during sleep only on Linux, so only Linux needs the uptime. */
export const systemClock: Clock = createClock({
  wallMs: () => Date.now(),
  steadyMs: () => performance.now(),
  uptimeMs: process.platform === 'linux' ? () => uptime() * 1_000 : null,
});
