import { afterAll, beforeAll, expect, test } from 'vitest';
import { matchRouteByPath, refusedRoutes, routeNames } from '../../../src/contract/index.ts';
import { startTestPractice, type TestPerson, type TestPractice } from '../../helpers/practice.ts';

let practice: TestPractice;
let ann: TestPerson;
const call = (method: string, path: string, body?: unknown) => practice.call(ann.agentKey, method, path, body);
beforeAll(async () => {
  practice = await startTestPractice();
  ann = await practice.person({ email: 'ann@example.com', name: 'Ann', plan: 'Lite', connected: true });
});
afterAll(() => practice.close());

test('an assistant can read and change only the account of its own person', async () => {
  expect((await call('GET', '/auth/me')).body).toMatchObject({
    userId: ann.userId,
    email: 'ann@example.com',
    plan: 'lite',
  });
  const path = `/users/${ann.userId}`;
  const changes = { name: 'Anna', language: 'de', autoDelistDefault: true };
  expect((await call('PUT', path, changes)).body).toMatchObject(changes);
  expect((await call('GET', path)).body).toMatchObject(changes);
  expect((await call('PUT', path, { email: 'other@example.com' })).status).toBe(400);
  const { userId } = await practice.person();
  for (const other of [`/users/${userId}`, `/users/${userId}/notification-preferences`])
    expect(await call('GET', other)).toMatchObject({ status: 403, body: { error: expect.any(String) as string } });
});

test('a change to preferences leaves the other fields unchanged', async () => {
  const path = `/users/${ann.userId}/notification-preferences`;
  expect((await call('PUT', path, { news: true })).body).toMatchObject({ news: true, security: true });
  expect((await call('GET', path)).body).toMatchObject({ news: true });
  expect((await call('PUT', path, { news: 'often' })).status).toBe(400);
  expect((await call('PUT', '/notifications/preferences', { sales: false })).body).toMatchObject({ sales: false });
  expect((await call('GET', '/notifications/preferences')).body).toMatchObject({ sales: false, account: true });
});

test('notifications are marked as read one by one, but as viewed all together', async () => {
  const listingId = await practice.live(ann.agentKey);
  await practice.control('POST', '/sales', { listingId });
  const { notifications } = (await call('GET', '/notifications')).body as { notifications: { notifId: string }[] };
  const [newest] = notifications;
  expect(newest).toMatchObject({ kind: 'sale', read: false, viewed: false });
  expect((await call('POST', '/notifications/mark-viewed', {})).body).toMatchObject({ viewed: notifications.length });
  expect((await call('PUT', `/notifications/${newest?.notifId}/read`)).body).toMatchObject({ read: true });
  const other = (await practice.person()).agentKey;
  expect((await practice.call(other, 'PUT', `/notifications/${newest?.notifId}/read`)).status).toBe(403);
  expect((await call('PUT', '/notifications/ntf_none/read')).status).toBe(404);
});

test('the sales insights include a new sale', async () => {
  const bob = (await practice.person({ connected: true })).agentKey;
  const listingId = await practice.live(bob, { quantity: 2 });
  await practice.control('POST', '/sales', { listingId });
  const get = async (path: string) => (await practice.call(bob, 'GET', path)).body;
  const sold = { sales: 1, items: 1, revenueMinor: 1_299, currency: 'USD' };
  expect(await get('/insights/summary')).toMatchObject({ sales: [sold], listings: { published: 1 } });
  expect(await get('/insights/inventory')).toMatchObject({ listed: 1, sold: 0, unsold: 0 });
  expect(await get('/insights/items')).toMatchObject({ items: [{ listingId, sold: 1, revenueMinor: 1_299 }] });
  expect(await get('/insights/day')).toMatchObject({ totals: [sold], sales: [{ listingId }] });
  expect(await get('/insights/summary?to=2001-01-01')).toMatchObject({ sales: [] });
  expect((await practice.call(bob, 'GET', '/insights/summary?from=soon')).status).toBe(400);
  for (const query of ['day?date=2026-11-21', 'day?date=nope', 'day?day=2026-02-31', 'items?day=2026-11-21'])
    expect((await practice.call(bob, 'GET', `/insights/${query}`)).status, query).toBe(400);
  for (const query of ['summary?month=11', 'summary?from=2026', 'summary?to=2026-13-01'])
    expect((await practice.call(bob, 'GET', `/insights/${query}`)).status, query).toBe(400);
  expect((await practice.call(bob, 'GET', '/insights/summary?from=2026-01-01T00:00:00Z')).status).toBe(200);
});

test('categories are returned in the language of the site', async () => {
  const { categories } = (await call('GET', '/market/categories?q=book')).body as {
    categories: { categoryId: string }[];
  };
  expect(categories[0]).toMatchObject({ categoryId: '1001', categoryName: 'Books' });
  const german = await call('GET', '/market/categories?categoryId=1001&marketplaceId=MKT_DE');
  expect(german.body).toMatchObject({ categories: [{ categoryName: 'Bücher', requiredSpecifics: ['Buchtitel'] }] });
  expect((await call('GET', '/market/category-conditions?categoryId=1001')).body).toMatchObject({
    conditions: expect.arrayContaining([expect.objectContaining({ condition: 'USED_GOOD' })]) as unknown,
  });
  expect((await call('GET', '/market/category-conditions')).status).toBe(400);
  expect((await call('GET', '/market/categories?marketplaceId=MKT_ZZ')).status).toBe(400);
  expect((await call('GET', '/market/comps?q=rivers&categoryId=1001&limit=3')).body).toMatchObject({
    currency: 'USD',
    comps: [{}, {}, {}],
  });
});

