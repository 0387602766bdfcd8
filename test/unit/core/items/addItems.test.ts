import { setImmediate as immediate } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { person } from '../../../../src/core/base/request.ts';
import { settingsShape } from '../../../../src/core/base/settings.ts';
import { createArrangementQueue } from '../../../../src/core/items/arranging/arrangementActions.ts';
import type { NewItemPhotos } from '../../../../src/core/items/adding/additionParts.ts';
import { createItemAdder } from '../../../../src/core/items/adding/addItems.ts';
import { createItemRunner } from '../../../../src/core/items/itemRunner.ts';
import type { ItemsContext } from '../../../../src/core/items/itemsContext.ts';
import { type Db, openMigratedDatabase } from '../../../../src/core/storage/database.ts';
import { iterateAdditionPhotoPaths } from '../../../../src/core/storage/tables/additionsTable.ts';
import { iterateNeededFilePaths } from '../../../../src/core/storage/tables/photos/photosTable.ts';
import { createItemsTable } from '../../../../src/core/storage/tables/itemsTable.ts';
import { createTestClock } from '../../../helpers/testClock.ts';

const account = 'a';

const openAdder = (db: Db) => {
  onTestFinished(() => void db.close());
  const table = createItemsTable(db);
  const started: string[] = [];
  const halted: string[] = [];
  const context = {
    ...{
      table,
      clock: { ...createTestClock(), sleep: () => immediate() },
      account: () => account,
      settings: () => settingsShape.parse({}),
    },
    ...{ notifyItemChanged: () => undefined, log: () => undefined, pacing: { localPauseMs: () => 0 } },
    arrangeInTurn: createArrangementQueue(),
  } as unknown as ItemsContext;
  const adder = createItemAdder(context, {
    startInTurn: async (itemIds) => void started.push(...itemIds),
    halt: async (itemId) => void halted.push(itemId),
  });
  const listShown = () => table.pages.ids({ account, only: 'all', within: null }, 0, 10_000);
  return { context, adder, table, started, halted, listShown };
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

/** Starts with what a crash left, and waits until nothing of an addition is left. */
const resumeAfterCrash = async (snapshot: Buffer) => {
  const restored: Db = new Database(snapshot);
  const next = openAdder(restored);
  next.adder.resume();
  const countRest = restored.prepare('select (select count(*) from additions) + (select count(*) from addition_parts)');
  while (countRest.pluck().get() !== 0) await immediate();
  await immediate();
  return { restored, ...next };
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
    const { restored } = await resumeAfterCrash(snapshot);
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
  expect(ofItems.length).toBeLessThan(450);
  const kept = new Set<string>();
  for await (const path of iterateAdditionPhotoPaths(db)) kept.add(path);
  for await (const path of iterateNeededFilePaths(db)) kept.add(path);
  expect(kept.size).toBe(450);
  await adding;
  expect(await iterateAdditionPhotoPaths(db).next()).toMatchObject({ done: true });
});

/** An item with two photos, and the photos of a large drop that go into it. */
const openItemAndDrop = async () => {
  const db = openMigratedDatabase(':memory:');
  const opened = openAdder(db);
  const [itemId = ''] = await opened.adder.add(createSets([2]), person);
  const [{ photos } = { photos: [] }] = createSets([900]);
  const changeItem = (): void => opened.table.change(itemId, { step: 'photos' }, 0);
  const sources = ['/drop/0/IMG_0.jpg', '/drop/0/IMG_1.jpg', ...photos.map(({ source }) => source)];
  const listSources = (of: Db): unknown[] =>
    of.prepare('select source from photos where item_id = ? order by position').pluck().all(itemId);
  return { ...opened, db, itemId, photos, sources, changeItem, listSources };
};

test('many photos are added to an item in slices, and until then it neither runs nor is arranged', async () => {
  const { adder, context, table, db, itemId, photos, sources, changeItem, listSources, halted } =
    await openItemAndDrop();
  const runner = createItemRunner(context);
  const order: string[] = [];
  const seen = new Set<number>();
  let isOver = false;
  const watch = async (): Promise<void> => {
    for (; !isOver; await immediate()) {
      const count = listSources(db).length;
      seen.add(count);
      if (!table.additions.isAddingTo(itemId)) continue;
      runner.start(itemId);
      expect(runner.isOn(itemId)).toBe(false);
    }
  };
  const watching = watch();
  const adding = adder.addInto(itemId, photos, changeItem).then(() => order.push('added'));
  await Promise.all([adding, context.arrangeInTurn(async () => order.push('arranged'))]);
  isOver = true;
  await watching;
  expect(order).toEqual(['added', 'arranged']);
  expect(halted).toEqual([itemId]);
  expect([...seen].length).toBeGreaterThan(3);
  expect(listSources(db)).toEqual(sources);
  expect(table.photos(itemId)).toHaveLength(902);
});

