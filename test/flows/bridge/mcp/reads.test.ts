import { afterEach, beforeEach, expect, test } from 'vitest';
import * as z from 'zod';
import { startMcp, type Mcp } from './startMcp.ts';

let mcp: Mcp;

beforeEach(async () => {
  mcp = await startMcp();
});
afterEach(() => mcp.close());

const sellListing = async (): Promise<string> => {
  const key = (await mcp.world.secrets.get('agent-key practice')) ?? '';
  const listingId = await mcp.world.practice.live(key);
  await mcp.world.practice.control('POST', '/sales', { listingId, buyer: 'ada' });
  return listingId;
};

const routeNames = z.looseObject({ routes: z.array(z.looseObject({ route: z.string() })) });
const findRoutes = async (query: string): Promise<string[]> =>
  routeNames.parse((await mcp.client.call('list_service_routes', { query })).data).routes.map(({ route }) => route);

test('without a query, the routes are names and summaries in less than 10 kB', async () => {
  const { data } = await mcp.client.call('list_service_routes');
  expect(Buffer.byteLength(JSON.stringify(data))).toBeLessThan(10_000);
  const { routes } = routeNames.parse(data);
  expect(routes.length).toBeGreaterThan(60);
  for (const row of routes) expect(Object.keys(row)).toEqual(['route', 'summary']);
});

test('the name of a route gives its fields by name and type', async () => {
  const { data } = await mcp.client.call('list_service_routes', { query: 'approveExtras' });
  expect(data).toMatchObject({
    routes: [{ route: 'approveExtras', asksPerson: 'always', body: { count: 'integer', rateCents: 'integer' } }],
  });
  const uploads = await mcp.client.call('list_service_routes', { query: 'requestUploads' });
  expect(uploads.data).toMatchObject({
    routes: [{ body: { files: 'list of { contentType: image/jpeg | image/png | image/webp, index: integer }' } }],
  });
  const sales = await mcp.client.call('list_service_routes', { query: 'readInsightsSummary' });
  expect(sales.data).toMatchObject({ routes: [{ query: { from: 'string, optional' }, body: null }] });
});

test.each([
  ['what did I earn this month', ['readInsightsSummary', 'readInventory', 'readItemSales', 'readDaySales']],
  ['return policies', ['listPolicies']],
  ['Please change my shipping policy!', ['listPolicies']],
  ['mark notifications as read', ['readNotification', 'markNotificationsViewed']],
])('the query “%s” finds %j', async (query, expected) => {
  expect(await findRoutes(query)).toEqual(expected);
});

test('a query that matches nothing says how to go on', async () => {
  const { data } = await mcp.client.call('list_service_routes', { query: 'xyzzy' });
  expect(data).toMatchObject({ routes: [], nextStep: expect.stringContaining('without a query') as unknown });
});

test('read_sales returns the revenue of a period and, on request, of each item', async () => {
  const listingId = await sellListing();
  const { data } = await mcp.client.call('read_sales', { byItem: true });
  expect(data).toMatchObject({
    totals: [{ currency: 'USD', sales: 1, items: 1 }],
    listings: { sold: 1 },
    items: [{ listingId, sold: 1, currency: 'USD' }],
  });
  const { totals, items } = z
    .looseObject({
      totals: z.tuple([z.looseObject({ revenueCents: z.int().positive() })]),
      items: z.tuple([z.looseObject({ revenueCents: z.int(), lastSoldAt: z.iso.datetime() })]),
    })
    .parse(data);
  expect(items[0].revenueCents).toBe(totals[0].revenueCents);
  const before = await mcp.client.call('read_sales', { from: '2020-01-01', to: '2020-01-31' });
  expect(before.data).toMatchObject({ totals: [], items: null });
  expect(before.text).toContain('Nothing was sold');
});

test('read_sales without byItem does not draw on the daily budget', async () => {
  await mcp.client.call('read_sales');
  const calls = z.record(z.string(), z.looseObject({})).parse(await mcp.world.practice.control('GET', '/calls'));
  expect(Object.keys(calls)).toContain('readInsightsSummary');
  expect(Object.keys(calls)).not.toContain('readItemSales');
});

test('read_notifications returns only what is later than newestAt of the call before', async () => {
  await sellListing();
  mcp.world.clock.advance(61_000);
  const first = await mcp.client.call('read_notifications');
  expect(first.data).toMatchObject({
    notifications: [{ kind: 'sale' }, { kind: 'published' }, { kind: 'listing_ready' }],
  });
  const since = z.string().parse(first.data['newestAt']);
  mcp.world.clock.advance(61_000);
  expect((await mcp.client.call('read_notifications', { since })).data).toMatchObject({
    notifications: [],
    newestAt: since,
  });
  const listingId = await sellListing();
  mcp.world.clock.advance(61_000);
  const next = await mcp.client.call('read_notifications', { since });
  expect(next.data['notifications']).toEqual(
    expect.arrayContaining([expect.objectContaining({ kind: 'sale', listingId })]),
  );
});

test('read_notifications returns the cursor of older notifications that might be new', async () => {
  const key = (await mcp.world.secrets.get('agent-key practice')) ?? '';
  for (let at = 0; at < 52; at += 1) await mcp.world.practice.written(key);
  mcp.world.clock.advance(61_000);
  const first = await mcp.client.call('read_notifications');
  expect(first.data).toMatchObject({ nextCursor: expect.any(String) as unknown });
  mcp.world.clock.advance(61_000);
  const next = await mcp.client.call('read_notifications', { since: first.data['newestAt'] });
  expect(next.data).toMatchObject({ notifications: [], nextCursor: null });
});

test('a time without a zone is refused before anything is read', async () => {
  const refused = await mcp.client.call('read_notifications', { since: 'yesterday' });
  expect(refused).toMatchObject({ isError: true, data: { code: 'INVALID_REQUEST', field: 'since' } });
});
