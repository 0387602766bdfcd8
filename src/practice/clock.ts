import { uptime } from 'node:os';
import * as z from 'zod';
import { selectFirstRow, runStatement, type Db } from './database.ts';

/**
 * Returns a function that reads a steady time: it starts at the machine's time and ignores later changes of the
 * machine's clock. On Linux it uses `uptime()`, because `performance.now()` stops while the machine sleeps.
 */
export const createSteadyTimeReader = (): (() => number) => {
  const elapsedMs = process.platform === 'linux' ? () => uptime() * 1_000 : () => performance.now();
  const start = Date.now() - elapsedMs();
  return () => Math.floor(start + elapsedMs());
};

/** The machine's time plus a shift that the practice controls set. All rules of the service use this clock. */
export type Clock = {
  now: () => number;
  advance: (ms: number) => void;
  /** Resolves after `ms` have passed on this clock. Rejects with the signal's reason if the signal aborts. */
  sleep: (ms: number, signal: AbortSignal) => Promise<void>;
};

const clockShiftRow = z.object({ value: z.string().transform(Number) });

/** Creates a clock and stores its shift in the database, so that the time does not go back after a restart. */
export const createServiceClock = (db: Db, readMachineTime: () => number): Clock => {
  let shiftMs = selectFirstRow(db, clockShiftRow, "SELECT value FROM meta WHERE name = 'clockShiftMs'")?.value ?? 0;
  const sleepers = new Set<() => void>();
  const now = (): number => readMachineTime() + shiftMs;

  const advance = (ms: number): void => {
    shiftMs += ms;
    runStatement(db, "INSERT OR REPLACE INTO meta (name, value) VALUES ('clockShiftMs', ?)", String(shiftMs));
    for (const wakeIfDue of [...sleepers]) wakeIfDue();
  };

  const sleep = (ms: number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const dueAt = now() + ms;
      const finishSleep = (finish: () => void): void => {
        clearTimeout(timer);
        sleepers.delete(wakeIfDue);
        signal.removeEventListener('abort', abortSleep);
        finish();
      };
      const wakeIfDue = (): void => {
        if (now() >= dueAt) finishSleep(resolve);
      };
      const abortSleep = (): void => finishSleep(() => reject(signal.reason as Error));
      const timer = setTimeout(() => finishSleep(resolve), ms);
      sleepers.add(wakeIfDue);
      signal.addEventListener('abort', abortSleep);
      if (signal.aborted) abortSleep();
    });

  return { now, advance, sleep };
};

/** Formats a time as the interface does (ISO 8601). */
export const formatIsoTime = (at: number): string => new Date(at).toISOString();
export const formatIsoTimeOrNull = (at: number | null): string | null => (at === null ? null : formatIsoTime(at));

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;
