import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestPractice, type PersonOptions, type TestPractice } from '../../helpers/practice.ts';

let practice: TestPractice;
beforeAll(async () => {
  practice = await startTestPractice();
});
afterAll(() => practice.close());

type Policy = { policyId: string; kind: string; marketplaceId: string };

const setUpListing = async (given: PersonOptions = {}, body: Record<string, unknown> = {}) => {
  const { agentKey: key, userId } = await practice.person({ plan: 'Starter', connected: true, ...given });
  const listingId = await practice.written(key, body);
  await practice.call(key, 'POST', `/listings/${listingId}/channels/fees`, { action: 'confirm' });
  const publish = (request: unknown = {}) => practice.call(key, 'POST', `/market/publish/${listingId}`, request);
  const put = (changes: unknown) => practice.call(key, 'PUT', `/listings/${listingId}`, changes);
  const post = (path: string, request: unknown = {}) => practice.call(key, 'POST', path, request);
  const policies = async (site?: string): Promise<Policy[]> => {
    const answer = await practice.call(key, 'GET', `/market/policies${site ? `?marketplaceId=${site}` : ''}`);
    return (answer.body as { policies: Policy[] }).policies;
  };
  const read = async () =>
    (await practice.call(key, 'GET', `/listings/${listingId}`)).body as {
      status: string;
      publishBlockers: { code: string; field: string }[];
    };
  return { key, userId, listingId, publish, put, post, policies, read };
};

const createRefusal = (code: string) => ({
  status: 400,
  body: { code, error: expect.any(String) as string },
});

const connectAccount = async (key: string): Promise<void> => {
  const { authUrl } = (await practice.call(key, 'GET', '/market/auth-url')).body as { authUrl: string };
  await fetch(authUrl, { method: 'POST', headers: { origin: practice.url } });
};

test('publishing without a marketplace connection is refused with MARKET_TOKEN_EXPIRED', async () => {
  const { key, publish } = await setUpListing({ connected: false });
  expect(await publish()).toMatchObject(createRefusal('MARKET_TOKEN_EXPIRED'));
  await connectAccount(key);
  expect(await publish()).toMatchObject(createRefusal('MISSING_POLICIES'));
});

test('publishing is refused until policies and a location are set up', async () => {
  const { key, publish, post, read } = await setUpListing({ connected: false });
  await connectAccount(key);
  expect((await practice.call(key, 'GET', '/market/status')).body).toMatchObject({
    connected: true,
    ready: false,
    missing: [{ code: 'POLICIES' }, { code: 'LOCATION' }],
  });
  expect((await post('/market/policies/bootstrap')).status).toBe(200);
  expect(await publish()).toMatchObject(createRefusal('MISSING_LOCATION'));
  expect((await post('/market/seller-defaults', { location: { country: 'US', postalCode: 'nowhere' } })).status).toBe(
    400,
  );
  expect((await post('/market/seller-defaults', { location: { country: 'US', postalCode: '94107' } })).status).toBe(
    200,
  );
  expect((await publish()).status).toBe(200);
  expect(await read()).toMatchObject({ status: 'published' });
});

test('a publish with `fix` repairs only the cause of the last refusal', async () => {
  const { key, publish, post, policies } = await setUpListing({ connected: false });
  await connectAccount(key);
  await post('/market/seller-defaults', { location: { country: 'US', postalCode: '94107' } });
  expect(await publish({ fix: true })).toMatchObject(createRefusal('MISSING_POLICIES'));
  expect(await policies()).toEqual([]);
  expect((await publish({ fix: true })).status).toBe(200);
  expect(await policies()).toHaveLength(3);
});

test('a repair by `fix` remains even if the publish is then refused for another reason', async () => {
  const { key, publish, post, policies } = await setUpListing({ connected: false });
  await connectAccount(key);
  expect(await publish()).toMatchObject(createRefusal('MISSING_POLICIES'));
  expect(await publish({ fix: true })).toMatchObject(createRefusal('MISSING_LOCATION'));
  expect(await policies()).toHaveLength(3);
  await post('/market/seller-defaults', { location: { country: 'US', postalCode: '94107' } });
  expect((await publish({ fix: true })).status).toBe(200);
  expect(await policies()).toHaveLength(3);
});

