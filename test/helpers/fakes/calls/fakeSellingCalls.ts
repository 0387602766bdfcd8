import { refuseCall } from '../fakeRefusal.ts';
import type { Input, RouteAnswers } from '../fakeService.ts';

type Body = Record<string, unknown>;

/** The options of a test for the selling setup. */
export type SellingScenario = {
  /** Nothing is connected or set up. */
  bare?: boolean;
  /** Routes that are refused once before they are answered. */
  refused?: string[];
};

const given = (): SellingScenario => window.scenario?.selling ?? {};
const bare = (): boolean => given().bare === true;

const policies = [
  { policyId: 'pol_f1', kind: 'fulfillment', name: 'Parcel, 2 days', marketplaceId: 'MKT_US' },
  { policyId: 'pol_f2', kind: 'fulfillment', name: 'Letter', marketplaceId: 'MKT_US' },
  { policyId: 'pol_p1', kind: 'payment', name: 'At once', marketplaceId: 'MKT_US' },
  { policyId: 'pol_r1', kind: 'return', name: '30 days', marketplaceId: 'MKT_US' },
];

/** The state of the fake's selling setup, which reads and approvals change. */
type Setup = {
  connected: boolean;
  acknowledgedAt: number | null;
  refused: Set<string>;
  policies: Body[];
  defaults: Body;
  templates: Body[];
  connections: Body[];
};

const setup: Setup = {
  connected: !bare(),
  acknowledgedAt: bare() ? null : Date.now() - 3 * 86_400_000,
  refused: new Set(given().refused),
  policies: bare() ? [] : [...policies],
  defaults: bare()
    ? {}
    : {
        marketplaceId: 'MKT_US',
        location: { country: 'US', postalCode: '94107' },
        shipping: { handlingDays: 2, pickup: true, flatMinor: 599, postage: 'flat' },
        returns: { accepted: true, days: 30 },
        storeName: 'The fox shop',
      },
  templates: bare()
    ? []
    : [
        {
          templateId: 'tpl_1',
          name: 'Small ceramics',
          marketplaceId: 'MKT_US',
          format: 'FIXED_PRICE',
          fulfillmentPolicyId: 'pol_f2',
          descriptionFooter: 'From a smoke-free home.',
          giftWrap: true,
          handlingTimeDays: 3,
        },
        { templateId: 'tpl_2', name: 'Shoes, boxed', packageWeightGrams: 900 },
      ],
  connections: bare()
    ? []
    : [
        {
          connectionId: 'con_1',
          channelId: 'corner',
          name: 'Corner shop, Robin',
          connectedAt: new Date(Date.now() - 5 * 86_400_000).toISOString(),
        },
      ],
};

const missing = () => [
  ...(setup.connected ? [] : [{ code: 'CONNECTION', message: 'The marketplace account is not connected.' }]),
  ...(setup.policies.length > 0 ? [] : [{ code: 'POLICIES', message: 'There are no policies for MKT_US.' }]),
  ...(setup.defaults['location'] ? [] : [{ code: 'LOCATION', message: 'The place of the items is not known.' }]),
];

/** The listing's channels: live on the marketplace, and live or sold on the second channel if the scenario says so. */
const listChannelStates = ({ status, marketListingUrl: url, title }: Body) => {
  const { onCorner } = window.scenario ?? {};
  const market = { channelId: 'market', status, url };
  const there = { status: onCorner === 'sold' ? 'sold' : 'published', title, price: 6_400, quantity: 1 };
  return onCorner ? [market, { channelId: 'corner', name: 'Corner shop', ...there }] : [market];
};

const createBudget = (quota: string, remaining: number, limit: number) => ({ quota, remaining, limit });

