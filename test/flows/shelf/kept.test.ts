import Database from 'better-sqlite3';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { emptyShelf, skuPatternShape, type ShelfFields } from '../../../src/core/base/shelfFields.ts';
import { calls } from '../../../src/ipc/calls.ts';
import { restoreRequestedBackup } from '../../../src/core/storage/restore.ts';
import { connectAs } from '../../helpers/approvals/decisions.ts';
import { startRecordingProxy } from '../../helpers/hosts/recordingProxy.ts';
import { startTestPractice } from '../../helpers/practice.ts';
import { readExport } from '../../helpers/approvals/readExport.ts';
import { startWorld, type World } from '../../helpers/world.ts';

let world: World;
let closeOthers: () => Promise<void> = () => Promise.resolve();
afterEach(async () => {
  await world.close();
  await closeOthers();
  closeOthers = () => Promise.resolve();
});

const shelf = () => world.companion().shelf;
const readFields = (itemId: string) => shelf().read({ itemId }).fields;
const drop = async (name: string): Promise<string> => {
  const { itemIds } = await world.companion().add({ kind: 'paths', paths: [await world.folder(name, 1)] });
  return itemIds[0] ?? '';
};
const changeDatabase = (sql: string): void => {
  const db = new Database(join(world.dataDir, 'companion.db'));
  db.exec(sql);
  db.close();
};

test('a restored backup brings the shelf back', async () => {
  world = await startWorld();
  const itemId = await drop('red hat');
  shelf().change({ itemIds: [itemId] }, allFields);
  const before = readFields(itemId);
  const made = await world.companion().backups.make();
  shelf().change({ itemIds: [itemId] }, emptyShelf);
  await world.companion().backups.restore(made?.name ?? '');
  await world.stop();
  restoreRequestedBackup(world.dataDir, null, world.clock.now());
  await world.begin();
  expect(before).toEqual(allFields);
  expect(readFields(itemId)).toEqual(before);
  // The words of the search are those of the backup, too.
  const { list } = world.companion().items;
  expect(await list.found({ find: 'place:A04 hat', language: 'en' })).toMatchObject({ itemIds: [itemId] });
});

test('a pattern in the settings reads folder names, and can be tried on the last ten', async () => {
  world = await startWorld();
  world
    .companion()
    .changeSettings({ deferDrops: true, marketplaceId: 'MKT_GB', folderPattern: '{place} {title} {cost}' });
  const lamp = await drop('K7 brass lamp 12,5');
  const hat = await drop('red hat bin A02');
  expect(world.companion().items.get(lamp)).toMatchObject({ name: 'brass lamp', note: 'brass lamp' });
  expect(readFields(lamp)).toEqual({ ...emptyShelf, place: 'K7', cost: { minor: 1_250, currency: 'GBP' } });
  // A name that does not fit the pattern is read by its words.
  expect(readFields(hat)).toEqual({ ...emptyShelf, place: 'A02' });
  const preview = shelf().previewFolders('{title} {cost}');
  expect(preview.map(({ folderName, words }) => [folderName, words])).toEqual([
    ['red hat bin A02', 'red hat'],
    ['K7 brass lamp 12,5', 'K7 brass lamp'],
  ]);
  expect(shelf().previewFolders('')[1]?.words).toBe('K7 brass lamp 12,5');
});

const allFields: ShelfFields = {
  sku: 'A04-1',
  place: 'A04',
  cost: { minor: 350, currency: 'EUR' },
  boughtAt: '2026-11-02',
  boughtFrom: 'Erlangen market',
  package: { weightG: 500, lengthMm: 300, widthMm: 200, heightMm: 100 },
  tags: ['hat', 'Vintage'],
  note: 'left sleeve',
  postagePaid: { minor: 499, currency: 'EUR' },
  otherCosts: { minor: 120, currency: 'USD' },
};

test('a restart, a new connection and a visit of another account keep every shelf field', async () => {
  world = await startWorld();
  const itemId = await drop('red hat');
  const { listingId } = await world.item(itemId, 'review');
  shelf().change({ itemIds: [itemId] }, allFields);
  const readBoth = () => [readFields(itemId), shelf().read({ listingId: listingId ?? '' }).fields];
  await world.stop();
  await world.begin();
  expect(readBoth()).toEqual([allFields, allFields]);
  await world.companion().connect.forget();
  await world.companion().connect.practice();
  expect(readBoth()).toEqual([allFields, allFields]);
  await connectAs(world, 'other-seller@example.com');
  expect(readBoth()).toEqual([emptyShelf, emptyShelf]);
  expect(shelf().findBySku('A04-1')).toEqual([]);
  await world.companion().connect.practice();
  expect(readBoth()).toEqual([allFields, allFields]);
});