test.each(['/market/publish/', '/listings/{id}/channels/publish'])(
  'a publish at %s can still be repaired by `fix` after another listing was refused',
  async (path) => {
    const { agentKey: key } = await practice.person({ plan: 'Lite' });
    await connectAccount(key);
    const post = (to: string, request: unknown = {}) => practice.call(key, 'POST', to, request);
    await post('/market/seller-defaults', { location: { country: 'US', postalCode: '94107' } });
    const listingId = await practice.written(key);
    const publish = (request: unknown = {}) =>
      post(path.includes('{id}') ? path.replace('{id}', listingId) : `${path}${listingId}`, request);
    const other = await practice.draft(key, 0);
    await post(`/listings/${listingId}/channels/fees`, { action: 'confirm' });
    expect(await publish()).toMatchObject(createRefusal('MISSING_POLICIES'));
    // This refusal is unrelated to the account, so the earlier cause can still be repaired.
    expect((await post(`/market/publish/${other}`, { fix: true })).status).toBe(409);
    expect((await publish({ fix: true, channels: ['market', 'corner'] })).status).toBe(
      path.includes('{id}') ? 400 : 200,
    );
    if (path.includes('{id}')) expect((await publish({ fix: true })).status).toBe(200);
  },
);

test('publishing with calculated postage requires a package weight within the limit', async () => {
  const { key, publish, put, post, read } = await setUpListing({ connected: false });
  await connectAccount(key);
  await post('/market/seller-defaults', { location: { country: 'US', postalCode: '94107' } });
  await post('/market/policies/bootstrap', { postage: 'calculated' });
  expect((await read()).publishBlockers).toMatchObject([
    { code: 'MISSING_PACKAGE_WEIGHT', field: 'packageWeightGrams' },
  ]);
  expect(await publish()).toMatchObject(createRefusal('MISSING_PACKAGE_WEIGHT'));
  await put({ packageWeightGrams: 40_000 });
  expect(await publish()).toMatchObject(createRefusal('PACKAGE_WEIGHT_TOO_HEAVY'));
  expect((await put({ packageWeightGrams: 500 })).body).toMatchObject({ publishBlockers: [] });
  expect((await publish()).status).toBe(200);
});

test.each([
  ['CONDITION_NOT_ALLOWED', { condition: 'FOR_PARTS' }, { condition: 'USED_GOOD' }],
  ['MARKET_REFUSED', { price: 0 }, { price: 900 }],
  ['MARKET_REFUSED', { title: 'x'.repeat(81) }, { title: 'Short' }],
  ['MARKET_REFUSED', { itemSpecifics: {} }, { itemSpecifics: { 'Book Title': 'Rivers' } }],
  ['MARKET_REFUSED', { bestOffer: { enabled: true, autoAcceptCents: 99_999 } }, { bestOffer: { enabled: false } }],
])('publishing is refused with %s for %j but accepted for %j', async (code, bad, good) => {
  const { publish, put, read } = await setUpListing();
  await put(bad);
  expect((await read()).publishBlockers).toMatchObject([{ code }]);
  expect(await publish()).toMatchObject(createRefusal(code));
  expect(await read()).toMatchObject({ status: 'pending_review' });
  await put(good);
  expect((await read()).publishBlockers).toEqual([]);
  expect((await publish()).status).toBe(200);
});

test('publishing to an unsupported site is refused', async () => {
  const { publish } = await setUpListing({}, { marketplaceId: 'MKT_ZZ' });
  expect(await publish()).toMatchObject(createRefusal('UNSUPPORTED_LISTING_MARKETPLACE'));
});

test('publishing to another site requires policies of that site', async () => {
  const { publish, post, policies, userId } = await setUpListing({}, { marketplaceId: 'MKT_DE' });
  expect(await publish()).toMatchObject(createRefusal('TARGET_POLICIES_REQUIRED'));
  const [american] = await policies('MKT_US');
  expect(await publish({ fulfillmentPolicyId: american?.policyId })).toMatchObject(
    createRefusal('POLICY_MARKETPLACE_MISMATCH'),
  );
  expect(await publish({ fulfillmentPolicyId: 'pol_none' })).toMatchObject(createRefusal('MISSING_POLICIES'));
  await post('/market/policies/bootstrap', { marketplaceId: 'MKT_DE' });
  await practice.control('POST', '/policies', { userId, marketplaceId: 'MKT_DE', kind: 'return' });
  expect(await publish()).toMatchObject(createRefusal('TARGET_POLICIES_CHOOSE'));
  const chosen = (await policies('MKT_DE')).find(({ kind }) => kind === 'return');
  expect((await publish({ returnPolicyId: chosen?.policyId })).status).toBe(200);
});

