import { afterEach, expect, test } from 'vitest';
import { emptyShelf } from '../../../src/core/base/shelfFields.ts';
import { startWorld, type World } from '../../helpers/world.ts';

let world: World;
afterEach(() => world.close());

const shelf = () => world.companion().shelf;
const drop = async (...names: string[]): Promise<string[]> => {
  const paths = [];
  for (const name of names) paths.push(await world.folder(name, 1));
  return (await world.companion().add({ kind: 'paths', paths })).itemIds;
};
const findItems = async (find: string): Promise<string[]> => {
  const { list } = world.companion().items;
  return list.page(await list.found({ find, language: 'en' }), 'all', 0, 50).rows.map(({ itemId }) => itemId);
};
const everyListing = { statuses: [], site: null, from: null, to: null, minCents: null, maxCents: null };
const findListings = (q: string): string[] =>
  world
    .companion()
    .listings.search({ ...everyListing, q }, { sort: 'newest', offset: 0, limit: 50 })
    .rows.map(({ listingId }) => listingId);

test('private words of a folder become shelf fields, which follow the item to its listing', async () => {
  world = await startWorld();
  const [itemId = ''] = await drop('Harrow shirt 2 (bin A02, cost 3.50)');
  const { listingId } = await world.item(itemId, 'review');
  const kept = { ...emptyShelf, place: 'A02', cost: { minor: 350, currency: 'USD' } };
  expect(shelf().read({ itemId })).toEqual({ fields: kept, skuTakenBy: null, nextSku: 'A02-1' });
  expect(shelf().read({ listingId: listingId ?? '' }).fields).toEqual(kept);
  expect([await findItems('place:a02'), findListings('place:a02')]).toEqual([[itemId], [listingId]]);
});

test('words and operators find items and listings by their shelf', async () => {
  world = await startWorld();
  const [shirt = '', lamp = ''] = await drop('Harrow shirt', 'brass lamp');
  const { listingId } = await world.item(shirt, 'review');
  await world.item(lamp, 'review');
  const all = findListings('');
  expect(all).toHaveLength(2);
  shelf().change(
    { itemIds: [shirt] },
    { place: 'A04-left', tags: ['Vintage'], note: 'smells of moth balls', boughtFrom: 'Erlangen market' },
  );
  shelf().change({ itemIds: [lamp] }, { place: 'A041', sku: 'X-77' });
  for (const find of [
    'vintage',
    'moth',
    'place:A04',
    'place:a04-LEFT',
    'place:A04 vintage',
    'vintage place:"A04-left"',
  ])
    expect([find, await findItems(find), findListings(find)]).toEqual([find, [shirt], [listingId]]);
  for (const find of ['place:A041', 'sku:x-77', 'sku:X-77 place:A041']) {
    expect([find, await findItems(find)]).toEqual([find, [lamp]]);
    expect(findListings(find)).toEqual(all.filter((id) => id !== listingId));
  }
  for (const find of ['erlang', 'place:A0', 'sku:X-7', 'place:A041 vintage', 'sku:A04-left'])
    expect([find, await findItems(find), findListings(find)]).toEqual([find, [], []]);
  expect([await findItems('place:'), findListings('place:')]).toEqual([await findItems(''), all]);
});

test('a shelf row survives a restart, the removal of its item and another account', async () => {
  world = await startWorld();
  const [itemId = ''] = await drop('Harrow shirt');
  const { listingId = null } = await world.item(itemId, 'review');
  const target = { listingId: listingId ?? '' };
  shelf().change({ listingIds: [target.listingId] }, { place: 'A04', note: 'left sleeve' });
  await world.companion().items.remove(itemId);
  await world.companion().connect.forget();
  await world.stop();
  await world.begin();
  await world.companion().connect.practice();
  expect(shelf().read(target).fields).toEqual({ ...emptyShelf, place: 'A04', note: 'left sleeve' });
  expect(findListings('sleeve')).toEqual([listingId]);
});

test('numbering follows the order, keeps typed SKUs, and can be undone', async () => {
  world = await startWorld();
  world.companion().changeSettings({ deferDrops: true });
  const [a = '', b = '', c = '', d = ''] = await drop('one', 'two', 'three', 'four');
  shelf().change({ itemIds: [a, b, c] }, { place: 'A04' });
  shelf().change({ itemIds: [b] }, { sku: 'MINE' });
  expect(shelf().number({ itemIds: [c, b, a, d] })).toEqual({ numbered: 2, kept: 1, withoutPlace: 1 });
  const skus = () => [a, b, c, d].map((itemId) => shelf().read({ itemId }).fields.sku);
  expect(skus()).toEqual(['A04-2', 'MINE', 'A04-1', null]);
  shelf().undo();
  expect(skus()).toEqual([null, 'MINE', null, null]);
  expect(() => shelf().undo()).toThrow('no change to take back');
  // An SKU that is in use twice is a warning.
  shelf().change({ itemIds: [a] }, { sku: 'mine' });
  expect(shelf().read({ itemId: a }).skuTakenBy).toMatchObject({ itemId: b });
});

test('an edit of many rows is undone in each of its fields', async () => {
  world = await startWorld();
  world.companion().changeSettings({ deferDrops: true });
  const [a = '', b = ''] = await drop('one', 'two');
  shelf().change({ itemIds: [a] }, { place: 'A04', tags: ['hat'], cost: { minor: 350, currency: 'USD' } });
  const readBoth = () => [a, b].map((itemId) => shelf().read({ itemId }).fields);
  const before = readBoth();
  const edit = { place: 'C02', boughtFrom: 'fair', note: 'left sleeve', cost: { minor: 900, currency: 'EUR' } };
  shelf().change({ itemIds: [a, b] }, { ...edit, tags: ['lot 7'] });
  expect(readBoth()).toEqual(before.map((fields) => ({ ...fields, ...edit, tags: ['lot 7'] })));
  shelf().undo();
  expect(readBoth()).toEqual(before);
});

test('a merge fills empty fields, a split copies the place, and undo restores both', async () => {
  world = await startWorld();
  world.companion().changeSettings({ deferDrops: true });
  const [a = '', b = ''] = await drop('red hat', 'blue hat');
  await world.until(() => [a, b].every((id) => world.companion().items.get(id).step === 'arranging'), 'arranging');
  shelf().change({ itemIds: [a] }, { place: 'A04', tags: ['hat'] });
  shelf().change({ itemIds: [b] }, { place: 'B01', sku: 'B01-9', tags: ['Hat', 'blue'] });
  const { arranging } = world.companion().items;
  const before = shelf().read({ itemId: a }).fields;
  await arranging.merge([a, b]);
  expect(shelf().read({ itemId: a }).fields).toEqual({ ...before, sku: 'B01-9', tags: ['hat', 'blue'] });
  await arranging.undo();
  expect(shelf().read({ itemId: a }).fields).toEqual(before);
  expect(shelf().read({ itemId: b }).fields).toMatchObject({ place: 'B01', sku: 'B01-9' });
});
