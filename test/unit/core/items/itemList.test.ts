import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as immediate } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createChangeRecordingTable, createItemChangeLog } from '../../../../src/core/items/itemChanges.ts';
import { createItemList, type FilteredItems } from '../../../../src/core/items/itemList.ts';
import { createWarningReader } from '../../../../src/core/listings/warningReader.ts';
import { createWarningFactsTable } from '../../../../src/core/storage/tables/listings/warningFactsTable.ts';
import { countReads } from '../../../helpers/hosts/countReads.ts';
import { addManyItems } from '../../../helpers/manyItems.ts';
import type { ItemError } from '../../../../src/core/storage/tables/itemRecord.ts';
import { createItemsTable } from '../../../../src/core/storage/tables/itemsTable.ts';
import { openMigratedDatabase, type Db } from '../../../../src/core/storage/database.ts';

const count = 10_000;
const account = 'practice#me';
const all = { find: '', language: 'en' } as const;

let dir: string;
let db: Db;
const reads = countReads();
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'items-'));
  db = openMigratedDatabase(join(dir, 'companion.db'));
  addManyItems(db, account, count);
});
afterAll(async () => {
  db.close();
  await rm(dir, { recursive: true, force: true });
});

const openList = () => {
  const changes = createItemChangeLog();
  const { pages, shelf } = createItemsTable(reads.of(db));
  const clock = { now: () => 1_800_000_000_000 };
  const list = createItemList({
    ...{ pages, shelf, clock, changes },
    account: () => account,
    placeInLine: () => null,
    trouble: () => null,
    readWarnings: createWarningReader(
      createWarningFactsTable(reads.of(db)),
      () => [],
      () => account,
    ),
  });
  return { list, changes };
};

type List = ReturnType<typeof openList>['list'];

const findIds = async (list: List, find: string, language: 'en' | 'de' = 'en'): Promise<readonly string[] | null> => {
  const found = await list.found({ find, language });
  return found === null || found === 'open' ? null : found.itemIds;
};

/** Returns what a search returns that finds only this item to check. */
const createFound = (itemId: string): FilteredItems => ({
  itemIds: [itemId],
  sections: { toCheck: 1, working: 0, ready: 0, live: 0 },
});

const stopOf = (code: string): ItemError => ({ kind: 'failed', code, sentence: '', next: [] });

/** Returns how many rows an answer reads from the database, and the size of the answer. */
const measureCost = async (ask: () => unknown): Promise<{ rows: number; bytes: number }> => {
  reads.begin();
  const answer = await ask();
  return { rows: reads.rows(), bytes: JSON.stringify(answer).length };
};

test('a page of a long item list reads only the rows that it returns', async () => {
  const { list } = openList();
  for (const offset of [0, 5_000, count - 100]) {
    const cost = await measureCost(() => list.page(null, 'all', offset, 100));
    // One id and one row per item, plus one count per section.
    expect(cost.rows).toBeLessThanOrEqual(2 * 100 + 4);
    expect(cost.bytes).toBeLessThan(100_000);
  }
  const { total, rows } = list.page(null, 'all', count - 100, 100);
  expect([total, rows.length, rows.at(-1)?.itemId]).toEqual([count, 100, `it_many_${count - 3}`]);
  expect(JSON.stringify(rows)).not.toContain('IMG_');
});

test('item counts, selections and neighbours are read without scanning the whole list', async () => {
  const { list } = openList();
  const publishable = (3 * count) / 10;
  expect(list.counts()).toEqual({ all: count, toCheck: count / 2, publishable, deferred: count / 10, duplicates: 0 });
  expect(await measureCost(() => list.counts())).toMatchObject({ rows: 1 });
  const ready = list.ready(null);
  expect([ready.total, ready.itemIds.length]).toEqual([publishable, 200]);
  expect((await measureCost(() => list.ready(null))).rows).toBeLessThanOrEqual(201);
  const chosen = list.chosen(null, ready.itemIds);
  expect([chosen.ready.length, chosen.arrangeable.length]).toEqual([200, 0]);
  expect((await measureCost(() => list.chosen(null, ready.itemIds))).rows).toBe(200);
  expect((await measureCost(() => list.beside(null, 'it_many_7000', 1))).rows).toBeLessThanOrEqual(4);
  expect((await measureCost(() => list.nextToReview(null, 'it_many_7000'))).rows).toBeLessThanOrEqual(5);
});