test('publishing is refused until the person finishes the seller setup', async () => {
  const { key, publish } = await setUpListing({ email: 'unfinished@example.com', sellerSetup: false });
  const status = async () => (await practice.call(key, 'GET', '/market/status')).body;
  expect(await status()).toMatchObject({ connected: true, ready: false, missing: [{ code: 'SELLER_SETUP' }] });
  expect(await publish()).toMatchObject(createRefusal('SELLER_SETUP_REQUIRED'));
  await practice.person({ email: 'unfinished@example.com', sellerSetup: true });
  expect(await status()).toMatchObject({ ready: true, missing: [] });
  expect((await publish()).status).toBe(200);
});

test('inline shipping on another site requires the policies of that site', async () => {
  const inline = { shipping: { inline: true } };
  const { publish, post, policies } = await setUpListing({}, { marketplaceId: 'MKT_DE' });
  await post('/market/seller-defaults', inline);
  expect(await publish()).toMatchObject(createRefusal('INLINE_SHIPPING_OTHER_SITE'));
  await post('/market/policies/bootstrap', { marketplaceId: 'MKT_DE' });
  expect(await publish()).toMatchObject(createRefusal('INLINE_SHIPPING_OTHER_SITE'));
  const [american] = await policies('MKT_US');
  expect(await publish({ fulfillmentPolicyId: american?.policyId })).toMatchObject(
    createRefusal('POLICY_MARKETPLACE_MISMATCH'),
  );
  const ids = (await policies('MKT_DE')).map(({ kind, policyId }) => [`${kind}PolicyId`, policyId] as const);
  expect((await publish(Object.fromEntries(ids))).status).toBe(200);
  const home = await setUpListing();
  await home.post('/market/seller-defaults', inline);
  expect((await home.publish()).status).toBe(200);
});

test('with inline shipping, a template can name a shipping policy of another site', async () => {
  const { key, post, policies } = await setUpListing();
  await post('/market/seller-defaults', { shipping: { inline: true } });
  await post('/market/policies/bootstrap', { marketplaceId: 'MKT_DE' });
  const shipping = (await policies('MKT_DE')).find(({ kind }) => kind === 'fulfillment');
  const facts = { name: 'To Germany', fulfillmentPolicyId: shipping?.policyId };
  const { templateId } = (await post('/market/templates/create', facts)).body as { templateId: string };
  const listingId = await practice.written(key, { marketplaceId: 'MKT_DE', templateId });
  await post(`/listings/${listingId}/channels/fees`, { action: 'confirm', marketplaceId: 'MKT_DE' });
  expect((await post(`/market/publish/${listingId}`)).status).toBe(200);
});

test('publishing is refused if the template names a policy of another site', async () => {
  const { key, policies, post } = await setUpListing();
  const [policy] = await policies('MKT_US');
  const facts = { name: 'Mine', fulfillmentPolicyId: policy?.policyId };
  const template = (await post('/market/templates/create', facts)).body as { templateId: string };
  const check = await post('/market/templates/validate', { ...facts, marketplaceId: 'MKT_DE' });
  expect(check.body).toMatchObject({ valid: false, problems: [{ field: 'fulfillmentPolicyId' }] });
  const body = { marketplaceId: 'MKT_DE', templateId: template.templateId };
  const listingId = await practice.written(key, body);
  await post(`/listings/${listingId}/channels/fees`, { action: 'confirm', marketplaceId: 'MKT_DE' });
  expect(await post(`/market/publish/${listingId}`)).toMatchObject(
    createRefusal('TEMPLATE_POLICY_MARKETPLACE_MISMATCH'),
  );
  expect((await practice.call(key, 'POST', '/listings', {})).body).toMatchObject({ templateId: template.templateId });
  expect((await practice.call(key, 'POST', '/listings', { templateId: null })).body).toMatchObject({
    templateId: null,
  });
  expect((await practice.call(key, 'POST', '/listings', {})).body).toMatchObject({ templateId: null });
  expect((await practice.call(key, 'POST', '/listings', { templateId: 'tpl_none' })).status).toBe(404);
});

