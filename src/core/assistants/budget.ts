import type { RouteName } from '../../contract/index.ts';
import type { Money } from '../storage/tables/approvalRecord.ts';
import type { ApprovalsTable } from '../storage/tables/approvalsTable.ts';
import type { Clock } from '../base/ports.ts';
import { problem } from '../base/problem.ts';
import type { Used } from './assistantRow.ts';
import type { Assistants } from './assistants.ts';
import type { Asker } from '../base/asker.ts';

const publishes: readonly RouteName[] = ['publishListing', 'publishChannels'];
/** What waits for the person counts, too: twenty questions at once must not slip past a budget of ten. */
const counted = new Set(['pending', 'approved', 'sending', 'done', 'unconfirmed']);

/** Money of any currency counts at its face value in cents: no rate of exchange is known here, and none is guessed. */
const centsOf = (money: Money | null): number => (money?.state === 'fee' ? (money.totalMinor ?? 0) : 0);

const midnightBefore = (now: number): number => new Date(now).setHours(0, 0, 0, 0);

/** What assistants may have published and spent in a day, and what of it is used. */
export const createBudget = (table: ApprovalsTable, clock: Clock, account: () => string) => {
  const used = (assistantId: string, except?: string): Used => {
    const since = midnightBefore(clock.now());
    const rows = table
      .ofAskerSince(account(), assistantId, since)
      .filter((row) => counted.has(row.state) && row.approval_id !== except);
    return {
      publishes: rows.filter(({ route }) => publishes.includes(route)).length,
      moneyCents: rows.reduce((sum, { prompt }) => sum + centsOf(prompt.money), 0),
    };
  };
  const check = (
    limits: Assistants['limits'],
    by: Asker,
    route: RouteName,
    money: Money | null,
    except?: string,
  ): void => {
    if (by.kind === 'person') return;
    const budget = limits(by.assistantId);
    if (!budget) return;
    const { publishes: done, moneyCents } = used(by.assistantId, except);
    const retryAfterS = Math.ceil((midnightBefore(clock.now()) + 24 * 3_600_000 - clock.now()) / 1_000);
    if (budget.publishesPerDay !== null && publishes.includes(route) && done + 1 > budget.publishesPerDay) {
      throw problem('BUDGET_SPENT.publishes', { retryAfterS, values: { most: budget.publishesPerDay } });
    }
    // Nobody knows that it is not more than what is left.
    if (budget.moneyCentsPerDay !== null && money?.state === 'unavailable')
      throw problem('BUDGET_SPENT.unknown', { retryAfterS });
    if (
      budget.moneyCentsPerDay !== null &&
      centsOf(money) > 0 &&
      moneyCents + centsOf(money) > budget.moneyCentsPerDay
    ) {
      throw problem('BUDGET_SPENT.money', {
        retryAfterS,
      });
    }
  };
  return { used: (assistantId: string): Used => used(assistantId), check };
};
