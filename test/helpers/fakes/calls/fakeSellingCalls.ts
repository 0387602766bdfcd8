import type { ApprovalView } from '../../../../src/core/storage/tables/approvalRecord.ts';
import { fakePolicies } from '../fakeAccount.ts';
import type { Fake } from '../fakeCompanion.ts';
import { publishApproval } from '../fakeApprovals.ts';
import { change } from '../fakePrompt.ts';
import { refuse } from '../fakeRefusal.ts';

type Body = Record<string, unknown>;
type Input = { params?: { templateId?: string; connectionId?: string }; body?: Body };

/** What a test wants of the selling setup. */
export type SellingScenario = {
  /** Nothing is connected and nothing is set. */
  bare?: boolean;
  /** Routes that are refused once, and then answered. */
  refused?: string[];
};

const given = (): SellingScenario => window.scenario?.selling ?? {};
const bare = (): boolean => given().bare === true;

/** What stands on the setup of the fake; reading and the person's yes change it. */
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
  policies: bare() ? [] : [...fakePolicies],
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

const budget = (quota: string, remaining: number, limit: number) => ({ quota, remaining, limit });

/** Reading, with a refusal first where the scenario says so. */
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
    // The person signs in meanwhile.
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
    budgets: [budget('trading', 1_988, 2_000), budget('fee_verify', 21, 500), budget('account', 940, 1_000)],
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

export const sellingAnswers: Record<string, (fake: Fake, input: Input) => unknown> = Object.fromEntries(
  Object.entries(reads).map(([route, answer]) => [
    route,
    (_fake: Fake, input: Input): unknown =>
      setup.refused.delete(route)
        ? refuse('SERVICE_UNREACHABLE', 'The service cannot be reached. Nothing was sent.')
        : answer(input),
  ]),
);

/** What a yes does, by the question. */
const acts = new Map<string, () => void>();
export const afterYes = (fake: Fake, approvalId: string): void => {
  acts.get(approvalId)?.();
  if (acts.delete(approvalId)) setTimeout(() => fake.changed('setup'), 30);
};

const textOf = (value: unknown): string =>
  value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);

/** Sites stand by their names, as the core has them. */
const siteWords: Readonly<Record<string, string>> = { MKT_US: 'United States', MKT_DE: 'Germany' };
const shownText = (value: unknown): string => siteWords[textOf(value)] ?? textOf(value);

const isBody = (value: unknown): value is Body => typeof value === 'object' && value !== null;

/** As the core draws them: every field by its path. */
const changesOf = (before: Body, body: Body, path = ''): ApprovalView['prompt']['changes'] =>
  Object.entries(body).flatMap(([name, after]) => {
    const was = before[name];
    return isBody(after)
      ? changesOf(isBody(was) ? was : {}, after, `${path}${name}.`)
      : [change(`${path}${name}`, shownText(was), shownText(after))];
  });

let asked = 0;
type Question = { route: ApprovalView['route']; act: string; yes: string; changes?: Body; before?: Body; final?: true };

const question = ({ route, act, yes, changes = {}, before = {}, final }: Question, onYes: () => void): ApprovalView => {
  const approvalId = `apr_setup${(asked += 1)}`;
  acts.set(approvalId, onYes);
  const base = publishApproval({ approvalId, route, by: { kind: 'person' }, reason: null });
  return {
    ...base,
    prompt: {
      ...base.prompt,
      ...{ act, yes, consequence: '', target: null, facts: [], money: null },
      changes: changesOf(before, changes),
      undo: final ? 'This cannot be undone.' : 'It can be changed again later.',
      final: final ?? false,
    },
  };
};

const starters = ['fulfillment', 'payment', 'return'].map((kind) => ({
  policyId: `pol_s_${kind}`,
  kind,
  name: `Starter ${kind}`,
}));

/** Routes that ask, and what their yes does. */
export const sellingAsks: Record<string, (fake: Fake, input: Input) => ApprovalView> = {
  disconnectMarket: () =>
    question(
      { route: 'disconnectMarket', act: 'Disconnect the marketplace account', yes: 'Disconnect the marketplace' },
      () => (setup.connected = false),
    ),
  acknowledgeReadiness: () =>
    question(
      { route: 'acknowledgeReadiness', act: 'Acknowledge what the marketplace requires', yes: 'I have read it' },
      () => (setup.acknowledgedAt = Date.now()),
    ),
  bootstrapPolicies: (_fake, { body = {} }) =>
    question(
      { route: 'bootstrapPolicies', act: 'Create starter policies', yes: 'Create the policies', changes: body },
      () => setup.policies.push(...starters.map((one) => ({ ...one, marketplaceId: textOf(body['marketplaceId']) }))),
    ),
  updateSellerDefaults: (_fake, { body = {} }) =>
    question(
      {
        route: 'updateSellerDefaults',
        act: 'Change your selling defaults',
        yes: 'Save the defaults',
        changes: body,
        before: setup.defaults,
      },
      () => (setup.defaults = { ...setup.defaults, ...body }),
    ),
  createTemplate: (_fake, { body = {} }) =>
    question({ route: 'createTemplate', act: 'Save a new template', yes: 'Save the template', changes: body }, () =>
      setup.templates.push({ ...body, templateId: `tpl_new${asked}` }),
    ),
  updateTemplate: (_fake, { params, body = {} }) => {
    const before = setup.templates.find(({ templateId }) => templateId === params?.templateId) ?? {};
    return question(
      { route: 'updateTemplate', act: 'Change a template', yes: 'Change the template', changes: body, before },
      () => Object.assign(before, body),
    );
  },
  deleteTemplate: (_fake, { params }) =>
    question(
      { route: 'deleteTemplate', act: 'Delete a template', yes: 'Delete the template for good', final: true },
      () => {
        setup.templates = setup.templates.filter(({ templateId }) => templateId !== params?.templateId);
      },
    ),
  deleteConnection: (_fake, { params }) =>
    question({ route: 'deleteConnection', act: 'Disconnect a channel account', yes: 'Disconnect the channel' }, () => {
      setup.connections = setup.connections.filter(({ connectionId }) => connectionId !== params?.connectionId);
    }),
};
