import type { Random } from '../../base/ports.ts';
import { drawWaitMs, drawPauseMs, drawRetryAfterMs } from './waits.ts';

/**
 * What a finished call shows about the service. `busy`: it is up and asks this lane to wait. `unknown`: no
 * information.
 */
export type CallVerdict =
  | { kind: 'up' }
  | { kind: 'unknown' }
  | { kind: 'down'; retryAfterS?: number | undefined }
  | { kind: 'busy'; retryAfterS: number };

/** A call in flight. */
export type CallPermit = { lane: string; isTest: boolean; since: number };

type Trouble = {
  failures: number;
  /** The earliest time of the next test. */
  until: number;
  /** Until when the service asked to wait, which is never shortened; -Infinity if it did not ask. */
  askedUntil: number;
  /** The number of the last failure that counted. */
  lastFailure: number;
  /** Whether the person requested the next test. */
  hurried: boolean;
};

/** A circuit breaker. All times are elapsed times in ms, so they are monotonic. */
export type CircuitBreaker = {
  /** Returns the earliest time for a call of that lane; Infinity while another call tests the service. */
  earliestSendAt: (lane: string) => number;
  /** Starts a call. During a fault it becomes a test; `attended` calls always run and never test. */
  begin: (lane: string, attended?: boolean) => CallPermit;
  end: (permit: CallPermit, verdict: CallVerdict, now: number) => void;
  /** Allows a test now; only pauses that the service asked for remain. */
  hurry: (now: number) => void;
  /** Delays all calls, as after a start. */
  delayAll: (now: number, ms: number) => void;
  /** Returns whether the service as a whole has a fault. */
  isDown: () => boolean;
  /** Returns whether the service or any lane has a fault. */
  isTroubled: () => boolean;
};

/**
 * Returns when an unattended call may be sent or must check again; Infinity until a test has ended. A call that was
 * delayed (`hasWaited`) gets a random extra delay, as others were delayed, too.
 */
export const computeSendTime = (
  breaker: CircuitBreaker,
  { lane, now, hasWaited }: { lane: string; now: number; hasWaited: boolean },
  random: Random,
): number => {
  const at = breaker.earliestSendAt(lane);
  if (at > now || !hasWaited || breaker.isTroubled()) return Math.max(at, now);
  return now + drawWaitMs('release', random);
};

type BreakerState = {
  random: Random;
  /** The fault of the service as a whole, or null. */
  all: Trouble | null;
  /** The faults of single lanes. */
  lanes: Map<string, Trouble>;
  /** The lanes with a test in flight. */
  tests: Set<string>;
  /** The number of failures. A call that started before a failure says nothing about the time after it. */
  failureCount: number;
  quietUntil: number;
};

const listAllTroubles = ({ all, lanes }: BreakerState): Trouble[] => [...lanes.values(), ...(all ? [all] : [])];

type Failure = { permit: CallPermit; now: number; retryAfterS: number | undefined };

/** Updates a fault. A failure counts unless its call was already in flight at the previous failure. */
const toGrownTrouble = (
  { random, failureCount }: BreakerState,
  before: Trouble | null,
  { permit, now, retryAfterS }: Failure,
): Trouble => {
  const asked = retryAfterS === undefined ? null : now + drawRetryAfterMs(retryAfterS, random);
  if (before && !permit.isTest && permit.since < before.lastFailure) {
    const askedUntil = asked === null ? before.askedUntil : Math.max(before.askedUntil, asked);
    return { ...before, askedUntil, until: Math.max(before.until, askedUntil) };
  }
  const failures = (before?.failures ?? 0) + (before?.hurried ? 0 : 1);
  const askedUntil = asked ?? -Infinity;
  const until = Math.max(now + drawPauseMs(failures, random), askedUntil);
  return { failures, askedUntil, until, lastFailure: failureCount, hurried: false };
};

const noteCallFailure = (state: BreakerState, failure: Failure, wholeService: boolean): void => {
  const { lanes } = state;
  const { lane } = failure.permit;
  state.failureCount += 1;
  lanes.set(lane, toGrownTrouble(state, lanes.get(lane) ?? null, failure));
  if (wholeService) state.all = toGrownTrouble(state, state.all, failure);
};

const noteCallSuccess = (state: BreakerState, { lane, isTest, since }: CallPermit, now: number): void => {
  const { all, lanes } = state;
  // A call that started before the failure says nothing about the time after it.
  const beganAfterFailure = (trouble: Trouble): boolean => isTest || since >= trouble.lastFailure;
  if (all && (beganAfterFailure(all) || all.askedUntil <= now)) state.all = null;
  const own = lanes.get(lane);
  if (!own || !beganAfterFailure(own)) return;
  lanes.delete(lane);
  // One recovered lane makes the others worth a test.
  for (const other of lanes.values()) other.until = Math.max(other.askedUntil, Math.min(other.until, now));
};

const findEarliestSend = ({ all, lanes, tests, quietUntil }: BreakerState, lane: string): number => {
  const own = lanes.get(lane);
  if (all === null && own === undefined) return quietUntil;
  if (all === null ? tests.has(lane) : tests.size > 0) return Infinity;
  return Math.max(quietUntil, all?.until ?? 0, own?.until ?? 0);
};

const hurryAllTests = (state: BreakerState, now: number): void => {
  state.quietUntil = 0;
  for (const trouble of listAllTroubles(state)) {
    trouble.until = Math.min(trouble.until, Math.max(trouble.askedUntil, now));
    trouble.hurried = true;
  }
};

/**
 * Creates the circuit breaker for unattended calls. A lane is one kind of call. After a failure one call at a time
 * tests the service, with growing pauses. After a success the other lanes continue; lanes with their own failure are
 * tested one call each, so that a route that stays broken is not retried more often because another one works. It
 * has no clock: the caller passes the time.
 */
export const createCircuitBreaker = (random: Random): CircuitBreaker => {
  const state: BreakerState = {
    random,
    all: null,
    lanes: new Map(),
    tests: new Set(),
    failureCount: 0,
    quietUntil: 0,
  };
  return {
    earliestSendAt: (lane) => findEarliestSend(state, lane),
    begin: (lane, attended = false) => {
      const isTest = !attended && (state.all !== null || state.lanes.has(lane));
      if (isTest) state.tests.add(lane);
      return { lane, isTest, since: state.failureCount };
    },
    end: (permit, verdict, now) => {
      if (permit.isTest) state.tests.delete(permit.lane);
      if (verdict.kind === 'up') noteCallSuccess(state, permit, now);
      if (verdict.kind === 'down' || verdict.kind === 'busy')
        noteCallFailure(state, { permit, now, retryAfterS: verdict.retryAfterS }, verdict.kind === 'down');
    },
    hurry: (now) => hurryAllTests(state, now),
    delayAll: (now, ms) => void (state.quietUntil = now + ms),
    isDown: () => state.all !== null,
    isTroubled: () => state.all !== null || state.lanes.size > 0,
  };
};
