import { actOf, routeOf, type RouteName } from '../../contract/index.ts';
import { readsWithBody } from '../service/throttle/floors.ts';
import { listingIdOf, isRecord } from '../base/json.ts';
import { problem } from '../base/problem.ts';
import type { ListingMakersTable } from '../storage/tables/listingsTable.ts';
import type { Assistants } from './assistants.ts';
import type { Asker } from '../base/request.ts';
import type { Money } from '../storage/tables/approvalRecord.ts';
import type { ApprovalRow, ApprovalsTable } from '../storage/tables/approvalsTable.ts';
import { decisionOf } from '../approvals/deadlines.ts';
import { refusedYetDoneCode } from '../approvals/outcomes.ts';
import type { StoredAges } from '../base/storedAges.ts';
import type { Used } from './assistant.ts';

/** What an assistant may do, and with which listings: all, or only those that it made itself. */
export type Scope = {
  seesAll: (by: Asker) => boolean;
  mayTouch: (by: Asker, listingId: string) => boolean;
  /** Throws when the person does not let this assistant do so much. */
  checkAct: (by: Asker, route: RouteName, asks: boolean) => void;
  /** Whether it may work on that listing as on a draft. */
  mayDraft: (by: Asker, listingId: string) => boolean;
  /** Throws when the request is about a listing that this assistant did not make and may not touch. */
  check: (by: Asker, input: unknown) => void;
  /** Remembers who made a draft. */
  made: (by: Asker, route: RouteName, listingId: string) => void;
};

/** How much a request needs: to look, to work on drafts, or to act on the account, with or without the person's yes. */
export const scopeNeeded = (route: RouteName, asks: boolean): 'read' | 'draft' | 'ask' => {
  const { method, group, personPage } = routeOf(route);
  // A page that only the person may open is put before them.
  if (asks || personPage !== undefined) return 'ask';
  if (method === 'GET' || readsWithBody.includes(route)) return 'read';
  return group === 'Listings' ? 'draft' : 'ask';
};
const rank = { read: 0, draft: 1, ask: 2 } as const;

export const createScope = (makers: ListingMakersTable, account: () => string, limits: Assistants['limits']): Scope => {
  const seesAll = (by: Asker): boolean => by.kind === 'person' || limits(by.assistantId)?.touches !== 'own';
  const mayTouch = (by: Asker, listingId: string): boolean =>
    by.kind === 'person' || seesAll(by) || makers.isMaker(account(), listingId, by.assistantId);

  const checkAct: Scope['checkAct'] = (by, route, asks) => {
    if (by.kind === 'person') return;
    const scope = limits(by.assistantId)?.scope ?? 'read';
    if (scope !== 'ask' && rank[scopeNeeded(route, asks)] > rank[scope]) throw problem(`NOT_ALLOWED.${scope}`);
  };
  return {
    seesAll,
    mayTouch,
    checkAct,
    mayDraft: (by, listingId) => {
      const scope = by.kind === 'person' ? 'ask' : (limits(by.assistantId)?.scope ?? 'read');
      return rank[scope] >= rank.draft && mayTouch(by, listingId);
    },
    check: (by, input) => {
      const listingId = listingIdOf(input);
      if (listingId === null || mayTouch(by, listingId)) return;
      throw problem('NOT_YOUR_LISTING');
    },
    made: (by, route, listingId) => {
      if (by.kind === 'assistant' && route === 'createListing') makers.note(account(), listingId, by.assistantId);
    },
  };
};

/** An answer as an asker may see it: without what is about listings that it may not touch, in whichever list it stands. */
export const visibleTo = (scope: Scope, by: Asker, answer: unknown): unknown => {
  if (scope.seesAll(by)) return answer;
  const mayBeSeen = (one: unknown): boolean =>
    !isRecord(one) || typeof one['listingId'] !== 'string' || scope.mayTouch(by, one['listingId']);
  const seen = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.filter(mayBeSeen).map(seen);
    return isRecord(value)
      ? Object.fromEntries(Object.entries(value).map(([name, part]) => [name, seen(part)]))
      : value;
  };
  return seen(answer);
};

/** What waits for the person counts, too: twenty questions at once must not slip past a budget of ten. */
const open = new Set(['pending', 'approved', 'sending', 'unconfirmed']);

/** Done, also where the service refused it and its listing shows it as done. */
const mayHaveCost = ({ state, outcome }: ApprovalRow): boolean =>
  state === 'done' || outcome?.code === refusedYetDoneCode;

/** Money of any currency counts at its face value in cents: no rate of exchange is known here, and none is guessed. */
const centsOf = (money: Money | null): number => (money?.state === 'fee' ? (money.totalMinor ?? 0) : 0);

const midnightBefore = (now: number): number => new Date(now).setHours(0, 0, 0, 0);
/** The days on which clocks change are an hour shorter or longer. */
const midnightAfter = (now: number): number => new Date(now).setHours(24, 0, 0, 0);

/** What assistants may have published and spent in a day, and what of it is used. */
export const createBudget = (table: ApprovalsTable, ages: StoredAges, account: () => string) => {
  const isOf = (row: ApprovalRow, passedMs: number): boolean =>
    open.has(row.state) ||
    (mayHaveCost(row) && ages.ageMs(decisionOf(row), row.sent_at ?? row.decided_at ?? row.asked_at) <= passedMs);
  const used = (assistantId: string, except: readonly string[] = []): Used => {
    const passedMs = ages.steadyAt() - midnightBefore(ages.steadyAt());
    const rows = table
      .ofAskerSince(account(), assistantId, ages.earliestAt(passedMs))
      .filter((row) => isOf(row, passedMs) && !except.includes(row.approval_id));
    return {
      publishes: rows.filter(({ route }) => actOf(route) === 'publish').length,
      moneyCents: rows.reduce((sum, { prompt }) => sum + centsOf(prompt.money), 0),
    };
  };
  const check = (
    limits: Assistants['limits'],
    by: Asker,
    { route, money, except }: { route: RouteName; money: Money | null; except: readonly string[] | undefined },
  ): void => {
    if (by.kind === 'person') return;
    const budget = limits(by.assistantId);
    if (!budget) return;
    const { publishes: done, moneyCents } = used(by.assistantId, except);
    const retryAfterS = Math.ceil((midnightAfter(ages.steadyAt()) - ages.steadyAt()) / 1_000);
    if (budget.publishesPerDay !== null && actOf(route) === 'publish' && done + 1 > budget.publishesPerDay) {
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