test('a merge keeps the first item’s fields and fills its empty ones, and a split copies the shared fields', async () => {
  world = await startWorld();
  world.companion().changeSettings({ deferDrops: true });
  const folders = [await world.folder('red hat', 2), await world.folder('blue hat', 1)];
  const { itemIds } = await world.companion().add({ kind: 'paths', paths: folders });
  const [hat = '', other = ''] = itemIds;
  const { items } = world.companion();
  await world.until(() => itemIds.every((id) => items.get(id).step === 'arranging'), 'arranging');
  const { place, boughtAt, boughtFrom, tags } = allFields;
  shelf().change({ itemIds: [hat] }, { place: 'B01', cost: { minor: 1, currency: 'USD' }, tags: ['Blue'] });
  shelf().change({ itemIds: [other] }, allFields);
  await items.arranging.merge([hat, other]);
  const merged = { ...allFields, place: 'B01', cost: { minor: 1, currency: 'USD' }, tags: ['Blue', ...tags] };
  expect(readFields(hat)).toEqual(merged);
  await items.arranging.undo();
  shelf().change({ itemIds: [hat] }, allFields);
  const [photo] = items.get(hat).photos;
  const [, part] = await items.arranging.split([photo?.photoId ?? '']);
  expect(readFields(part?.itemId ?? '')).toEqual({ ...emptyShelf, place, boughtAt, boughtFrom, tags });
  expect(readFields(hat)).toEqual(allFields);
});

test('items that are older than the shelf get the fields of their folder names once', async () => {
  world = await startWorld();
  world.companion().changeSettings({ deferDrops: true });
  const itemId = await drop('red hat (Regal 3, paid €4)');
  await world.stop();
  changeDatabase(`delete from shelf; delete from settings where name = 'shelf filled'`);
  await world.begin();
  expect(readFields(itemId)).toEqual({ ...emptyShelf, place: 'Regal 3', cost: { minor: 400, currency: 'EUR' } });
  shelf().change({ itemIds: [itemId] }, { place: null, cost: null });
  await world.stop();
  await world.begin();
  expect(readFields(itemId)).toEqual(emptyShelf);
});

test('a row of a listing is merged into the row of the item that turns out to have made it', async () => {
  world = await startWorld();
  const itemId = await drop('red hat bin A02');
  const { listingId = '' } = await world.item(itemId, 'review');
  // As if an answer had been lost: the item does not know its listing yet, and the person edits the listing.
  await world.stop();
  changeDatabase(`update items set listing_id = null; update shelf set listing_id = null;
    insert into shelf (account, listing_id, fields, place_key, words, changed_at)
      select account, '${listingId}', '{"place":"B01","sku":"B01-9"}', 'b01', 'B01-9 B01', 1 from items;
    update shelf set sku_key = 'b01-9' where item_id is null;
    update items set listing_id = '${listingId}'`);
  await world.begin();
  expect(readFields(itemId)).toEqual({ ...emptyShelf, place: 'A02', sku: 'B01-9' });
  expect(shelf().read({ listingId: listingId ?? '' }).fields).toEqual(readFields(itemId));
  expect(shelf().findBySku('B01-9')).toMatchObject([{ itemId, listingId }]);
});

test('the export of the person contains the shelf', async () => {
  world = await startWorld();
  const itemId = await drop('red hat');
  await world.item(itemId, 'review');
  shelf().change(
    { itemIds: [itemId] },
    { sku: 'A04-1', place: 'A04', cost: { minor: 350, currency: 'EUR' }, tags: ['hat', '80s'], note: 'left "sleeve"' },
  );
  const everyListing = { q: '', statuses: [], site: null, from: null, to: null, minCents: null, maxCents: null };
  const text = await readExport(world, ({ exportListings }) => exportListings(everyListing));
  const [head = '', line = ''] = text.split('\r\n');
  expect(head).toContain('own_sku,place,cost,cost_currency,bought_at,bought_from,weight_g,tags,note');
  expect(line).toContain('A04-1,A04,3.50,EUR,,,,"hat, 80s","left ""sleeve"""');
});

