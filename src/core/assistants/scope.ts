import { findRouteAct, getRouteByName, type Listing, type RouteName } from '../../contract/index.ts';
import { readRoutesWithBody } from '../service/throttle/floors.ts';
import { findListingId, isRecord } from '../base/json.ts';
import { createProblem, refusedYetDoneCode } from '../base/problem.ts';
import type { ListingMakersTable, ListingsPage } from '../storage/tables/listings/listingsTable.ts';
import type { AssistantRegistry } from './assistants.ts';
import { toAskerId, type Asker } from '../base/request.ts';
import type { PromptMoney } from '../storage/tables/approvalRecord.ts';
import type { ApprovalsTable, ApprovalUsage } from '../storage/tables/approvalsTable.ts';
import { createDecisionAgeKey } from '../approvals/deadlines.ts';
import type { StoredAgeTracker } from '../base/storedAges.ts';
import type { DailyUsage } from './assistant.ts';

export type Scope = {
  seesAll: (by: Asker) => boolean;
  mayTouch: (by: Asker, listingId: string) => boolean;
  /** Returns the only listings that the asker may see; undefined if it may see all. */
  listOnly: (by: Asker) => string[] | undefined;
  /** Returns the asker's own listings from the copies on this computer, newest first. */
  readOwnPage: (by: Asker, page: ListingsPage) => Listing[];
  /** Throws `NOT_ALLOWED` if the scope of the assistant does not include this request. */
  checkAct: (by: Asker, route: RouteName, asks: boolean) => void;
  mayDraft: (by: Asker, listingId: string) => boolean;
  /** Throws `NOT_YOUR_LISTING` if the request names a listing that the asker cannot access. */
  checkListing: (by: Asker, input: unknown) => void;
  /** Records which assistant created a new draft. */
  noteCreated: (by: Asker, listingId: string) => void;
};

/** Returns the scope that a request needs. `asks` says whether the request needs an approval. */
export const getRequiredScope = (route: RouteName, asks: boolean): 'read' | 'draft' | 'ask' => {
  const { method, group, personPage } = getRouteByName(route);
  // A route with `personPage` returns a page that only the person may open.
  if (asks || personPage !== undefined) return 'ask';
  if (method === 'GET' || readRoutesWithBody.includes(route)) return 'read';
  return group === 'Listings' ? 'draft' : 'ask';
};
const rank = { read: 0, draft: 1, ask: 2 } as const;

export const createAccessScope = (
  makers: ListingMakersTable,
  account: () => string,
  limits: AssistantRegistry['limits'],
): Scope => {
  const seesAll = (by: Asker): boolean => by.kind === 'person' || limits(by.assistantId)?.touches !== 'own';
  const mayTouch = (by: Asker, listingId: string): boolean =>
    by.kind === 'person' || seesAll(by) || makers.isMaker(account(), listingId, by.assistantId);

  const checkAct: Scope['checkAct'] = (by, route, asks) => {
    if (by.kind === 'person') return;
    const scope = limits(by.assistantId)?.scope ?? 'read';
    if (scope !== 'ask' && rank[getRequiredScope(route, asks)] > rank[scope])
      throw createProblem(`NOT_ALLOWED.${scope}`);
  };
  return {
    seesAll,
    mayTouch,
    listOnly: (by) => (by.kind === 'person' || seesAll(by) ? undefined : makers.listMade(account(), by.assistantId)),
    readOwnPage: (by, page) => makers.readPage(account(), toAskerId(by), page),
    checkAct,
    mayDraft: (by, listingId) => {
      const scope = by.kind === 'person' ? 'ask' : (limits(by.assistantId)?.scope ?? 'read');
      return rank[scope] >= rank.draft && mayTouch(by, listingId);
    },
    checkListing: (by, input) => {
      const listingId = findListingId(input);
      if (listingId === null || mayTouch(by, listingId)) return;
      throw createProblem('NOT_YOUR_LISTING');
    },
    noteCreated: (by, listingId) => {
      if (by.kind === 'assistant') makers.note(account(), listingId, by.assistantId);
    },
  };
};

