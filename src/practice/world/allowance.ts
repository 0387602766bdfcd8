import { plans } from '../../contract/index.ts';
import { countRow, selectFirstRow, runStatement } from '../database.ts';
import {
  findUsableApproval,
  chargeExtraListing,
  type ExtrasApproval,
  appStore,
  extraRates,
  findExtrasProblem,
  isOnTrial,
} from './extras.ts';
import type { Key } from './keys.ts';
import type { Person } from './people.ts';
import type { World } from './world.ts';
import { formatIsoTime, formatIsoTimeOrNull } from '../clock.ts';

/** Returns the plan of a person, or the free plan if the stored plan is unknown. */
export const getPersonPlan = (person: Person): (typeof plans)[number] =>
  plans.find(({ code }) => code === person.plan) ?? plans[0];

/** Returns whether the person may start a trial: only once, and only without a subscription. */
export const isTrialOffered = ({ billing, trialEligible }: Person): boolean => billing === 'none' && trialEligible;

/** Adds months to a time. In a shorter month, the day becomes the last day of the month. */
export const addUtcMonths = (anchor: Date, months: number): number => {
  const year = anchor.getUTCFullYear();
  const month = anchor.getUTCMonth() + months;
  const day = Math.min(anchor.getUTCDate(), new Date(Date.UTC(year, month + 1, 0)).getUTCDate());
  const time = anchor.getTime() % 86_400_000;
  return Date.UTC(year, month, day) + time;
};

/** Returns the billing month that contains `now`. Months are counted from the day on which the account was created. */
export const computeBillingPeriod = (anchorAt: number, now: number): { startsAt: number; endsAt: number } => {
  const anchor = new Date(anchorAt);
  const today = new Date(now);
  let months = (today.getUTCFullYear() - anchor.getUTCFullYear()) * 12 + today.getUTCMonth() - anchor.getUTCMonth();
  while (addUtcMonths(anchor, months) > now) months -= 1;
  return { startsAt: addUtcMonths(anchor, months), endsAt: addUtcMonths(anchor, months + 1) };
};

export const countUsedPlanListings = (world: World, person: Person): number =>
  selectFirstRow(
    world.db,
    countRow,
    "SELECT COUNT(*) AS n FROM uses WHERE userId = ? AND source = 'plan' AND at >= ?",
    person.userId,
    computeBillingPeriod(person.createdAt, world.clock.now()).startsAt,
  )?.n ?? 0;

const countRemainingPlanListings = (world: World, person: Person): number =>
  Math.max(0, getPersonPlan(person).listingsPerMonth - countUsedPlanListings(world, person));

/** Sets how many listings of the plan are used this month, for the practice controls. */
export const setListingsUsed = (world: World, person: Person, used: number): void => {
  const { userId, createdAt } = person;
  const now = world.clock.now();
  runStatement(
    world.db,
    "DELETE FROM uses WHERE userId = ? AND source = 'plan' AND at >= ?",
    userId,
    computeBillingPeriod(createdAt, now).startsAt,
  );
  for (let at = 0; at < used; at += 1)
    runStatement(world.db, "INSERT INTO uses (userId, listingId, source, at) VALUES (?, '', 'plan', ?)", userId, now);
};

type AllowanceSource = 'plan' | 'credit' | 'extra';

/** Returns null if the allowance is used up. */
const chooseAllowanceSource = (
  world: World,
  person: Person,
  approval: ExtrasApproval | null,
): AllowanceSource | null => {
  if (countRemainingPlanListings(world, person) > 0) return 'plan';
  if (person.credits > 0) return 'credit';
  return approval ? 'extra' : null;
};

/**
 * Charges one listing: first to the plan, then to the credits, then to the extras that the person approved for this
 * assistant.
 */
