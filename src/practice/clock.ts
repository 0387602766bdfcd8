import { uptime } from 'node:os';
import * as z from 'zod';
import { one, run, type Db } from './database.ts';

/**
 * Returns a clock that starts at the machine's time and is unaffected when that time is changed. It includes time spent
 * asleep. On Linux `performance.now()` stops during sleep, so `uptime()` is used there.
 */
export const steadyMachineTime = (): (() => number) => {
  const elapsedMs = process.platform === 'linux' ? () => uptime() * 1_000 : () => performance.now();
  const start = Date.now() - elapsedMs();
  return () => Math.floor(start + elapsedMs());
};

/** The service's time: the machine's time, moved forward by the practice controls. All rules about time use it. */
export type Clock = {
  now: () => number;
  /** Moves the time forward and wakes every sleeper that is due. */
  advance: (ms: number) => void;
  /** Waits on this clock. Rejects with the signal's reason if aborted. */
  sleep: (ms: number, signal: AbortSignal) => Promise<void>;
};

const value = z.object({ value: z.string().transform(Number) });

/** Creates a clock whose shift is stored in the database, so that a restart does not move time backwards. */
export const createClock = (db: Db, machine: () => number): Clock => {
  let shiftMs = one(db, value, "SELECT value FROM meta WHERE name = 'clockShiftMs'")?.value ?? 0;
  const sleepers = new Set<() => void>();
  const now = (): number => machine() + shiftMs;

  const advance = (ms: number): void => {
    shiftMs += ms;
    run(db, "INSERT OR REPLACE INTO meta (name, value) VALUES ('clockShiftMs', ?)", String(shiftMs));
    for (const wake of [...sleepers]) wake();
  };

  const sleep = (ms: number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const dueAt = now() + ms;
      const done = (finish: () => void): void => {
        clearTimeout(timer);
        sleepers.delete(wake);
        signal.removeEventListener('abort', abort);
        finish();
      };
      const wake = (): void => {
        if (now() >= dueAt) done(resolve);
      };
      const abort = (): void => done(() => reject(signal.reason as Error));
      const timer = setTimeout(() => done(resolve), ms);
      sleepers.add(wake);
      signal.addEventListener('abort', abort);
      if (signal.aborted) abort();
    });

  return { now, advance, sleep };
};

/** Formats a time as the interface does (ISO 8601). */
export const isoOf = (at: number): string => new Date(at).toISOString();
export const isoOrNull = (at: number | null): string | null => (at === null ? null : isoOf(at));

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;