test('item searches read small batches, each item only once, and then only the items that change', async () => {
  const { list, changes } = openList();
  reads.begin();
  let turns = 0;
  let done = false;
  const watching = (async () => {
    for (; !done; turns += 1) await immediate();
  })();
  const found = await list.found({ find: 'camera ready to REVIEW', language: 'en' });
  done = true;
  await watching;
  expect(list.page(found, 'all', 0, 1).total).toBe((3 * count) / 10);
  expect(reads.most()).toBeLessThanOrEqual(500);
  expect(turns).toBeGreaterThanOrEqual(count / 500);
  const typed = ['c', 'ca', 'camera no. 77', 'camera ready to REVIEW'];
  const typeAll = () => Promise.all(typed.map((find) => list.found({ find, language: 'en' })));
  expect((await measureCost(typeAll)).rows).toBe(0);
  const rename = (name: string): void => {
    db.prepare("update items set name = ? where item_id = 'it_many_0'").run(name);
    changes.note('it_many_0');
  };
  rename('renamed attic find');
  expect((await measureCost(typeAll)).rows).toBe(1);
  expect(await findIds(list, 'attic find')).toEqual(['it_many_0']);
  rename('thing 0');
  expect(await findIds(list, 'attic find')).toEqual([]);

  expect(await findIds(list, 'no. 4711,')).toEqual(['it_many_4711']);
  expect(await findIds(list, 'thing 9996')).toEqual(['it_many_9996']);
  expect(await findIds(list, 'BEREIT ZUM PRÜFEN', 'de')).toHaveLength((3 * count) / 10);
  expect(await list.found(all)).toBeNull();
  expect((await measureCost(() => list.page(found, 'all', 2_900, 100))).rows).toBe(100);
  expect(list.page(found, 'all', 2_900, 100)).toMatchObject({ total: 3_000, rows: { length: 100 } });
});

test('search results have the order and the sections of the list, also after a change', async () => {
  const { list, changes } = openList();
  const { add, change, remove } = createChangeRecordingTable(createItemsTable(db), changes);
  const expectSamePages = async (): Promise<void> => {
    // All items are named so.
    const found = await list.found({ find: 'thing', language: 'en' });
    for (const offset of [0, count / 2 - 50, count - 100])
      expect(list.page(found, 'all', offset, 100)).toEqual(list.page(null, 'all', offset, 100));
  };
  await expectSamePages();
  change('it_many_4', { checked_at: 1 }, 0);
  change('it_many_9', { stop: stopOf('ALLOWANCE_USED') }, 0);
  await expectSamePages();
  expect(list.page(await list.found({ find: 'thing 4', language: 'en' }), 'all', 0, 1).sections.ready).toBe(1);
  change('it_many_4', { checked_at: null }, 0);
  change('it_many_9', { stop: stopOf('OFFLINE') }, 0);
  await expectSamePages();
  const own = { account, name: 'a new thing', by: { kind: 'person' as const }, idempotency_key: 'key', created_at: 1 };
  add({ item_id: 'it_new', ...own }, []);
  await expectSamePages();
  remove('it_new');
  await expectSamePages();
});

test('the neighbours of an item are found in the whole list and in search results', async () => {
  const { list } = openList();
  expect(list.beside(null, 'it_many_4999', 1)).toEqual({ itemId: 'it_many_5000', at: 2_500 });
  expect(list.beside(null, 'it_many_5000', -1)).toEqual({ itemId: 'it_many_4999', at: 2_499 });
  // The first live item follows the last item to check, unless live items are folded.
  expect(list.beside(null, `it_many_${count - 1}`, 1)).toEqual({ itemId: 'it_many_1', at: count / 2 });
  expect(list.beside('open', `it_many_${count - 1}`, 1)).toBeNull();
  expect([list.beside(null, 'it_many_0', -1), list.beside(null, `it_many_${count - 3}`, 1)]).toEqual([null, null]);
  expect([list.beside(null, null, 1)?.at, list.beside(null, null, -1)?.at]).toEqual([0, count - 1]);
  const found = await list.found({ find: 'review', language: 'en' });
  // The first, fifth and ninth of every ten items are ready to review.
  expect(list.beside(found, 'it_many_4', 1)).toEqual({ itemId: 'it_many_8', at: 2 });
  expect(list.beside(found, 'it_many_8', -1)).toEqual({ itemId: 'it_many_4', at: 1 });
  expect(list.between(found, 'it_many_14', 'it_many_8')).toEqual(['it_many_8', 'it_many_10', 'it_many_14']);
  expect(list.between(found, 'it_many_1', 'it_many_8')).toEqual(['it_many_8']);
});

