import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { emptyShelf } from '../../../../src/core/base/shelfFields.ts';
import type { AssistantChanges } from '../../../../src/core/assistants/assistant.ts';
import { callBridge } from '../../../helpers/assistant.ts';
import { startMcp, type Mcp } from './startMcp.ts';

let mcp: Mcp;
let shirt: string;
let lamp: string;
beforeAll(async () => {
  mcp = await startMcp();
  shirt = (await mcp.world.reviewed('shirt', 1)).listingId;
  lamp = (await mcp.world.reviewed('lamp', 1)).listingId;
  const { shelf } = mcp.world.companion();
  const cost = { minor: 350, currency: 'USD' };
  shelf.change(
    { listingIds: [shirt] },
    { ...{ place: 'A04', sku: 'A04-1', tags: ['summer'], note: 'left sleeve' }, cost, boughtFrom: 'Erlangen market' },
  );
  shelf.change({ listingIds: [lamp] }, { place: 'B01', sku: 'B01-7' });
});
afterAll(() => mcp.close());

const allow = (changes: AssistantChanges): void => mcp.world.companion().assistants.change(mcp.assistantId, changes);
const readFields = (listingId: string) => mcp.world.companion().shelf.read({ listingId }).fields;
const found = z.looseObject({ listings: z.array(z.looseObject({ listingId: z.string() })), nextCursor: z.unknown() });
const find = async (query: Record<string, unknown>): Promise<string[]> =>
  found.parse((await mcp.client.call('list_listings', query)).data).listings.map(({ listingId }) => listingId);

test('without the right to the shelf, an assistant neither reads nor changes anything of it', async () => {
  const read = await mcp.client.call('get_listing', { listingId: shirt });
  expect(read.data).toMatchObject({ listingId: shirt, shelf: null });
  const others = [
    ...(await Promise.all(
      ['summer', 'sleeve', 'place:A04'].map((query) => mcp.client.call('list_listings', { query })),
    )),
    await mcp.client.call('list_listings', {}),
    await mcp.client.call('get_standing', {}),
  ];
  expect(JSON.stringify([read, ...others].map(({ data, text }) => [data, text]))).not.toMatch(
    /A04|sleeve|summer|350|Erlangen/,
  );
  for (const query of [{ place: 'A04' }, { sku: 'A04-1' }, { tag: 'summer' }])
    expect((await mcp.client.call('list_listings', query)).data).toMatchObject({ code: 'NOT_ALLOWED' });
  const edited = await mcp.client.call('edit_listing', { listingId: shirt, title: 'Other', shelf: { place: 'Z9' } });
  expect(edited.data).toMatchObject({ code: 'NOT_ALLOWED' });
  const now = await mcp.client.call('get_listing', { listingId: shirt });
  expect(now.data).not.toMatchObject({ untrustedTitle: 'Other' });
  expect(readFields(shirt).place).toBe('A04');
  const { body } = await callBridge(mcp.bridge.url, 'GET', '/companion/me', {
    headers: { authorization: `Bearer ${mcp.token}` },
  });
  expect(body).toMatchObject({ shelf: false });
});

test('with the right to the shelf, an assistant reads and changes place, SKU, tags and note, and never the cost', async () => {
  allow({ shelf: true });
  const read = await mcp.client.call('get_listing', { listingId: shirt });
  const shelf = {
    untrustedPlace: 'A04',
    untrustedSku: 'A04-1',
    untrustedTags: ['summer'],
    untrustedNote: 'left sleeve',
  };
  expect(read.data['shelf']).toEqual(shelf);
  expect(JSON.stringify([read.data, read.text])).not.toMatch(/350|Erlangen/);
  const edited = await mcp.client.call('edit_listing', { listingId: lamp, shelf: { place: 'B02', tags: ['brass'] } });
  expect(edited.data).toMatchObject({ state: 'done', changed: ['shelf'] });
  expect(readFields(lamp)).toEqual({ ...emptyShelf, place: 'B02', sku: 'B01-7', tags: ['brass'] });
  const refused = await mcp.client.call('edit_listing', {
    listingId: lamp,
    shelf: { cost: { minor: 1, currency: 'USD' } },
  });
  expect(refused.isError).toBe(true);
  expect(readFields(lamp).cost).toBeNull();
  expect(await mcp.world.happened('updateListing')).toBe(0);
});

test('with the right to the shelf, an assistant finds listings by place, SKU and tag, page by page', async () => {
  allow({ shelf: true });
  expect([await find({ place: 'a04' }), await find({ sku: 'b01-7' }), await find({ tag: 'Summer' })]).toEqual([
    [shirt],
    [lamp],
    [shirt],
  ]);
  expect([await find({ place: 'A04', status: 'sold' }), await find({ tag: 'summ' })]).toEqual([[], []]);
  // A quote is part of the value, and what the person paid, or where, cannot be searched.
  for (const query of [{ place: '"' }, { place: 'A04', query: 'tag:"x' }, { place: 'A04', query: 'Erlang' }])
    expect(await find(query)).toEqual([]);
  mcp.world.companion().shelf.change({ listingIds: [shirt, lamp] }, { place: 'C1' });
  const first = found.parse((await mcp.client.call('list_listings', { place: 'C1', limit: 1 })).data);
  const second = await find({ place: 'C1', limit: 1, cursor: first.nextCursor });
  expect([...first.listings.map(({ listingId }) => listingId), ...second].toSorted()).toEqual([shirt, lamp].toSorted());
  const other = await mcp.client.call('list_listings', { place: 'C1', cursor: 'of another search' });
  expect(other.data).toMatchObject({ code: 'INVALID_REQUEST' });
});

test('an assistant gives a new item a place together with its photos, and only with the right to the shelf', async () => {
  const folder = await mcp.world.folder('teapot', 1);
  allow({ shelf: false, folders: [folder] });
  const wish = { folder, shelf: { place: 'D4', sku: 'D4-1' }, waitS: 0 };
  expect((await mcp.client.call('create_listing_from_photos', wish)).data).toMatchObject({ code: 'NOT_ALLOWED' });
  expect(mcp.world.companion().items.list.counts().all).toBe(2);
  allow({ shelf: true });
  const made = await mcp.client.call('create_listing_from_photos', wish);
  const { itemId } = z.looseObject({ itemId: z.string() }).parse(made.data);
  expect(mcp.world.companion().shelf.read({ itemId }).fields).toMatchObject({ place: 'D4', sku: 'D4-1' });
  const again = await mcp.client.call('list_listings', { sku: 'D4-1' });
  expect(again.isError).toBe(false);
});

test('an assistant that may only read changes nothing, and one with its own listings sees no others', async () => {
  allow({ shelf: true, scope: 'read' });
  const edited = await mcp.client.call('edit_listing', { listingId: lamp, shelf: { note: 'mine' } });
  expect(edited.data).toMatchObject({ code: 'NOT_ALLOWED' });
  allow({ scope: 'ask', touches: 'own' });
  // A page that is empty, although more pages follow, would tell how many listings the person has there.
  const page = (await mcp.client.call('list_listings', { place: 'C1', limit: 1 })).data;
  expect(page).toMatchObject({ listings: [], nextCursor: null });
  const others = await mcp.client.call('edit_listing', { listingId: lamp, shelf: { note: 'mine' } });
  expect(others.data).toMatchObject({ code: 'NOT_YOUR_LISTING' });
  expect(readFields(lamp).note).toBeNull();
});
