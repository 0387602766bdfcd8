import { describe, expect, test } from 'vitest';
import { getRouteByName, type RawInput, type RouteName } from '../../../../src/contract/index.ts';
import type { Reads } from '../../../../src/core/approvals/prompts/promptDefinition.ts';
import { reconcileByReading } from '../../../../src/core/approvals/outcomes/reconcile.ts';
import { Problem } from '../../../../src/core/base/problem.ts';
import type { ServiceClient } from '../../../../src/core/service/serviceClient.ts';
import { createPromptFrom } from '../../../helpers/approvals/createPromptFrom.ts';
import { formatPromptLines } from '../../../helpers/approvals/formatPromptLines.ts';

type Answers = Readonly<Partial<Record<RouteName, object>>>;
type Status = 'draft' | 'pending_review' | 'published' | 'ended';

const policyIds = { fulfillmentPolicyId: 'pol_A1', paymentPolicyId: 'pol_B2', returnPolicyId: 'pol_C3' };
const named = { ...policyIds, marketAccountId: 'mac_1' };
const createPolicy = (policyId: string, kind: string) => ({
  policyId,
  name: `Policy of ${kind}`,
  kind,
  marketplaceId: 'MKT_US',
});

/** The responses of a service that reports every field. */
const answersOf = (status: Status): Answers => ({
  readListing: {
    listingId: 'lst_1',
    status,
    processingError: null,
    title: 'A fox',
    description: '<p>A fox</p>',
    categoryId: 'cat_1',
    categoryName: 'Animals',
    marketplaceId: 'MKT_US',
    marketAccountId: 'mac_1',
    templateId: 'tpl_1',
    condition: 'USED_GOOD',
    conditionDescription: 'A chip',
    price: 1_000,
    suggestedPrice: 1_200,
    currency: 'USD',
    quantity: 2,
    soldQuantity: 0,
    format: 'FIXED_PRICE',
    itemSpecifics: { Material: 'Clay' },
    imageUrls: ['https://photos.example/1.jpg'],
    publishBlockers: [],
    bestOffer: { enabled: true, autoAcceptCents: 900 },
    sku: 'A-1',
    packageWeightGrams: 500,
    marketListingId: '123456789012',
    marketListingUrl: 'https://market.example/itm/123456789012',
    createdAt: '2026-01-01T00:00:00Z',
    updatedAt: '2026-01-01T00:00:00Z',
  },
  quoteFees: {
    quote: {
      state: 'fee',
      marketplaceId: 'MKT_US',
      currency: 'USD',
      totalMinor: 35,
      lines: [{ name: 'Insertion fee', amountMinor: 35 }],
      reason: null,
    },
    feeNotice: { confirmedSites: ['MKT_US'] },
  },
  listPolicies: {
    policies: [
      createPolicy('pol_A1', 'fulfillment'),
      createPolicy('pol_B2', 'payment'),
      createPolicy('pol_C3', 'return'),
    ],
  },
  listTemplates: { templates: [{ templateId: 'tpl_1', name: 'Small', marketplaceId: 'MKT_US', ...policyIds }] },
  listMarketAccounts: { accounts: [{ marketAccountId: 'mac_1', username: 'seller' }] },
  listChannels: { channels: [{ channelId: 'corner', name: 'Corner shop', maxPhotos: 4 }] },
  listConnections: { connections: [{ connectionId: 'con_1', channelId: 'corner', name: 'My shop' }] },
  readListingChannels: {
    channels: [
      { channelId: 'market', status, price: 1_000 },
      { channelId: 'corner', status, price: 1_000, listingUrl: 'https://corner.example/1' },
    ],
  },
  readSellerDefaults: { marketplaceId: 'MKT_US', location: { country: 'US', postalCode: '94107' }, ...policyIds },
  readMarketStatus: { connected: true, marketAccountId: 'mac_1', username: 'seller', missing: ['policies'] },
  readStanding: {
    userId: 'usr_1',
    plan: { code: 'lite', name: 'Lite', photosPerListing: 12 },
    allowance: {
      remaining: 3,
      creditBalance: 1,
      nextListing: { kind: 'plan' },
      resetsAt: '2026-02-01T00:00:00Z',
      extras: { available: true, enabled: true, rateCents: 50, approval: { remaining: 2 } },
    },
    upgrade: { recommended: false, suggestedPlan: 'pro', how: { body: { tier: 'pro' } } },
    nextSteps: [{ tellThePerson: 'Hello', code: 'HELLO' }],
  },
  readUser: { userId: 'usr_1', name: 'Robin', language: 'en', autoDelistDefault: false },
  readUserNotificationPreferences: { security: true, billing: true },
  readPushPreferences: { account: true, sales: true },
  listPlans: { plans: [{ code: 'pro', name: 'Pro', priceCents: 11_999, listingsPerMonth: 250, photosPerListing: 16 }] },
});

