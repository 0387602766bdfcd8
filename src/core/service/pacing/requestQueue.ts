import type { Clock, Random } from '../../base/ports.ts';
import { ServiceError, isTransientError } from '../serviceError.ts';
import {
  createCircuitBreaker,
  computeSendTime,
  type CircuitBreaker,
  type CallPermit,
  type CallVerdict,
} from './circuitBreaker.ts';

type WaitWhilePaused = (signal: AbortSignal) => Promise<void>;

/** The queue of one host. A lane is one kind of call, such as one route. */
export type RequestQueue = {
  /** Runs an unattended call when its lane is free. */
  runUnattended: <T>(
    lane: string,
    work: () => Promise<T>,
    signal?: AbortSignal,
    waitWhilePaused?: WaitWhilePaused,
  ) => Promise<T>;
  /** Runs an attended call at once. If it fails, other calls are not delayed. */
  runAttended: <T>(lane: string, work: () => Promise<T>) => Promise<T>;
  /** Returns whether a retry after this error waits in this queue. */
  waitsForService: (error: unknown) => boolean;
  isDown: () => boolean;
  isTroubled: () => boolean;
  /** Allows one test call at once, when the person asks for it or the machine wakes. */
  hurry: () => void;
  /** Delays all calls by this time in ms. `hurry` ends the delay. */
  delayAll: (ms: number) => void;
};

/** Timers have an upper limit and stop while the machine sleeps, so long waits are split. */
const maxSleepMs = 60 * 60_000;
/** The wait after a 429 that names no time. */
const untimedWaitS = 60;

type QueueState = {
  clock: Clock;
  random: Random;
  breaker: CircuitBreaker;
  waiting: Set<() => void>;
  counted: WeakSet<object>;
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

/** An attended call can show that the service is up, but its failure must not delay other calls. */
const toUpVerdict = (error: unknown): CallVerdict | null => {
  const verdict = toServiceVerdict(error);
  return verdict.kind === 'up' ? verdict : null;
};

/**
 * Creates the queue of one host. Unattended calls wait in it while the host has a fault. Attended calls run at once.
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

/** An error that the companion raises itself, such as for a locked listing, shows nothing about the service. */
const toServiceVerdict = (error: unknown): CallVerdict => {
  if (!(error instanceof ServiceError) || error.code === 'BEING_DECIDED') return { kind: 'unknown' };
  if (error.status === 429) return { kind: 'busy', retryAfterS: error.retryAfterS ?? untimedWaitS };
  const { effect, status, code, retryAfterS } = error;
  if (isTransientError(error)) return { kind: 'down', retryAfterS };
  return { kind: effect === 'refused' && status >= 400 && code !== 'NOT_CONNECTED' ? 'up' : 'unknown' };
};
