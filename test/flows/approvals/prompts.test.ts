import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { routeNames, routeOf, type RawInput, type RouteName } from '../../../src/contract/index.ts';
import { promptedRoutes } from '../../../src/core/approvals/prompts/index.ts';
import { serviceKey } from '../../helpers/approvals/decisions.ts';
import { connectCorner, setUpSelling } from '../../helpers/practice/channels.ts';
import { startWorld, type World } from '../../helpers/world.ts';
import { formatEnglish } from '../../../src/i18n/english.ts';

let world: World;
beforeEach(async () => {
  world = await startWorld({ person: { extras: true } });
});
afterEach(() => world.close());

/** Routes that ask by a rule of the companion's own: writing again, and turning off important notices. */
const byRule = ['generateListing', 'updateUserNotificationPreferences', 'updatePushPreferences'];

test('every route that asks has a prompt of its own', () => {
  const asking = routeNames.filter((name) => routeOf(name).askFirst || (routeOf(name).askFirstWhen ?? []).length > 0);
  expect([...promptedRoutes].sort()).toEqual([...asking, ...byRule].sort());
  expect(asking).toHaveLength(26);
});

const promptOf = async (route: RouteName, input: RawInput) => {
  const asked = await world.companion().perform({ by: { kind: 'person' }, route, input });
  expect(asked.state).toBe('pending');
  const [shown] = world.companion().approvals.waiting();
  if (!shown) throw new Error('No prompt.');
  return shown.prompt;
};

const userId = async (): Promise<string> => {
  const outcome = await world.perform('readAccount', {});
  return outcome.state === 'done' ? (outcome.answer as { userId: string }).userId : '';
};

type Case = [
  RouteName,
  () => Promise<RawInput> | RawInput,
  { act: string; yes: string; final: boolean; shows?: string },
];
const nothing = (): RawInput => ({});
const listed = async (body?: unknown): Promise<RawInput> => ({
  params: { listingId: (await world.reviewed()).listingId },
  ...(body === undefined ? {} : { body }),
});
const live = async (body?: unknown): Promise<RawInput> => {
  const input = await listed();
  await world.perform('publishListing', { params: { listingId: input.params?.['listingId'] ?? '' } });
  const [asked] = world.companion().approvals.waiting();
  await world.companion().approvals.approve(asked?.approvalId ?? '', asked?.digest ?? '');
  return { ...input, ...(body === undefined ? {} : { body }) };
};

/** A live listing that is on the other channel too. */
const onCorner = async (body: unknown): Promise<RawInput> => {
  const key = await serviceKey(world);
  await connectCorner(world.practice, key);
  const listingId = await world.practice.live(key);
  await world.practice.call(key, 'POST', `/listings/${listingId}/channels/publish`, { channels: ['corner'] });
  return { params: { listingId }, body };
};

/** What there is to change or to take away. */
const setUp = async () => setUpSelling(world.practice, await serviceKey(world));
const template = async (): Promise<RawInput> => ({ params: { templateId: (await setUp()).templateId } });
const connection = async (): Promise<RawInput> => ({
  params: { channelId: 'corner', connectionId: (await setUp()).connectionId },
});

/** Somebody who pays for nothing yet. */
const onFree = async (body: unknown): Promise<RawInput> => {
  await world.close();
  world = await startWorld({ person: { plan: 'Free' } });
  return { body };
};

