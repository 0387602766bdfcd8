import { plans } from '../../contract/index.ts';
import { count, one, run } from '../database.ts';
import {
  usableApproval,
  chargeExtraListing,
  type ExtrasApproval,
  appStore,
  extraRates,
  extrasProblem,
  onTrial,
} from './extras.ts';
import type { Key } from './keys.ts';
import type { Person } from './people.ts';
import type { World } from './world.ts';
import { isoOf, isoOrNull } from '../clock.ts';

/** Returns the plan of a person. After a trial it is the paid plan. */
export const planOf = (person: Person): (typeof plans)[number] =>
  plans.find(({ code }) => code === person.plan) ?? plans[0];

/** Returns whether the person may start a trial: only once, and never with a subscription. */
export const offersTrial = ({ billing, trialEligible }: Person): boolean => billing === 'none' && trialEligible;

/** Adds months to a time. The day is capped at the last day of a shorter month. */
export const monthsAfter = (anchor: Date, months: number): number => {
  const year = anchor.getUTCFullYear();
  const month = anchor.getUTCMonth() + months;
  const day = Math.min(anchor.getUTCDate(), new Date(Date.UTC(year, month + 1, 0)).getUTCDate());
  const time = anchor.getTime() % 86_400_000;
  return Date.UTC(year, month, day) + time;
};

/** Returns the billing month that contains `now`, counted from the creation day of the account. */
export const periodOf = (anchorAt: number, now: number): { startsAt: number; endsAt: number } => {
  const anchor = new Date(anchorAt);
  const today = new Date(now);
  let months = (today.getUTCFullYear() - anchor.getUTCFullYear()) * 12 + today.getUTCMonth() - anchor.getUTCMonth();
  while (monthsAfter(anchor, months) > now) months -= 1;
  return { startsAt: monthsAfter(anchor, months), endsAt: monthsAfter(anchor, months + 1) };
};

export const usedOfPlan = (world: World, person: Person): number =>
  one(
    world.db,
    count,
    "SELECT COUNT(*) AS n FROM uses WHERE userId = ? AND source = 'plan' AND at >= ?",
    person.userId,
    periodOf(person.createdAt, world.clock.now()).startsAt,
  )?.n ?? 0;

const remainingOfPlan = (world: World, person: Person): number =>
  Math.max(0, planOf(person).listingsPerMonth - usedOfPlan(world, person));

/** Sets how many listings of the plan are used this month. For the practice controls and tests. */
export const setListingsUsed = (world: World, person: Person, used: number): void => {
  const { userId, createdAt } = person;
  const now = world.clock.now();
  run(
    world.db,
    "DELETE FROM uses WHERE userId = ? AND source = 'plan' AND at >= ?",
    userId,
    periodOf(createdAt, now).startsAt,
  );
  for (let at = 0; at < used; at += 1)
    run(world.db, "INSERT INTO uses (userId, listingId, source, at) VALUES (?, '', 'plan', ?)", userId, now);
};

type Source = 'plan' | 'credit' | 'extra';

/** Returns the source of the next listing, or null if the allowance is used up. */
const sourceFor = (world: World, person: Person, approval: ExtrasApproval | null): Source | null => {
  if (remainingOfPlan(world, person) > 0) return 'plan';
  if (person.credits > 0) return 'credit';
  return approval ? 'extra' : null;
};

/** Charges one listing to the allowance: first the plan, then credits, then the extras approved for this assistant. */
export const takeListing = (
  world: World,
  { person, key }: { person: Person; key: Key },
  listingId: string,
  named: ExtrasApproval | null,
): Source | null => {
  const approval = named ?? usableApproval(world, person, key);
  const source = sourceFor(world, person, approval);
  if (source === null) return null;
  if (source === 'credit') run(world.db, 'UPDATE people SET credits = credits - 1 WHERE userId = ?', person.userId);
  if (source === 'extra' && approval) chargeExtraListing(world, approval, listingId);
  run(
    world.db,
    'INSERT INTO uses (userId, listingId, source, approvalId, at) VALUES (?, ?, ?, ?, ?)',
    person.userId,
    listingId,
    source,
    source === 'extra' ? (approval?.approvalId ?? null) : null,
    world.clock.now(),
  );
  return source;
};

type Step = {
  code: string;
  tellThePerson: string;
  call?: { method: string; path: string; body?: unknown } | undefined;
};

