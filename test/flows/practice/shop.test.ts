import { afterEach, beforeEach, expect, test } from 'vitest';
import * as z from 'zod';
import { getRouteByName, type RouteName } from '../../../src/contract/index.ts';
import { productKinds } from '../../../src/practice/shop/productKinds.ts';
import { startTestPractice, type TestPerson, type TestPractice } from '../../helpers/practice.ts';

const email = 'ann@example.com';
let practice: TestPractice;
let ann: TestPerson;
beforeEach(async () => {
  practice = await startTestPractice();
  ann = await practice.person({ email, plan: 'Starter', connected: true, site: 'MKT_US', shop: 'stocked' });
});
afterEach(async () => {
  expect(practice.reports).toEqual([]);
  await practice.close();
});

/** Calls a route and parses the answer with the schema of the contract. */
const readRoute = async (
  route: RouteName,
  query: Record<string, string> = {},
  key = ann.agentKey,
): Promise<unknown> => {
  const { path, answer } = getRouteByName(route);
  const words = new URLSearchParams(query).toString();
  const { status, body } = await practice.call(key, 'GET', words === '' ? path : `${path}?${words}`);
  expect(status).toBe(200);
  return answer.parse(body);
};

const listingsOf = z.object({
  listings: z.array(
    z.looseObject({
      listingId: z.string(),
      status: z.string(),
      title: z.string().nullable(),
      marketplaceId: z.string(),
      imageUrls: z.array(z.string()),
      publishBlockers: z.array(z.unknown()),
      price: z.int().nullable(),
    }),
  ),
  nextCursor: z.string().nullable(),
});

const listAllListings = async (key: string) => {
  const all = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const page = listingsOf.parse(await readRoute('listListings', { limit: '50', ...(cursor ? { cursor } : {}) }, key));
    all.push(...page.listings);
    cursor = page.nextCursor;
  }
  return all;
};

test('a stocked shop has sixty listings in every state except processing', async () => {
  const listings = await listAllListings(ann.agentKey);
  const count = (status: string): number => listings.filter((one) => one.status === status).length;
  expect(listings).toHaveLength(60);
  expect(productKinds).toHaveLength(12);
  for (const status of ['draft', 'pending_review', 'published', 'ended', 'sold', 'failed'])
    expect(count(status), status).toBeGreaterThan(0);
  expect(new Set(listings.map((one) => one.marketplaceId))).toEqual(new Set(['MKT_US', 'MKT_GB', 'MKT_DE']));
  const waiting = listings.filter((one) => one.status === 'pending_review');
  expect(waiting.filter((one) => one.publishBlockers.length > 0)).toHaveLength(1);
  const shown = listings.filter((one) => one.status !== 'draft');
  const pictures = await Promise.all(shown.map(async ({ imageUrls: [url = ''] }) => fetch(url)));
  for (const picture of pictures) expect(picture.headers.get('content-type')).toBe('image/png');
  const bytes = await Promise.all(
    pictures.map(async (picture) => Buffer.from(await picture.arrayBuffer()).toString('base64')),
  );
  expect(new Set(bytes).size).toBe(shown.length);
});

const summaryOf = z.looseObject({
  sales: z.array(z.object({ currency: z.string(), sales: z.int(), items: z.int(), revenueMinor: z.int() })),
  listings: z.record(z.string(), z.int()),
});
const itemsOf = z.looseObject({
  items: z.array(z.looseObject({ currency: z.string(), sold: z.int(), revenueMinor: z.int(), lastSoldAt: z.string() })),
});
const getLastNinetyDays = () => ({
  from: new Date(Date.now() - 92 * 86_400_000).toISOString(),
  to: new Date(Date.now() + 60_000).toISOString(),
});

test('the item sales of a stocked shop add up to its sales summary', async () => {
  const { sales, listings } = summaryOf.parse(await readRoute('readInsightsSummary', getLastNinetyDays()));
  const { items } = itemsOf.parse(await readRoute('readItemSales', getLastNinetyDays()));
  expect(sales.map(({ currency }) => currency)).toEqual(['EUR', 'GBP', 'USD']);
  for (const { currency, items: sold, revenueMinor } of sales) {
    const own = items.filter((one) => one.currency === currency);
    expect(own.reduce((sum, one) => sum + one.sold, 0)).toBe(sold);
    expect(own.reduce((sum, one) => sum + one.revenueMinor, 0)).toBe(revenueMinor);
  }
  const months = new Set(items.map(({ lastSoldAt }) => lastSoldAt.slice(0, 7)));
  expect(months.size).toBeGreaterThanOrEqual(3);
  const kept = await listAllListings(ann.agentKey);
  for (const [status, number] of Object.entries(listings))
    expect(kept.filter((one) => one.status === status)).toHaveLength(number);
});

test('a stocked shop has notifications, templates, policies and a second channel', async () => {
  const news = z.looseObject({ unread: z.int(), notifications: z.array(z.looseObject({ read: z.boolean() })) });
  const { unread, notifications } = news.parse(await readRoute('listNotifications', { limit: '50' }));
  expect(unread).toBeGreaterThan(0);
  expect(notifications.some((one) => one.read)).toBe(true);
  expect(JSON.stringify(await readRoute('listTemplates'))).toContain('Small parcels');
  for (const marketplaceId of ['MKT_US', 'MKT_GB', 'MKT_DE'])
    expect(JSON.stringify(await readRoute('listPolicies', { marketplaceId }))).toContain('postage');
  expect(JSON.stringify(await readRoute('listConnections'))).toContain('corner');
});

test('every stocked shop has the same listings', async () => {
  const bob = await practice.person({ plan: 'Starter', connected: true, site: 'MKT_US', shop: 'stocked' });
  const facts = (listings: Awaited<ReturnType<typeof listAllListings>>) =>
    listings.map(({ title, status, price, marketplaceId }) => ({ title, status, price, marketplaceId }));
  const [anns, bobs] = [await listAllListings(ann.agentKey), await listAllListings(bob.agentKey)];
  expect(facts(bobs)).toEqual(facts(anns));
  await practice.control('POST', '/people', { email, shop: 'stocked' });
  expect(await listAllListings(ann.agentKey)).toEqual(anns);
});
