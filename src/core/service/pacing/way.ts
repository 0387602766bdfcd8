import type { Clock, Random } from '../../base/ports.ts';
import { ServiceError, isPassing } from '../serviceError.ts';
import { createBreaker, goesWhen, type Permit, type Verdict } from './breaker.ts';

/** What is waited for besides the service, as while everything is paused. */
type Hold = (signal: AbortSignal) => Promise<void>;

export type Way = ReturnType<typeof createWay>;

/** Long waits are slept in pieces: timers count no further than some weeks, and not while a machine sleeps. */
const longestSleepMs = 60 * 60_000;
/** A "not now" that says no time is kept for so long. */
const busyWithoutWordS = 60;

/**
 * The way to one service. Calls that nobody waits for go through `run`, and wait there while the service has a fault;
 * calls that somebody waits for go at once, and tell by `attend` that it is there.
 */
export const createWay = (clock: Clock, random: Random, turned: () => void) => {
  const breaker = createBreaker(random);
  const waiting = new Set<() => void>();
  const counted = new WeakSet<object>();
  let wasDown = false;

  const wake = (): void => {
    for (const look of [...waiting]) look();
    if (breaker.isDown() === wasDown) return;
    wasDown = breaker.isDown();
    turned();
  };

  /** Until that time, or until something has changed. Rejects with the signal's reason. */
  const wait = async (until: number, signal: AbortSignal | undefined): Promise<void> => {
    const over = new AbortController();
    const ends = signal ? AbortSignal.any([over.signal, signal]) : over.signal;
    const changed = Promise.withResolvers<void>();
    waiting.add(changed.resolve);
    try {
      await Promise.race([
        changed.promise,
        clock.sleep(Math.min(Math.max(0, until - clock.now()), longestSleepMs), ends),
      ]);
    } finally {
      waiting.delete(changed.resolve);
      over.abort();
    }
  };

  const pass = async (lane: string, signal?: AbortSignal, hold?: Hold): Promise<Permit> => {
    for (let hasWaited = false; ;) {
      if (signal) await hold?.(signal);
      signal?.throwIfAborted();
      const at = goesWhen(breaker, lane, clock.now(), hasWaited, random);
      const isHeld = breaker.goesAt(lane) > clock.now();
      if (at <= clock.now()) return breaker.begin(lane);
      if (isHeld) await wait(at, signal);
      else await clock.sleep(at - clock.now(), signal);
      hasWaited = isHeld;
    }
  };

  const end = (permit: Permit, verdict: Verdict, error?: unknown): void => {
    breaker.end(permit, verdict, clock.now());
    if ((verdict.kind === 'down' || verdict.kind === 'busy') && error instanceof Error) counted.add(error);
    wake();
  };

  return {
    /** Does work that nobody waits for, once the way is free for its lane. */
    run: async <T>(lane: string, work: () => Promise<T>, signal?: AbortSignal, hold?: Hold): Promise<T> => {
      const permit = await pass(lane, signal, hold);
      try {
        const done = await work();
        end(permit, { kind: 'up' });
        return done;
      } catch (error) {
        end(permit, verdictOf(error), error);
        throw error;
      }
    },
    /** Does work that somebody waits for: at once, whatever is known. That it failed holds nobody else back. */
    attend: async <T>(lane: string, work: () => Promise<T>): Promise<T> => {
      const permit = breaker.begin(lane, true);
      try {
        const done = await work();
        end(permit, { kind: 'up' });
        return done;
      } catch (error) {
        if (verdictOf(error).kind === 'up') end(permit, { kind: 'up' });
        throw error;
      }
    },
    /** Whether the next try after this error waits here by itself. */
    counts: (error: unknown): boolean => error instanceof Error && counted.has(error),
    isDown: breaker.isDown,
    isTroubled: breaker.isTroubled,
    /** The person wants it tried now, or the machine is awake: one call tests the way at once. */
    hurry: (): void => {
      breaker.hurry(clock.now());
      wake();
    },
    /** Nothing goes for so long, unless somebody hurries. */
    quiet: (ms: number): void => breaker.quiet(clock.now(), ms),
  };
};

/** What an error of a call says of the service. One that was made here, as for a listing that is being decided, says nothing. */
const verdictOf = (error: unknown): Verdict => {
  if (!(error instanceof ServiceError) || error.code === 'BEING_DECIDED') return { kind: 'unknown' };
  if (error.status === 429) return { kind: 'busy', retryAfterS: error.retryAfterS ?? busyWithoutWordS };
  const { effect, status, code, retryAfterS } = error;
  if (isPassing(error)) return { kind: 'down', retryAfterS };
  return { kind: effect === 'refused' && status >= 400 && code !== 'NOT_CONNECTED' ? 'up' : 'unknown' };
};
