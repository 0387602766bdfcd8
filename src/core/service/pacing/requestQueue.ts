import type { Clock, Random } from '../../base/ports.ts';
import { ServiceError, isTransient } from '../serviceError.ts';
import { createBreaker, sendTime, type Breaker, type Permit, type Verdict } from './breaker.ts';

/** What is waited for besides the service, as while everything is paused. */
type Hold = (signal: AbortSignal) => Promise<void>;

/** A lane is one kind of call, as those of one route. */
export type RequestQueue = {
  /** Does work that nobody waits for, once the way is free for its lane. */
  runUnattended: <T>(lane: string, work: () => Promise<T>, signal?: AbortSignal, hold?: Hold) => Promise<T>;
  /** Does work that somebody waits for: at once, whatever is known. That it failed holds nobody else back. */
  runAttended: <T>(lane: string, work: () => Promise<T>) => Promise<T>;
  /** Whether the next try after this error waits here by itself. */
  counts: (error: unknown) => boolean;
  isDown: () => boolean;
  isTroubled: () => boolean;
  /** The person wants it tried now, or the machine is awake: one call tests the way at once. */
  hurry: () => void;
  /** Nothing goes for so long (ms), unless somebody hurries. */
  quiet: (ms: number) => void;
};

/** Long waits are slept in pieces: timers count no further than some weeks, and not while a machine sleeps. */
const longestSleepMs = 60 * 60_000;
/** A "not now" that says no time is kept for so long. */
const untimedWaitS = 60;

type QueueState = {
  clock: Clock;
  random: Random;
  breaker: Breaker;
  /** Those who wait, woken at each change. */
  waiting: Set<() => void>;
  /** Errors after which the next try waits here. */
  counted: WeakSet<object>;
  /** Called when the service goes down or is there again. */
  turned: () => void;
  wasDown: boolean;
};

const wake = (state: QueueState): void => {
  for (const look of [...state.waiting]) look();
  const isDown = state.breaker.isDown();
  if (isDown === state.wasDown) return;
  state.wasDown = isDown;
  state.turned();
};

/** Until that time, or until something has changed. Rejects with the signal's reason. */
const waitUntil = async (
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
      clock.sleep(Math.min(Math.max(0, until - clock.elapsedMs()), longestSleepMs), ends),
    ]);
  } finally {
    waiting.delete(changed.resolve);
    over.abort();
  }
};

/** Waits until a call of that lane may go, and begins it. Rejects with the signal's reason. */
const pass = async (state: QueueState, lane: string, signal?: AbortSignal, hold?: Hold): Promise<Permit> => {
  const { clock, random, breaker } = state;
  for (let hasWaited = false; ;) {
    if (signal) await hold?.(signal);
    signal?.throwIfAborted();
    const at = sendTime(breaker, { lane, now: clock.elapsedMs(), hasWaited }, random);
    const isHeld = breaker.goesAt(lane) > clock.elapsedMs();
    if (at <= clock.elapsedMs()) return breaker.begin(lane);
    if (isHeld) await waitUntil(state, at, signal);
    else await clock.sleep(at - clock.elapsedMs(), signal);
    hasWaited = isHeld;
  }
};

const end = (state: QueueState, permit: Permit, verdict: Verdict, error?: unknown): void => {
  state.breaker.end(permit, verdict, state.clock.elapsedMs());
  if ((verdict.kind === 'down' || verdict.kind === 'busy') && error instanceof Error) state.counted.add(error);
  wake(state);
};

/** Does work and ends its call by what came of it; `verdictOn` says what an error tells, or null for nothing to note. */
const runWith = async <T>(
  state: QueueState,
  permit: Permit,
  work: () => Promise<T>,
  verdictOn: (error: unknown) => Verdict | null,
): Promise<T> => {
  try {
    const done = await work();
    end(state, permit, { kind: 'up' });
    return done;
  } catch (error) {
    const verdict = verdictOn(error);
    if (verdict !== null) end(state, permit, verdict, error);
    throw error;
  }
};

/** An error tells of a call that somebody waits for only that the service is there, or nothing. */
const upOrNull = (error: unknown): Verdict | null => {
  const verdict = verdictOf(error);
  return verdict.kind === 'up' ? verdict : null;
};

/**
 * The way to one service. Calls that nobody waits for go through `run`, and wait there while the service has a fault;
 * calls that somebody waits for go at once, and tell by `attend` that it is there.
 */
export const createRequestQueue = (clock: Clock, random: Random, turned: () => void): RequestQueue => {
  const breaker = createBreaker(random);
  const state: QueueState = {
    ...{ clock, random, breaker, turned },
    waiting: new Set(),
    counted: new WeakSet(),
    wasDown: false,
  };
  return {
    runUnattended: async (lane, work, signal, hold) =>
      runWith(state, await pass(state, lane, signal, hold), work, verdictOf),
    runAttended: (lane, work) => runWith(state, breaker.begin(lane, true), work, upOrNull),
    counts: (error) => error instanceof Error && state.counted.has(error),
    isDown: breaker.isDown,
    isTroubled: breaker.isTroubled,
    hurry: () => {
      breaker.hurry(clock.elapsedMs());
      wake(state);
    },
    quiet: (ms) => breaker.quiet(clock.elapsedMs(), ms),
  };
};

/** What an error of a call says of the service. One that was made here, as for a listing that is being decided, says nothing. */
const verdictOf = (error: unknown): Verdict => {
  if (!(error instanceof ServiceError) || error.code === 'BEING_DECIDED') return { kind: 'unknown' };
  if (error.status === 429) return { kind: 'busy', retryAfterS: error.retryAfterS ?? untimedWaitS };
  const { effect, status, code, retryAfterS } = error;
  if (isTransient(error)) return { kind: 'down', retryAfterS };
  return { kind: effect === 'refused' && status >= 400 && code !== 'NOT_CONNECTED' ? 'up' : 'unknown' };
};