/** Removes listings that the asker cannot access from every list in an answer. */
export const filterVisibleListings = (scope: Scope, by: Asker, answer: unknown): unknown => {
  if (scope.seesAll(by)) return answer;
  const isVisibleListing = (one: unknown): boolean =>
    !isRecord(one) || typeof one['listingId'] !== 'string' || scope.mayTouch(by, one['listingId']);
  const filterVisibleParts = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.filter(isVisibleListing).map(filterVisibleParts);
    return isRecord(value)
      ? Object.fromEntries(Object.entries(value).map(([name, part]) => [name, filterVisibleParts(part)]))
      : value;
  };
  return filterVisibleParts(answer);
};

/**
 * Approvals in these states count against the daily limits as well as settled ones. Otherwise twenty requests at once
 * would pass a budget of ten.
 */
const openStates = new Set(['pending', 'approved', 'sending', 'unconfirmed']);

/** An act that the service refused counts as well if the listing shows that it was done. */
const mightHaveCost = ({ state, code }: ApprovalUsage): boolean => state === 'done' || code === refusedYetDoneCode;

/** The companion knows no exchange rates, so amounts in all currencies are added as if they were cents. */
const getNominalCents = (money: PromptMoney | null): number => (money?.state === 'fee' ? (money.totalMinor ?? 0) : 0);

const getMidnightBefore = (now: number): number => new Date(now).setHours(0, 0, 0, 0);
/** `setHours` also works for days of 23 and 25 hours. */
const getMidnightAfter = (now: number): number => new Date(now).setHours(24, 0, 0, 0);

/** Creates the check of the daily limits. */
export const createAssistantBudget = (table: ApprovalsTable, ages: StoredAgeTracker, account: () => string) => {
  const isCountedToday = (row: ApprovalUsage, passedMs: number): boolean =>
    openStates.has(row.state) || (mightHaveCost(row) && ages.ageMs(createDecisionAgeKey(row), row.at) <= passedMs);
  const readDailyUsage = (assistantId: string, except: readonly string[] = []): DailyUsage => {
    const passedMs = ages.steadyAt() - getMidnightBefore(ages.steadyAt());
    const rows = table
      .readUsageSince(account(), assistantId, ages.earliestAt(passedMs))
      .filter((row) => isCountedToday(row, passedMs) && !except.includes(row.approval_id));
    return {
      publishes: rows.filter(({ route }) => findRouteAct(route) === 'publish').length,
      moneyCents: rows.reduce((sum, { money }) => sum + getNominalCents(money), 0),
    };
  };
  const check = (
    limits: AssistantRegistry['limits'],
    by: Asker,
    { route, money, except }: { route: RouteName; money: PromptMoney | null; except: readonly string[] | undefined },
  ): void => {
    if (by.kind === 'person') return;
    const budget = limits(by.assistantId);
    if (!budget) return;
    if (budget.publishesPerDay === null && budget.moneyCentsPerDay === null) return;
    const { publishes: done, moneyCents } = readDailyUsage(by.assistantId, except);
    const retryAfterS = Math.ceil((getMidnightAfter(ages.steadyAt()) - ages.steadyAt()) / 1_000);
    if (budget.publishesPerDay !== null && findRouteAct(route) === 'publish' && done + 1 > budget.publishesPerDay) {
      throw createProblem('BUDGET_SPENT.publishes', { retryAfterS, values: { most: budget.publishesPerDay } });
    }
    // An unknown fee might exceed the remaining budget, so the request is refused.
    if (budget.moneyCentsPerDay !== null && money?.state === 'unavailable')
      throw createProblem('BUDGET_SPENT.unknown', { retryAfterS });
    if (
      budget.moneyCentsPerDay !== null &&
      getNominalCents(money) > 0 &&
      moneyCents + getNominalCents(money) > budget.moneyCentsPerDay
    ) {
      throw createProblem('BUDGET_SPENT.money', {
        retryAfterS,
      });
    }
  };
  return { used: (assistantId: string): DailyUsage => readDailyUsage(assistantId), check };
};
