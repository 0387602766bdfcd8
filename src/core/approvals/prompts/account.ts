import * as z from 'zod';
import { plans } from '../../../contract/index.ts';
import { problem } from '../../base/problem.ts';
import { ServiceError } from '../../service/serviceError.ts';
import type { Fact } from '../../storage/tables/approvalRecord.ts';
import { formatEnglish } from '../../../i18n/english.ts';
import { message, type Amount } from '../../../i18n/message.ts';
import { charge } from './draw.ts';
import { factLine, quotedLine } from './mainFact.ts';
import type { Act, Reads } from './prompt.ts';
import { amount, ownLabel, planName } from './values.ts';
import { isRecord, recordOf } from '../../base/json.ts';

/**
 * Returns the field of a checkout body that names the plan; undefined if there is none. The interface documents only
 * `tier`.
 */
export const tierFieldIn = (body: Readonly<Record<string, unknown>>): string | undefined =>
  ['tier', 'plan', 'planId'].find((field) => typeof body[field] === 'string');

/** Fields that may name a plan: the interface documents no shape of the live plans. */
const planNames = ['code', 'tier', 'planId', 'name'];

const nameIn = (plan: Record<string, unknown>, field: string): string | null => {
  const name = plan[field];
  return typeof name === 'string' ? name.toLowerCase() : null;
};

export const plansIn = (answer: unknown): Record<string, unknown>[] => {
  const listed = isRecord(answer) ? (answer['plans'] ?? answer) : answer;
  const records = Array.isArray(listed) ? listed.filter(isRecord) : [];
  return records.filter((plan) => planNames.some((field) => nameIn(plan, field) !== null));
};

export const livePlan = (answer: unknown, wanted: string): Record<string, unknown> | null => {
  const listed = plansIn(answer);
  for (const field of planNames) {
    const found = listed.find((plan) => nameIn(plan, field) === wanted.toLowerCase());
    if (found) return found;
  }
  return null;
};

/** Returns a charge of the service itself, in USD as in the interface. */
const dollars = (minor: number): Amount => ({ minor, currency: 'USD' });

const updateUser: Act<'updateUser'> = {
  gather: async (_input, reads) => ({ context: { record: await reads.user() } }),
  sheet: ({ input: { body }, subject: { context } }) => ({
    act: message('prompts.afterSale'),
    consequence: message(body.autoDelistDefault ? 'prompts.afterSaleOn' : 'prompts.afterSaleOff'),
    yes: message('prompts.afterSaleYes'),
    undo: message('prompts.again'),
    before: recordOf(context['record']),
  }),
};

const noticesSheet = (context: Record<string, unknown>) => ({
  act: message('prompts.noticesOff'),
  consequence: message('prompts.noticesOffMeans'),
  yes: message('prompts.noticesOffYes'),
  undo: message('prompts.again'),
  before: recordOf(context['record']),
});

const updateUserNotificationPreferences: Act<'updateUserNotificationPreferences'> = {
  gather: async (_input, reads) => ({ context: { record: await reads.emailPreferences() } }),
  sheet: ({ subject: { context } }) => noticesSheet(context),
};

const updatePushPreferences: Act<'updatePushPreferences'> = {
  gather: async (_input, reads) => ({ context: { record: await reads.plain('readPushPreferences') } }),
  sheet: ({ subject: { context } }) => noticesSheet(context),
};

const revokeCurrentKey: Act<'revokeCurrentKey'> = {
  gather: async () => ({}),
  sheet: () => ({
    act: message('prompts.revoke'),
    consequence: message('prompts.revokeMeans'),
    yes: message('prompts.revokeYes'),
  }),
};

const sendContact: Act<'sendContact'> = {
  gather: async () => ({}),
  sheet: ({ input: { body } }) => ({
    act: message('prompts.contact'),
    consequence: message('prompts.contactMeans'),
    yes: message('prompts.contactYes'),
    mainFact: quotedLine(body.message),
  }),
};

type Price = { priceCents?: number; currency?: string; yearly?: boolean };

const livePrice = (plan: Record<string, unknown>): Price => {
  const priceCents = plan['priceCents'] ?? plan['priceMinor'];
  const { interval } = plan;
  if (typeof priceCents !== 'number') return {};
  return {
    priceCents,
    ...(typeof plan['currency'] === 'string' ? { currency: plan['currency'] } : {}),
    ...(typeof interval === 'string' && /^(year|annual)/i.test(interval) ? { yearly: true } : {}),
  };
};

/** Returns the price and interval of a plan: the live price, else the interface's own number. */
const priceOf = async (plan: unknown, reads: Reads): Promise<Price> => {
  if (typeof plan !== 'string') return {};
  const live = livePlan(await reads.plain('listPlans'), plan);
  const price = live === null ? {} : livePrice(live);
  if (price.priceCents !== undefined) return price;
  const priceCents = plans.find(({ code }) => code === plan.toLowerCase())?.priceCents;
  return priceCents === undefined ? {} : { priceCents };
};

const priceFact = ({ priceCents, currency, yearly }: Record<string, unknown>): Fact => {
  const isKnown = typeof priceCents === 'number';
  const says = isKnown
    ? amount(priceCents, typeof currency === 'string' ? currency : 'USD')
    : message('values.unknown');
  const label = ownLabel(isKnown ? (yearly === true ? 'yearlyPrice' : 'monthlyPrice') : 'price');
  return { namespace: 'account', key: 'priceCents', ...label, value: formatEnglish(says), says };
};

const planSheet = (context: Record<string, unknown>) => {
  const price = priceFact(context);
  return {
    act: message('prompts.checkout'),
    yes: message('prompts.checkoutYes'),
    undo: message('prompts.checkoutUndo'),
    mainFact: factLine(price),
    facts: [price],
  };
};

