import type { Clock, Random } from '../../base/ports.ts';
import { ServiceError, isTransientError } from '../serviceError.ts';
import {
  createCircuitBreaker,
  computeSendAt,
  type CircuitBreaker,
  type CallPermit,
  type CallVerdict,
} from './circuitBreaker.ts';

type WaitWhilePaused = (signal: AbortSignal) => Promise<void>;

/** A lane is one kind of call, such as one route. */
export type RequestQueue = {
  runUnattended: <T>(
    lane: string,
    work: () => Promise<T>,
    signal?: AbortSignal,
    waitWhilePaused?: WaitWhilePaused,
  ) => Promise<T>;
  /** If an attended call fails, other calls are not delayed. */
  runAttended: <T>(lane: string, work: () => Promise<T>) => Promise<T>;
  /** Returns whether a retry after this error waits in this queue. */
  waitsForService: (error: unknown) => boolean;
  isDown: () => boolean;
  isTroubled: () => boolean;
  /** Allows one test call at once. */
  hurry: () => void;
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
    const at = computeSendAt(breaker, { lane, now: clock.elapsedMs(), hasWaited }, random);
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

/** A failed attended call must not delay other calls. */
const getVerdictIfUp = (error: unknown): CallVerdict | null => {
  const verdict = getServiceVerdict(error);
  return verdict.kind === 'up' ? verdict : null;
};

/** Creates the queue of one host. While the host has a fault, unattended calls wait. */
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
      runWithPermit(state, await waitForPermit(state, lane, signal, waitWhilePaused), work, getServiceVerdict),
    runAttended: (lane, work) => runWithPermit(state, breaker.begin(lane, true), work, getVerdictIfUp),
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

/** An error that the companion raises itself shows nothing about the service. */
const getServiceVerdict = (error: unknown): CallVerdict => {
  if (!(error instanceof ServiceError) || error.code === 'BEING_DECIDED') return { kind: 'unknown' };
  if (error.status === 429) return { kind: 'busy', retryAfterS: error.retryAfterS ?? untimedWaitS };
  const { effect, status, code, retryAfterS } = error;
  if (isTransientError(error)) return { kind: 'down', retryAfterS };
  return { kind: effect === 'refused' && status >= 400 && code !== 'NOT_CONNECTED' ? 'up' : 'unknown' };
};
