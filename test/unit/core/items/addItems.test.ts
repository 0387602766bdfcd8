import { setImmediate as immediate } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { person } from '../../../../src/core/base/request.ts';
import { settingsShape } from '../../../../src/core/base/settings.ts';
import { createItemAdder, type NewItemPhotos } from '../../../../src/core/items/addItems.ts';
import type { ItemsContext } from '../../../../src/core/items/itemsContext.ts';
import { type Db, openMigratedDatabase } from '../../../../src/core/storage/database.ts';
import { listAdditionPhotoPaths } from '../../../../src/core/storage/tables/additionsTable.ts';
import { createItemsTable } from '../../../../src/core/storage/tables/itemsTable.ts';
import { createTestClock } from '../../../helpers/testClock.ts';

const account = 'a';

const openAdder = (db: Db) => {
  onTestFinished(() => void db.close());
  const table = createItemsTable(db);
  const started: string[] = [];
  const context = {
    ...{
      table,
      clock: { ...createTestClock(), sleep: () => immediate() },
      account: () => account,
      settings: () => settingsShape.parse({}),
    },
    ...{ notifyItemChanged: () => undefined, log: () => undefined, pacing: { localPauseMs: () => 0 } },
  } as unknown as ItemsContext;
  const adder = createItemAdder(context, { startInTurn: async (itemIds) => void started.push(...itemIds) });
  const listShown = () => table.pages.ids({ account, only: 'all', within: null }, 0, 10_000);
  return { adder, table, started, listShown };
};

const createSets = (sizes: readonly number[], owned = false): NewItemPhotos[] =>
  sizes.map((size, at) => ({
    ...{ name: `thing ${at}`, note: 'From the attic.' },
    photos: Array.from({ length: size }, (_, nth) => {
      const name = `IMG_${nth}.jpg`;
      return { name, source: `/drop/${at}/${name}`, root: owned ? null : '/drop', owned };
    }),
  }));

/** A large drop: one item of many photos, and many items of few photos. */
const largeDrop = [3, 700, ...Array.from({ length: 350 }, () => 1)];

const readPhotos = (db: Db): unknown[] =>
  db
    .prepare(
      `select items.name, photos.source, position from photos join items using (item_id) where account = ?
         order by items.rowid desc, position`,
    )
    .raw()
    .all(account);

const listExpectedPhotos = (sets: readonly NewItemPhotos[]): unknown[] =>
  sets.flatMap(({ name, photos }) => photos.map(({ source }, at) => [name, source, at]));

/** Stores what a crash would leave after each slice. */
const takeSnapshots = async (db: Db, isOver: () => boolean): Promise<Buffer[]> => {
  const snapshots: Buffer[] = [];
  while (!isOver()) {
    await immediate();
    snapshots.push(db.serialize());
  }
  return snapshots;
};

test('a large drop is added in slices between which other work runs, and is shown and started only as a whole', async () => {
  const db = openMigratedDatabase(':memory:');
  const { adder, started, listShown } = openAdder(db);
  const sets = createSets([3, 700, 2]);
  let isOver = false;
  const seen: number[] = [];
  const watch = async (): Promise<void> => {
    while (!isOver) {
      await immediate();
      seen.push(listShown().length);
    }
  };
  const watching = watch();
  const itemIds = await adder.add(sets, person);
  isOver = true;
  await watching;
  expect(seen.length).toBeGreaterThan(6);
  expect(new Set(seen)).toEqual(new Set([0, 3]));
  expect(listShown()).toEqual(itemIds);
  expect(started).toEqual(itemIds);
  expect(readPhotos(db)).toEqual(listExpectedPhotos(sets));
  expect(db.prepare('select count(*) from additions').pluck().get()).toBe(0);
});

test('after a crash at any moment, the next start adds all photos of a large drop once, or none', async () => {
  const db = openMigratedDatabase(':memory:');
  const { adder } = openAdder(db);
  const sets = createSets(largeDrop);
  let isOver = false;
  const adding = adder.add(sets, person).finally(() => (isOver = true));
  const snapshots = await takeSnapshots(db, () => isOver);
  await adding;
  const added: unknown[] = [];
  for (const snapshot of snapshots) {
    const restored: Db = new Database(snapshot);
    const next = openAdder(restored);
    next.adder.resume();
    const countRest = restored.prepare(
      'select (select count(*) from additions) + (select count(*) from addition_parts)',
    );
    while (countRest.pluck().get() !== 0) await immediate();
    await immediate();
    const photos = readPhotos(restored);
    if (photos.length > 0) expect(photos).toEqual(listExpectedPhotos(sets));
    added.push(photos.length > 0);
  }
  expect(new Set(added)).toEqual(new Set([false, true]));
});

test('an addition that a quit interrupts continues at the next start', async () => {
  const db = openMigratedDatabase(':memory:');
  const { adder, table, listShown } = openAdder(db);
  const sets = createSets(largeDrop);
  const adding = adder.add(sets, person);
  adding.catch(() => undefined);
  while (table.additions.list().length === 0) await immediate();
  await adder.stop();
  await expect(adding).rejects.toMatchObject({ code: 'CANCELLED' });
  expect(listShown()).toEqual([]);
  adder.resume();
  while (table.additions.list().length > 0) await immediate();
  expect(readPhotos(db)).toEqual(listExpectedPhotos(sets));
});

test('a full disk delays an addition that is stored, and loses and repeats nothing', async () => {
  const db = openMigratedDatabase(':memory:');
  const { adder, table } = openAdder(db);
  const sets = createSets(largeDrop);
  const adding = adder.add(sets, person);
  while (table.additions.list().length === 0) await immediate();
  const pages = Number(db.pragma('page_count', { simple: true }));
  db.pragma(`max_page_count = ${pages}`);
  for (let turn = 0; turn < 50; turn += 1) await immediate();
  db.pragma('max_page_count = 1000000');
  await adding;
  expect(readPhotos(db)).toEqual(listExpectedPhotos(sets));
});

test('the copies of photos that are not photos of an item yet are kept', async () => {
  const db = openMigratedDatabase(':memory:');
  const { adder, table } = openAdder(db);
  const adding = adder.add(createSets([450], true), person);
  while (table.additions.list().length === 0) await immediate();
  const ofItems = db.prepare('select source from photos where owned = 1').pluck().all();
  expect(new Set([...listAdditionPhotoPaths(db), ...ofItems]).size).toBe(450);
  expect(ofItems.length).toBeLessThan(450);
  await adding;
  expect(listAdditionPhotoPaths(db)).toEqual([]);
});
