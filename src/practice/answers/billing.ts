import { limits, plans } from '../../contract/index.ts';
import { appStore, extraRates, approveExtraListings, changeExtrasSetting } from '../world/extras.ts';
import { formatIsoTime, formatIsoTimeOrNull } from '../clock.ts';
import { runInTransaction } from '../database.ts';
import { refuseCall } from '../refusal.ts';
import { isTrialOffered, computeBillingPeriod, getPersonPlan, countUsedPlanListings } from '../world/allowance.ts';
import { requireBuyablePlan, creditPacks, listPersonInvoices, requireNoSubscription } from '../world/billing.ts';
import { createPersonLink } from '../world/links.ts';
import { requirePersonById, type Person } from '../world/people.ts';
import type { World } from '../world/world.ts';
import type { Answers, RouteNameOf } from './answer.ts';

export const listPlansWithRates = () =>
  plans.map((plan) => ({
    ...plan,
    currency: 'USD',
    extraRateCents: extraRates[plan.code],
    ...(plan.code === limits.trial.plan ? { trialDays: limits.trial.days } : {}),
  }));

const createCheckoutLink = (world: World, person: Person, tier: string, trial: boolean): string => {
  requireNoSubscription(person);
  const plan = requireBuyablePlan(person, tier, trial);
  return runInTransaction(world.db, () => createPersonLink(world, person.userId, 'checkout', { plan, trial }));
};

const getSubscriptionStatus = ({ billing, subscription, trialEndsAt }: Person): string => {
  if (billing === 'none') return 'none';
  if (billing === 'card' && subscription !== 'active') return subscription;
  return trialEndsAt === null ? 'active' : 'trialing';
};

export const billingAnswers: Answers<RouteNameOf<'Billing and credits'>> = {
  createCheckoutToken: ({ world, person, input }) => ({
    body: { url: createCheckoutLink(world, person, input.body.tier, input.body.trial ?? false) },
  }),

  readSubscription: ({ world, person }) => {
    const plan = getPersonPlan(person);
    const { startsAt, endsAt } = computeBillingPeriod(person.createdAt, world.clock.now());
    const used = countUsedPlanListings(world, person);
    return {
      body: {
        plan: plan.code,
        status: getSubscriptionStatus(person),
        managedBy: person.billing,
        trialEndsAt: formatIsoTimeOrNull(person.trialEndsAt),
        period: { startsAt: formatIsoTime(startsAt), endsAt: formatIsoTime(endsAt) },
        usage: { used, included: plan.listingsPerMonth },
        credits: person.credits,
        extras: { enabled: person.extrasEnabled, rateCents: extraRates[person.plan] },
      },
    };
  },

  listInvoices: ({ world, person }) => ({ body: { invoices: listPersonInvoices(world, person.userId) } }),

  createCheckout: ({ world, person, input }) => {
    const { tier, plan = tier, trial } = input.body;
    if (typeof plan !== 'string') return refuseCall(400, 'tier: Name the plan.');
    return { body: { url: createCheckoutLink(world, person, plan, trial === true) } };
  },

  createPortal: ({ world, person }) => {
    if (person.billing === 'store')
      return refuseCall(409, `This plan is managed in the ${appStore} it was bought in.`, 'STORE_MANAGED');
    if (person.billing === 'none') return refuseCall(409, 'There is no subscription to manage yet.', 'NO_SUBSCRIPTION');
    return { body: { url: runInTransaction(world.db, () => createPersonLink(world, person.userId, 'portal', {})) } };
  },

  // One code is valid and all others are invalid, so that a client can test both answers.
  checkPromoCode: ({ input }) => {
    const { code } = input.body;
    if (typeof code !== 'string' || code.trim() === '') return refuseCall(400, 'code: Which code?');
    return { body: code.trim().toUpperCase() === 'PRACTICE10' ? { valid: true, percentOff: 10 } : { valid: false } };
  },

  setExtras: async ({ world, person, input }) => {
    await changeExtrasSetting(world, person.userId, input.body.enabled, input.body.acknowledgedRateCents);
    const now = requirePersonById(world, person.userId);
    return { body: { enabled: now.extrasEnabled, rateCents: extraRates[now.plan] } };
  },

  approveExtras: async ({ world, person, key, input }) => {
    const { approvalId, expiresAt } = await approveExtraListings(world, person.userId, key, input.body);
    return {
      body: {
        approvalId,
        count: input.body.count,
        rateCents: input.body.rateCents,
        expiresAt: formatIsoTime(expiresAt),
      },
    };
  },

  readCredits: ({ person }) => ({ body: { balance: person.credits } }),

  listProducts: ({ caller }) => ({
    body: {
      plans: listPlansWithRates().slice(1, plans.length),
      credits: [...creditPacks],
      trialEligible: caller ? isTrialOffered(caller.person) : true,
    },
  }),
};
