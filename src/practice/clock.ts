import { uptime } from 'node:os';
import * as z from 'zod';
import { one, run, type Db } from './database.ts';

/**
 * The machine's time as it was at the start, and what has elapsed since, sleep included: setting the machine's clock neither
 * prolongs nor shortens anything here. Only on Linux does the time of a process stand still in sleep.
 */
export const steadyMachineTime = (): (() => number) => {
  const elapsedMs = process.platform === 'linux' ? () => uptime() * 1_000 : () => performance.now();
  const start = Date.now() - elapsedMs();
  return () => Math.floor(start + elapsedMs());
};

/** The service's time: the machine's, moved forward by the controls. Every rule about time asks it. */
export type Clock = {
  now: () => number;
  /** Moves the time forward; whoever sleeps past it wakes at once. */
  advance: (ms: number) => void;
  /** Waits on this clock. Rejects with the signal's reason when it is aborted. */
  sleep: (ms: number, signal: AbortSignal) => Promise<void>;
};

const value = z.object({ value: z.string().transform(Number) });

/** A clock whose shift is kept in the database, so that a restart does not travel back. */
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

/** A time as the interface writes it. */
export const isoOf = (at: number): string => new Date(at).toISOString();
/** The same of a time that there may not be. */
export const isoOrNull = (at: number | null): string | null => (at === null ? null : isoOf(at));

// Durations in milliseconds.
export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;
