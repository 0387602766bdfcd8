import type { Random } from '../../base/ports.ts';
import { getRandomDelayMs, getRandomPauseMs, getRandomRetryDelayMs } from './waits.ts';

/** What a finished call shows about the service. `busy`: the service asks this lane to wait. */
export type CallVerdict =
  | { kind: 'up' }
  | { kind: 'unknown' }
  | { kind: 'down'; retryAfterS?: number | undefined }
  | { kind: 'busy'; retryAfterS: number };

export type CallPermit = { lane: string; isTest: boolean; since: number };

type Trouble = {
  failures: number;
  until: number;
  /** The time until which the service asked to wait; -Infinity if it did not ask. */
  askedUntil: number;
  lastFailure: number;
  hurried: boolean;
};

/** A lane is one kind of call. All times are in ms on the monotonic clock, not the wall clock. */
export type CircuitBreaker = {
  /** Returns when the next call of the lane can be sent; Infinity while another call tests the service. */
  earliestSendAt: (lane: string) => number;
  /** Starts a call. During a fault, an unattended call counts as a test of the service; an attended call never does. */
  begin: (lane: string, attended?: boolean) => CallPermit;
  end: (permit: CallPermit, verdict: CallVerdict, now: number) => void;
  /** Allows a test now, unless the service asked to wait and that time is not over. */
  hurry: (now: number) => void;
  delayAll: (now: number, ms: number) => void;
  isDown: () => boolean;
  isTroubled: () => boolean;
};

/**
 * Returns when an unattended call can be sent; Infinity while another call tests the service. A delayed call gets a
 * random extra delay, so that not all are sent at once.
 */
export const computeSendAt = (
  breaker: CircuitBreaker,
  { lane, now, hasWaited }: { lane: string; now: number; hasWaited: boolean },
  random: Random,
): number => {
  const at = breaker.earliestSendAt(lane);
  if (at > now || !hasWaited || breaker.isTroubled()) return Math.max(at, now);
  return now + getRandomDelayMs('release', random);
};

type BreakerState = {
  random: Random;
  all: Trouble | null;
  lanes: Map<string, Trouble>;
  tests: Set<string>;
  failureCount: number;
  quietUntil: number;
};

const listTroubles = ({ all, lanes }: BreakerState): Trouble[] => [...lanes.values(), ...(all ? [all] : [])];

type Failure = { permit: CallPermit; now: number; retryAfterS: number | undefined };

/** Calls in flight often fail together, so they count as one failure. */
const getUpdatedTrouble = (
  { random, failureCount }: BreakerState,
  before: Trouble | null,
  { permit, now, retryAfterS }: Failure,
): Trouble => {
  const asked = retryAfterS === undefined ? null : now + getRandomRetryDelayMs(retryAfterS, random);
  if (before && !permit.isTest && permit.since < before.lastFailure) {
    const askedUntil = asked === null ? before.askedUntil : Math.max(before.askedUntil, asked);
    return { ...before, askedUntil, until: Math.max(before.until, askedUntil) };
  }
  const failures = (before?.failures ?? 0) + (before?.hurried ? 0 : 1);
  const askedUntil = asked ?? -Infinity;
  const until = Math.max(now + getRandomPauseMs(failures, random), askedUntil);
  return { failures, askedUntil, until, lastFailure: failureCount, hurried: false };
};

const recordCallFailure = (state: BreakerState, failure: Failure, wholeService: boolean): void => {
  const { lanes } = state;
  const { lane } = failure.permit;
  state.failureCount += 1;
  lanes.set(lane, getUpdatedTrouble(state, lanes.get(lane) ?? null, failure));
  if (wholeService) state.all = getUpdatedTrouble(state, state.all, failure);
};

const recordCallSuccess = (state: BreakerState, { lane, isTest, since }: CallPermit, now: number): void => {
  const { all, lanes } = state;
  // A call that started before the failure shows nothing about the time after it.
  const beganAfterFailure = (trouble: Trouble): boolean => isTest || since >= trouble.lastFailure;
  if (all && (beganAfterFailure(all) || all.askedUntil <= now)) state.all = null;
  const own = lanes.get(lane);
  if (!own || !beganAfterFailure(own)) return;
  lanes.delete(lane);
  // If one lane has recovered, other lanes might have recovered too.
  for (const other of lanes.values()) other.until = Math.max(other.askedUntil, Math.min(other.until, now));
};

const computeEarliestSendAt = ({ all, lanes, tests, quietUntil }: BreakerState, lane: string): number => {
  const own = lanes.get(lane);
  if (all === null && own === undefined) return quietUntil;
  if (all === null ? tests.has(lane) : tests.size > 0) return Infinity;
  return Math.max(quietUntil, all?.until ?? 0, own?.until ?? 0);
};

const allowAllTestsNow = (state: BreakerState, now: number): void => {
  state.quietUntil = 0;
  for (const trouble of listTroubles(state)) {
    trouble.until = Math.min(trouble.until, Math.max(trouble.askedUntil, now));
    trouble.hurried = true;
  }
};

/**
 * Creates the circuit breaker for unattended calls. After a failure, one call at a time tests the service, after
 * growing pauses. After a success, lanes without a failure continue.
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
    earliestSendAt: (lane) => computeEarliestSendAt(state, lane),
    begin: (lane, attended = false) => {
      const isTest = !attended && (state.all !== null || state.lanes.has(lane));
      if (isTest) state.tests.add(lane);
      return { lane, isTest, since: state.failureCount };
    },
    end: (permit, verdict, now) => {
      if (permit.isTest) state.tests.delete(permit.lane);
      if (verdict.kind === 'up') recordCallSuccess(state, permit, now);
      if (verdict.kind === 'down' || verdict.kind === 'busy')
        recordCallFailure(state, { permit, now, retryAfterS: verdict.retryAfterS }, verdict.kind === 'down');
    },
    hurry: (now) => allowAllTestsNow(state, now),
    delayAll: (now, ms) => void (state.quietUntil = now + ms),
    isDown: () => state.all !== null,
    isTroubled: () => state.all !== null || state.lanes.size > 0,
  };
};