const createCheckoutToken: Act<'createCheckoutToken'> = {
  gather: async ({ body }, reads) => ({ context: await priceOf(body.tier, reads) }),
  sheet: ({ input: { body }, subject: { context } }) => ({
    ...planSheet(context),
    consequence: message(body.trial ? 'prompts.checkoutTrial' : 'prompts.checkoutOf', { plan: planName(body.tier) }),
  }),
};

const createCheckout: Act<'createCheckout'> = {
  gather: async ({ body }, reads) => ({
    context: await priceOf(body[tierFieldIn(body) ?? ''], reads),
  }),
  sheet: ({ subject: { context } }) => ({ ...planSheet(context), consequence: message('prompts.checkoutMeans') }),
};

const createPortal: Act<'createPortal'> = {
  gather: async () => ({}),
  sheet: () => ({
    act: message('prompts.billing'),
    consequence: message('prompts.billingMeans'),
    yes: message('prompts.billingYes'),
    undo: message('prompts.billingUndo'),
  }),
};

/** Reads the current extras from the service; they are never offered from a cache. */
const extrasNow = async (reads: Reads): Promise<{ rateCents: number; enabled: boolean }> => {
  const { allowance } = await reads.plain('readStanding');
  const rateCents = allowance.extras?.rateCents;
  if (allowance.extras?.available === false) throw problem('EXTRAS_UNAVAILABLE');
  if (typeof rateCents !== 'number') throw problem('EXTRAS_UNAVAILABLE.noPrice');
  return { rateCents, enabled: allowance.extras?.enabled === true };
};

const refuseOtherRate = (given: number | undefined, rate: number): void => {
  if (given === rate) return;
  throw problem('RATE_CHANGED', { field: 'rateCents', rateCents: rate, values: { rate: dollars(rate) } });
};

const numberIn = (context: Record<string, unknown>, name: string): number => {
  const value = context[name];
  return typeof value === 'number' ? value : 0;
};

/** Reads whether extras are on. Turning them off must work even if this cannot be read. */
const switchNow = async (reads: Reads): Promise<{ enabled?: boolean }> => {
  const standing = await reads.plain('readStanding').catch((error: unknown) => {
    if (error instanceof ServiceError) return null;
    throw error;
  });
  const enabled = standing?.allowance.extras?.enabled;
  return typeof enabled === 'boolean' ? { enabled } : {};
};

const setExtras: Act<'setExtras'> = {
  gather: async ({ body }, reads) => {
    if (!body.enabled) return { context: await switchNow(reads) };
    const { rateCents, enabled } = await extrasNow(reads);
    refuseOtherRate(body.acknowledgedRateCents, rateCents);
    return { context: { rateCents, enabled } };
  },
  sheet: ({ input: { body }, subject: { context } }) => {
    const before = { enabled: context['enabled'] };
    if (!body.enabled) {
      return {
        act: message('prompts.extrasOff'),
        consequence: message('prompts.extrasOffMeans'),
        yes: message('prompts.extrasOffYes'),
        undo: message('prompts.extrasOffUndo'),
        before,
      };
    }
    const rate = dollars(numberIn(context, 'rateCents'));
    return {
      act: message('prompts.extrasOn'),
      consequence: message('prompts.extrasOnMeans', { rate }),
      yes: message('prompts.extrasOnYes', { rate }),
      undo: message('prompts.extrasOnUndo'),
      mainFact: message('notices.fact', {
        label: message('facts.extraRate'),
        value: message('values.amount', { amount: rate }),
      }),
      before,
      unchanging: ['acknowledgedRateCents'],
      currency: 'USD',
    };
  },
};

const approveExtras: Act<'approveExtras'> = {
  gather: async ({ body }, reads) => {
    const { rateCents, enabled } = await extrasNow(reads);
    if (!enabled) throw problem('EXTRAS_OFF');
    refuseOtherRate(body.rateCents, rateCents);
    // The service keeps one extras approval per key: a new one ends what other askers have left.
    return { context: { rateCents, replaces: reads.extras().map(({ asker, left }) => ({ asker, left })) } };
  },
  sheet: ({ input: { body }, subject: { context }, moment }) => {
    const rateCents = numberIn(context, 'rateCents');
    const rate = dollars(rateCents);
    const line = message('prompts.asideLine', { count: body.count, rate });
    const replaced = replacedIn(context);
    return {
      act: message('prompts.aside', { count: body.count }),
      consequence: message('prompts.asideMeans'),
      yes: message('prompts.asideYes', { most: dollars(body.count * rateCents) }),
      undo: message('prompts.asideUndo'),
      mainFact: line,
      facts: replaced.map(({ asker, left }, at): Fact => {
        const says = message('values.extrasLeft', { count: left, name: asker });
        return {
          namespace: 'account',
          key: `replaces ${at}`,
          ...ownLabel('replaces'),
          value: formatEnglish(says),
          says,
        };
      }),
      currency: 'USD',
      money: charge([{ name: formatEnglish(line), says: line, amountMinor: body.count * rateCents }], moment),
    };
  },
};

const replaced = z.array(z.object({ asker: z.string(), left: z.number() })).catch([]);
const replacedIn = ({ replaces }: Record<string, unknown>): z.infer<typeof replaced> => replaced.parse(replaces);

export const accountActs = {
  updateUser,
  updateUserNotificationPreferences,
  updatePushPreferences,
  revokeCurrentKey,
  sendContact,
  createCheckoutToken,
  createCheckout,
  createPortal,
  setExtras,
  approveExtras,
};