const cases: Case[] = [
  [
    'publishListing',
    listed,
    { act: 'Publish on the US site', yes: 'Publish for US$0.35', final: false, shows: 'Insertion' },
  ],
  ['publishChannels', listed, { act: 'Publish on the US site', yes: 'Publish for US$0.35', final: false }],
  [
    'updateListing',
    () => listed({ bestOffer: { enabled: true, autoAcceptCents: 1_000 } }),
    { act: 'Set Best Offer', yes: 'Save Best Offer', final: false, shows: 'US$10.00' },
  ],
  [
    'updateListing',
    () => listed({ format: 'AUCTION', bestOffer: { enabled: false } }),
    { act: 'Change the listing format', yes: 'Change the format', final: false, shows: 'Auction' },
  ],
  ['deleteListing', listed, { act: 'Delete the listing', yes: 'Delete for good', final: true }],
  [
    'reviseListing',
    () => live({ price: 1_999 }),
    { act: 'Change the live listing', yes: 'Change it live', final: false, shows: 'US$19.99' },
  ],
  [
    'reviseChannels',
    () => live({ price: 1_999 }),
    { act: 'Change the live listing', yes: 'Change it live', final: false, shows: 'US$12.99' },
  ],
  ['endListing', live, { act: 'End the live listing', yes: 'End for good', final: true }],
  ['endChannels', live, { act: 'End the live listing', yes: 'End for good', final: true }],
  [
    'deleteFromChannels',
    () => onCorner({ channels: ['corner'] }),
    {
      act: 'Remove the listing from “Corner shop (practice)”',
      yes: 'Remove it',
      final: false,
      shows: 'corner',
    },
  ],
  [
    'quoteFees',
    () => listed({ action: 'confirm', marketplaceId: 'MKT_US' }),
    { act: 'Agree to the fee notice on the US site', yes: 'Agree to the fee notice', final: false },
  ],
  [
    'disconnectMarket',
    nothing,
    { act: 'Disconnect the marketplace account', yes: 'Disconnect the marketplace', final: false },
  ],
  [
    'acknowledgeReadiness',
    nothing,
    { act: 'Acknowledge what the marketplace requires', yes: 'I have read it', final: false },
  ],
  ['bootstrapPolicies', nothing, { act: 'Create starter policies', yes: 'Create the policies', final: false }],
  [
    'updateSellerDefaults',
    () => ({ body: { location: { country: 'US', postalCode: '94105' } } }),
    { act: 'Change your selling defaults', yes: 'Save the defaults', final: false, shows: 'location.postalCode' },
  ],
  [
    'createTemplate',
    () => ({ body: { name: 'Books' } }),
    { act: 'Save a new template', yes: 'Save the template', final: false, shows: 'Books' },
  ],
  [
    'updateTemplate',
    async () => ({ ...(await template()), body: { name: 'Novels' } }),
    { act: 'Change a template', yes: 'Change the template', final: false, shows: 'Novels' },
  ],
  [
    'deleteTemplate',
    () => template(),
    { act: 'Delete a template', yes: 'Delete the template for good', final: true, shows: 'tpl_' },
  ],
  [
    'deleteConnection',
    () => connection(),
    { act: 'Disconnect a channel account', yes: 'Disconnect the channel', final: false, shows: 'corner' },
  ],
  [
    'updateUser',
    async () => ({ params: { userId: await userId() }, body: { autoDelistDefault: true } }),
    { act: 'Change what happens after a sale', yes: 'Save the setting', final: false, shows: 'autoDelistDefault' },
  ],
  ['revokeCurrentKey', nothing, { act: 'Disconnect from the service', yes: 'Disconnect for good', final: true }],
  [
    'sendContact',
    () => ({ body: { message: 'Hello there', replyTo: 'me@example.com' } }),
    { act: "Send a message to the service's support", yes: 'Send the message', final: true, shows: 'Hello there' },
  ],
  [
    'createCheckoutToken',
    () => onFree({ tier: 'pro' }),
    { act: 'Open the checkout for a plan', yes: 'Get the checkout page', final: false, shows: 'pro' },
  ],
  [
    'createCheckout',
    () => onFree({ tier: 'pro' }),
    { act: 'Open the checkout for a plan', yes: 'Get the checkout page', final: false },
  ],
  ['createPortal', nothing, { act: 'Open the billing pages', yes: 'Get the link', final: false }],
  [
    'updateUserNotificationPreferences',
    async () => ({ params: { userId: await userId() }, body: { security: false } }),
    { act: 'Turn off important notices', yes: 'Turn them off', final: false, shows: 'security' },
  ],
  [
    'updatePushPreferences',
    () => ({ body: { account: false } }),
    { act: 'Turn off important notices', yes: 'Turn them off', final: false, shows: 'account' },
  ],
  [
    'setExtras',
    () => ({ body: { enabled: false } }),
    { act: 'Turn extra listings off', yes: 'Turn extras off', final: false },
  ],
];

describe('each prompt says what, with what consequence, for how much, and whether it can be undone', () => {
  test.each(cases)('%s', async (route, input, expected) => {
    const prompt = await promptOf(route, await input());
    expect(prompt).toMatchObject({ act: expected.act, yes: expected.yes, final: expected.final });
    expect(prompt.final).toBe(prompt.undo === 'This cannot be undone.');
    expect(prompt.consequence).toMatch(/\.$/);
    // Another language says the same from the same: each sentence is there as a key and its values.
    for (const part of ['act', 'consequence', 'undo', 'yes'] as const)
      expect(formatEnglish(prompt.says?.[part] ?? { key: part })).toBe(prompt[part]);
    if (expected.shows) expect(JSON.stringify(prompt)).toContain(expected.shows);
    // Sites are named; only what another language says it from has their codes.
    const { says: _says, facts, changes, ...rest } = prompt;
    const words = [...facts.map(({ value }) => value), ...changes.flatMap(({ before, after }) => [before, after])];
    expect(JSON.stringify([rest, words])).not.toMatch(/MKT_[A-Z]{2}/);
  });

  test('all of them are covered here, but writing again and extras, which have stories of their own', () => {
    const covered = new Set(cases.map(([route]) => route));
    expect(promptedRoutes.filter((route) => !covered.has(route)).sort()).toEqual(['approveExtras', 'generateListing']);
  });
});

describe('extras', () => {
  const rate = async (): Promise<number> => {
    const outcome = await world.perform('readStanding', {});
    const { allowance } = (outcome.state === 'done' ? outcome.answer : {}) as {
      allowance: { extras: { rateCents: number } };
    };
    return allowance.extras.rateCents;
  };

  test('a number of them is shown with the rate of now and the most it can cost', async () => {
    const rateCents = await rate();
    const prompt = await promptOf('approveExtras', { body: { count: 3, rateCents } });
    expect(prompt).toMatchObject({
      act: 'Set aside 3 extra listings',
      money: { totalMinor: 3 * rateCents, currency: 'USD' },
    });
    expect(prompt.yes).toBe(`Approve up to US$${((3 * rateCents) / 100).toFixed(2)}`);
  });

  test('another rate than that of now is refused before anybody is asked', async () => {
    const wrong = (await rate()) + 1;
    await expect(world.perform('approveExtras', { body: { count: 1, rateCents: wrong } })).rejects.toMatchObject({
      code: 'RATE_CHANGED',
    });
    await expect(
      world.perform('setExtras', { body: { enabled: true, acknowledgedRateCents: wrong } }),
    ).rejects.toMatchObject({ code: 'RATE_CHANGED' });
    expect(world.companion().approvals.waiting()).toEqual([]);
  });
});

test('an act in the wrong state is a plain refusal and no prompt', async () => {
  const { listingId } = await world.reviewed();
  await expect(world.perform('endListing', { params: { listingId } })).rejects.toMatchObject({ code: 'WRONG_STATE' });
  await expect(world.perform('reviseListing', { params: { listingId }, body: { price: 1 } })).rejects.toMatchObject({
    code: 'WRONG_STATE',
  });
  expect(world.companion().approvals.waiting()).toEqual([]);
});
