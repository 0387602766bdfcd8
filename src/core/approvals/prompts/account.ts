import * as z from 'zod';
import { plans } from '../../../contract/index.ts';
import { createProblem } from '../../base/problem.ts';
import { ServiceError } from '../../service/serviceError.ts';
import type { PromptFact } from '../../storage/tables/approvalRecord.ts';
import { formatEnglishMessage } from '../../../i18n/english.ts';
import { createMessage, type Amount } from '../../../i18n/message.ts';
import { createServiceCharge } from './renderPromptContent.ts';
import { formatFactLine, formatQuotedLine } from './mainFact.ts';
import type { PromptDefinition, Reads } from './promptDefinition.ts';
import { createAmountMessage, createFactLabel, formatPlanName } from './values.ts';
import { isRecord, toRecordOrEmpty } from '../../base/json.ts';

/** Returns the field of a checkout body that names the plan, or undefined. The interface documents only `tier`. */
export const findTierField = (body: Readonly<Record<string, unknown>>): string | undefined =>
  ['tier', 'plan', 'planId'].find((field) => typeof body[field] === 'string');

/** The interface does not document the live plans, so any of these fields can name a plan. */
const planNames = ['code', 'tier', 'planId', 'name'];

const getPlanName = (plan: Record<string, unknown>, field: string): string | null => {
  const name = plan[field];
  return typeof name === 'string' ? name.toLowerCase() : null;
};

export const listLivePlans = (answer: unknown): Record<string, unknown>[] => {
  const listed = isRecord(answer) ? (answer['plans'] ?? answer) : answer;
  const records = Array.isArray(listed) ? listed.filter(isRecord) : [];
  return records.filter((plan) => planNames.some((field) => getPlanName(plan, field) !== null));
};

export const findLivePlan = (answer: unknown, wanted: string): Record<string, unknown> | null => {
  const listed = listLivePlans(answer);
  for (const field of planNames) {
    const found = listed.find((plan) => getPlanName(plan, field) === wanted.toLowerCase());
    if (found) return found;
  }
  return null;
};

/** The service charges in USD. */
const toUsdAmount = (minor: number): Amount => ({ minor, currency: 'USD' });

const updateUser: PromptDefinition<'updateUser'> = {
  gather: async (_input, reads) => ({ context: { record: await reads.user() } }),
  render: ({ input: { body }, subject: { context } }) => ({
    act: createMessage('prompts.afterSale'),
    consequence: createMessage(body.autoDelistDefault ? 'prompts.afterSaleOn' : 'prompts.afterSaleOff'),
    yes: createMessage('prompts.afterSaleYes'),
    undo: createMessage('prompts.again'),
    before: toRecordOrEmpty(context['record']),
  }),
};

const createNoticesContent = (context: Record<string, unknown>) => ({
  act: createMessage('prompts.noticesOff'),
  consequence: createMessage('prompts.noticesOffMeans'),
  yes: createMessage('prompts.noticesOffYes'),
  undo: createMessage('prompts.again'),
  before: toRecordOrEmpty(context['record']),
});

const updateUserNotificationPreferences: PromptDefinition<'updateUserNotificationPreferences'> = {
  gather: async (_input, reads) => ({ context: { record: await reads.emailPreferences() } }),
  render: ({ subject: { context } }) => createNoticesContent(context),
};

const updatePushPreferences: PromptDefinition<'updatePushPreferences'> = {
  gather: async (_input, reads) => ({ context: { record: await reads.plain('readPushPreferences') } }),
  render: ({ subject: { context } }) => createNoticesContent(context),
};

const revokeCurrentKey: PromptDefinition<'revokeCurrentKey'> = {
  gather: async () => ({}),
  render: () => ({
    act: createMessage('prompts.revoke'),
    consequence: createMessage('prompts.revokeMeans'),
    yes: createMessage('prompts.revokeYes'),
  }),
};

