import { uptime } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import type { Clock } from './ports.ts';

/** What the machine tells of the time, in ms. */
type Sources = {
  wallMs: () => number;
  steadyMs: () => number;
  /** The time since the machine started, sleep included; null where `steadyMs` includes sleep itself. */
  uptimeMs: (() => number) | null;
};

/** The uptime is coarse: a smaller difference from the steady time is no sleep. */
const minSleepMs = 2_000;

/** A clock of these sources. Time that the machine sleeps counts as elapsed. */
export const createClock = ({ wallMs, steadyMs, uptimeMs }: Sources): Clock => {
  const behindMs = (): number => (uptimeMs ? uptimeMs() - steadyMs() : 0);
  const atStartMs = behindMs();
  let sleptMs = 0;
  return {
    now: wallMs,
    elapsedMs: () => {
      const missedMs = behindMs() - atStartMs - sleptMs;
      if (missedMs > minSleepMs) sleptMs += missedMs;
      return Math.floor(steadyMs() + sleptMs);
    },
    sleep: async (ms, signal) => {
      await wait(ms, undefined, signal ? { signal } : {});
    },
  };
};

/** The machine's own clock. Only on Linux does the steady time of a process stand still while the machine sleeps. */
export const systemClock: Clock = createClock({
  wallMs: () => Date.now(),
  steadyMs: () => performance.now(),
  uptimeMs: process.platform === 'linux' ? () => uptime() * 1_000 : null,
});
