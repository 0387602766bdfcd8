import { afterEach, expect, test } from 'vitest';
import * as z from 'zod';
import { matchRouteByPath, type RouteName } from '../../../src/contract/index.ts';
import { readServiceKey, countRequests } from '../../helpers/approvals/decisions.ts';
import { startScene, type Scene } from '../../helpers/bridge/scene.ts';
import type { PersonOptions } from '../../helpers/practice.ts';

// Requests that the service would certainly refuse are refused at once, without a prompt.

let scene: Scene;
afterEach(() => scene.close());

/** Ids of the running test that are used in paths. */
type Ids = Record<'live' | 'written' | 'me', string>;
type Row = {
  of: string;
  person?: PersonOptions;
  call: (ids: Ids) => [method: string, path: string, body?: object];
  answer: { status: number; code: string; field?: string; error?: string };
};

const subscriber: PersonOptions = { plan: 'Starter' };
const free: PersonOptions = { plan: 'Free' };
const tooLong = 'x'.repeat(81);
const contradiction = { enabled: true, autoAcceptCents: 10, autoDeclineCents: 20 };

const listingRows: Row[] = [
  {
    of: 'a title that is too long for the marketplace',
    call: ({ live }) => ['POST', `/market/revise/${live}`, { title: tooLong }],
    answer: { status: 400, code: 'INVALID_REQUEST', field: 'title', error: 'The title has 81 characters; 80 fit.' },
  },
  {
    of: 'a title that is too long for one of the named channels',
    call: ({ live }) => ['POST', `/listings/${live}/channels/revise`, { channels: ['market'], title: tooLong }],
    answer: { status: 400, code: 'INVALID_REQUEST', field: 'title' },
  },
  {
    of: 'a title on all channels that is too long for the marketplace',
    call: ({ live }) => ['POST', `/listings/${live}/channels/revise`, { title: tooLong }],
    answer: { status: 400, code: 'INVALID_REQUEST', field: 'title' },
  },
  {
    of: 'a live listing with contradictory Best Offer limits',
    call: ({ live }) => ['POST', `/market/revise/${live}`, { bestOffer: contradiction }],
    answer: { status: 400, code: 'INVALID_REQUEST', field: 'bestOffer.autoDeclineCents' },
  },
  {
    of: 'a draft with contradictory Best Offer limits',
    call: ({ written }) => ['PUT', `/listings/${written}`, { bestOffer: contradiction }],
    answer: { status: 400, code: 'INVALID_REQUEST', field: 'bestOffer.autoDeclineCents' },
  },
  {
    of: 'a publish with an unknown shipping policy',
    call: ({ written }) => ['POST', `/market/publish/${written}`, { fulfillmentPolicyId: 'pol_none' }],
    answer: { status: 400, code: 'INVALID_REQUEST', field: 'fulfillmentPolicyId' },
  },
  {
    of: 'a channel publish with an unknown return policy',
    call: ({ written }) => ['POST', `/listings/${written}/channels/publish`, { returnPolicyId: 'pol_none' }],
    answer: { status: 400, code: 'INVALID_REQUEST', field: 'returnPolicyId' },
  },
  {
    of: 'a publish with a marketplace account that is not connected',
    call: ({ written }) => ['POST', `/market/publish/${written}`, { marketAccountId: 'mac_none' }],
    answer: { status: 400, code: 'INVALID_REQUEST', field: 'marketAccountId' },
  },
  {
    of: 'a fee notice for an unknown site',
    call: ({ written }) => [
      'POST',
      `/listings/${written}/channels/fees`,
      { action: 'confirm', marketplaceId: 'nowhere' },
    ],
    answer: { status: 400, code: 'INVALID_REQUEST', field: 'marketplaceId', error: 'A site looks like MKT_US.' },
  },
];

const accountRows: Row[] = [
  {
    of: 'a change of another user’s setting',
    call: () => ['PUT', '/users/usr_other', { autoDelistDefault: true }],
    answer: { status: 403, code: 'NOT_YOURS', field: 'userId' },
  },
  {
    of: 'a change of another user’s notices',
    call: () => ['PUT', '/users/usr_other/notification-preferences', { security: false }],
    answer: { status: 403, code: 'NOT_YOURS', field: 'userId' },
  },
  ...['email', 'password'].map((field): Row => ({
    of: `a change of the ${field} together with a setting`,
    call: ({ me }) => ['PUT', `/users/${me}`, { autoDelistDefault: true, [field]: 'x@y.example' }],
    answer: { status: 400, code: 'INVALID_REQUEST', field },
  })),
  {
    of: 'a contact message without a reply address',
    call: () => ['POST', '/contact', { message: 'hi' }],
    answer: { status: 400, code: 'INVALID_REQUEST', field: 'email' },
  },
  {
    of: 'an empty contact message',
    call: () => ['POST', '/contact', { message: ' ', email: 'me@example.com' }],
    answer: { status: 400, code: 'INVALID_REQUEST', field: 'message' },
  },
  {
    of: 'a contact request without a message',
    call: () => ['POST', '/contact', {}],
    answer: { status: 400, code: 'INVALID_REQUEST', field: 'message' },
  },
];