const sendContact: PromptDefinition<'sendContact'> = {
  gather: async () => ({}),
  render: ({ input: { body } }) => ({
    act: createMessage('prompts.contact'),
    consequence: createMessage('prompts.contactMeans'),
    yes: createMessage('prompts.contactYes'),
    mainFact: formatQuotedLine(body.message),
  }),
};

type Price = { priceCents?: number; currency?: string; yearly?: boolean };

const parseLivePrice = (plan: Record<string, unknown>): Price => {
  const priceCents = plan['priceCents'] ?? plan['priceMinor'];
  const { interval } = plan;
  if (typeof priceCents !== 'number') return {};
  return {
    priceCents,
    ...(typeof plan['currency'] === 'string' ? { currency: plan['currency'] } : {}),
    ...(typeof interval === 'string' && /^(year|annual)/i.test(interval) ? { yearly: true } : {}),
  };
};

const readPlanPrice = async (plan: unknown, reads: Reads): Promise<Price> => {
  if (typeof plan !== 'string') return {};
  const live = findLivePlan(await reads.plain('listPlans'), plan);
  const price = live === null ? {} : parseLivePrice(live);
  if (price.priceCents !== undefined) return price;
  const priceCents = plans.find(({ code }) => code === plan.toLowerCase())?.priceCents;
  return priceCents === undefined ? {} : { priceCents };
};

const createPriceFact = ({ priceCents, currency, yearly }: Record<string, unknown>): PromptFact => {
  const isKnown = typeof priceCents === 'number';
  const says = isKnown
    ? createAmountMessage(priceCents, typeof currency === 'string' ? currency : 'USD')
    : createMessage('values.unknown');
  const label = createFactLabel(isKnown ? (yearly === true ? 'yearlyPrice' : 'monthlyPrice') : 'price');
  return { namespace: 'account', key: 'priceCents', ...label, value: formatEnglishMessage(says), says };
};

const createPlanContent = (context: Record<string, unknown>) => {
  const price = createPriceFact(context);
  return {
    act: createMessage('prompts.checkout'),
    yes: createMessage('prompts.checkoutYes'),
    undo: createMessage('prompts.checkoutUndo'),
    mainFact: formatFactLine(price),
    facts: [price],
  };
};

const createCheckoutToken: PromptDefinition<'createCheckoutToken'> = {
  gather: async ({ body }, reads) => ({ context: await readPlanPrice(body.tier, reads) }),
  render: ({ input: { body }, subject: { context } }) => ({
    ...createPlanContent(context),
    consequence: createMessage(body.trial ? 'prompts.checkoutTrial' : 'prompts.checkoutOf', {
      plan: formatPlanName(body.tier),
    }),
  }),
};

const createCheckout: PromptDefinition<'createCheckout'> = {
  gather: async ({ body }, reads) => ({
    context: await readPlanPrice(body[findTierField(body) ?? ''], reads),
  }),
  render: ({ subject: { context } }) => ({
    ...createPlanContent(context),
    consequence: createMessage('prompts.checkoutMeans'),
  }),
};

const createPortal: PromptDefinition<'createPortal'> = {
  gather: async () => ({}),
  render: () => ({
    act: createMessage('prompts.billing'),
    consequence: createMessage('prompts.billingMeans'),
    yes: createMessage('prompts.billingYes'),
    undo: createMessage('prompts.billingUndo'),
  }),
};

/** Never uses a cache, because the person approves this price. */
const readCurrentExtras = async (reads: Reads): Promise<{ rateCents: number; enabled: boolean }> => {
  const { allowance } = await reads.plain('readStanding');
  const rateCents = allowance.extras?.rateCents;
  if (allowance.extras?.available === false) throw createProblem('EXTRAS_UNAVAILABLE');
  if (typeof rateCents !== 'number') throw createProblem('EXTRAS_UNAVAILABLE.noPrice');
  return { rateCents, enabled: allowance.extras?.enabled === true };
};

const refuseDifferentRate = (given: number | undefined, rate: number): void => {
  if (given === rate) return;
  throw createProblem('RATE_CHANGED', { field: 'rateCents', rateCents: rate, values: { rate: toUsdAmount(rate) } });
};