test('the fee notice must be confirmed once for each site before publishing', async () => {
  const { agentKey: key } = await practice.person({ connected: true, plan: 'Lite' });
  const listingId = await practice.written(key);
  const fees = (body: unknown) => practice.call(key, 'POST', `/listings/${listingId}/channels/fees`, body);
  expect(await practice.call(key, 'POST', `/market/publish/${listingId}`, {})).toMatchObject({
    status: 409,
    body: { code: 'FEE_NOTICE_REQUIRED', marketplaceId: 'MKT_US' },
  });
  expect((await fees({ action: 'confirm', marketplaceId: 'MKT_ZZ' })).status).toBe(400);
  for (let twice = 0; twice < 2; twice += 1)
    expect((await fees({ action: 'confirm', marketplaceId: 'MKT_US' })).body).toMatchObject({
      feeNotice: { confirmedSites: ['MKT_US'] },
    });
  expect((await fees({})).body).toMatchObject({ feeNotice: { confirmedSites: ['MKT_US'] } });
  const noted = (await practice.journal()).filter((row) => row['listingId'] === listingId);
  expect(noted.filter(({ kind }) => kind === 'fee_confirmed')).toMatchObject([{ marketplaceId: 'MKT_US' }]);
});

test('a fee quote has the state “fee”, “free” or “unavailable”', async () => {
  const { agentKey: key } = await practice.person({ connected: true });
  const quote = async (body: Record<string, unknown>, written = true) => {
    const listingId = written ? await practice.written(key, body) : await practice.draft(key, 0, body);
    return (await practice.call(key, 'POST', `/listings/${listingId}/channels/fees`)).body;
  };
  expect(await quote({})).toMatchObject({ quote: { state: 'fee', totalMinor: 35, lines: [{ amountMinor: 35 }] } });
  expect(await quote({ marketplaceId: 'MKT_DE' })).toMatchObject({
    quote: { state: 'free', totalMinor: 0, currency: 'EUR' },
  });
  expect(await quote({}, false)).toMatchObject({
    quote: { state: 'unavailable', reason: expect.any(String) as string },
  });
});

test('no fee is quoted without a connection, a known account or valid policies', async () => {
  const { key, listingId, post, policies, userId } = await setUpListing();
  const quote = async (body: unknown = {}) =>
    ((await post(`/listings/${listingId}/channels/fees`, body)).body as { quote: Record<string, unknown> }).quote;
  const because = (words: string) => ({
    state: 'unavailable',
    totalMinor: 0,
    lines: [],
    reason: expect.stringContaining(words) as string,
  });
  const foreign = (await practice.control('POST', '/policies', {
    userId,
    marketplaceId: 'MKT_DE',
    kind: 'fulfillment',
    name: 'By lorry',
  })) as { policyId: string };
  const [own, payment] = await policies('MKT_US');
  expect(await quote({ fulfillmentPolicyId: own?.policyId, paymentPolicyId: payment?.policyId })).toMatchObject({
    state: 'fee',
  });
  expect(await quote({ fulfillmentPolicyId: 'pol_none' })).toMatchObject(because('pol_none'));
  expect(await quote({ returnPolicyId: own?.policyId })).toMatchObject(because('return'));
  expect(await quote({ fulfillmentPolicyId: foreign.policyId })).toMatchObject(because('By lorry'));
  expect(await quote({ marketAccountId: 'mac_none' })).toMatchObject(because('account'));
  await practice.call(key, 'POST', '/market/disconnect', {});
  expect(await quote()).toMatchObject(because('not connected'));
});