const setupRows: Row[] = [
  ...['/market/policies/bootstrap', '/market/seller-defaults', '/market/templates/create'].flatMap((path) =>
    [5, 'US', 'MKT_1'].map((marketplaceId): Row => ({
      of: `${path} for the invalid site ${marketplaceId}`,
      call: () => ['POST', path, { name: 'Books', marketplaceId }],
      answer: { status: 400, code: 'INVALID_REQUEST', field: 'marketplaceId' },
    })),
  ),
  {
    of: 'a default with contradictory Best Offer limits',
    call: () => ['POST', '/market/seller-defaults', { bestOffer: contradiction }],
    answer: { status: 400, code: 'INVALID_REQUEST', field: 'bestOffer.autoDeclineCents' },
  },
  {
    of: 'a new name for an unknown template',
    call: () => ['PUT', '/market/templates/tpl_none', { name: 'a' }],
    answer: { status: 404, code: 'NOT_FOUND', field: 'templateId', error: 'There is no such template.' },
  },
  {
    of: 'a deletion of an unknown template',
    call: () => ['DELETE', '/market/templates/tpl_none'],
    answer: { status: 404, code: 'NOT_FOUND', field: 'templateId' },
  },
  {
    of: 'a disconnect of an unknown channel account',
    call: () => ['DELETE', '/channels/connections/corner/con_none'],
    answer: { status: 404, code: 'NOT_FOUND', field: 'connectionId' },
  },
];

const checkouts = ['/billing/external-checkout-token', '/subscriptions/checkout'];
const billingRows: Row[] = [
  ...checkouts.flatMap((path): Row[] => [
    {
      of: `${path} for a subscriber`,
      person: subscriber,
      call: () => ['POST', path, { tier: 'pro' }],
      answer: {
        status: 409,
        code: 'ALREADY_SUBSCRIBED',
        error: 'This account already has a plan. It is changed in the billing portal.',
      },
    },
    {
      of: `${path} for a subscriber with the largest plan`,
      person: { plan: 'Scale' },
      call: () => ['POST', path, { tier: 'pro' }],
      answer: { status: 409, code: 'ALREADY_SUBSCRIBED' },
    },
    {
      of: `${path} for a subscriber through an app store`,
      person: { plan: 'Lite', store: true },
      call: () => ['POST', path, { tier: 'pro' }],
      answer: { status: 409, code: 'STORE_MANAGED' },
    },
    ...['nope', 'free', 'Free'].map((tier): Row => ({
      of: `${path} for the unavailable plan ${tier}`,
      person: free,
      call: () => ['POST', path, { tier }],
      answer: { status: 400, code: 'INVALID_REQUEST', field: 'tier' },
    })),
    {
      of: `${path} for a trial that is not offered`,
      person: { plan: 'Free', trialEligible: false },
      call: () => ['POST', path, { tier: 'lite', trial: true }],
      answer: { status: 400, code: 'INVALID_REQUEST', field: 'trial' },
    },
    {
      of: `${path} for a trial of a plan without trials`,
      person: free,
      call: () => ['POST', path, { tier: 'scale', trial: true }],
      answer: { status: 400, code: 'INVALID_REQUEST', field: 'trial' },
    },
  ]),
  {
    of: 'the billing portal on the free plan',
    person: free,
    call: () => ['POST', '/subscriptions/portal', {}],
    answer: { status: 409, code: 'NO_SUBSCRIPTION' },
  },
  {
    of: 'the billing portal for a subscriber through an app store',
    person: { plan: 'Lite', store: true },
    call: () => ['POST', '/subscriptions/portal', {}],
    answer: { status: 409, code: 'STORE_MANAGED' },
  },
];

const account = z.object({ userId: z.string() });
const readKey = () => readServiceKey(scene.world);
const createIds = async (): Promise<Ids> => {
  const { practice } = scene.world;
  const me = account.parse((await practice.call(await readKey(), 'GET', '/auth/me')).body).userId;
  return { live: await practice.live(await readKey()), written: await practice.written(await readKey()), me };
};
const findRoute = (method: string, path: string): RouteName => {
  const match = matchRouteByPath(method, path);
  if (match.kind !== 'route') throw new Error(`There is no ${method} ${path}.`);
  return match.name;
};
const sendCall = ([method, path, body]: ReturnType<Row['call']>) =>
  scene.one.call(method, path, body === undefined ? {} : { body });