const getNumberOrZero = (context: Record<string, unknown>, name: string): number => {
  const value = context[name];
  return typeof value === 'number' ? value : 0;
};

/** If the read fails, returns an empty object, because the person must still be able to turn extras off. */
const readExtrasSwitch = async (reads: Reads): Promise<{ enabled?: boolean }> => {
  const standing = await reads.plain('readStanding').catch((error: unknown) => {
    if (error instanceof ServiceError) return null;
    throw error;
  });
  const enabled = standing?.allowance.extras?.enabled;
  return typeof enabled === 'boolean' ? { enabled } : {};
};

const setExtras: PromptDefinition<'setExtras'> = {
  gather: async ({ body }, reads) => {
    if (!body.enabled) return { context: await readExtrasSwitch(reads) };
    const { rateCents, enabled } = await readCurrentExtras(reads);
    refuseDifferentRate(body.acknowledgedRateCents, rateCents);
    return { context: { rateCents, enabled } };
  },
  render: ({ input: { body }, subject: { context } }) => {
    const before = { enabled: context['enabled'] };
    if (!body.enabled) {
      return {
        act: createMessage('prompts.extrasOff'),
        consequence: createMessage('prompts.extrasOffMeans'),
        yes: createMessage('prompts.extrasOffYes'),
        undo: createMessage('prompts.extrasOffUndo'),
        before,
      };
    }
    const rate = toUsdAmount(getNumberOrZero(context, 'rateCents'));
    return {
      act: createMessage('prompts.extrasOn'),
      consequence: createMessage('prompts.extrasOnMeans', { rate }),
      yes: createMessage('prompts.extrasOnYes', { rate }),
      undo: createMessage('prompts.extrasOnUndo'),
      mainFact: createMessage('notices.fact', {
        label: createMessage('facts.extraRate'),
        value: createMessage('values.amount', { amount: rate }),
      }),
      before,
      unchanging: ['acknowledgedRateCents'],
      currency: 'USD',
    };
  },
};

const approveExtras: PromptDefinition<'approveExtras'> = {
  gather: async ({ body }, reads) => {
    const { rateCents, enabled } = await readCurrentExtras(reads);
    if (!enabled) throw createProblem('EXTRAS_OFF');
    refuseDifferentRate(body.rateCents, rateCents);
    // The service has one extras approval per key, so a new approval ends the extras of other askers.
    return { context: { rateCents, replaces: reads.extras().map(({ asker, left }) => ({ asker, left })) } };
  },
  render: ({ input: { body }, subject: { context }, moment }) => {
    const rateCents = getNumberOrZero(context, 'rateCents');
    const rate = toUsdAmount(rateCents);
    const line = createMessage('prompts.asideLine', { count: body.count, rate });
    const replaced = parseReplacedExtras(context);
    return {
      act: createMessage('prompts.aside', { count: body.count }),
      consequence: createMessage('prompts.asideMeans'),
      yes: createMessage('prompts.asideYes', { most: toUsdAmount(body.count * rateCents) }),
      undo: createMessage('prompts.asideUndo'),
      mainFact: line,
      facts: replaced.map(({ asker, left }, at): PromptFact => {
        const says = createMessage('values.extrasLeft', { count: left, name: asker });
        return {
          namespace: 'account',
          key: `replaces ${at}`,
          ...createFactLabel('replaces'),
          value: formatEnglishMessage(says),
          says,
        };
      }),
      currency: 'USD',
      money: createServiceCharge(
        [{ name: formatEnglishMessage(line), says: line, amountMinor: body.count * rateCents }],
        moment,
      ),
    };
  },
};

const replacedExtras = z.array(z.object({ asker: z.string(), left: z.number() })).catch([]);
const parseReplacedExtras = ({ replaces }: Record<string, unknown>): z.infer<typeof replacedExtras> =>
  replacedExtras.parse(replaces);

export const accountPrompts = {
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
