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

const post = (act: 'publish' | 'revise' | 'end' | 'delete', body: unknown) =>
  practice.call(ann.agentKey, 'POST', `/listings/${listingId}/channels/${act}`, body);
const answer = z.object({
  channels: z.array(z.looseObject({ channelId: z.string(), status: z.string(), price: z.int().nullish() })),
});
const stock = z.object({ quantity: z.int(), soldQuantity: z.int() });
const states = async () => {
  const read = await practice.call(ann.agentKey, 'GET', `/listings/${listingId}/channels`);
  return Object.fromEntries(answer.parse(read.body).channels.map((one) => [one.channelId, one]));
};
const statuses = async () => Object.fromEntries(Object.entries(await states()).map(([id, { status }]) => [id, status]));
const sell = (channelId: string) => practice.control('POST', '/sales', { listingId, channelId });
const status = async () =>
  z.object({ status: z.string() }).parse((await practice.call(ann.agentKey, 'GET', `/listings/${listingId}`)).body)
    .status;

test('a listing is published to a channel once, and only if the channel is connected', async () => {
  expect(await post('publish', { channels: ['corner'] })).toMatchObject({
    status: 400,
    body: { error: 'Corner shop (practice) is not connected. Connect it in Selling setup, then publish there.' },
  });
  await connectCorner(practice, ann.agentKey);
  expect((await post('publish', { channels: ['corner'] })).status).toBe(200);
  expect(await statuses()).toEqual({ market: 'published', corner: 'published' });
  expect((await post('publish', { channels: ['corner'] })).status).toBe(409);
});

test('a publish with more photos than a channel allows is refused, and publishes to no channel', async () => {
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
  expect(await post('publish', { channels: ['market', 'corner'] })).toMatchObject({
    status: 400,
    body: { error: `Corner shop (practice) takes ${most} photos a listing; this one has ${most + 1}.` },
  });
  expect(await statuses()).toEqual({});
  expect(await status()).toBe('pending_review');
  expect((await post('publish', { channels: ['market'] })).status).toBe(200);
  expect((await post('publish', { channels: ['corner'] })).status).toBe(400);
  expect(await statuses()).toEqual({ market: 'published' });
  listingId = await reviewedWith(most);
  expect((await post('publish', { channels: ['market', 'corner'] })).status).toBe(200);
});

test('a change on one channel leaves the other channels unchanged, and a change that names no channel applies to all', async () => {
  await connectCorner(practice, ann.agentKey);
  await post('publish', { channels: ['corner'] });
  await post('revise', { channels: ['corner'], price: 900 });
  expect(await states()).toMatchObject({ market: { price: 1_299 }, corner: { price: 900 } });
  await post('revise', { channels: ['market'], price: 1_100 });
  expect(await states()).toMatchObject({ market: { price: 1_100 }, corner: { price: 900 } });
  await post('revise', { price: 1_000 });
  expect(await states()).toMatchObject({ market: { price: 1_000 }, corner: { price: 1_000 } });
});

test('a listing that ended on a channel can be published there again or removed; it stays live on the marketplace', async () => {
  await connectCorner(practice, ann.agentKey);
  await post('publish', { channels: ['corner'] });
  await post('end', { channels: ['corner'] });
  expect(await statuses()).toEqual({ market: 'published', corner: 'ended' });
  expect((await post('end', { channels: ['corner'] })).status).toBe(409);
  expect((await post('revise', { channels: ['corner'], price: 900 })).status).toBe(409);
  await post('publish', { channels: ['corner'] });
  await post('delete', { channels: ['corner'] });
  expect(await statuses()).toEqual({ market: 'published', corner: 'deleted' });
  expect((await post('delete', { channels: ['corner'] })).status).toBe(409);
});

test('a listing that sold out on a channel can be published there again only after its quantity was raised', async () => {
  await connectCorner(practice, ann.agentKey);
  await post('publish', { channels: ['corner'], autoDelistOnSale: false });
  await sell('corner');
  expect(await statuses()).toEqual({ market: 'published', corner: 'sold' });
  expect(await post('publish', { channels: ['corner'] })).toMatchObject({
    status: 409,
    body: { error: 'The listing sold out on Corner shop (practice), and there is no more to sell.' },
  });
  expect(await statuses()).toEqual({ market: 'published', corner: 'sold' });
  await post('revise', { channels: ['market'], quantity: 3 });
  expect((await post('publish', { channels: ['corner'] })).status).toBe(200);
});