test('after a crash at any moment, the next start adds all new photos of an item once, or none', async () => {
  const { adder, db, itemId, photos, sources, changeItem, listSources } = await openItemAndDrop();
  let isOver = false;
  const adding = adder.addInto(itemId, photos, changeItem).finally(() => (isOver = true));
  const snapshots = await takeSnapshots(db, () => isOver);
  await adding;
  const counts: number[] = [];
  for (const snapshot of snapshots) {
    const { restored, started } = await resumeAfterCrash(snapshot);
    const found = listSources(restored);
    expect(found).toEqual(found.length > 2 ? sources : sources.slice(0, 2));
    counts.push(found.length);
    if (listSources(new Database(snapshot)).length < found.length) expect(started).toEqual([itemId]);
  }
  expect(new Set(counts)).toEqual(new Set([2, sources.length]));
});

test('photos are not added to an item whose photos can no longer change, and nothing of them is kept', async () => {
  const { adder, db, itemId, photos, listSources, started } = await openItemAndDrop();
  const refuse = (): never => {
    throw new Error('too late');
  };
  await expect(adder.addInto(itemId, photos, refuse)).rejects.toThrow('too late');
  expect(listSources(db)).toHaveLength(2);
  expect(db.prepare('select count(*) from addition_parts').pluck().get()).toBe(0);
  expect(started.at(-1)).toBe(itemId);
});

test('an item that is removed while photos are added to it stays removed', async () => {
  const { adder, table, db, itemId, photos, changeItem } = await openItemAndDrop();
  const adding = adder.addInto(itemId, photos, changeItem);
  while (!table.additions.isAddingTo(itemId)) await immediate();
  table.remove(itemId);
  await adding;
  expect(db.prepare('select count(*) from photos').pluck().get()).toBe(0);
  expect(table.additions.isAddingTo(itemId)).toBe(false);
});

const askAboutRepeats = (adder: ReturnType<typeof openAdder>['adder'], sets: readonly NewItemPhotos[]) => {
  const added = { items: sets.length, photos: 900, isGrouped: false, privateParts: [] };
  return adder.repeats.keep({ sets, by: person, wishes: {}, question: { count: 1, added } });
};

const countParts = (db: Db): unknown => db.prepare('select count(*) from addition_parts').pluck().get();

test('a question about many repeated photos is stored in slices, and after a crash it is asked as a whole or not', async () => {
  const db = openMigratedDatabase(':memory:');
  const { adder } = openAdder(db);
  const sets = createSets([900]);
  let isOver = false;
  const asking = askAboutRepeats(adder, sets).finally(() => (isOver = true));
  const snapshots = await takeSnapshots(db, () => isOver);
  await asking;
  expect(snapshots.length).toBeGreaterThan(4);
  const counts = new Set<number>();
  for (const snapshot of snapshots) {
    const restored: Db = new Database(snapshot);
    const next = openAdder(restored);
    next.adder.resume();
    const [question] = next.adder.repeats.list();
    counts.add(next.adder.repeats.list().length);
    if (question === undefined) expect(countParts(restored)).toBe(0);
    else {
      const { itemIds, added } = await next.adder.repeats.settle(question.repeatId, true);
      expect([itemIds.length, added.photos]).toEqual([1, 900]);
      expect(readPhotos(restored)).toEqual(listExpectedPhotos(sets));
      expect(next.started).toEqual(itemIds);
    }
  }
  expect(counts).toEqual(new Set([0, 1]));
});

test('after a crash during the answer, the next start adds all repeated photos once, or asks again', async () => {
  const db = openMigratedDatabase(':memory:');
  const { adder } = openAdder(db);
  const sets = createSets(largeDrop);
  const { repeatId } = await askAboutRepeats(adder, sets);
  let isOver = false;
  const settling = adder.repeats.settle(repeatId, true).finally(() => (isOver = true));
  const snapshots = [db.serialize(), ...(await takeSnapshots(db, () => isOver))];
  await settling;
  await expect(adder.repeats.settle(repeatId, true)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  for (const snapshot of snapshots.slice(1)) {
    const { restored } = await resumeAfterCrash(snapshot);
    expect(readPhotos(restored)).toEqual(listExpectedPhotos(sets));
  }
});

test('a no forgets the repeated photos, and only ten questions wait', async () => {
  const db = openMigratedDatabase(':memory:');
  const { adder, listShown } = openAdder(db);
  const asked: string[] = [];
  for (let nth = 0; nth < 11; nth += 1) asked.push((await askAboutRepeats(adder, createSets([3]))).repeatId);
  expect(adder.repeats.list().map(({ repeatId }) => repeatId)).toEqual(asked.slice(1));
  for (const { repeatId } of adder.repeats.list()) await adder.repeats.settle(repeatId, false);
  expect([adder.repeats.list().length, countParts(db), listShown().length]).toEqual([0, 0, 0]);
});
