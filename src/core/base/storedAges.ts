import { createBoundedMap } from './boundedMap.ts';
import type { Clock } from './ports.ts';

export type StoredAges = {
  /** Records that a value was stored `ageMs` ago (0 by default). */
  note: (name: string, ageMs?: number) => void;
  /** Returns the age, in ms, of a value that was stored at `at` (ms since 1970). */
  ageMs: (name: string, at: number) => number;
  /** Returns the wall time at the start of this run plus the elapsed time, so that clock changes do not affect it. */
  steadyAt: () => number;
  /** Returns a lower bound for the stored times of values that are at most `ms` old. */
  earliestAt: (ms: number) => number;
};

const maxNoted = 20_000;

/**
 * Creates a store of ages that uses elapsed time, so that a clock change does not change a deadline. The age of a value
 * from an earlier run is computed once, when this run starts. A stored time in the future counts as the time when this
 * run started.
 */
export const createStoredAges = (clock: Clock): StoredAges => {
  const start = { at: clock.now(), elapsedMs: clock.elapsedMs() };
  const noted = createBoundedMap<string, number>(maxNoted);
  const steadyAt = (): number => start.at + clock.elapsedMs() - start.elapsedMs;
  /** How far the wall clock has been behind the steady time at most, as a negative number or 0. */
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

/** The two clocks drift apart by less than this. */
const maxDriftMs = 1_000;

/**
 * Returns a stored deadline for display. If the wall clock was changed since the deadline was stored, it returns the
 * corrected one.
 */
export const toShownDeadline = (stored: number, dueInMs: number, now: number): number => {
  const dueAt = now + dueInMs;
  return Math.abs(dueAt - stored) > maxDriftMs ? dueAt : stored;
};
