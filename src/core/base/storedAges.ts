import { createBoundedMap } from './boundedMap.ts';
import type { Clock } from './ports.ts';

/** Ages of stored wall times, by names that the caller chooses. */
export type StoredAges = {
  /** Notes that a value was stored, with its age in ms (0 by default). */
  note: (name: string, ageMs?: number) => void;
  /** Returns the age, in ms, of a value stored at `at` (ms since 1970). */
  ageMs: (name: string, at: number) => number;
  /** Returns the wall time unaffected by clock changes since the start. Daily limits use it. */
  steadyAt: () => number;
  /** Returns a lower bound for the stored times of values at most `ms` old. */
  earliestAt: (ms: number) => number;
};

const maxNoted = 20_000;

/**
 * Measures ages by elapsed time, so that a clock change during a run neither extends nor shortens a deadline. Values
 * stored in this run are measured from their note, older values from their wall-clock age at the start. A stored
 * time in the future counts as stored at the start, so that a clock set back between runs extends a deadline by its
 * full length at most.
 */
export const createStoredAges = (clock: Clock): StoredAges => {
  const start = { at: clock.now(), elapsedMs: clock.elapsedMs() };
  const noted = createBoundedMap<string, number>(maxNoted);
  const steadyAt = (): number => start.at + clock.elapsedMs() - start.elapsedMs;
  /** The largest lag of the wall clock behind the steady time at any note; 0 or less. */
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

/** Tolerates the drift between the two clocks. */
const maxDriftMs = 1_000;

/** Returns a stored deadline for display, corrected if the wall clock was changed in the meantime. */
export const toShownDeadline = (stored: number, dueInMs: number, now: number): number => {
  const dueAt = now + dueInMs;
  return Math.abs(dueAt - stored) > maxDriftMs ? dueAt : stored;
};