test('templates can be created, changed and deleted', async () => {
  expect((await call('POST', '/market/templates/create', {})).status).toBe(400);
  const made = (await call('POST', '/market/templates/create', { name: 'Books', packageWeightGrams: 400 })).body as {
    templateId: string;
  };
  const path = `/market/templates/${made.templateId}`;
  const body = { templateId: made.templateId };
  expect((await call('POST', '/listings', body)).body).toMatchObject({ packageWeightGrams: 400 });
  expect((await call('PUT', path, { name: 'All books' })).body).toMatchObject({
    name: 'All books',
    packageWeightGrams: 400,
  });
  expect((await call('GET', '/market/templates/list')).body).toMatchObject({ templates: [{ name: 'All books' }] });
  const other = (await practice.person()).agentKey;
  expect((await practice.call(other, 'PUT', path, { name: 'Mine' })).status).toBe(403);
  expect((await call('DELETE', path)).status).toBe(200);
  expect((await call('DELETE', path)).status).toBe(404);
});

test('an invalid template cannot be saved', async () => {
  const cat = (await practice.person({ connected: true, site: 'MKT_US', plan: 'Lite' })).agentKey;
  const send = (method: string, path: string, body?: unknown) => practice.call(cat, method, path, body);
  const { policies } = (await send('GET', '/market/policies')).body as {
    policies: { policyId: string; kind: string }[];
  };
  const idOf = (wanted: string) => policies.find(({ kind }) => kind === wanted)?.policyId;
  const wrong = [
    [{ marketplaceId: 'MKT_XX' }, 'marketplaceId'],
    [{ fulfillmentPolicyId: 'pol_none' }, 'fulfillmentPolicyId'],
    [{ paymentPolicyId: idOf('fulfillment') }, 'paymentPolicyId'],
    [{ marketplaceId: 'MKT_DE', returnPolicyId: idOf('return') }, 'returnPolicyId'],
  ] as const;
  const good = { name: 'Mine', marketplaceId: 'MKT_US', fulfillmentPolicyId: idOf('fulfillment') };
  const { templateId } = (await send('POST', '/market/templates/create', good)).body as { templateId: string };
  const path = `/market/templates/${templateId}`;
  for (const [facts, field] of wrong) {
    const checked = await send('POST', '/market/templates/validate', { name: 'Mine', ...facts });
    expect(checked.body).toMatchObject({ valid: false, problems: [{ field }] });
    const error = expect.stringContaining(`${field}: `) as string;
    const refused = { status: 400, body: { error } };
    expect(await send('POST', '/market/templates/create', { name: 'Mine', ...facts })).toMatchObject(refused);
    expect(await send('PUT', path, facts)).toMatchObject({ status: 400 });
  }
  expect((await send('GET', '/market/templates/list')).body).toMatchObject({ templates: [good] });
  // The site can change only together with the policy, which belongs to one site.
  expect((await send('PUT', path, { marketplaceId: 'MKT_DE' })).status).toBe(400);
  expect((await send('PUT', path, { marketplaceId: 'MKT_DE', fulfillmentPolicyId: null })).status).toBe(200);
});

test('the documentation of the service lists exactly the routes of the route table', async () => {
  const get = (path: string, accept = '*/*') => practice.call(null, 'GET', path, undefined, { accept });
  const list = (await get('/agent/routes')).body as { version: string; routes: { method: string; path: string }[] };
  expect(list.routes).toHaveLength(routeNames.length + refusedRoutes.length);
  const described = (await get('/agent/openapi.json')).body as {
    openapi: string;
    info: { version: string };
    paths: object;
  };
  expect(described.openapi).toBe('3.1.0');
  expect(described.info.version).toBe(list.version);
  const operations = Object.entries(described.paths).flatMap(([path, methods]) =>
    Object.keys(methods as object).map((method) => [method.toUpperCase(), path] as const),
  );
  expect(operations).toHaveLength(routeNames.length);
  for (const [method, path] of operations)
    expect(matchRouteByPath(method, path.replace(/[{}]/g, '')).kind).toBe('route');
  const markdown = await get('/agent/guide');
  expect(markdown.headers['content-type']).toContain('text/markdown');
  expect(markdown.body).toContain(list.version);
  expect((await get('/agent/guide', 'application/json')).body).toMatchObject({ version: list.version });
  expect((await get('/agent')).body).toEqual((await get('/agent/index.json')).body);
  expect((await get('/agent/plans')).body).toMatchObject({ plans: [{ code: 'free' }, {}, {}, {}, {}, {}] });
});

test('a support message requires a text and an e-mail address', async () => {
  const send = (body: unknown) => practice.call(null, 'POST', '/contact', body);
  expect((await send({ message: 'Hello', email: 'ann@example.com' })).body).toMatchObject({ received: true });
  expect((await send({ message: 'Hello' })).status).toBe(400);
  expect((await send({ email: 'ann@example.com' })).status).toBe(400);
});

test('the controls page lists the people of the service', async () => {
  const page = await practice.call(null, 'GET', '/practice');
  expect(page.status).toBe(200);
  expect(page.headers['content-type']).toContain('text/html');
  expect(page.body).toContain('ann@example.com');
});