export const chargeListingToAllowance = (
  world: World,
  { person, key }: { person: Person; key: Key },
  listingId: string,
  namedApproval: ExtrasApproval | null,
): AllowanceSource | null => {
  const approval = namedApproval ?? findUsableApproval(world, person, key);
  const source = chooseAllowanceSource(world, person, approval);
  if (source === null) return null;
  if (source === 'credit')
    runStatement(world.db, 'UPDATE people SET credits = credits - 1 WHERE userId = ?', person.userId);
  if (source === 'extra' && approval) chargeExtraListing(world, approval, listingId);
  runStatement(
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

type NextStep = {
  code: string;
  tellThePerson: string;
  call?: { method: string; path: string; body?: unknown } | undefined;
};

const formatUsDollars = (cents: number): string => `US$${(cents / 100).toFixed(2)}`;

const readExtrasState = (world: World, person: Person, key: Key) => {
  const problem = findExtrasProblem(world, person);
  const approval = findUsableApproval(world, person, key);
  return {
    available: problem === null,
    enabled: person.extrasEnabled,
    rateCents: extraRates[person.plan],
    ...(problem === null ? {} : { reason: problem }),
    approval: approval && {
      approvalId: approval.approvalId,
      remaining: approval.count - approval.used,
      rateCents: approval.rateCents,
      expiresAt: formatIsoTime(approval.createdAt + 24 * 3_600_000),
    },
  };
};

const getNextListingSource = (world: World, person: Person, key: Key): string => {
  const source = chooseAllowanceSource(world, person, findUsableApproval(world, person, key));
  if (source !== null) return source;
  const problem = findExtrasProblem(world, person);
  if (problem !== null) return problem === 'not active' || problem === 'not ready' ? 'unavailable' : 'blocked';
  return person.extrasEnabled ? 'extras_approval_required' : 'blocked';
};

const findNextPlan = (person: Person) => plans[plans.findIndex(({ code }) => code === person.plan) + 1];

const buildUpgradeOffer = (person: Person, left: number) => {
  const next = findNextPlan(person);
  const recommended = next !== undefined && left <= 1;
  const offerTrial = isTrialOffered(person);
  const free = person.billing === 'none';
  const howToUpgrade =
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
    : { recommended, suggestedPlan: next.code, offerTrial, how: howToUpgrade };
};

const listNextSteps = (world: World, person: Person, key: Key, left: number): (NextStep & { call: unknown })[] => {
  const extras = readExtrasState(world, person, key);
  const next = findNextPlan(person);
  const steps: (NextStep | null)[] = [
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
          tellThePerson: `This month's listings are used up. Extra listings cost ${formatUsDollars(extras.rateCents)} each.`,
        }
      : null,
    left <= 1 && next
      ? {
          code: 'UPGRADE',
          tellThePerson: `${left === 0 ? 'No listings are' : 'One listing is'} left. The ${next.name} plan has ${next.listingsPerMonth} a month for ${formatUsDollars(next.priceCents)}.`,
        }
      : null,
  ];
  // `call` is set explicitly, because the type requires the property. If its value is undefined, JSON omits it.
  return steps.filter((step) => step !== null).map((step) => ({ ...step, call: step.call }));
};

/** Returns the allowance, the upgrade offer and the next steps of a person. */
export const readAccountStanding = (world: World, person: Person, key: Key) => {
  const remaining = countRemainingPlanListings(world, person);
  const left = remaining + person.credits;
  const plan = getPersonPlan(person);
  const kind = getNextListingSource(world, person, key);
  return {
    userId: person.userId,
    allowance: {
      remaining,
      creditBalance: person.credits,
      nextListing: { kind },
      resetsAt: formatIsoTime(computeBillingPeriod(person.createdAt, world.clock.now()).endsAt),
      extras: readExtrasState(world, person, key),
    },
    upgrade: buildUpgradeOffer(person, left),
    nextSteps: listNextSteps(world, person, key, left),
    plan: {
      code: plan.code,
      name: plan.name,
      photosPerListing: plan.photosPerListing,
      listingsPerMonth: plan.listingsPerMonth,
      trial: isOnTrial(world, person),
      trialEndsAt: formatIsoTimeOrNull(person.trialEndsAt),
    },
    market: { connected: person.connectedAt !== null, marketplaceId: person.homeSite },
  };
};
