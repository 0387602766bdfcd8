import { plans } from '../../contract/index.ts';
import { isoOf, isoOrNull } from '../clock.ts';
import { periodOf, planOf, remainingOfPlan, sourceFor } from './allowance.ts';
import { extraRates, extrasProblem, onTrial, usableApproval } from './extras.ts';
import type { Key } from './keys.ts';
import type { Person } from './people.ts';
import type { World } from './world.ts';

type Step = {
  code: string;
  tellThePerson: string;
  call?: { method: string; path: string; body?: unknown } | undefined;
};

/** Money as a sentence has it. */
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
  if (extrasProblem(world, person) !== null) return 'blocked';
  return person.extrasEnabled ? 'extras_approval_required' : 'blocked';
};

const nextPlan = (person: Person) => plans[plans.findIndex(({ code }) => code === person.plan) + 1];

/** What more listings would take, when little or nothing is left. */
const upgradeOf = (person: Person, left: number) => {
  const next = nextPlan(person);
  const recommended = next !== undefined && left <= 1;
  const offerTrial = person.plan === 'free' && person.trialEligible;
  const free = person.billing === 'none';
  const how =
    person.billing === 'store'
      ? { openApp: true, tellThePerson: 'Your plan is managed in the app store. Open the app there to change it.' }
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
  // The key is named even when there is no call; JSON leaves it out then.
  return steps.filter((step) => step !== null).map((step) => ({ ...step, call: step.call }));
};

/** Where the person stands: allowance, upgrade offer, next steps. */
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
