import { describe, expect, test } from 'vitest';
import type { RawInput, RouteName } from '../../../../src/contract/index.ts';
import { listing as listingShape } from '../../../../src/contract/index.ts';
import type { Reads } from '../../../../src/core/approvals/prompts/promptDefinition.ts';
import type { Prompt } from '../../../../src/core/storage/tables/approvalRecord.ts';
import { ServiceError } from '../../../../src/core/service/serviceError.ts';
import { createProblemText } from '../../../../src/core/base/problem.ts';
import { createPromptFrom } from '../../../helpers/approvals/createPromptFrom.ts';

const site = 'MKT_US';
type Lists = Readonly<Record<string, unknown>>;

/** A service whose answers lack every optional value; `more` adds some of these values. */
const readsOf = (status: 'pending_review' | 'published' | 'draft', lists: Lists, more: Partial<Reads> = {}): Reads => ({
  listing: async () =>
    listingShape.parse({ listingId: 'lst_1', status, title: 'A fox', marketplaceId: site, templateId: 't_1' }),
  photos: async () => [],
  confirmedSites: () => [],
  fees: async () => ({ answer: {}, quotedAt: 1 }),
  policies: async () => ({}),
  category: async () => ({}),
  channels: async () => ({}),
  lastRefusal: () => null,
  user: async () => ({}),
  emailPreferences: async () => ({}),
  plain: (async (route: string) => lists[route] ?? {}) as Reads['plain'],
  extras: () => [],
  wentLive: () => false,
  now: () => 1,
  ...more,
});

/** Returns what a prompt shows for a field: a change or a fact. */
const findShownValue = ({ facts, changes, target }: Prompt, key: string): string | undefined => {
  if (key === 'title') return target?.title;
  const change = changes.find((one) => one.key === key);
  if (change) return `${change.before} → ${change.after}`;
  const found = facts.filter((one) => one.key === key);
  return (found.find(({ namespace }) => namespace === 'request') ?? found[0])?.value;
};

const params = { listingId: 'lst_1' };
const publish = { params };
const marketPrice: Partial<Reads> = {
  listing: async () =>
    listingShape.parse({ listingId: 'lst_1', status: 'published', title: 'A fox', marketplaceId: site, price: 2_000 }),
};
const createPolicyReads = (more: object): Partial<Reads> => ({ policies: async () => ({ policies: [more] }) });
const refused = new ServiceError({ ...createProblemText('UNEXPECTED_ANSWER.strange'), effect: 'refused', status: 403 });
const refuseRead = async (): Promise<never> => {
  throw refused;
};
const allRefused = { plain: refuseRead as Reads['plain'] };

type Row = {
  name: string;
  route: RouteName;
  input: RawInput;
  says: Readonly<Record<string, string | undefined>>;
  status?: 'pending_review' | 'published' | 'draft';
  lists?: Lists;
  more?: Partial<Reads>;
};

