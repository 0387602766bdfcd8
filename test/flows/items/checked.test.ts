import { afterEach, expect, test } from 'vitest';
import type { ItemView } from '../../../src/core/storage/tables/itemRecord.ts';
import { pairWithId } from '../../helpers/bridge/scene.ts';
import { startWorld, type World } from '../../helpers/world.ts';

let world: World;
afterEach(() => world.close());

const items = () => world.companion().items;
const get = (itemId: string): ItemView => items().get(itemId);
const generateItem = async (name: string): Promise<{ itemId: string; listingId: string }> => {
  const { itemIds } = await world.companion().add({ kind: 'paths', paths: [await world.folder(name)] });
  const { itemId, listingId } = await world.item(itemIds[0] ?? '', 'review');
  return { itemId, listingId: listingId ?? '' };
};
/** Checks an item, as the person does after reading its listing. */
const checkItem = ({ itemId, listingId }: { itemId: string; listingId: string }): ItemView =>
  items().check(itemId, world.companion().listings.readStored(listingId));
const listNamesAndSections = () =>
  items()
    .list.page(null, 'all', 0, 100)
    .rows.map(({ name, section }) => [name, section]);

test('a checked item stays checked after a restart and an edit by the person', async () => {
  world = await startWorld();
  const [bell, pot] = [await generateItem('a brass bell'), await generateItem('a tea pot')];
  expect(checkItem(bell).checked).toBe(true);
  await world.stop();
  await world.begin();
  expect([get(bell.itemId).checked, get(pot.itemId).checked]).toEqual([true, false]);
  await world.perform('updateListing', { params: { listingId: bell.listingId }, body: { title: 'A bell of brass' } });
  expect(get(bell.itemId).checked).toBe(true);
  expect(listNamesAndSections()).toEqual([
    ['a tea pot', 'toCheck'],
    ['a brass bell', 'ready'],
  ]);
  expect(items().list.ready(null)).toMatchObject({ total: 2, checked: [bell.itemId] });
  // The pot is the only unchecked item, so no item follows it.
  expect(items().list.nextToReview(null, pot.itemId)).toBeNull();
  expect(items().check(bell.itemId, null).checked).toBe(false);
  expect(items().list.nextToReview(null, pot.itemId)?.itemId).toBe(bell.itemId);
});

test('an edit by an assistant unchecks an item, but a read does not', async () => {
  world = await startWorld();
  const bridge = await world.bridge();
  const { itemId, listingId } = await generateItem('a brass bell');
  const helper = await pairWithId(world, bridge.url, 'Tidy Helper');
  world.companion().assistants.change(helper.assistantId, { scope: 'ask' });
  checkItem({ itemId, listingId });
  expect((await helper.call('GET', `/listings/${listingId}`)).status).toBe(200);
  expect(get(itemId).checked).toBe(true);
  const edit = await helper.call('PUT', `/listings/${listingId}`, { body: { title: 'Another bell' } });
  expect(edit.status).toBe(200);
  expect(get(itemId).checked).toBe(false);
  await bridge.stop();
});

test('checking an item fails if an assistant has edited the listing since it was displayed', async () => {
  world = await startWorld();
  const bridge = await world.bridge();
  const bell = await generateItem('a brass bell');
  const helper = await pairWithId(world, bridge.url, 'Tidy Helper');
  world.companion().assistants.change(helper.assistantId, { scope: 'ask' });
  const drawn = world.companion().listings.readStored(bell.listingId);
  await helper.call('PUT', `/listings/${bell.listingId}`, { body: { title: 'Another bell' } });
  expect(() => items().check(bell.itemId, drawn)).toThrow(expect.objectContaining({ code: 'LOOK_AGAIN' }));
  expect(get(bell.itemId).checked).toBe(false);
  expect(checkItem(bell).checked).toBe(true);
  await bridge.stop();
});

test('an item that is adapted to another site is no longer checked', async () => {
  world = await startWorld();
  const { itemId, listingId } = await generateItem('a brass bell');
  checkItem({ itemId, listingId });
  await world.perform('generateListing', {
    params: { listingId },
    body: { intent: 'adapt_marketplace', targetMarketplaceId: 'MKT_DE' },
  });
  expect(get(itemId).checked).toBe(false);
  await world.item(itemId, 'review');
  expect(get(itemId).checked).toBe(false);
});
