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
import { settled } from '../../helpers/testClock.ts';
import { startWorld, type World } from '../../helpers/world.ts';
import { allItems } from '../../helpers/allItems.ts';

const count = 10_000;
/** So many are let through to their review. */
const through = 40;
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
  // Where there is a disk in memory, nothing waits for a real one: each of ten thousand removals is on disk before the next.
  if (hasRoom(inMemory)) vi.stubEnv('TMPDIR', inMemory);
});
afterEach(() => {
  mayWrite.resolve();
  return world.close();
});

const nameOf = (at: number): string => `thing ${at}`;

/** A folder of 10,000 folders with a small photo each; no two photos have the same bytes. */
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
const listed = (): ItemSummary[] => items().list.page(null, 'all', 0, count).rows;

/** One value from the database, past the companion: looking at ten thousand items again and again takes its time. */
const found = (sql: string): unknown => {
  const db = new Database(join(world.dataDir, 'companion.db'), { readonly: true });
  try {
    return db.prepare(sql).pluck().get();
  } finally {
    db.close();
  }
};
const inStep = (step: Step): number => Number(found(`select count(*) from items where step = '${step}'`));
/** How far everything is, in numbers. */
const progress = () => [
  ...steps.map(inStep),
  found("select count(*) from photos where state = 'ready'"),
  found('select count(*) from photos where thumb_path is not null'),
];

/** What is seen once it does not change any more. */
const stillness = async <T>(look: () => T | Promise<T>): Promise<T> => {
  let seen = await look();
  await settled(async () => {
    await wait(300);
    const was = seen;
    seen = await look();
    return isDeepStrictEqual(was, seen);
  }, 'everything to stand still');
  return seen;
};

/** Ends the companion and leaves what a kill leaves: the database and its log as they were in the middle of everything. */
const killed = async (): Promise<void> => {
  const files = ['companion.db', 'companion.db-wal'].map((name) => join(world.dataDir, name));
  for (const file of files) copyFileSync(file, `${file}.killed`);
  await world.stop();
  for (const file of files) {
    copyFileSync(`${file}.killed`, file);
    await rm(`${file}.killed`);
  }
};

test('ten thousand items are all listed in order without duplicates, run five at a time, and leave no residue', async () => {
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
  const newestFirst = listed().map(({ itemId }) => itemId);
  expect(newestFirst).toEqual(itemIds.toReversed());
  expect(
    listed()
      .map(({ name }) => name)
      .toReversed(),
  ).toEqual(Array.from({ length: count }, (_, at) => nameOf(at)));

  // Killed while their photos are prepared, and started again: the items resume without a prompt for each.
  await killed();
  requests = 0;
  await world.begin();
  expect(listed().map(({ itemId }) => itemId)).toEqual(newestFirst);
  expect(world.companion().work().running).toBe(count);
  expect(requests).toBeLessThan(20);

  // Five are written, the others wait in line, and move up.
  await world.until(() => inStep('line') >= 10, 'a line before the five that are written');
  expect([inStep('writing'), writing]).toEqual([5, 5]);
  mayWrite.resolve();
  await world.until(() => inStep('review') >= through, `${through} that are written`);
  expect(maxWriting).toBe(5);

  // Held back: what is under way is finished, and then nothing moves, not even photos.
  world.companion().pauseAll(true);
  const before = await stillness(progress);
  world.clock.advance(3_600_000);
  await wait(300);
  expect(progress()).toEqual(before);
  const stood = inStep('review');
  expect(stood).toBeLessThan(count / 10);
  world.companion().pauseAll(false);
  await world.until(() => inStep('review') >= stood + 10, 'more that are written');
  world.companion().pauseAll(true);

  // Removed, but for a few.
  const kept = newestFirst.slice(-10);
  for (const itemId of newestFirst.slice(0, -10)) await items().remove(itemId);
  expect(listed().map(({ itemId }) => itemId)).toEqual(kept);
  expect([found('select count(*) from items'), found('select count(*) from photos')]).toEqual([10, 10]);
  const prepared = join(world.dataDir, 'prepared');
  // What was just made is left alone, so the files are made older. A small picture may still have been under way.
  for (const name of await stillness(() => readdir(prepared)))
    await utimes(join(prepared, name), new Date(0), new Date(0));
  await world.companion().disk.cleanUp();
  const left = allItems(world.companion()).flatMap(({ photos }) => photos.filter(({ state }) => state === 'ready'));
  // A photo, its small picture and its note.
  expect(await readdir(prepared)).toHaveLength(3 * left.length);
  expect(left.length).toBeGreaterThan(0);
  expect(world.practice.reports).toEqual([]);
}, 180_000);
