import { setTimeout as wait } from 'node:timers/promises';
import type { Clock } from '../../src/core/base/ports.ts';

export type TestClock = Clock & {
  advance: (ms: number) => void;
  /** The machine sleeps: both times pass, and what waits has waited no longer. */
  suspend: (ms: number) => void;
  /** The wall clock is set forward, or back by a negative number: no time passes. */
  jumpWall: (ms: number) => void;
  /** How long until the next one that sleeps wakes, in ms; null when nobody sleeps. */
  next: () => number | null;
  /** Whether somebody sleeps who wanted to for exactly so long; when they wake says less, as others may wake then, too. */
  sleepsFor: (ms: number) => boolean;
};

/** A clock that moves only when a test says so. */
export const testClock = (start = Date.now()): TestClock => {
  let wall = start;
  let now = 0;
  const sleepers = new Set<{ at: number; ms: number; wake: () => void }>();
  return {
    now: () => wall,
    elapsedMs: () => now,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason as Error);
        const sleeper = { at: now + ms, ms, wake: () => (signal?.removeEventListener('abort', leave), resolve()) };
        const leave = () => {
          sleepers.delete(sleeper);
          reject(signal?.reason as Error);
        };
        signal?.addEventListener('abort', leave, { once: true });
        sleepers.add(sleeper);
      }),
    next: () => (sleepers.size === 0 ? null : Math.min(...[...sleepers].map(({ at }) => at)) - now),
    sleepsFor: (wanted) => [...sleepers].some(({ ms }) => ms === wanted),
    jumpWall: (ms) => void (wall += ms),
    suspend: (ms) => {
      wall += ms;
      now += ms;
      for (const sleeper of sleepers) sleeper.at += ms;
    },
    advance: (ms) => {
      wall += ms;
      now += ms;
      for (const sleeper of [...sleepers].sort((a, b) => a.at - b.at)) {
        if (sleeper.at > now) break;
        sleepers.delete(sleeper);
        sleeper.wake();
      }
    },
  };
};

/**
 * Lets real work go on, with the clock standing still, until the condition holds. It looks again soon at first, as most of
 * what is waited for takes a few ms, and then every 50 ms.
 */
export const settled = async <T>(look: () => T | Promise<T>, what: string): Promise<NonNullable<T>> => {
  const deadline = performance.now() + 60_000;
  for (let pauseMs = 2; ; pauseMs = Math.min(50, pauseMs * 2)) {
    const seen = await look();
    if (seen) return seen;
    if (performance.now() > deadline) throw new Error(`Waited in vain for ${what}.`);
    await wait(pauseMs);
  }
};

/** Lets real work (loopback, disk, threads) go on and the clock run, a second a turn, until the condition holds. */
export const until = async <T>(
  clock: TestClock,
  look: () => T | Promise<T>,
  what = 'the condition',
): Promise<NonNullable<T>> => {
  const deadline = performance.now() + 25_000;
  for (;;) {
    const seen = await look();
    if (seen) return seen;
    if (performance.now() > deadline) throw new Error(`Waited in vain for ${what}.`);
    clock.advance(1_000);
    await wait(5);
  }
};
