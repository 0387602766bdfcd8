import type { Clock, Random } from '../../base/ports.ts';
import { ServiceError, isTransientError } from '../serviceError.ts';
import {
  createCircuitBreaker,
  computeSendTime,
  type CircuitBreaker,
  type CallPermit,
  type CallVerdict,
} from './circuitBreaker.ts';

/** Waits while all work is paused. */
type WaitWhilePaused = (signal: AbortSignal) => Promise<void>;

/** The queue of one service. A lane is one kind of call, such as one route. */
export type RequestQueue = {
  /** Runs an unattended call once its lane is free. */
  runUnattended: <T>(
    lane: string,
    work: () => Promise<T>,
    signal?: AbortSignal,
    waitWhilePaused?: WaitWhilePaused,
  ) => Promise<T>;
  /** Runs an attended call at once. Its failure does not delay other calls. */
  runAttended: <T>(lane: string, work: () => Promise<T>) => Promise<T>;
  /** Returns whether a retry after this error waits in this queue. */
  waitsForService: (error: unknown) => boolean;
  isDown: () => boolean;
  isTroubled: () => boolean;
  /** Allows one test call at once, for the person or after the machine woke up. */
  hurry: () => void;
  /** Delays all calls by this time in ms, unless `hurry` is called. */
  delayAll: (ms: number) => void;
};

/** Long waits are split: timers have an upper limit and stop while the machine sleeps. */
const maxSleepMs = 60 * 60_000;
/** The wait after a 429 without a time. */
const untimedWaitS = 60;

type QueueState = {
  clock: Clock;
  random: Random;
  breaker: CircuitBreaker;
  /** Waiting calls, woken at each change. */
  waiting: Set<() => void>;
  /** Errors after which a retry waits in this queue. */
  counted: WeakSet<object>;
  /** Called when the service goes down or recovers. */
  turned: () => void;
  wasDown: boolean;
};

const wakeWaitingCalls = (state: QueueState): void => {
  for (const look of [...state.waiting]) look();
  const isDown = state.breaker.isDown();
  if (isDown === state.wasDown) return;
  state.wasDown = isDown;
  state.turned();
};

/** Waits until that time or until the next change. Rejects with the signal's reason. */
const sleepUntilChange = async (
  { clock, waiting }: QueueState,
  until: number,
  signal: AbortSignal | undefined,
): Promise<void> => {
  const over = new AbortController();
  const ends = signal ? AbortSignal.any([over.signal, signal]) : over.signal;
  const changed = Promise.withResolvers<void>();
  waiting.add(changed.resolve);
  try {
    await Promise.race([
      changed.promise,
      clock.sleep(Math.min(Math.max(0, until - clock.elapsedMs()), maxSleepMs), ends),
    ]);
  } finally {
    waiting.delete(changed.resolve);
    over.abort();
  }
};

/** Waits until a call of that lane may start, and starts it. Rejects with the signal's reason. */
const waitForPermit = async (
  state: QueueState,
  lane: string,
  signal?: AbortSignal,
  waitWhilePaused?: WaitWhilePaused,
): Promise<CallPermit> => {
  const { clock, random, breaker } = state;
  for (let hasWaited = false; ;) {
    if (signal) await waitWhilePaused?.(signal);
    signal?.throwIfAborted();
    const at = computeSendTime(breaker, { lane, now: clock.elapsedMs(), hasWaited }, random);
    const isDelayed = breaker.earliestSendAt(lane) > clock.elapsedMs();
    if (at <= clock.elapsedMs()) return breaker.begin(lane);
    if (isDelayed) await sleepUntilChange(state, at, signal);
    else await clock.sleep(at - clock.elapsedMs(), signal);
    hasWaited = isDelayed;
  }
};

const endServiceCall = (state: QueueState, permit: CallPermit, verdict: CallVerdict, error?: unknown): void => {
  state.breaker.end(permit, verdict, state.clock.elapsedMs());
  if ((verdict.kind === 'down' || verdict.kind === 'busy') && error instanceof Error) state.counted.add(error);
  wakeWaitingCalls(state);
};

/**
 * Runs work and ends its call with the verdict. `verdictOn` returns the verdict of an error, or null to note
 * nothing.
 */
const runWithPermit = async <T>(
  state: QueueState,
  permit: CallPermit,
  work: () => Promise<T>,
  verdictOn: (error: unknown) => CallVerdict | null,
): Promise<T> => {
  try {
    const done = await work();
    endServiceCall(state, permit, { kind: 'up' });
    return done;
  } catch (error) {
    const verdict = verdictOn(error);
    if (verdict !== null) endServiceCall(state, permit, verdict, error);
    throw error;
  }
};

/** Returns the verdict of a failed attended call: `up`, or null. */
const toUpVerdict = (error: unknown): CallVerdict | null => {
  const verdict = toServiceVerdict(error);
  return verdict.kind === 'up' ? verdict : null;
};

/**
 * Creates the queue of one service. Unattended calls wait here while the service has a fault; attended calls run at
 * once and only report that the service is up.
 */
export const createRequestQueue = (clock: Clock, random: Random, turned: () => void): RequestQueue => {
  const breaker = createCircuitBreaker(random);
  const state: QueueState = {
    ...{ clock, random, breaker, turned },
    waiting: new Set(),
    counted: new WeakSet(),
    wasDown: false,
  };
  return {
    runUnattended: async (lane, work, signal, waitWhilePaused) =>
      runWithPermit(state, await waitForPermit(state, lane, signal, waitWhilePaused), work, toServiceVerdict),
    runAttended: (lane, work) => runWithPermit(state, breaker.begin(lane, true), work, toUpVerdict),
    waitsForService: (error) => error instanceof Error && state.counted.has(error),
    isDown: breaker.isDown,
    isTroubled: breaker.isTroubled,
    hurry: () => {
      breaker.hurry(clock.elapsedMs());
      wakeWaitingCalls(state);
    },
    delayAll: (ms) => breaker.delayAll(clock.elapsedMs(), ms),
  };
};

/**
 * Returns what an error shows about the service. An error raised locally, such as for a locked listing, shows
 * nothing.
 */
const toServiceVerdict = (error: unknown): CallVerdict => {
  if (!(error instanceof ServiceError) || error.code === 'BEING_DECIDED') return { kind: 'unknown' };
  if (error.status === 429) return { kind: 'busy', retryAfterS: error.retryAfterS ?? untimedWaitS };
  const { effect, status, code, retryAfterS } = error;
  if (isTransientError(error)) return { kind: 'down', retryAfterS };
  return { kind: effect === 'refused' && status >= 400 && code !== 'NOT_CONNECTED' ? 'up' : 'unknown' };
};
