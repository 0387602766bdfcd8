import { setImmediate as immediate } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createContactSheetReader } from '../../../../src/core/items/arranging/contactSheet.ts';
import { groupPreparedDrop } from '../../../../src/core/items/arranging/groupPhotos.ts';
import {
  createArrangementActions,
  createArrangementQueue,
  type ItemControl,
} from '../../../../src/core/items/arranging/arrangementActions.ts';
import { type BordersQuery, estimateStoredBorders } from '../../../../src/core/items/arranging/storedBorders.ts';
import type { ItemsContext } from '../../../../src/core/items/itemsContext.ts';
import { createItemChangeLog } from '../../../../src/core/items/itemChanges.ts';
import { storeChosenPhotos, storeChosenPhotosInSlices } from '../../../../src/core/items/choosePhotos.ts';
import { type Db, openMigratedDatabase } from '../../../../src/core/storage/database.ts';
import { createArrangementsTable } from '../../../../src/core/storage/tables/arrangementsTable.ts';
import { createItemsTable } from '../../../../src/core/storage/tables/itemsTable.ts';
import { countReads } from '../../../helpers/hosts/countReads.ts';
import { readContactSheet } from '../../../helpers/photos/readContactSheet.ts';
import { createRandom } from '../../../helpers/createRandom.ts';
import { createTestClock } from '../../../helpers/testClock.ts';

const [account, itemId, dropId, photosOfThing] = ['a', 'it_card', 'drop', 5];

/** Creates one item of prepared photos from one folder that shows a thing in five photos each. */
const openFolder = (count: number, { sliceMs = 0, thingAt = (at: number) => Math.floor(at / photosOfThing) } = {}) => {
  const reads = countReads();
  const db = openMigratedDatabase(':memory:');
  onTestFinished(() => void db.close());
  const clock = createTestClock();
  const table = createItemsTable(reads.of(db));
  const random = createRandom(48);
  const createHex = (digits: number): string =>
    Array.from({ length: digits }, () => Math.floor(random() * 16).toString(16)).join('');
  const item = { item_id: itemId, account, name: 'card', by: { kind: 'person' as const }, idempotency_key: 'key' };
  const photos = Array.from({ length: count }, (_, at) => {
    const [name, source] = [`IMG_${at}.jpg`, `/card/IMG_${at}.jpg`];
    return { photoId: `ph_${at}`, name, source, root: '/card', owned: false };
  });
  table.add({ ...item, step: 'arranging', review_reason: 'grouped', drop_id: dropId, created_at: clock.now() }, photos);
  let [colours, thing] = ['', -1];
  for (const [at, { photoId }] of photos.entries()) {
    const nth = thingAt(at);
    if (nth !== thing) [colours, thing] = [createHex(128), nth];
    table.notePhoto(photoId, { state: 'ready', hash64: createHex(16), colours, taken_at: at * 5_000 + nth * 600_000 });
  }
  const arrangements = createArrangementsTable(reads.of(db));
  let elapsedMs = 0;
  const slowClock = { ...clock, elapsedMs: () => (elapsedMs += sliceMs) };
  const context = {
    ...{ table, arrangements, clock: slowClock, account: () => account },
    ...{ photoCap: () => 24, notifyItemChanged: () => undefined, log: () => undefined },
    estimateBorders: async (query: BordersQuery) => estimateStoredBorders(createItemsTable(db), query),
    arrangeInTurn: createArrangementQueue(),
  };
  const group = (signal = new AbortController().signal) => groupPreparedDrop(context, dropId, signal);
  reads.begin();
  return { context, group, table, reads, db };
};

const countGroupingReads = async (count: number): Promise<number> => {
  const { group, reads, db } = openFolder(count);
  await group();
  expect(db.prepare('select count(*) from items').pluck().get()).toBe(count / photosOfThing);
  expect(db.prepare('select count(*) from photos join items using (item_id) where position = 0').pluck().get()).toBe(
    count / photosOfThing,
  );
  return reads.rows();
};

