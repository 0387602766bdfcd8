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

/**
 * Reading the uptime is a fifth of the work of a short request, so it is read only after this time, or at once if the
 * wall clock has moved by more than `maxWallDriftMs` against the steady clock, as it does during a sleep.
 */
const uptimeCheckMs = 250;
const maxWallDriftMs = 50;

/** Creates a function that returns how long the machine has slept since the start. */
const createSleepMeter = (uptimeMs: () => number, wallMs: () => number): ((steadyMs: number) => number) => {
  let atStartMs: number | null = null;
  let last = { steadyMs: -Infinity, wallOffsetMs: 0 };
  let sleptMs = 0;
  return (steadyMs) => {
    const wallOffsetMs = wallMs() - steadyMs;
    if (steadyMs - last.steadyMs < uptimeCheckMs && Math.abs(wallOffsetMs - last.wallOffsetMs) <= maxWallDriftMs)
      return sleptMs;
    last = { steadyMs, wallOffsetMs };
    const offsetMs = uptimeMs() - steadyMs;
    atStartMs ??= offsetMs;
    const newlySleptMs = offsetMs - atStartMs - sleptMs;
    if (newlySleptMs > minSleepMs) sleptMs += newlySleptMs;
    return sleptMs;
  };
};

/** Creates a clock that counts the time asleep as elapsed. */
export const createClock = ({ wallMs, steadyMs, uptimeMs }: ClockSources): Clock => {
  const measureSleepMs = uptimeMs ? createSleepMeter(uptimeMs, wallMs) : () => 0;
  measureSleepMs(steadyMs());
  return {
    now: wallMs,
    elapsedMs: () => {
      const awakeMs = steadyMs();
      return Math.floor(awakeMs + measureSleepMs(awakeMs));
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