const rows: Row[] = [
  {
    name: 'a publish without known policies, accounts and settings',
    route: 'publishListing',
    input: publish,
    says: {
      fulfillmentPolicyId: 'chosen by the service',
      paymentPolicyId: 'chosen by the service',
      returnPolicyId: 'chosen by the service',
      marketAccountId: 'chosen by the service',
      autoDelistDefault: 'not known',
      templateId: 'unknown (“t_1”)',
    },
  },
  {
    name: 'policies of an unknown kind',
    route: 'publishListing',
    input: publish,
    more: createPolicyReads({ policyId: 'p_1', name: 'Post', marketplaceId: site }),
    says: {
      fulfillmentPolicyId: 'chosen by the service',
      unknownKind: 'of a kind that is not known: “Post” · United States',
    },
  },
  {
    name: 'a policy without a name',
    route: 'publishListing',
    input: { params, body: { fulfillmentPolicyId: 'p_1' } },
    more: createPolicyReads({ policyId: 'p_1', kind: 'fulfillment' }),
    says: { fulfillmentPolicyId: 'unknown (“p_1”)' },
  },
  {
    name: 'a policy without a site',
    route: 'publishListing',
    input: publish,
    more: createPolicyReads({ policyId: 'p_1', name: 'Post', kind: 'fulfillment' }),
    says: { fulfillmentPolicyId: 'chosen by the service from: “Post”' },
  },
  {
    name: 'policies that cannot be read any more today',
    route: 'publishListing',
    input: publish,
    more: { policies: async () => null },
    says: { unread: 'could not be read; your account’s own apply' },
  },
  {
    name: 'a market account without a name',
    route: 'publishListing',
    input: { params, body: { marketAccountId: 'm_1' } },
    lists: { listMarketAccounts: { accounts: [{ marketAccountId: 'm_1' }] } },
    says: { marketAccountId: 'unknown (“m_1”)' },
  },
  {
    name: 'channels without names',
    route: 'publishChannels',
    input: { params, body: { channels: ['market', 'corner'] } },
    says: { channels: 'Marketplace and unknown (“corner”)' },
  },
  {
    name: 'a live listing without known fields',
    route: 'reviseListing',
    input: { params, body: { price: 1_000 } },
    status: 'published',
    says: { price: 'not known → US$10.00' },
  },
  {
    name: 'a category without a name',
    route: 'updateListing',
    input: { params, body: { categoryId: 'c_1', bestOffer: { enabled: true } } },
    says: { categoryId: 'not known → unknown (“c_1”)' },
  },
  {
    name: 'a template that is not in the list',
    route: 'updateTemplate',
    input: { params: { templateId: 't_1' }, body: { name: 'Books' } },
    says: { title: 'unknown (“t_1”)', name: 'not known → Books' },
  },
  {
    name: 'a connection that is not in the list',
    route: 'deleteConnection',
    input: { params: { channelId: 'corner', connectionId: 'n_1' } },
    says: { title: 'unknown (“n_1”)', 'path channelId': 'unknown (“corner”)' },
  },
  {
    name: 'a marketplace in an unknown state',
    route: 'disconnectMarket',
    input: {},
    says: { marketAccountId: 'not known' },
  },
  {
    name: 'a marketplace that does not report the missing settings',
    route: 'acknowledgeReadiness',
    input: {},
    says: { missing: 'not known' },
  },
  {
    name: 'a setting missing from the person’s record',
    route: 'updateUser',
    input: { params: { userId: 'u_1' }, body: { autoDelistDefault: true } },
    says: { autoDelistDefault: 'not known → yes', 'path userId': 'you' },
  },
  {
    name: 'selling defaults without known values',
    route: 'updateSellerDefaults',
    input: { body: { location: { country: 'US' }, returnPolicyId: 'p_1' } },
    says: { '["location","country"]': 'not known → US', returnPolicyId: 'not known → unknown (“p_1”)' },
  },
  {
    name: 'push preferences without known values',
    route: 'updatePushPreferences',
    input: { body: { account: false } },
    says: { account: 'not known → no' },
  },
  {
    name: 'a channel that does not report the listing',
    route: 'reviseChannels',
    input: { params, body: { price: 1_000, channels: ['market'] } },
    status: 'published',
    says: { price: 'not known → US$10.00' },
  },
  {
    name: 'a change on a channel in an unknown state',
    route: 'reviseChannels',
    input: { params, body: { price: 1_000, channels: ['corner'] } },
    status: 'published',
    says: { price: 'not known → US$10.00', 'on corner unread': 'not known' },
  },
  {
    name: 'a change on a channel that reports only its state',
    route: 'reviseChannels',
    input: { params, body: { price: 1_000, channels: ['corner'] } },
    status: 'published',
    more: { channels: async () => ({ channels: [{ channelId: 'corner', status: 'published' }] }), ...marketPrice },
    says: { price: 'not known → US$10.00', 'on corner unread': undefined },
  },
  {
    name: 'a change on all channels without known states',
    route: 'reviseChannels',
    input: { params, body: { price: 1_000 } },
    status: 'published',
    says: { 'channels unread': 'not known' },
  },
  {
    name: 'an end on a channel in an unknown state',
    route: 'endChannels',
    input: { params, body: { channels: ['corner'] } },
    status: 'published',
    says: { 'on corner unread': 'not known' },
  },
  {
    name: 'a removal from a channel in an unknown state',
    route: 'deleteFromChannels',
    input: { params, body: { channels: ['corner'] } },
    status: 'published',
    says: { 'on corner unread': 'not known' },
  },
  {
    name: 'a channel in a list with an unreadable entry',
    route: 'endChannels',
    input: { params, body: { channels: ['corner'] } },
    status: 'published',
    more: { channels: async () => ({ channels: [{ place: 'corner', since: 1 }] }) },
    says: { 'on corner unread': 'not known' },
  },
  {
    name: 'a plan without a known price',
    route: 'createCheckoutToken',
    input: { body: { tier: 'odd' } },
    says: { priceCents: 'not known' },
  },
  {
    name: 'a listing on an unknown site',
    route: 'quoteFees',
    input: { params, body: { action: 'confirm', marketplaceId: 'MKT_XX' } },
    says: { marketplaceId: 'unknown (“MKT_XX”)' },
  },
];

