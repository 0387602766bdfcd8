import { uptime } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import type { Clock } from './ports.ts';

/** The time sources of the machine, in ms. */
type ClockSources = {
  wallMs: () => number;
  steadyMs: () => number;
  /** The time since the machine started, sleep included; null if `steadyMs` already includes sleep. */
  uptimeMs: (() => number) | null;
};

/** The resolution of the uptime is low: ignore smaller differences. */
const minSleepMs = 2_000;

/** Creates a clock from these sources. Time asleep counts as elapsed. */
export const createClock = ({ wallMs, steadyMs, uptimeMs }: ClockSources): Clock => {
  const readUptimeLagMs = (): number => (uptimeMs ? uptimeMs() - steadyMs() : 0);
  const atStartMs = readUptimeLagMs();
  let sleptMs = 0;
  return {
    now: wallMs,
    elapsedMs: () => {
      const newlySleptMs = readUptimeLagMs() - atStartMs - sleptMs;
      if (newlySleptMs > minSleepMs) sleptMs += newlySleptMs;
      return Math.floor(steadyMs() + sleptMs);
    },
    sleep: async (ms, signal) => {
      await wait(ms, undefined, signal ? { signal } : {});
    },
  };
};

/** The clock of the machine. Only on Linux does the steady time of a process stop during sleep. */
export const systemClock: Clock = createClock({
  wallMs: () => Date.now(),
  steadyMs: () => performance.now(),
  uptimeMs: process.platform === 'linux' ? () => uptime() * 1_000 : null,
});