test('grouping twice as many photos of one folder reads about twice as many rows', async () => {
  const [less, more] = [await countGroupingReads(300), await countGroupingReads(600)];
  expect(less).toBeLessThan(12 * 300);
  expect(more / less).toBeLessThan(2.2);
});

const readPlaces = (db: Db): unknown[] =>
  db.prepare('select item_id, photo_id from photos order by item_id, position').all();

const openActions = ({ context, table }: Pick<ReturnType<typeof openFolder>, 'context' | 'table'>) =>
  createArrangementActions(
    { ...context, arrangeInTurn: createArrangementQueue() } as unknown as ItemsContext,
    {
      ...{ need: (id: string) => table.read(id), halt: async () => undefined, start: () => undefined },
      ...{ view: (item: unknown) => item, groupDrops: () => undefined },
    } as unknown as ItemControl,
  );

test('the last change is read without its photos, and only while all its items can be arranged', async () => {
  const { context, group, table, reads, db } = openFolder(600);
  await group();
  const { lastChange } = openActions({ context, table });
  // Whatever reads the state before the change fails.
  db.prepare("update arrangements set before = 'unreadable'").run();
  reads.begin();
  expect(lastChange()).toMatchObject({ label: 'Split by how photos look' });
  expect(reads.rows()).toBeLessThan(5);
  table.changePhoto('ph_0', { uploaded_at: 1 });
  expect(lastChange()).toBeNull();
});

test('a grouping that is stopped half-way is visible to other work, continues later and can be undone', async () => {
  const { context, group, table, db } = openFolder(300, { sliceMs: 10 });
  const before = readPlaces(db);
  const abort = new AbortController();
  const countItems = db.prepare('select count(*) from items').pluck();
  const seen: unknown[] = [];
  const stopAfterTenItems = async (): Promise<void> => {
    while (!abort.signal.aborted) {
      seen.push(countItems.get());
      if (seen.at(-1) === 10) abort.abort();
      await immediate();
    }
  };
  await Promise.all([stopAfterTenItems(), group(abort.signal)]);
  expect(seen).toEqual(expect.arrayContaining([1, 5, 9, 10]));
  expect(table.photos(itemId)).toHaveLength(300 - 9 * photosOfThing);
  expect(table.pages.preparedDrops(account)).toEqual([dropId]);
  await group();
  expect(countItems.get()).toBe(60);
  expect(table.pages.preparedDrops(account)).toEqual([]);
  const { undo } = openActions({ context, table });
  await undo();
  await undo();
  expect(readPlaces(db)).toEqual(before);
});

test('the contact sheet is computed again only after an item has changed, and only for this item', async () => {
  const { context, group, reads } = openFolder(300);
  await group();
  const changes = createItemChangeLog();
  const notified = Promise.withResolvers<void>();
  const sheets = createContactSheetReader({ ...context, notifyWindows: notified.resolve }, changes);
  const { readOrder: readSheet } = sheets;
  readSheet();
  await notified.promise;
  const sheet = readSheet();
  expect(sheet.rows).toHaveLength(60);
  reads.begin();
  expect(readSheet()).toBe(sheet);
  expect(reads.rows()).toBe(0);
  context.table.change(itemId, { name: 'moved' }, 0);
  changes.note(itemId);
  expect(readSheet().rows).toEqual(sheet.rows);
  // The items, and one row for the photos of the changed item.
  expect(reads.rows()).toBe(60 + 1);
  reads.begin();
  expect(sheets.readRow(itemId)).toMatchObject({ name: 'moved', photos: { length: photosOfThing } });
  expect(reads.rows()).toBeLessThanOrEqual(2 * photosOfThing);
});

