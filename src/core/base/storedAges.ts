import { createBoundedMap } from './boundedMap.ts';
import type { Clock } from './ports.ts';

export type StoredAgeTracker = {
  /** Records that a value was stored `ageMs` ago (0 by default). */
  note: (name: string, ageMs?: number) => void;
  /** Returns the age, in ms, of a value that was stored at `at` (ms since 1970). */
  ageMs: (name: string, at: number) => number;
  /**
   * Returns the wall time at the start of this run plus the time elapsed since then. A clock change does not affect it.
   */
  steadyAt: () => number;
  /** Returns a lower limit: every value that is at most `ms` old was stored at this time or later. */
  earliestAt: (ms: number) => number;
};

const maxNoted = 20_000;

/**
 * Creates a tracker for the ages of stored values. It measures elapsed time, so that a clock change during a run does
 * not move a deadline. A stored time in the future counts as the start of this run.
 */
export const createStoredAgeTracker = (clock: Clock): StoredAgeTracker => {
  const start = { at: clock.now(), elapsedMs: clock.elapsedMs() };
  const noted = createBoundedMap<string, number>(maxNoted);
  const steadyAt = (): number => start.at + clock.elapsedMs() - start.elapsedMs;
  /** The lowest difference between the wall clock and the steady time that has been seen so far. */
  let lowestOffsetMs = 0;
  return {
    steadyAt,
    earliestAt: (ms) => steadyAt() + lowestOffsetMs - ms,
    note: (name, ageMs = 0) => {
      const now = clock.now();
      lowestOffsetMs = Math.min(lowestOffsetMs, now - steadyAt());
      noted.set(name, clock.elapsedMs() - ageMs);
    },
    ageMs: (name, at) => clock.elapsedMs() - (noted.get(name) ?? start.elapsedMs - Math.max(0, start.at - at)),
  };
};

/** The two clocks can drift apart by this much without a clock change. */
const maxDriftMs = 1_000;

/** Returns a stored deadline for display, corrected if the wall clock has been changed. */
export const getDisplayDeadline = (stored: number, dueInMs: number, now: number): number => {
  const dueAt = now + dueInMs;
  return Math.abs(dueAt - stored) > maxDriftMs ? dueAt : stored;
};
