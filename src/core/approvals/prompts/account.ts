import { inEnglish } from '../../../words/inEnglish.ts';
import { saying, type Amount, type Saying } from '../../../words/saying.ts';
import { problem } from '../../problem.ts';
import { money } from '../../words/money.ts';
import type { Draw, Drawn, Reads } from './prompt.ts';
import { changesIn, charge, sheet } from './sheet.ts';
import { amount } from './target.ts';

/** What the service itself charges, in US dollars as the interface has its prices. */
const dollars = (minor: number): Amount => ({ minor, currency: 'USD' });

const updateUser: Draw<'updateUser'> = async ({ body }, reads) =>
  sheet(
    {
      act: saying('prompts.afterSale'),
      consequence: saying(body.autoDelistDefault ? 'prompts.afterSaleOn' : 'prompts.afterSaleOff'),
      yes: saying('prompts.afterSaleYes'),
      undo: saying('prompts.again'),
      changes: changesIn(undefined, body),
    },
    reads,
  );

const revokeCurrentKey: Draw<'revokeCurrentKey'> = async (_input, reads) =>
  sheet(
    {
      act: saying('prompts.revoke'),
      consequence: saying('prompts.revokeMeans'),
      yes: saying('prompts.revokeYes'),
    },
    reads,
  );

const sendContact: Draw<'sendContact'> = async ({ body }, reads) =>
  sheet(
    {
      act: saying('prompts.contact'),
      consequence: saying('prompts.contactMeans'),
      yes: saying('prompts.contactYes'),
      changes: changesIn(undefined, body),
    },
    reads,
  );

const planPage = (consequence: Saying, body: unknown, reads: Reads): Drawn =>
  sheet(
    {
      act: saying('prompts.checkout'),
      consequence,
      yes: saying('prompts.checkoutYes'),
      undo: saying('prompts.checkoutUndo'),
      changes: changesIn(undefined, body),
    },
    reads,
  );

const createCheckoutToken: Draw<'createCheckoutToken'> = async ({ body }, reads) => {
  const consequence = body.trial ? 'prompts.checkoutTrial' : 'prompts.checkoutOf';
  return planPage(saying(consequence, { plan: body.tier }), body, reads);
};

const createCheckout: Draw<'createCheckout'> = async ({ body }, reads) =>
  planPage(saying('prompts.checkoutMeans'), body, reads);

const createPortal: Draw<'createPortal'> = async ({ body }, reads) =>
  sheet(
    {
      act: saying('prompts.billing'),
      consequence: saying('prompts.billingMeans'),
      yes: saying('prompts.billingYes'),
      undo: saying('prompts.billingUndo'),
      changes: changesIn(undefined, body),
    },
    reads,
  );

/** The rate of an extra listing as the service reports it now; extras are never offered from memory. */
const rateNow = async (reads: Reads): Promise<number> => {
  const { allowance } = await reads.plain('readStanding');
  const rate = allowance.extras?.rateCents;
  if (typeof rate !== 'number') throw problem('EXTRAS_UNAVAILABLE');
  return rate;
};

const refuseOtherRate = (given: number | undefined, rate: number): void => {
  if (given === rate) return;
  throw problem('RATE_CHANGED', { field: 'rateCents', values: { rate: dollars(rate) } });
};

const setExtras: Draw<'setExtras'> = async ({ body }, reads) => {
  if (!body.enabled) {
    return sheet(
      {
        act: saying('prompts.extrasOff'),
        consequence: saying('prompts.extrasOffMeans'),
        yes: saying('prompts.extrasOffYes'),
        undo: saying('prompts.extrasOffUndo'),
      },
      reads,
    );
  }
  const rate = await rateNow(reads);
  refuseOtherRate(body.acknowledgedRateCents, rate);
  return sheet(
    {
      act: saying('prompts.extrasOn'),
      consequence: saying('prompts.extrasOnMeans', { rate: dollars(rate) }),
      yes: saying('prompts.extrasOnYes', { rate: dollars(rate) }),
      undo: saying('prompts.extrasOnUndo'),
      changes: [
        {
          label: 'Rate of one extra listing',
          before: '',
          after: money(rate, 'USD'),
          says: { after: amount(rate, 'USD') },
        },
      ],
    },
    reads,
  );
};

const approveExtras: Draw<'approveExtras'> = async ({ body }, reads) => {
  const rate = await rateNow(reads);
  refuseOtherRate(body.rateCents, rate);
  const says = saying('prompts.asideLine', { count: body.count, rate: dollars(rate) });
  const cost = charge([{ name: inEnglish(says), says, amountMinor: body.count * rate }], reads);
  return sheet(
    {
      act: saying('prompts.aside', { count: body.count }),
      consequence: saying('prompts.asideMeans'),
      yes: saying('prompts.asideYes', { most: dollars(body.count * rate) }),
      undo: saying('prompts.asideUndo'),
      money: cost,
    },
    reads,
  );
};

/** Prompts of acts on the account, the plan and extras. */
export const accountPrompts = {
  updateUser,
  revokeCurrentKey,
  sendContact,
  createCheckoutToken,
  createCheckout,
  createPortal,
  setExtras,
  approveExtras,
};