test('the next item to review is searched below the current item, then from the top', async () => {
  const { list } = openList();
  const from = (itemId: string | null) => list.nextToReview(null, itemId)?.itemId ?? null;
  expect(['it_many_0', 'it_many_6', `it_many_${count - 1}`, null, 'gone'].map(from)).toEqual([
    ...['it_many_4', 'it_many_8', 'it_many_0', 'it_many_0', 'it_many_0'],
  ]);
  const { change } = createItemsTable(db);
  change('it_many_4', { stop: stopOf('DELETED') }, 0);
  expect(from('it_many_0')).toBe('it_many_8');
  expect(list.nextToReview(createFound('it_many_8'), 'it_many_8')).toBeNull();
  change('it_many_4', { stop: null }, 0);
});

test('items are listed in sections, and folded live items are left out', async () => {
  const { list } = openList();
  const sections = { toCheck: count / 2, working: 0, ready: 0, live: count / 2 };
  expect(list.page(null, 'all', 0, 3)).toMatchObject({ total: count, sections });
  expect(list.page('open', 'all', 0, 3)).toMatchObject({ total: count / 2, sections });
  expect(await Promise.all([true, false, null].map((folded) => list.found({ ...all, folded })))).toEqual([
    'open',
    null,
    'open',
  ]);
  const ids = (at: number) => list.page(null, 'all', at, 2).rows.map(({ itemId }) => itemId);
  expect([ids(0), ids(count / 2)]).toEqual([
    ['it_many_0', 'it_many_4'],
    ['it_many_1', 'it_many_2'],
  ]);
  const { change } = createItemsTable(db);
  change('it_many_4', { checked_at: 1 }, 0);
  change('it_many_9', { stop: stopOf('ALLOWANCE_USED') }, 0);
  expect(list.page(null, 'all', 0, 1).sections).toEqual({ ...sections, toCheck: count / 2 - 2, working: 1, ready: 1 });
  expect(list.page(null, 'all', count / 2 - 2, 2).rows.map((row) => [row.itemId, row.section, row.checked])).toEqual([
    ['it_many_9', 'working', false],
    ['it_many_4', 'ready', true],
  ]);
  change('it_many_4', { checked_at: null }, 0);
  change('it_many_9', { stop: stopOf('OFFLINE') }, 0);
});

test('the thumbnail of an item never shows a refused or set-aside photo', () => {
  const { list } = openList();
  const shown = () => list.page(null, 'all', 0, 1).rows[0]?.thumbUrl;
  const put = db.prepare("update photos set state = ? where photo_id = 'ph_many_0_0'");
  expect(shown()).toContain('ph_many_0_0');
  for (const state of ['refused', 'aside']) {
    put.run(state);
    expect(shown()).toContain('ph_many_0_1');
  }
  put.run('ready');
});

test('items that can be arranged are found without reading every photo', async () => {
  const { list } = openList();
  const { total, rows } = list.page(null, 'arrangeable', 0, 60);
  expect([total, rows.length]).toEqual([(2 * count) / 10, 60]);
  expect(rows.every(({ arrangeable }) => arrangeable)).toBe(true);
  expect((await measureCost(() => list.page(null, 'arrangeable', 0, 60))).rows).toBeLessThanOrEqual(2 * 60 + 1);
  db.prepare("update photos set uploaded_at = 1 where photo_id = 'ph_many_6_0'").run();
  expect(list.page(null, 'arrangeable', 0, 60).total).toBe(total - 1);
  const picked = { itemId: 'it_many_16', startable: true };
  const chosen = (found: FilteredItems) => list.chosen(found, ['it_many_6', 'it_many_16']).arrangeable;
  expect(chosen(null)).toEqual([{ ...picked, hidden: false }]);
  expect(chosen(createFound('it_many_16'))).toEqual([{ ...picked, hidden: false }]);
  expect(chosen(createFound('it_many_17'))).toEqual([{ ...picked, hidden: true }]);
  db.prepare("update photos set uploaded_at = null where photo_id = 'ph_many_6_0'").run();
});

test('a removed item’s photos are dropped from memory, but photos of other items stay', async () => {
  const table = createItemsTable(reads.of(db));
  const photoIds = (itemId: string): string[] => table.photos(itemId).map(({ photo_id }) => photo_id);
  const [gone, stays] = ['it_many_6', 'it_many_9'];
  expect([photoIds(gone), photoIds(stays)]).toMatchObject([{ length: 3 }, { length: 3 }]);
  table.remove(gone);
  expect((await measureCost(() => photoIds(stays))).rows).toBe(0);
  expect(photoIds(gone)).toEqual([]);
});
