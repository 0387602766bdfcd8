import { afterEach, beforeEach, expect, test } from 'vitest';
import * as z from 'zod';
import { connectCorner } from '../../helpers/practice/channels.ts';
import { startTestPractice, type TestPerson, type TestPractice } from '../../helpers/practice.ts';

let practice: TestPractice;
let ann: TestPerson;
let listingId: string;
beforeEach(async () => {
  practice = await startTestPractice();
  ann = await practice.person({ plan: 'Starter', connected: true, site: 'MKT_US' });
  listingId = await practice.live(ann.agentKey);
});
afterEach(() => practice.close());

const callChannels = (act: 'publish' | 'revise' | 'end' | 'delete', body: unknown) =>
  practice.call(ann.agentKey, 'POST', `/listings/${listingId}/channels/${act}`, body);
const answer = z.object({
  channels: z.array(z.looseObject({ channelId: z.string(), status: z.string(), price: z.int().nullish() })),
});
const stock = z.object({ quantity: z.int(), soldQuantity: z.int() });
const readChannelStates = async () => {
  const read = await practice.call(ann.agentKey, 'GET', `/listings/${listingId}/channels`);
  return Object.fromEntries(answer.parse(read.body).channels.map((one) => [one.channelId, one]));
};
const readStatuses = async () =>
  Object.fromEntries(Object.entries(await readChannelStates()).map(([id, { status }]) => [id, status]));
const sell = (channelId: string) => practice.control('POST', '/sales', { listingId, channelId });
const readListingStatus = async () =>
  z.object({ status: z.string() }).parse((await practice.call(ann.agentKey, 'GET', `/listings/${listingId}`)).body)
    .status;

test('publishing to a channel requires a connection and cannot be repeated', async () => {
  expect(await callChannels('publish', { channels: ['corner'] })).toMatchObject({
    status: 400,
    body: { error: 'Corner shop (practice) is not connected. Connect it in Selling setup, then publish there.' },
  });
  await connectCorner(practice, ann.agentKey);
  expect((await callChannels('publish', { channels: ['corner'] })).status).toBe(200);
  expect(await readStatuses()).toEqual({ market: 'published', corner: 'published' });
  expect((await callChannels('publish', { channels: ['corner'] })).status).toBe(409);
});

test('a publish with too many photos for one channel publishes to no channel', async () => {
  await connectCorner(practice, ann.agentKey);
  const list = await practice.call(ann.agentKey, 'GET', '/channels');
  const caps = z.object({ channels: z.array(z.object({ channelId: z.string(), maxPhotos: z.int() })) });
  const most = caps.parse(list.body).channels.find((one) => one.channelId === 'corner')?.maxPhotos ?? 0;
  const reviewedWith = async (photos: number) => {
    const id = await practice.draft(ann.agentKey, photos);
    await practice.call(ann.agentKey, 'POST', `/listings/${id}/generate`, {});
    await practice.settled(ann.agentKey, id);
    return id;
  };
  listingId = await reviewedWith(most + 1);
  expect(await callChannels('publish', { channels: ['market', 'corner'] })).toMatchObject({
    status: 400,
    body: { error: `Corner shop (practice) takes ${most} photos a listing; this one has ${most + 1}.` },
  });
  expect(await readStatuses()).toEqual({});
  expect(await readListingStatus()).toBe('pending_review');
  expect((await callChannels('publish', { channels: ['market'] })).status).toBe(200);
  expect((await callChannels('publish', { channels: ['corner'] })).status).toBe(400);
  expect(await readStatuses()).toEqual({ market: 'published' });
  listingId = await reviewedWith(most);
  expect((await callChannels('publish', { channels: ['market', 'corner'] })).status).toBe(200);
});

test('a new price on one channel does not change the price on other channels', async () => {
  await connectCorner(practice, ann.agentKey);
  await callChannels('publish', { channels: ['corner'] });
  await callChannels('revise', { channels: ['corner'], price: 900 });
  expect(await readChannelStates()).toMatchObject({ market: { price: 1_299 }, corner: { price: 900 } });
  await callChannels('revise', { channels: ['market'], price: 1_100 });
  expect(await readChannelStates()).toMatchObject({ market: { price: 1_100 }, corner: { price: 900 } });
  await callChannels('revise', { price: 1_000 });
  expect(await readChannelStates()).toMatchObject({ market: { price: 1_000 }, corner: { price: 1_000 } });
});

test('a listing that ended on one channel can be published again or deleted', async () => {
  await connectCorner(practice, ann.agentKey);
  await callChannels('publish', { channels: ['corner'] });
  await callChannels('end', { channels: ['corner'] });
  expect(await readStatuses()).toEqual({ market: 'published', corner: 'ended' });
  expect((await callChannels('end', { channels: ['corner'] })).status).toBe(409);
  expect((await callChannels('revise', { channels: ['corner'], price: 900 })).status).toBe(409);
  await callChannels('publish', { channels: ['corner'] });
  await callChannels('delete', { channels: ['corner'] });
  expect(await readStatuses()).toEqual({ market: 'published', corner: 'deleted' });
  expect((await callChannels('delete', { channels: ['corner'] })).status).toBe(409);
});