const listPending = () => scene.world.companion().approvals.listPending();

const rows = [...listingRows, ...accountRows, ...setupRows, ...billingRows];

test.each(rows)('a request about $of is refused at once, without a prompt', async (row) => {
  scene = await startScene({ person: row.person ?? {} });
  const call = row.call(await createIds());
  const route = findRoute(call[0], call[1]);
  const before = await countRequests(scene.world, route);
  const { status, body } = await sendCall(call);
  expect({ status, ...body }).toEqual({ error: expect.any(String) as string, ...row.answer });
  expect(listPending()).toEqual([]);
  expect(await countRequests(scene.world, route)).toBe(before);
});

/** Requests that still lead to a prompt if the data to check them is unavailable. */
const unknown: [of: string, read: string, row: Pick<Row, 'person' | 'call'>][] = [
  ['a title', '/channels', { call: ({ live }) => ['POST', `/market/revise/${live}`, { title: tooLong }] }],
  [
    'a marketplace account',
    '/market/accounts',
    { call: ({ written }) => ['POST', `/market/publish/${written}`, { marketAccountId: 'mac_none' }] },
  ],
  ['a template', '/market/templates/list', { call: () => ['DELETE', '/market/templates/tpl_none'] }],
  ['a channel account', '/channels/connections', { call: () => ['DELETE', '/channels/connections/corner/con_none'] }],
  ['a plan', '/agent/plans', { person: free, call: () => ['POST', '/subscriptions/checkout', { tier: 'nope' }] }],
  [
    'a subscription',
    '/agent/me',
    { person: subscriber, call: () => ['POST', '/billing/external-checkout-token', { tier: 'pro' }] },
  ],
  [
    'a trial',
    '/agent/me',
    {
      person: { plan: 'Free', trialEligible: false },
      call: () => ['POST', '/subscriptions/checkout', { tier: 'lite', trial: true }],
    },
  ],
  ['the billing portal', '/agent/me', { person: free, call: () => ['POST', '/subscriptions/portal', {}] }],
];

test.each(unknown)(
  'a request about %s leads to a prompt if the data for its check cannot be read',
  async (_of, path, { person = {}, call }) => {
    scene = await startScene({ person });
    const request = call(await createIds());
    scene.world.clock.advance(60_001);
    const times = path === '/agent/me' ? 9 : 1;
    await scene.world.practice.fault({ method: 'GET', path, times, status: 403, code: 'NOT_NOW' });
    expect((await sendCall(request)).status).toBe(202);
    expect(listPending()).toHaveLength(1);
  },
);

test.each(unknown)(
  'a request about %s leads to a prompt if the data for its check has an unknown format',
  async (_of, path, { person = {}, call }) => {
    scene = await startScene({ person });
    const request = call(await createIds());
    scene.world.clock.advance(60_001);
    const odd = [{ key: 'x' }];
    const body = {
      channels: odd,
      accounts: odd,
      templates: odd,
      connections: odd,
      plans: odd,
      plan: odd,
      upgrade: null,
    };
    await scene.world.practice.fault({ method: 'GET', path, times: 9, body });
    expect((await sendCall(request)).status).toBe(202);
  },
);

test('a publish is not refused if the policies cannot be read', async () => {
  scene = await startScene();
  const { written } = await createIds();
  await scene.world.practice.fault({ method: 'GET', path: '/market/policies', status: 429, headers: {} });
  const asked = await sendCall(['POST', `/market/publish/${written}`, { paymentPolicyId: 'pol_none' }]);
  expect(asked.status).toBe(202);
});

test('a request about a template created elsewhere leads to a prompt', async () => {
  scene = await startScene();
  const { practice, clock } = scene.world;
  await scene.one.call('GET', '/market/templates/list');
  const made = await practice.call(await readKey(), 'POST', '/market/templates/create', { name: 'Books' });
  clock.advance(6_000);
  const { templateId } = z.object({ templateId: z.string() }).parse(made.body);
  expect((await sendCall(['DELETE', `/market/templates/${templateId}`])).status).toBe(202);
});

test('repeated refusals cause only one read of the account', async () => {
  scene = await startScene({ person: free });
  const read = await countRequests(scene.world, 'readStanding');
  for (let turn = 0; turn < 5; turn += 1)
    expect((await sendCall(['POST', '/subscriptions/portal', {}])).status).toBe(409);
  expect((await countRequests(scene.world, 'readStanding')) - read).toBeLessThanOrEqual(1);
});

test('the person’s own request for an unavailable billing portal is refused without a prompt', async () => {
  scene = await startScene({ person: free });
  await expect(scene.world.perform('createPortal', {})).rejects.toMatchObject({ code: 'NO_SUBSCRIPTION' });
  expect(listPending()).toEqual([]);
});