test('the companion remembers the SKU that a live listing got last, which the service might not show', async () => {
  world = await startWorld();
  const listingId = await world.practice.live((await world.secrets.get('agent-key practice')) ?? '');
  const params = { listingId };
  await world.perform('readListing', { params });
  const readRow = () => world.companion().listings.rows([listingId])[0];
  shelf().change({ listingIds: [listingId] }, { sku: 'A04-1' });
  await world.perform('reviseListing', { params, body: { sku: 'A04-1' } });
  // A change that is only asked for has sent nothing.
  expect(readRow()?.sentSku).toBeNull();
  const [asked] = world.companion().approvals.listPending();
  await world.approve({ approvalId: asked?.approvalId ?? '', digest: asked?.digest ?? '' });
  await world.until(() => readRow()?.sentSku === 'A04-1', 'the SKU was sent');
  // A change of another field keeps it, and so does a restart.
  await world.perform('reviseListing', { params, body: { price: 4_200 } });
  const [price] = world.companion().approvals.listPending();
  await world.approve({ approvalId: price?.approvalId ?? '', digest: price?.digest ?? '' });
  await world.stop();
  await world.begin();
  expect(readRow()?.sentSku).toBe('A04-1');
});

test('the shelf of a listing made elsewhere changes while it is live, sold and ended, without a request or a prompt', async () => {
  const practice = await startTestPractice();
  const proxy = await startRecordingProxy(practice.url);
  closeOthers = async () => {
    await proxy.close();
    await practice.close();
  };
  world = await startWorld({ practice, reach: () => proxy.url });
  const key = (await world.secrets.get('agent-key practice')) ?? '';
  const [sold, ended] = [await practice.live(key), await practice.live(key)];
  const listingIds = [sold, ended];
  const readStatuses = () => Promise.all(listingIds.map(async (listingId) => (await world.listing(listingId)).status));
  const changeAll = async (note: string): Promise<void> => {
    proxy.take();
    shelf().change({ listingIds }, { ...allFields, note });
    expect(listingIds.map((listingId) => shelf().read({ listingId }).fields)).toEqual(
      listingIds.map(() => ({ ...allFields, note })),
    );
    // Only this read reaches the service.
    await world.listing(sold);
    expect(proxy.take().map(({ method }) => method)).toEqual(['GET']);
    expect(world.companion().approvals.listPending()).toEqual([]);
  };
  expect(await readStatuses()).toEqual(['published', 'published']);
  await changeAll('live');
  await practice.control('POST', '/sales', { listingId: sold, buyer: 'ada' });
  await practice.call(key, 'POST', `/market/end/${ended}`, {});
  expect(await readStatuses()).toEqual(['sold', 'ended']);
  expect(shelf().read({ listingId: sold }).fields.note).toBe('live');
  await changeAll('after the sale');
});

test('a tag or a pattern that could not be read back is refused, so no list becomes unreadable', async () => {
  world = await startWorld();
  const itemId = await drop('red hat');
  for (const hidden of ['a\tb', 'a\u202ab', 'a\ud800b']) {
    const input = { itemIds: [itemId], changes: {}, addTags: [hidden] };
    expect(calls['shelf.change'].input.safeParse(input).success).toBe(false);
    expect(() => shelf().change({ itemIds: [itemId] }, {}, [hidden])).toThrow('tags');
    expect(skuPatternShape.safeParse(`${hidden}-{n}`).success).toBe(false);
  }
  expect(readFields(itemId)).toEqual(emptyShelf);
  const { list } = world.companion().items;
  expect(list.page(await list.found({ find: '', language: 'en' }), 'all', 0, 10).rows).toHaveLength(1);
});

test('a weight without a size survives when the row of an item takes over the row of its listing', async () => {
  world = await startWorld();
  const itemId = await drop('red hat');
  const { listingId = null } = await world.item(itemId, 'review');
  const size = { weightG: 500, lengthMm: null, widthMm: null, heightMm: null };
  shelf().change({ itemIds: [itemId] }, { package: size });
  await world.stop();
  // As a database in which the listing got a row of its own before the item knew it.
  changeDatabase(`update items set listing_id = null; update shelf set listing_id = null;
    insert into shelf (account, listing_id, fields, changed_at) select account, '${listingId}', '{"place":"A04"}', 1 from shelf;
    update items set listing_id = '${listingId}'`);
  await world.begin();
  expect(readFields(itemId)).toEqual({ ...emptyShelf, place: 'A04', package: size });
});