const listingPath = { params: { listingId: 'lst_1' } };
const corner = { ...listingPath, body: { channels: ['corner'] } };
const acts: [route: RouteName, input: RawInput, status?: Status][] = [
  ['publishListing', listingPath],
  ['publishListing', { ...listingPath, body: { ...named, autoDelistOnSale: true } }],
  ['publishChannels', { ...listingPath, body: { channels: ['market', 'corner'] } }],
  ['quoteFees', { ...listingPath, body: { action: 'confirm', marketplaceId: 'MKT_US', ...named } }],
  ['updateListing', { ...listingPath, body: { categoryId: 'cat_1', price: 1_500, bestOffer: { enabled: false } } }],
  ['deleteListing', listingPath],
  ['generateListing', listingPath, 'draft'],
  ['reviseListing', { ...listingPath, body: { price: 1_500, title: 'A red fox', itemSpecifics: {} } }, 'published'],
  ['reviseChannels', { ...listingPath, body: { price: 1_500 } }, 'published'],
  ['reviseChannels', { ...listingPath, body: { price: 1_500, channels: ['corner'] } }, 'published'],
  ['endListing', listingPath, 'published'],
  ['endChannels', corner, 'published'],
  ['deleteFromChannels', corner, 'published'],
  ['createTemplate', { body: { name: 'Books', marketplaceId: 'MKT_US', ...named } }],
  ['updateTemplate', { params: { templateId: 'tpl_1' }, body: { name: 'Novels', paymentPolicyId: 'pol_B2' } }],
  ['deleteTemplate', { params: { templateId: 'tpl_1' } }],
  ['deleteConnection', { params: { channelId: 'corner', connectionId: 'con_1' } }],
  ['updateSellerDefaults', { body: { location: { country: 'DE' }, ...policyIds } }],
  ['updateUser', { params: { userId: 'usr_1' }, body: { autoDelistDefault: true } }],
  ['disconnectMarket', {}],
  ['acknowledgeReadiness', {}],
  ['bootstrapPolicies', {}],
  ['setExtras', { body: { enabled: false } }],
  ['approveExtras', { body: { count: 2, rateCents: 50 } }],
  ['createCheckoutToken', { body: { tier: 'pro' } }],
  ['createPortal', {}],
  ['updatePushPreferences', { body: { account: false } }],
];

type Path = readonly (string | number)[];

/** Returns the paths of all fields of a response, including nested fields. */
const pathsIn = (value: unknown): Path[] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([key, inner]) => [[key], ...pathsIn(inner).map((path) => [key, ...path])]);

const removePath = (value: unknown, [key = '', ...rest]: Path): unknown => {
  if (Array.isArray(value))
    return rest.length === 0
      ? value.filter((_, at) => String(at) !== key)
      : value.map((one: unknown, at) => (String(at) === key ? removePath(one, rest) : one));
  const entries = Object.entries(value as object);
  return Object.fromEntries(
    entries.flatMap(([name, inner]) =>
      name !== key ? [[name, inner]] : rest.length === 0 ? [] : [[name, removePath(inner, rest)]],
    ),
  );
};