test('a sold-out listing can be published again only after its quantity is raised', async () => {
  await connectCorner(practice, ann.agentKey);
  await callChannels('publish', { channels: ['corner'], autoDelistOnSale: false });
  await sell('corner');
  expect(await readStatuses()).toEqual({ market: 'published', corner: 'sold' });
  expect(await callChannels('publish', { channels: ['corner'] })).toMatchObject({
    status: 409,
    body: { error: 'The listing sold out on Corner shop (practice), and there is no more to sell.' },
  });
  expect(await readStatuses()).toEqual({ market: 'published', corner: 'sold' });
  await callChannels('revise', { channels: ['market'], quantity: 3 });
  expect((await callChannels('publish', { channels: ['corner'] })).status).toBe(200);
});

test.each(['market', 'corner'])(
  'with automatic delisting, a sale on channel “%s” ends the listing on the other channel',
  async (where) => {
    await connectCorner(practice, ann.agentKey);
    await callChannels('publish', { channels: ['corner'], autoDelistOnSale: true });
    await sell(where);
    expect(await readStatuses()).toEqual({ market: 'ended', corner: 'ended', [where]: 'sold' });
    expect(await readListingStatus()).toBe('sold');
  },
);

test('without automatic delisting, a sold listing stays on the other channel', async () => {
  await connectCorner(practice, ann.agentKey);
  await callChannels('publish', { channels: ['corner'], autoDelistOnSale: false });
  await sell('market');
  expect(await readStatuses()).toEqual({ market: 'sold', corner: 'published' });
  expect((await callChannels('end', { channels: ['corner'] })).status).toBe(200);
  expect(await readStatuses()).toEqual({ market: 'sold', corner: 'ended' });
});

test('a sale on one channel reduces the quantity on every channel', async () => {
  await connectCorner(practice, ann.agentKey);
  await callChannels('revise', { quantity: 2 });
  await callChannels('publish', { channels: ['corner'], autoDelistOnSale: false });
  await callChannels('revise', { channels: ['corner'], price: 900 });
  const left = async () => {
    const read = await practice.call(ann.agentKey, 'GET', `/listings/${listingId}`);
    const { market, corner } = await readChannelStates();
    return { ...stock.parse(read.body), there: [market?.['quantity'], corner?.['quantity']] };
  };
  await sell('corner');
  expect(await left()).toEqual({ quantity: 1, soldQuantity: 1, there: [1, 1] });
  await sell('corner');
  expect(await left()).toEqual({ quantity: 0, soldQuantity: 2, there: [0, 0] });
  expect(await readStatuses()).toEqual({ market: 'published', corner: 'sold' });
  await expect(sell('market')).rejects.toThrow('Only 0 are left');
  const sales = (await practice.journal()).filter(({ kind }) => kind === 'sale');
  expect(sales.map(({ unitCents }) => unitCents)).toEqual([900, 900]);
});

test('a listing that ended on the marketplace can still be bought on another channel', async () => {
  await connectCorner(practice, ann.agentKey);
  await callChannels('publish', { channels: ['corner'], autoDelistOnSale: false });
  await practice.call(ann.agentKey, 'POST', `/market/end/${listingId}`);
  await sell('corner');
  expect(await readStatuses()).toEqual({ market: 'ended', corner: 'sold' });
  expect(await readListingStatus()).toBe('ended');
});

test('a listing cannot be relisted while it is live on another channel', async () => {
  await connectCorner(practice, ann.agentKey);
  await callChannels('publish', { channels: ['corner'], autoDelistOnSale: false });
  await practice.call(ann.agentKey, 'POST', `/market/end/${listingId}`);
  const relist = () => practice.call(ann.agentKey, 'POST', `/listings/${listingId}/relist`, {});
  expect((await relist()).status).toBe(409);
  expect(await readStatuses()).toEqual({ market: 'ended', corner: 'published' });
  await callChannels('end', { channels: ['corner'] });
  expect((await relist()).status).toBe(200);
});

test.each([
  ['by the marketplace route', () => practice.call(ann.agentKey, 'POST', `/market/end/${listingId}`)],
  ['by the channels route', () => callChannels('end', {})],
  ['by expiry', () => practice.control('POST', '/expiries', { listingId })],
])('a listing that ends on the marketplace %s stays live on the other channel', async (_how, end) => {
  await connectCorner(practice, ann.agentKey);
  await callChannels('publish', { channels: ['corner'], autoDelistOnSale: false });
  await end();
  expect(await readListingStatus()).toBe('ended');
  const { market, corner } = await readChannelStates();
  expect([market?.status, corner?.status]).toEqual(['ended', 'published']);
  expect([market?.['endedAt'] !== null, corner?.['endedAt']]).toEqual([true, null]);
});

test('an ended listing of a stocked shop is not live on any channel', async () => {
  const shop = await practice.person({ plan: 'Starter', connected: true, site: 'MKT_US', shop: 'stocked' });
  const { body } = await practice.call(shop.agentKey, 'GET', '/listings?status=ended');
  const [ended] = z.object({ listings: z.array(z.object({ listingId: z.string() })) }).parse(body).listings;
  const read = await practice.call(shop.agentKey, 'GET', `/listings/${ended?.listingId}/channels`);
  expect(answer.parse(read.body).channels).toMatchObject([{ channelId: 'market', status: 'ended' }]);
});
