import * as z from 'zod';
import { quotas, type Quota } from '../../contract/index.ts';
import { hourMs } from '../clock.ts';
import { runInTransaction, selectFirstRow, runStatement } from '../database.ts';
import { refuseCall, createRetryAfterHeader } from '../refusal.ts';
import type { World } from './world.ts';

const dailyBudgets: Readonly<Record<Quota, number>> = {
  trading: 2_000,
  fee_verify: 500,
  account: 1_000,
  taxonomy: 2_000,
  browse: 1_000,
  fulfillment: 500,
  payment: 500,
  extras_approval: 100,
};

/** The service itself limits these calls. All other budgets are shares of the marketplace's daily limit. */
const serviceQuotas: ReadonlySet<Quota> = new Set(['payment', 'extras_approval']);

/** Returns whether calls that count against this quota reach the marketplace. */
export const isMarketQuota = (quota: Quota): boolean => !serviceQuotas.has(quota);

const formatBudgetUsedUpMessage = (quota: Quota): string =>
  serviceQuotas.has(quota)
    ? "The service's own daily limit for this is used up. Try again when the time that it names is over."
    : "The marketplace's daily limit for this is used up. It starts again at midnight Pacific time.";

const pacific = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'America/Los_Angeles',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
});
const formatPacificDay = (at: number): string => pacific.format(at);

/**
 * Returns the milliseconds until the next midnight in the Pacific time zone. Searches hour by hour, because a day can
 * have 23 or 25 hours.
 */
export const computeMsUntilPacificMidnight = (now: number): number => {
  const today = formatPacificDay(now);
  const hours = Array.from({ length: 26 }, (_, hour) => Math.floor(now / hourMs) * hourMs + (hour + 1) * hourMs);
  return (hours.find((at) => formatPacificDay(at) !== today) ?? now + 24 * hourMs) - now;
};

const usedRow = z.object({ used: z.int() });

const countUsedBudget = ({ db }: World, userId: string, quota: Quota, day: string): number =>
  selectFirstRow(db, usedRow, 'SELECT used FROM budgets WHERE userId = ? AND quota = ? AND day = ?', userId, quota, day)
    ?.used ?? 0;

/** Counts one call against a daily budget. Refuses the call if the budget is used up. */
export const spendDailyBudget = (world: World, userId: string, quota: Quota): void =>
  runInTransaction(world.db, () => {
    const now = world.clock.now();
    const day = formatPacificDay(now);
    if (countUsedBudget(world, userId, quota, day) >= dailyBudgets[quota])
      refuseCall(429, formatBudgetUsedUpMessage(quota), undefined, {
        headers: createRetryAfterHeader(computeMsUntilPacificMidnight(now)),
      });
    runStatement(
      world.db,
      `INSERT INTO budgets (userId, quota, day, used) VALUES (?, ?, ?, 1)
       ON CONFLICT (userId, quota, day) DO UPDATE SET used = used + 1`,
      userId,
      quota,
      day,
    );
  });

/** Sets how much of a budget is used today, for the practice controls. */
export const setBudgetUsed = ({ db, clock }: World, userId: string, quota: Quota, used: number): void => {
  runStatement(
    db,
    'INSERT OR REPLACE INTO budgets (userId, quota, day, used) VALUES (?, ?, ?, ?)',
    userId,
    quota,
    formatPacificDay(clock.now()),
    used,
  );
};

/** Returns the limit and the remaining calls of each budget today. */
export const listRemainingBudgets = (world: World, userId: string) => {
  const now = world.clock.now();
  return quotas.map((quota) => {
    const limit = dailyBudgets[quota];
    return {
      quota,
      limit,
      remaining: Math.max(0, limit - countUsedBudget(world, userId, quota, formatPacificDay(now))),
    };
  });
};
