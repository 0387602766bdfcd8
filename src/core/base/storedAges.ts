import { createBoundedMap } from './boundedMap.ts';
import type { Clock } from './ports.ts';

/** Ages of what is stored with a wall time, by names of the caller's. */
export type StoredAges = {
  /** Something was stored that is so old, in ms; by default it is new. */
  note: (name: string, ageMs?: number) => void;
  /** How old what was stored at `at` (ms since 1970) is, in ms. */
  ageMs: (name: string, at: number) => number;
  /** The wall time as it would be if nobody had set the clock since the start: the calendar of a day's limits. */
  steadyAt: () => number;
  /** No wall time of what was noted within so long, or stored before this run, is before this. */
  earliestAt: (ms: number) => number;
};

const maxNoted = 20_000;

/**
 * Ages by the elapsed time, so that a wall clock that is set during a run neither prolongs nor shortens a deadline. What was
 * stored in this run is measured from its note; what an earlier run stored, from its age by the wall clock at the start of
 * this one. What the wall clock then puts into the future counts as stored at the start: a clock that was set back between
 * two runs prolongs no deadline beyond its whole span.
 */
export const createStoredAges = (clock: Clock): StoredAges => {
  const start = { at: clock.now(), elapsedMs: clock.elapsedMs() };
  const noted = createBoundedMap<string, number>(maxNoted);
  const steadyAt = (): number => start.at + clock.elapsedMs() - start.elapsedMs;
  /** How far behind the steady time the wall clock was when something was noted; 0 or less. */
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

/** The clocks of a machine run apart by a little. */
const maxDriftMs = 1_000;

/** A stored deadline as people read it: by the wall clock as it is now, where that was set meanwhile. */
export const shownDeadline = (stored: number, dueInMs: number, now: number): number => {
  const dueAt = now + dueInMs;
  return Math.abs(dueAt - stored) > maxDriftMs ? dueAt : stored;
};
