import { Problem } from '../../problem.ts';
import { money } from '../../words/money.ts';
import type { Draw, Drawn, Reads } from './prompt.ts';
import { changesIn, charge, sheet } from './sheet.ts';

const updateUser: Draw<'updateUser'> = async ({ body }, reads) =>
  sheet(
    {
      act: 'Change what happens after a sale',
      consequence: body.autoDelistDefault
        ? 'From now on, an item that sells is taken off your other channels by itself.'
        : 'From now on, an item that sells stays on your other channels until you take it off.',
      yes: 'Save the setting',
      undo: 'It can be changed again later.',
      changes: changesIn(undefined, body),
    },
    reads,
  );

const revokeCurrentKey: Draw<'revokeCurrentKey'> = async (_input, reads) =>
  sheet(
    {
      act: 'Disconnect from the service',
      consequence: "The companion's key stops working. Items and listings stay; to go on you connect again by e-mail.",
      yes: 'Disconnect for good',
    },
    reads,
  );

const sendContact: Draw<'sendContact'> = async ({ body }, reads) =>
  sheet(
    {
      act: "Send a message to the service's people",
      consequence: 'It is sent as it stands here, with the reply address in it.',
      yes: 'Send the message',
      changes: changesIn(undefined, body),
    },
    reads,
  );

const planPage = (consequence: string, body: unknown, reads: Reads): Drawn =>
  sheet(
    {
      act: 'Open the checkout of a plan',
      consequence,
      yes: 'Make the checkout page',
      undo: 'Nothing is charged until you pay on that page.',
      changes: changesIn(undefined, body),
    },
    reads,
  );

const createCheckoutToken: Draw<'createCheckoutToken'> = async ({ body }, reads) => {
  const trial = body.trial ? ' It begins with the trial; unless you cancel, it becomes the paid plan.' : '';
  return planPage(
    `A single-use page for the plan ${body.tier} is made for you to open.${trial} The page shows the price.`,
    body,
    reads,
  );
};

const createCheckout: Draw<'createCheckout'> = async ({ body }, reads) =>
  planPage('A page for the plan is made for you to open. The page shows the price.', body, reads);

const createPortal: Draw<'createPortal'> = async ({ body }, reads) =>
  sheet(
    {
      act: 'Open the billing pages',
      consequence: 'A link to your billing pages is made for you to open. There you can change or cancel your plan.',
      yes: 'Make the link',
      undo: 'Nothing changes until you do it on those pages.',
      changes: changesIn(undefined, body),
    },
    reads,
  );

/** The rate of an extra listing as the service reports it now; extras are never offered from memory. */
const rateNow = async (reads: Reads): Promise<number> => {
  const { allowance } = await reads.plain('readStanding');
  const rate = allowance.extras?.rateCents;
  if (typeof rate !== 'number') throw new Problem('EXTRAS_UNAVAILABLE', 'Your plan cannot use extra listings.');
  return rate;
};

const refuseOtherRate = (given: number | undefined, rate: number): void => {
  if (given === rate) return;
  throw new Problem('RATE_CHANGED', `An extra listing costs ${money(rate, 'USD')} now. Ask again with that rate.`, {
    field: 'rateCents',
  });
};

const setExtras: Draw<'setExtras'> = async ({ body }, reads) => {
  if (!body.enabled) {
    return sheet(
      {
        act: 'Turn extra listings off',
        consequence: 'No extra listing is charged from now on. Every number of extras that was set aside ends.',
        yes: 'Turn extras off',
        undo: 'They can be turned on again.',
      },
      reads,
    );
  }
  const rate = await rateNow(reads);
  refuseOtherRate(body.acknowledgedRateCents, rate);
  return sheet(
    {
      act: 'Turn extra listings on',
      consequence: `Beyond plan and credits, listings can then be written for ${money(rate, 'USD')} each. Each number of them still needs a yes of its own.`,
      yes: `Turn extras on at ${money(rate, 'USD')} each`,
      undo: 'They can be turned off at any time.',
      changes: [{ label: 'Rate of one extra listing', before: '', after: money(rate, 'USD') }],
    },
    reads,
  );
};

const approveExtras: Draw<'approveExtras'> = async ({ body }, reads) => {
  const rate = await rateNow(reads);
  refuseOtherRate(body.rateCents, rate);
  const name = `${body.count} extra ${body.count === 1 ? 'listing' : 'listings'} at ${money(rate, 'USD')}`;
  const cost = charge([{ name, amountMinor: body.count * rate }], reads);
  return sheet(
    {
      act: `Set aside ${body.count} extra ${body.count === 1 ? 'listing' : 'listings'}`,
      consequence: 'They can be used for 24 hours; only those that are used are charged. A receipt comes by e-mail.',
      yes: `Approve up to ${money(body.count * rate, 'USD')}`,
      undo: 'Turning extras off ends it. Extras that were used are charged.',
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
