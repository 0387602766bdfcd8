import { copyFileSync, mkdirSync, statfsSync, writeFileSync } from 'node:fs';
import { readdir, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as immediate, setTimeout as wait } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import Database from 'better-sqlite3';
import sharp from 'sharp';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { steps, type Step, type ItemSummary } from '../../../src/core/storage/tables/itemRecord.ts';
import { quickWriter } from '../../helpers/practice.ts';
import { waitUntil } from '../../helpers/testClock.ts';
import { startWorld, type World } from '../../helpers/world.ts';
import { listAllItems } from '../../helpers/listAllItems.ts';

const count = 10_000;
const reviewCount = 40;
const inMemory = '/dev/shm';

const hasRoom = (path: string): boolean => {
  try {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize > 1e9;
  } catch {
    return false;
  }
};

let world: World;
const mayWrite = Promise.withResolvers<void>();
beforeAll(() => {
  // Each of ten thousand removals is flushed to disk, so the test uses a RAM disk if there is one.
  if (hasRoom(inMemory)) vi.stubEnv('TMPDIR', inMemory);
});
afterEach(() => {
  mayWrite.resolve();
  return world.close();
});

const nameOf = (at: number): string => `thing ${at}`;

/** Creates 10,000 folders, each with one small photo. No two photos have the same bytes. */
const manyFolders = async (): Promise<string> => {
  const photo = await sharp({ create: { width: 240, height: 200, channels: 3, background: '#a86' } })
    .jpeg()
    .toBuffer();
  const root = join(world.dataDir, 'photos of', 'the attic');
  for (let at = 0; at < count; at += 1) {
    const folder = join(root, nameOf(at));
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'IMG_1.jpg'), Buffer.concat([photo, Buffer.from(String(at))]));
    if (at % 100 === 0) await immediate();
  }
  return root;
};

const items = () => world.companion().items;
const listRows = (): ItemSummary[] => items().list.page(null, 'all', 0, count).rows;

/** Reads one value directly from the database, because listing ten thousand items repeatedly is slow. */
const queryValue = (sql: string): unknown => {
  const db = new Database(join(world.dataDir, 'companion.db'), { readonly: true });
  try {
    return db.prepare(sql).pluck().get();
  } finally {
    db.close();
  }
};
const inStep = (step: Step): number => Number(queryValue(`select count(*) from items where step = '${step}'`));
const countProgress = () => [
  ...steps.map(inStep),
  queryValue("select count(*) from photos where state = 'ready'"),
  queryValue('select count(*) from photos where thumb_path is not null'),
];

/** Repeats the read until two results in a row are equal. */
const waitUntilStable = async <T>(look: () => T | Promise<T>): Promise<T> => {
  let seen = await look();
  await waitUntil(async () => {
    await wait(300);
    const was = seen;
    seen = await look();
    return isDeepStrictEqual(was, seen);
  }, 'two equal results');
  return seen;
};

/** Stops the companion, then restores the database files from before the stop, as if the process had been killed. */
const killCompanion = async (): Promise<void> => {
  const files = ['companion.db', 'companion.db-wal'].map((name) => join(world.dataDir, name));
  for (const file of files) copyFileSync(file, `${file}.killed`);
  await world.stop();
  for (const file of files) {
    copyFileSync(`${file}.killed`, file);
    await rm(`${file}.killed`);
  }
};

test('ten thousand items resume after a crash, and five are generated at a time', async () => {
  let requests = 0;
  let writing = 0;
  let maxWriting = 0;
  world = await startWorld({
    person: { plan: 'Scale' },
    reach: () => ((requests += 1), null),
    writer: {
      ...quickWriter,
      write: async (input) => {
        maxWriting = Math.max(maxWriting, ++writing);
        await mayWrite.promise;
        writing -= 1;
        return quickWriter.write(input);
      },
    },
  });

  const { itemIds } = await world.companion().add({ kind: 'paths', paths: [await manyFolders()] });
  expect(new Set(itemIds).size).toBe(count);
  expect(listRows().map(({ itemId }) => itemId)).toEqual(itemIds);
  expect(listRows().map(({ name }) => name)).toEqual(Array.from({ length: count }, (_, at) => nameOf(at)));

  // After a kill during photo preparation, all items resume with few service calls.
  await killCompanion();
  requests = 0;
  await world.begin();
  expect(listRows().map(({ itemId }) => itemId)).toEqual(itemIds);
  expect(world.companion().work().running).toBe(count);
  expect(requests).toBeLessThan(20);

  // Five items are generated at a time, and the others wait in line.
  await world.until(() => inStep('line') >= 10, 'items that wait in line');
  expect([inStep('writing'), writing]).toEqual([5, 5]);
  mayWrite.resolve();
  await world.until(() => inStep('review') >= reviewCount, `${reviewCount} generated items`);
  expect(maxWriting).toBe(5);

  // While paused, work in flight finishes and no new work starts.
  world.companion().pauseAll(true);
  const before = await waitUntilStable(countProgress);
  world.clock.advance(3_600_000);
  await wait(300);
  expect(countProgress()).toEqual(before);
  const stood = inStep('review');
  expect(stood).toBeLessThan(count / 10);
  world.companion().pauseAll(false);
  await world.until(() => inStep('review') >= stood + 10, 'more generated items');
  world.companion().pauseAll(true);

  // All items except the first ten are removed. Their photos are prepared.
  const kept = itemIds.slice(0, 10);
  for (const itemId of itemIds.slice(10)) await items().remove(itemId);
  expect(listRows().map(({ itemId }) => itemId)).toEqual(kept);
  expect([queryValue('select count(*) from items'), queryValue('select count(*) from photos')]).toEqual([10, 10]);
  const prepared = join(world.dataDir, 'prepared');
  // The clean-up skips new files, so the files are made older.
  for (const name of await waitUntilStable(() => readdir(prepared)))
    await utimes(join(prepared, name), new Date(0), new Date(0));
  await world.companion().disk.cleanUp();
  const left = listAllItems(world.companion()).flatMap(({ photos }) => photos.filter(({ state }) => state === 'ready'));
  // Each photo has three files: the photo, its thumbnail and its metadata.
  expect(await readdir(prepared)).toHaveLength(3 * left.length);
  expect(left.length).toBeGreaterThan(0);
  expect(world.practice.reports).toEqual([]);
}, 180_000);
