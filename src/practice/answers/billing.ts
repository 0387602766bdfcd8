import { limits, plans } from '../../contract/index.ts';
import { appStore, extraRates, approveExtras, setExtras } from '../world/extras.ts';
import { isoOf, isoOrNull } from '../clock.ts';
import { atomically } from '../database.ts';
import { refuse } from '../refusal.ts';
import { offersTrial, periodOf, planOf, usedOfPlan } from '../world/allowance.ts';
import { buyablePlan, creditPacks, invoicesOf, requireNoSubscription } from '../world/billing.ts';
import { createLink } from '../world/links.ts';
import { requirePerson, type Person } from '../world/people.ts';
import type { World } from '../world/world.ts';
import type { Answers, RouteNameOf } from './answer.ts';

/** Lists the plans with the current rates. */
export const planList = () =>
  plans.map((plan) => ({
    ...plan,
    currency: 'USD',
    extraRateCents: extraRates[plan.code],
    ...(plan.code === limits.trial.plan ? { trialDays: limits.trial.days } : {}),
  }));

const checkout = (world: World, person: Person, tier: string, trial: boolean): string => {
  requireNoSubscription(person);
  const plan = buyablePlan(person, tier, trial);
  return atomically(world.db, () => createLink(world, person.userId, 'checkout', { plan, trial }));
};

const subscriptionStatus = ({ billing, subscription, trialEndsAt }: Person): string => {
  if (billing === 'none') return 'none';
  if (billing === 'card' && subscription !== 'active') return subscription;
  return trialEndsAt === null ? 'active' : 'trialing';
};

export const billingAnswers: Answers<RouteNameOf<'Billing and credits'>> = {
  createCheckoutToken: ({ world, person, input }) => ({
    body: { url: checkout(world, person, input.body.tier, input.body.trial ?? false) },
  }),

  readSubscription: ({ world, person }) => {
    const plan = planOf(person);
    const { startsAt, endsAt } = periodOf(person.createdAt, world.clock.now());
    const used = usedOfPlan(world, person);
    return {
      body: {
        plan: plan.code,
        status: subscriptionStatus(person),
        managedBy: person.billing,
        trialEndsAt: isoOrNull(person.trialEndsAt),
        period: { startsAt: isoOf(startsAt), endsAt: isoOf(endsAt) },
        usage: { used, included: plan.listingsPerMonth },
        credits: person.credits,
        extras: { enabled: person.extrasEnabled, rateCents: extraRates[person.plan] },
      },
    };
  },

  listInvoices: ({ world, person }) => ({ body: { invoices: invoicesOf(world, person.userId) } }),

  createCheckout: ({ world, person, input }) => {
    const { tier, plan = tier, trial } = input.body;
    if (typeof plan !== 'string') return refuse(400, 'tier: Name the plan.');
    return { body: { url: checkout(world, person, plan, trial === true) } };
  },

  createPortal: ({ world, person }) => {
    if (person.billing === 'store')
      return refuse(409, `This plan is managed in the ${appStore} it was bought in.`, 'STORE_MANAGED');
    if (person.billing === 'none') return refuse(409, 'There is no subscription to manage yet.', 'NO_SUBSCRIPTION');
    return { body: { url: atomically(world.db, () => createLink(world, person.userId, 'portal', {})) } };
  },

  // One code is valid, so that both answers can be tested.
  checkPromoCode: ({ input }) => {
    const { code } = input.body;
    if (typeof code !== 'string' || code.trim() === '') return refuse(400, 'code: Which code?');
    return { body: code.trim().toUpperCase() === 'PRACTICE10' ? { valid: true, percentOff: 10 } : { valid: false } };
  },

  setExtras: async ({ world, person, input }) => {
    await setExtras(world, person.userId, input.body.enabled, input.body.acknowledgedRateCents);
    const now = requirePerson(world, person.userId);
    return { body: { enabled: now.extrasEnabled, rateCents: extraRates[now.plan] } };
  },

  approveExtras: async ({ world, person, key, input }) => {
    const { approvalId, expiresAt } = await approveExtras(world, person.userId, key, input.body);
    return {
      body: { approvalId, count: input.body.count, rateCents: input.body.rateCents, expiresAt: isoOf(expiresAt) },
    };
  },

  readCredits: ({ person }) => ({ body: { balance: person.credits } }),

  listProducts: ({ caller }) => ({
    body: {
      plans: planList().slice(1, plans.length),
      credits: [...creditPacks],
      trialEligible: caller ? offersTrial(caller.person) : true,
    },
  }),
};