test.each(['market', 'corner'])(
  'a listing that sells on %s ends on the other channel if delisting on sale is agreed',
  async (where) => {
    await connectCorner(practice, ann.agentKey);
    await post('publish', { channels: ['corner'], autoDelistOnSale: true });
    await sell(where);
    expect(await statuses()).toEqual({ market: 'ended', corner: 'ended', [where]: 'sold' });
    expect(await status()).toBe('sold');
  },
);

test('without agreed delisting a sold listing stays on the other channel, and can be ended there after the sale', async () => {
  await connectCorner(practice, ann.agentKey);
  await post('publish', { channels: ['corner'], autoDelistOnSale: false });
  await sell('market');
  expect(await statuses()).toEqual({ market: 'sold', corner: 'published' });
  expect((await post('end', { channels: ['corner'] })).status).toBe(200);
  expect(await statuses()).toEqual({ market: 'sold', corner: 'ended' });
});

test('a sale on another channel reduces the quantity everywhere, is counted, and uses that channel’s price', async () => {
  await connectCorner(practice, ann.agentKey);
  await post('revise', { quantity: 2 });
  await post('publish', { channels: ['corner'], autoDelistOnSale: false });
  await post('revise', { channels: ['corner'], price: 900 });
  const left = async () => {
    const read = await practice.call(ann.agentKey, 'GET', `/listings/${listingId}`);
    const { market, corner } = await states();
    return { ...stock.parse(read.body), there: [market?.['quantity'], corner?.['quantity']] };
  };
  await sell('corner');
  expect(await left()).toEqual({ quantity: 1, soldQuantity: 1, there: [1, 1] });
  await sell('corner');
  expect(await left()).toEqual({ quantity: 0, soldQuantity: 2, there: [0, 0] });
  expect(await statuses()).toEqual({ market: 'published', corner: 'sold' });
  await expect(sell('market')).rejects.toThrow('Only 0 are left');
  const sales = (await practice.journal()).filter(({ kind }) => kind === 'sale');
  expect(sales.map(({ unitCents }) => unitCents)).toEqual([900, 900]);
});

test('a listing that ended on the marketplace can still be bought on the channel where it is live', async () => {
  await connectCorner(practice, ann.agentKey);
  await post('publish', { channels: ['corner'], autoDelistOnSale: false });
  await practice.call(ann.agentKey, 'POST', `/market/end/${listingId}`);
  await sell('corner');
  expect(await statuses()).toEqual({ market: 'ended', corner: 'sold' });
  expect(await status()).toBe('ended');
});

test('a listing that is live on another channel cannot be brought back for review until it is ended there', async () => {
  await connectCorner(practice, ann.agentKey);
  await post('publish', { channels: ['corner'], autoDelistOnSale: false });
  await practice.call(ann.agentKey, 'POST', `/market/end/${listingId}`);
  const relist = () => practice.call(ann.agentKey, 'POST', `/listings/${listingId}/relist`, {});
  expect((await relist()).status).toBe(409);
  expect(await statuses()).toEqual({ market: 'ended', corner: 'published' });
  await post('end', { channels: ['corner'] });
  expect((await relist()).status).toBe(200);
});

test.each([
  ['by its own route', () => practice.call(ann.agentKey, 'POST', `/market/end/${listingId}`)],
  ['with the channels', () => post('end', {})],
  ['as its time is over', () => practice.control('POST', '/expiries', { listingId })],
])('a listing that ends on the marketplace %s stays live on the other channel', async (_how, end) => {
  await connectCorner(practice, ann.agentKey);
  await post('publish', { channels: ['corner'], autoDelistOnSale: false });
  await end();
  expect(await status()).toBe('ended');
  const { market, corner } = await states();
  expect([market?.status, corner?.status]).toEqual(['ended', 'published']);
  expect([market?.['endedAt'] !== null, corner?.['endedAt']]).toEqual([true, null]);
});

test('the ended listings in a stocked shop are live on no channel', async () => {
  const shop = await practice.person({ plan: 'Starter', connected: true, site: 'MKT_US', shop: 'stocked' });
  const { body } = await practice.call(shop.agentKey, 'GET', '/listings?status=ended');
  const [ended] = z.object({ listings: z.array(z.object({ listingId: z.string() })) }).parse(body).listings;
  const read = await practice.call(shop.agentKey, 'GET', `/listings/${ended?.listingId}/channels`);
  expect(answer.parse(read.body).channels).toMatchObject([{ channelId: 'market', status: 'ended' }]);
});
