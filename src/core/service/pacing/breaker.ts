import type { Random } from '../../base/ports.ts';
import { drawn, pauseMs, retryAfterMs } from './waits.ts';

/** What the end of a call says of the service. `busy`: it is there, and asks this lane to wait. `unknown`: nothing. */
export type Verdict =
  | { kind: 'up' }
  | { kind: 'unknown' }
  | { kind: 'down'; retryAfterS?: number | undefined }
  | { kind: 'busy'; retryAfterS: number };

/** A call that is under way. */
export type Permit = { lane: string; isTest: boolean; since: number };

type Trouble = {
  failures: number;
  /** The next test is made at this time at the earliest. */
  until: number;
  /** Until when the service asked to wait, which nobody skips; -Infinity where it asked for nothing. */
  askedUntil: number;
  /** Which failure it was that counted last. */
  lastFailure: number;
  /** The next test is the person's. */
  hurried: boolean;
};

/** Times are elapsed times of the caller's clock, in ms: they never run back. */
export type Breaker = {
  /** From when on a call of that lane may go; Infinity while another one tests the way. */
  goesAt: (lane: string) => number;
  /** Begins a call. It tests the way where there is trouble; `attended` calls go anyway and test nothing. */
  begin: (lane: string, attended?: boolean) => Permit;
  end: (permit: Permit, verdict: Verdict, now: number) => void;
  /** The person wants it tried now: of the pauses only what the service itself asked for is left. */
  hurry: (now: number) => void;
  /** Nothing goes for so long, as after a start. */
  quiet: (now: number, ms: number) => void;
  /** The service as a whole does not answer as it should. */
  isDown: () => boolean;
  /** The same, or one kind of call. */
  isTroubled: () => boolean;
};

/**
 * What a call that nobody waits for does now: it goes at this time, which is now or later (Infinity: when a test has
 * ended), and then looks again. `hasWaited` says that it was held back: then others were, too, and it goes a little later.
 */
export const sendTime = (
  breaker: Breaker,
  { lane, now, hasWaited }: { lane: string; now: number; hasWaited: boolean },
  random: Random,
): number => {
  const at = breaker.goesAt(lane);
  if (at > now || !hasWaited || breaker.isTroubled()) return Math.max(at, now);
  return now + drawn('release', random);
};

type BreakerState = {
  random: Random;
  /** What is wrong with the service as a whole; null when nothing is. */
  all: Trouble | null;
  /** What is wrong with single lanes. */
  lanes: Map<string, Trouble>;
  /** The lanes of which a call tests the way right now. */
  tests: Set<string>;
  /** How many failures there were; a call that began before one says nothing of what came after it. */
  failureCount: number;
  quietUntil: number;
};

const troublesOf = ({ all, lanes }: BreakerState): Trouble[] => [...lanes.values(), ...(all ? [all] : [])];

type Failure = { permit: Permit; now: number; retryAfterS: number | undefined };

/** What counts is a failure that was not under way already when the last one came. */
const grown = (
  { random, failureCount }: BreakerState,
  before: Trouble | null,
  { permit, now, retryAfterS }: Failure,
): Trouble => {
  const asked = retryAfterS === undefined ? null : now + retryAfterMs(retryAfterS, random);
  if (before && !permit.isTest && permit.since < before.lastFailure) {
    const askedUntil = asked === null ? before.askedUntil : Math.max(before.askedUntil, asked);
    return { ...before, askedUntil, until: Math.max(before.until, askedUntil) };
  }
  const failures = (before?.failures ?? 0) + (before?.hurried ? 0 : 1);
  const askedUntil = asked ?? -Infinity;
  const until = Math.max(now + pauseMs(failures, random), askedUntil);
  return { failures, askedUntil, until, lastFailure: failureCount, hurried: false };
};

const failed = (state: BreakerState, failure: Failure, wholeService: boolean): void => {
  const { lanes } = state;
  const { lane } = failure.permit;
  state.failureCount += 1;
  lanes.set(lane, grown(state, lanes.get(lane) ?? null, failure));
  if (wholeService) state.all = grown(state, state.all, failure);
};

const succeeded = (state: BreakerState, { lane, isTest, since }: Permit, now: number): void => {
  const { all, lanes } = state;
  // A call that was under way before the failure says nothing of what came after it.
  const isNews = (trouble: Trouble): boolean => isTest || since >= trouble.lastFailure;
  if (all && (isNews(all) || all.askedUntil <= now)) state.all = null;
  const own = lanes.get(lane);
  if (!own || !isNews(own)) return;
  lanes.delete(lane);
  // What failed works again, so the rest of what failed is worth a test, too.
  for (const other of lanes.values()) other.until = Math.max(other.askedUntil, Math.min(other.until, now));
};

const goesAt = ({ all, lanes, tests, quietUntil }: BreakerState, lane: string): number => {
  const own = lanes.get(lane);
  if (all === null && own === undefined) return quietUntil;
  if (all === null ? tests.has(lane) : tests.size > 0) return Infinity;
  return Math.max(quietUntil, all?.until ?? 0, own?.until ?? 0);
};

const hurry = (state: BreakerState, now: number): void => {
  state.quietUntil = 0;
  for (const trouble of troublesOf(state)) {
    trouble.until = Math.min(trouble.until, Math.max(trouble.askedUntil, now));
    trouble.hurried = true;
  }
};

/**
 * Keeps the calls that nobody waits for from a service that has a fault. A lane is one kind of call. After a failure no
 * lane goes on but one call at a time, which tests the way for all, after pauses that grow. When some call succeeds the
 * others go on; lanes that failed themselves are tested first, each by one call, so that a route that stays broken is
 * not asked more often because another one works. Knows no clock: every function is told the time.
 */
export const createBreaker = (random: Random): Breaker => {
  const state: BreakerState = {
    random,
    all: null,
    lanes: new Map(),
    tests: new Set(),
    failureCount: 0,
    quietUntil: 0,
  };
  return {
    goesAt: (lane) => goesAt(state, lane),
    begin: (lane, attended = false) => {
      const isTest = !attended && (state.all !== null || state.lanes.has(lane));
      if (isTest) state.tests.add(lane);
      return { lane, isTest, since: state.failureCount };
    },
    end: (permit, verdict, now) => {
      if (permit.isTest) state.tests.delete(permit.lane);
      if (verdict.kind === 'up') succeeded(state, permit, now);
      if (verdict.kind === 'down' || verdict.kind === 'busy')
        failed(state, { permit, now, retryAfterS: verdict.retryAfterS }, verdict.kind === 'down');
    },
    hurry: (now) => hurry(state, now),
    quiet: (now, ms) => void (state.quietUntil = now + ms),
    isDown: () => state.all !== null,
    isTroubled: () => state.all !== null || state.lanes.size > 0,
  };
};