/** The answers to reads; the scenario can refuse the first read. */
const reads: Record<string, (input: Input) => unknown> = {
  readMarketStatus: () => ({
    connected: setup.connected,
    ready: missing().length === 0,
    missing: missing(),
    marketplaceId: 'MKT_US',
    account: setup.connected ? { marketAccountId: 'mac_1', name: 'robins-attic' } : null,
    acknowledgedAt: setup.acknowledgedAt === null ? null : new Date(setup.acknowledgedAt).toISOString(),
    feeNotice: { confirmedSites: setup.connected ? ['MKT_US'] : [] },
  }),
  readMarketAuthUrl: () => {
    // The person signs in while the page is open.
    setup.connected = true;
    return { authUrl: 'https://market.example/sign-in' };
  },
  listMarketAccounts: () => ({
    accounts: [
      { marketAccountId: 'mac_1', name: 'robins-attic' },
      { marketAccountId: 'mac_2', name: 'robins-shoes' },
    ],
  }),
  readRateLimits: () => ({
    budgets: [
      createBudget('trading', 1_988, 2_000),
      createBudget('fee_verify', 21, 500),
      createBudget('account', 940, 1_000),
    ],
  }),
  listPolicies: () => ({ policies: setup.policies }),
  readSellerDefaults: () => setup.defaults,
  listTemplates: () => ({ templates: setup.templates }),
  validateTemplate: ({ body }) => {
    const problems =
      body?.['marketplaceId'] === 'MKT_DE' && body['fulfillmentPolicyId']
        ? [{ field: 'fulfillmentPolicyId', message: '"Letter" is a policy of MKT_US, not of MKT_DE.' }]
        : [];
    return { valid: problems.length === 0, problems };
  },
  listChannels: () => ({
    channels: [
      { channelId: 'market', name: 'Marketplace', maxPhotos: 24, maxTitleLength: 80 },
      { channelId: 'corner', name: 'Corner shop', maxPhotos: 10, maxTitleLength: 100 },
    ],
  }),
  listConnections: () => ({ connections: setup.connections }),
  connectChannel: () => {
    setup.connections = [{ connectionId: 'con_2', channelId: 'corner', name: 'Corner shop, Robin' }];
    return { connectUrl: 'https://corner.example/connect' };
  },
  readConnectionOptions: () => ({
    options: [{ name: 'shelf', label: 'Shelf', values: ['front', 'back'], default: 'front' }],
  }),
};

export const sellingAnswers: RouteAnswers = {
  ...Object.fromEntries(
    Object.entries(reads).map(([route, answer]) => [
      route,
      (_fake, input) => {
        if (!setup.refused.delete(route)) return answer(input);
        return refuseCall('SERVICE_UNREACHABLE', 'The service cannot be reached. Nothing was sent.');
      },
    ]),
  ),
  readListingChannels: (fake, { params }) => ({
    channels: listChannelStates(fake.listings[params?.['listingId'] ?? ''] ?? {}),
  }),
  setListingVisibility: (fake, { params, body }) => {
    const id = params?.['listingId'] ?? '';
    fake.listings[id] = { ...fake.listings[id], visible: body?.['visible'] };
    return {};
  },
};

const starters = ['fulfillment', 'payment', 'return'].map((kind) => ({
  policyId: `pol_s_${kind}`,
  kind,
  name: `Starter ${kind}`,
}));

/** The effects of approved requests. */
export const sellingEffects: RouteAnswers = {
  disconnectMarket: () => (setup.connected = false),
  acknowledgeReadiness: () => (setup.acknowledgedAt = Date.now()),
  bootstrapPolicies: (_fake, { body = {} }) =>
    setup.policies.push(...starters.map((one) => ({ ...one, marketplaceId: body['marketplaceId'] }))),
  updateSellerDefaults: (_fake, { body }) => (setup.defaults = { ...setup.defaults, ...body }),
  createTemplate: (_fake, { body }) =>
    setup.templates.push({ ...body, templateId: `tpl_new${setup.templates.length}` }),
  updateTemplate: (_fake, { params, body }) => {
    const before = setup.templates.find(({ templateId }) => templateId === params?.['templateId']);
    if (before) Object.assign(before, body);
  },
  deleteTemplate: (_fake, { params }) => {
    setup.templates = setup.templates.filter(({ templateId }) => templateId !== params?.['templateId']);
  },
  deleteConnection: (_fake, { params }) => {
    setup.connections = setup.connections.filter(({ connectionId }) => connectionId !== params?.['connectionId']);
  },
};