const { code: noExtras, sentence: noPrice } = createProblemText('EXTRAS_UNAVAILABLE.noPrice');

describe('values that the service does not report are shown as unknown', () => {
  test.each(rows)(
    'in the prompt for $name',
    async ({ route, input, says, status = 'pending_review', lists = {}, more }) => {
      const prompt = await createPromptFrom(route, input, readsOf(status, lists, more));
      expect(Object.fromEntries(Object.keys(says).map((key) => [key, findShownValue(prompt, key)]))).toEqual(says);
    },
  );

  test('extras are not offered for approval if the service reports no price', async () => {
    const standing = { allowance: { remaining: 0, creditBalance: 0, nextListing: { kind: 'extra' } } };
    const reads = readsOf('draft', { readStanding: standing });
    await expect(createPromptFrom('generateListing', { params }, reads)).rejects.toMatchObject({
      code: noExtras,
      message: noPrice,
    });
  });

  test.each([
    ['Rich', 'approved before (“Rich”)'],
    [null, 'unknown (“xa_123456789012”)'],
  ])('the prompt shows which assistant asked for the named extras approval: %s', async (asker, says) => {
    const extrasApprovalId = 'xa_123456789012';
    const standing = { allowance: { nextListing: { kind: 'plan' }, extras: { rateCents: 50 } } };
    const reads = readsOf(
      'draft',
      { readStanding: standing },
      { extras: () => (asker === null ? [] : [{ extrasApprovalId, asker, left: 1 }]) },
    );
    const prompt = await createPromptFrom('generateListing', { params, body: { extrasApprovalId } }, reads);
    expect(findShownValue(prompt, 'extrasApprovalId')).toBe(says);
  });

  test('the summary of a publish shows an unknown price only if the listing has no price', async () => {
    const line = async (more: Partial<Reads> = {}) =>
      (await createPromptFrom('publishListing', publish, readsOf('pending_review', {}, more))).mainFact;
    expect(await line()).toBe('Price: not known');
    const priced = { status: 'pending_review', listingId: 'lst_1', title: 'A fox', marketplaceId: site, price: 2_000 };
    expect(await line({ listing: async () => listingShape.parse(priced) })).toBe('US$20.00');
  });

  test('policy and account names are unknown if the service refuses to list them', async () => {
    const input = { params, body: { fulfillmentPolicyId: 'p_1', marketAccountId: 'm_1' } };
    const prompt = await createPromptFrom(
      'quoteFees',
      { ...input, body: { ...input.body, action: 'confirm' } },
      {
        ...readsOf('pending_review', {}, allRefused),
        policies: refuseRead,
      },
    );
    expect(findShownValue(prompt, 'fulfillmentPolicyId')).toBe('unknown (“p_1”)');
    expect(findShownValue(prompt, 'marketAccountId')).toBe('unknown (“m_1”)');
  });
});