/** Returns the responses with one field removed each, leaving out responses that the client rejects. */
const removeEachField = (answers: Answers): { what: string; answers: Answers }[] =>
  Object.entries(answers).flatMap(([route, answer]) =>
    pathsIn(answer).flatMap((path) => {
      const parsed = getRouteByName(route as RouteName).answer.safeParse(removePath(answer, path));
      return parsed.success
        ? [{ what: `${route} without ${path.join('.')}`, answers: { ...answers, [route]: parsed.data as object } }]
        : [];
    }),
  );

const readsOf = (answers: Answers): Reads => {
  const read = async (route: RouteName): Promise<never> => (answers[route] ?? {}) as never;
  return {
    listing: () => read('readListing'),
    photos: async () => [],
    confirmedSites: () => [],
    fees: async () => ({ answer: await read('quoteFees'), quotedAt: 1 }),
    policies: () => read('listPolicies'),
    category: async () => ({ categories: [] }),
    channels: () => read('readListingChannels'),
    lastRefusal: () => null,
    user: () => read('readUser'),
    emailPreferences: () => read('readUserNotificationPreferences'),
    plain: read,
    extras: () => [],
    wentLive: () => false,
    now: () => 1,
  };
};

const ids = /\b(pol|lst|tpl|con|mac|usr|xa|cat)_\w+/;
/** Removes unknown values, which a prompt quotes with their ids. */
const removeUnknown = (line: string): string => line.replace(/(unknown|unbekannt) \([“„][^”“]*[”“]\)/g, '');

/** Returns the faulty lines of a prompt; a refusal with a sentence is not a fault. */
const findFaults = async (route: RouteName, input: RawInput, answers: Answers): Promise<string[]> => {
  try {
    const prompt = await createPromptFrom(route, input, readsOf(answers));
    return (['en', 'de'] as const).flatMap((language) =>
      formatPromptLines(prompt, language).filter(
        (line) => ids.test(removeUnknown(line)) || /undefined|NaN|\[object/.test(line),
      ),
    );
  } catch (error) {
    return error instanceof Problem ? [] : [String(error)];
  }
};

describe('a field that is missing from a service response', () => {
  test.each(acts)(
    'never causes a raw id or an undefined value in the prompt of %s (%j)',
    async (route, input, status) => {
      const answers = answersOf(status ?? 'pending_review');
      const faults: string[] = [];
      for (const one of [{ what: 'all', answers }, ...removeEachField(answers)])
        faults.push(...(await findFaults(route, input, one.answers)).map((fault) => `${one.what}: ${fault}`));
      expect(faults).toEqual([]);
    },
  );

  const changed = { ...listingPath, body: { price: 1_000, title: 'A fox', bestOffer: { enabled: true } } };
  test.each([
    ['publishListing', listingPath, 'published'],
    ['publishChannels', { ...listingPath, body: { channels: ['market', 'corner'] } }, 'published'],
    ['reviseListing', changed, 'published'],
    ['reviseChannels', { ...listingPath, body: { price: 1_000, channels: ['market', 'corner'] } }, 'published'],
    ['endListing', listingPath, 'ended'],
    ['endChannels', corner, 'ended'],
    ['relistListing', listingPath, 'pending_review'],
  ] as [RouteName, RawInput, Status][])('does not make a successful %s look failed', async (route, input, status) => {
    const wrong: string[] = [];
    for (const { what, answers } of removeEachField(answersOf(status))) {
      // A channel missing from a complete list means that the listing is not on this channel.
      if (/ channels\.\d+$/.test(what)) continue;
      const send = async (read: RouteName) => ({ status: 200, headers: {}, answer: answers[read] });
      const client = { send } as unknown as ServiceClient;
      const verdict = await reconcileByReading({ route, input }, client).catch(() => null);
      if (verdict && !['done', 'nothing'].includes(verdict.shows)) wrong.push(`${what}: ${verdict.shows}`);
    }
    expect(wrong).toEqual([]);
  });
});
