import { setTimeout as wait } from 'node:timers/promises';
import type { Clock } from '../../src/core/base/ports.ts';

export type TestClock = Clock & {
  advance: (ms: number) => void;
  /** The machine sleeps: both clocks advance, but waits do not. */
  suspend: (ms: number) => void;
  /** Sets the wall clock ahead, or back by a negative number, without passing time. */
  jumpWall: (ms: number) => void;
  /** Returns the ms until the next wait ends; null if nothing waits. */
  next: () => number | null;
  /**
   * Returns whether a wait of exactly this length is running; `next` says less, because another wait may end at the
   * same time.
   */
  sleepsFor: (ms: number) => boolean;
};

/** A clock that advances only when a test says so. */
export const createTestClock = (start = Date.now()): TestClock => {
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

/** Only a test that fails waits this long. A test that passes needs as long on a machine with a load of 20 per core. */
const maxWaitMs = 240_000;

/**
 * Lets real work run, with the clock stopped, until the condition holds. Checks often at first, because most work takes
 * a few ms, then every 50 ms.
 */
export const waitUntil = async <T>(look: () => T | Promise<T>, what: string): Promise<NonNullable<T>> => {
  const deadline = performance.now() + maxWaitMs;
  for (let pauseMs = 2; ; pauseMs = Math.min(50, pauseMs * 2)) {
    const seen = await look();
    if (seen) return seen;
    if (performance.now() > deadline) throw new Error(`Waited in vain for ${what}.`);
    await wait(pauseMs);
  }
};

/**
 * Lets real work (loopback, disk, threads) run and the clock advance by a second per check until the condition holds.
 */
export const advanceUntil = async <T>(
  clock: TestClock,
  look: () => T | Promise<T>,
  what = 'the condition',
): Promise<NonNullable<T>> => {
  const deadline = performance.now() + maxWaitMs;
  for (;;) {
    const seen = await look();
    if (seen) return seen;
    if (performance.now() > deadline) throw new Error(`Waited in vain for ${what}.`);
    clock.advance(1_000);
    await wait(5);
  }
};