test('a photo of many is changed without reading the others, and the choice is stored with one statement', () => {
  const { table, reads, db } = openFolder(600);
  expect(table.photos(itemId)).toHaveLength(600);
  reads.begin();
  for (let at = 0; at < 50; at += 1) {
    table.notePhoto(`ph_${at}`, { barcodes: [{ value: '9780306406157', format: 'EAN-13' }] });
    expect(table.photos(itemId)[at]?.barcodes).toHaveLength(1);
  }
  expect(reads.rows()).toBe(50);
  expect(storeChosenPhotos({ table }, itemId, 24)).toHaveLength(24);
  expect(reads.rows()).toBe(50);
  const stored = db.prepare("select photo_id from photos where aside = 'over_cap' order by position").pluck().all();
  expect(stored).toHaveLength(576);
  expect(
    table
      .photos(itemId)
      .filter(({ aside }) => aside === 'over_cap')
      .map(({ photo_id }) => photo_id),
  ).toEqual(stored);
});

test('the first contact sheet of many items is read in slices and is the one that is read at once', async () => {
  const { context, group } = openFolder(2_000);
  await group();
  const createReader = () =>
    createContactSheetReader(
      { ...context, estimateBorders: async () => null, notifyWindows: () => undefined },
      createItemChangeLog(),
    );
  const [inSlices, atOnce] = [createReader(), createReader()];
  let isOver = false;
  let turns = 0;
  const countTurns = async (): Promise<void> => {
    for (; !isOver; turns += 1) await immediate();
  };
  const counting = countTurns();
  await Promise.all([inSlices.load(), inSlices.load()]);
  isOver = true;
  await counting;
  expect(turns).toBeGreaterThanOrEqual(4);
  expect(inSlices.readOrder()).toEqual(atOnce.readOrder());
  expect(readContactSheet(inSlices)).toEqual(readContactSheet(atOnce));
  expect(readContactSheet(inSlices).rows).toHaveLength(400);
});

test('the photos of a large group are chosen in slices between which other work runs', async () => {
  const { context, group, db } = openFolder(1_600, { thingAt: (at) => (at < 5 ? 0 : 1) });
  const countOverCap = db.prepare("select count(*) from photos where aside = 'over_cap'").pluck();
  const seen = new Set<unknown>();
  let isOver = false;
  const watch = async (): Promise<void> => {
    for (; !isOver; await immediate()) seen.add(countOverCap.get());
  };
  const watching = watch();
  await group();
  isOver = true;
  await watching;
  const large = db.prepare('select item_id from photos group by 1 order by count(*) desc').pluck().get();
  expect(db.prepare('select count(*) from photos where item_id = ?').pluck().get(large)).toBe(1_595);
  expect(countOverCap.get()).toBe(1_595 - 24);
  expect(seen.size).toBeGreaterThan(3);
  expect(context.table.photos(String(large)).filter(({ state }) => state === 'ready')).toHaveLength(24);
});

const readChoices = (db: Db): unknown[] =>
  db.prepare('select photo_id, state, aside, duplicate_of, sentence from photos order by position').all();

test('the photos of a large item are chosen in slices between which other work runs', async () => {
  const [{ context, db }, whole] = [openFolder(2_000), openFolder(2_000)];
  let isOver = false;
  let turns = 0;
  const countTurns = async (): Promise<void> => {
    for (; !isOver; turns += 1) await immediate();
  };
  const counting = countTurns();
  const chosen = await storeChosenPhotosInSlices(context, itemId, 24);
  isOver = true;
  await counting;
  expect(turns).toBeGreaterThan(5);
  expect(storeChosenPhotos(whole.context, itemId, 24).map(({ photo_id }) => photo_id)).toEqual(
    chosen.map(({ photo_id }) => photo_id),
  );
  expect(readChoices(db)).toEqual(readChoices(whole.db));
});

test('a photo that the person sets aside while the photos are chosen does not go to the listing', async () => {
  const { context, table } = openFolder(2_000);
  const choosing = storeChosenPhotosInSlices(context, itemId, 24);
  table.changePhoto('ph_3', { choice: 'aside' });
  const chosen = (await choosing).map(({ photo_id }) => photo_id);
  expect(chosen).toHaveLength(24);
  expect(chosen).not.toContain('ph_3');
  expect(table.photo('ph_3')).toMatchObject({ state: 'aside', aside: 'person' });
});