test('parallel publish calls for one listing charge the fee once', async () => {
  const { userId, publish } = await setUpListing();
  const answers = await Promise.all([1, 2, 3, 4, 5].map(() => publish()));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
  const rows = (await practice.journal()).filter((row) => row['userId'] === userId);
  expect(rows.filter(({ kind }) => kind === 'publish')).toHaveLength(1);
  expect(rows.filter(({ kind }) => kind === 'charge')).toMatchObject([
    { what: 'market_fees', amountMinor: 35, currency: 'USD' },
  ]);
  const calls = await practice.control('GET', `/calls?userId=${userId}`);
  expect(calls).toMatchObject({ publishListing: { calls: 5, effects: 1 } });
});

test('a connect link works once and expires after 10 minutes', async () => {
  const { agentKey: key } = await practice.person();
  const link = async () => ((await practice.call(key, 'GET', '/market/auth-url')).body as { authUrl: string }).authUrl;
  const press = async (url: string) => (await fetch(url, { method: 'POST', headers: { origin: 'null' } })).status;
  const connected = async () =>
    ((await practice.call(key, 'GET', '/market/status')).body as { connected: boolean }).connected;
  const old = await link();
  const late = await link();
  expect((await fetch(old)).status).toBe(410);
  expect(await press(old)).toBe(410);
  await practice.advance(600_000);
  expect(await press(late)).toBe(410);
  const good = await link();
  const page = await fetch(good);
  expect(await page.text()).toContain('Connect this account');
  expect(await connected()).toBe(false);
  expect((await fetch(good, { method: 'POST', headers: { origin: 'https://evil.example' } })).status).toBe(403);
  expect(await press(good)).toBe(200);
  expect(await press(good)).toBe(410);
  expect(await connected()).toBe(true);
  await practice.call(key, 'POST', '/market/disconnect', {});
  expect(await connected()).toBe(false);
});

test('a live page runs no scripts from the title or description', async () => {
  const { key, listingId, publish, put } = await setUpListing();
  await put({ title: '<script>alert(1)</script>', description: '<script>alert(2)</script><p>Fine</p>' });
  const { marketListingUrl } = (await publish()).body as { marketListingUrl: string };
  const text = await (await fetch(marketListingUrl)).text();
  expect(text).not.toContain('<script>');
  expect(text).toContain('sandbox');
  const frame = await fetch(`${marketListingUrl}/description`);
  expect(frame.headers.get('content-security-policy')).toMatch(/default-src 'none'.*sandbox/);
  await practice.call(key, 'POST', `/market/end/${listingId}`, {});
  expect(await (await fetch(marketListingUrl)).text()).toContain('has ended');
  expect((await fetch(`${practice.url}/market-pages/1`)).status).toBe(404);
});

test('a listing can be published to the marketplace and another channel together', async () => {
  const { key, listingId, post } = await setUpListing();
  expect((await post(`/listings/${listingId}/channels/publish`, { channels: ['corner'] })).status).toBe(409);
  expect((await post(`/listings/${listingId}/channels/publish`, { channels: ['market', 'corner'] })).status).toBe(400);
  expect((await practice.call(key, 'GET', `/listings/${listingId}`)).body).toMatchObject({ status: 'pending_review' });
  const { connectUrl } = (await practice.call(key, 'GET', '/channels/corner/connect')).body as { connectUrl: string };
  await fetch(connectUrl, { method: 'POST' });
  const { connections } = (await practice.call(key, 'GET', '/channels/connections')).body as {
    connections: { connectionId: string }[];
  };
  const id = connections[0]?.connectionId ?? '';
  expect((await practice.call(key, 'GET', `/channels/corner/connections/${id}/options`)).status).toBe(200);
  const both = await post(`/listings/${listingId}/channels/publish`, {
    channels: ['market', 'corner'],
    autoDelistOnSale: true,
  });
  expect(both).toMatchObject({ status: 200, body: { success: true } });
  expect((await post(`/listings/${listingId}/channels/delete`, { channels: ['market'] })).status).toBe(400);
  await practice.control('POST', '/sales', { listingId });
  expect((await practice.call(key, 'GET', `/listings/${listingId}/channels`)).body).toMatchObject({
    channels: [
      { channelId: 'market', status: 'sold' },
      { channelId: 'corner', status: 'ended' },
    ],
  });
  expect((await practice.call(key, 'DELETE', `/channels/connections/corner/${id}`)).status).toBe(200);
  expect((await practice.call(key, 'DELETE', `/channels/connections/corner/${id}`)).status).toBe(404);
});