const dollars = (cents: number): string => `US$${(cents / 100).toFixed(2)}`;

const extrasOf = (world: World, person: Person, key: Key) => {
  const problem = extrasProblem(world, person);
  const approval = usableApproval(world, person, key);
  return {
    available: problem === null,
    enabled: person.extrasEnabled,
    rateCents: extraRates[person.plan],
    ...(problem === null ? {} : { reason: problem }),
    approval: approval && {
      approvalId: approval.approvalId,
      remaining: approval.count - approval.used,
      rateCents: approval.rateCents,
      expiresAt: isoOf(approval.createdAt + 24 * 3_600_000),
    },
  };
};

const kindOf = (world: World, person: Person, key: Key): string => {
  const source = sourceFor(world, person, usableApproval(world, person, key));
  if (source !== null) return source;
  const problem = extrasProblem(world, person);
  if (problem !== null) return problem === 'not active' || problem === 'not ready' ? 'unavailable' : 'blocked';
  return person.extrasEnabled ? 'extras_approval_required' : 'blocked';
};

const nextPlan = (person: Person) => plans[plans.findIndex(({ code }) => code === person.plan) + 1];

/** Returns the upgrade offer. It is recommended if at most one listing is left. */
const upgradeOf = (person: Person, left: number) => {
  const next = nextPlan(person);
  const recommended = next !== undefined && left <= 1;
  const offerTrial = offersTrial(person);
  const free = person.billing === 'none';
  const how =
    person.billing === 'store'
      ? { openApp: true, tellThePerson: `Your plan was bought in the ${appStore}. Open the app there to change it.` }
      : free
        ? {
            method: 'POST',
            path: '/billing/external-checkout-token',
            body: { tier: next?.code, ...(offerTrial ? { trial: true } : {}) },
          }
        : { method: 'POST', path: '/subscriptions/portal', body: {} };
  return next === undefined
    ? { recommended: false, suggestedPlan: null, offerTrial: false, how: null }
    : { recommended, suggestedPlan: next.code, offerTrial, how };
};

const stepsOf = (world: World, person: Person, key: Key, left: number): (Step & { call: unknown })[] => {
  const extras = extrasOf(world, person, key);
  const next = nextPlan(person);
  const steps: (Step | null)[] = [
    person.connectedAt === null
      ? {
          code: 'CONNECT_MARKET',
          tellThePerson: 'Your marketplace account is not connected yet. Listings can be written, but not published.',
          call: { method: 'GET', path: '/market/auth-url' },
        }
      : null,
    left === 0 && extras.available && extras.rateCents !== null && extras.approval === null
      ? {
          code: 'EXTRAS_AVAILABLE',
          tellThePerson: `This month's listings are used up. Extra listings cost ${dollars(extras.rateCents)} each.`,
        }
      : null,
    left <= 1 && next
      ? {
          code: 'UPGRADE',
          tellThePerson: `${left === 0 ? 'No listings are' : 'One listing is'} left. The ${next.name} plan has ${next.listingsPerMonth} a month for ${dollars(next.priceCents)}.`,
        }
      : null,
  ];
  // `call` is always set to satisfy the type; JSON omits it if undefined.
  return steps.filter((step) => step !== null).map((step) => ({ ...step, call: step.call }));
};

/** Returns the allowance, the upgrade offer and the next steps of a person. */
export const standingOf = (world: World, person: Person, key: Key) => {
  const remaining = remainingOfPlan(world, person);
  const left = remaining + person.credits;
  const plan = planOf(person);
  const kind = kindOf(world, person, key);
  return {
    userId: person.userId,
    allowance: {
      remaining,
      creditBalance: person.credits,
      nextListing: { kind },
      resetsAt: isoOf(periodOf(person.createdAt, world.clock.now()).endsAt),
      extras: extrasOf(world, person, key),
    },
    upgrade: upgradeOf(person, left),
    nextSteps: stepsOf(world, person, key, left),
    plan: {
      code: plan.code,
      name: plan.name,
      photosPerListing: plan.photosPerListing,
      listingsPerMonth: plan.listingsPerMonth,
      trial: onTrial(world, person),
      trialEndsAt: isoOrNull(person.trialEndsAt),
    },
    market: { connected: person.connectedAt !== null, marketplaceId: person.homeSite },
  };
};
