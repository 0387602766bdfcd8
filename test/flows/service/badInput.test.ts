import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { ItemView, Step } from '../../../src/core/storage/tables/itemRecord.ts';
import { Problem } from '../../../src/core/base/problem.ts';
import { quickWriter } from '../../helpers/practice.ts';
import { startWorld, type World } from '../../helpers/world.ts';
import { listAllItems } from '../../helpers/listAllItems.ts';

let world: World;
afterEach(() => world.close());

const dropPaths = (...paths: string[]) => world.companion().add({ kind: 'paths', paths });
const createFolder = async (name: string, files: Record<string, string>): Promise<string> => {
  const path = join(world.dataDir, name);
  await mkdir(path, { recursive: true });
  for (const [file, text] of Object.entries(files)) await writeFile(join(path, file), text);
  return path;
};

test('a folder without photos is refused, and no item is created', async () => {
  world = await startWorld();
  await expect(dropPaths(await createFolder('papers', { 'notes.txt': 'bring milk' }))).rejects.toThrow(
    'There are no photos in there',
  );
  await expect(dropPaths(join(world.dataDir, 'nowhere'))).rejects.toThrow(Problem);
  expect(listAllItems(world.companion())).toEqual([]);
});

test('an item continues with its readable photos if its other files are unreadable', async () => {
  world = await startWorld();
  const path = await world.folder('mixed', 2);
  await writeFile(join(path, 'IMG_8.jpg'), '');
  await writeFile(join(path, 'IMG_9.jpg'), 'this is not a picture');
  const { itemIds } = await dropPaths(path);
  const { photos } = await world.item(itemIds[0] ?? '', 'review');
  expect(photos.map(({ state }) => state)).toEqual(['ready', 'ready', 'refused', 'refused']);
  expect(photos[2]?.sentence).toMatch(/empty/i);
  expect(photos[3]?.sentence).toMatch(/\w/);
  expect(photos[2]?.sentence).not.toBe(photos[3]?.sentence);
});

test('an item without readable photos stops and can only be removed', async () => {
  world = await startWorld();
  const { itemIds } = await dropPaths(await createFolder('broken', { 'a.jpg': '', 'b.jpg': 'no picture' }));
  const view = await world.until(() => {
    const item = world.companion().items.get(itemIds[0] ?? '');
    return item.stop ? item : null;
  }, 'the stop');
  expect(view.stop).toMatchObject({ kind: 'failed', code: 'NO_PHOTOS', next: ['remove'] });
  expect(await world.happened('draft')).toBe(0);
});

/** Drops a folder with more photos than the plan allows, and starts the item unchanged. */
const addOverCap = async (name: string, count: number): Promise<ItemView> => {
  const [itemId = ''] = (await dropPaths(await world.folder(name, count))).itemIds;
  await world.until(() => world.companion().items.get(itemId).reviewReason === 'overCap', 'the choice');
  await world.companion().items.begin([itemId]);
  return world.item(itemId, 'review');
};

test('only the first 16 of 30 photos are sent if the plan allows 16', async () => {
  world = await startWorld();
  const { photos, listingId } = await addOverCap('everything at once', 30);
  expect(photos.filter(({ state }) => state === 'ready')).toHaveLength(16);
  const aside = photos.filter(({ state }) => state === 'aside');
  expect(aside).toHaveLength(14);
  expect(aside[0]?.sentence).toBe('Your plan takes 16 photos per listing. This one stays here.');
  expect((await world.listing(listingId ?? '')).imageUrls).toHaveLength(16);
});

test('an item stops with ALLOWANCE_USED once the free plan’s 5 listings are used', async () => {
  world = await startWorld({ person: { plan: 'Free' } });
  const names = ['one', 'two', 'three', 'four', 'five'];
  for (const name of names)
    expect((await addOverCap(name, 5)).photos.filter(({ state }) => state === 'ready')).toHaveLength(4);
  const { itemIds } = await dropPaths(await world.folder('six'));
  const view = await world.until(() => {
    const item = world.companion().items.get(itemIds[0] ?? '');
    return item.stop ? item : null;
  }, 'the stop');
  expect(view.stop?.code).toBe('ALLOWANCE_USED');
  expect(view.words).toBe('Waiting, no listings left');
  expect(await world.happened('generation')).toBe(5);
});

test('only five of eight items are generated at a time', async () => {
  const writing = Promise.withResolvers<void>();
  const heldWriter: typeof quickWriter = {
    ...quickWriter,
    write: (input) => writing.promise.then(() => quickWriter.write(input)),
  };
  world = await startWorld({ writer: heldWriter });
  const paths = await Promise.all(Array.from({ length: 8 }, (_, index) => world.folder(`item ${index}`, 1)));
  await dropPaths(...paths);
  const count = (step: Step) => listAllItems(world.companion()).filter((item) => item.step === step).length;
  await world.until(() => count('line') === 3 && count('writing') === 5, 'five being written');
  for (let turn = 0; turn < 30; turn += 1) await world.until(() => true);
  expect([count('line'), count('writing'), await world.happened('generation')]).toEqual([3, 5, 5]);
  const inLine = listAllItems(world.companion()).flatMap(({ step, words }) => (step === 'line' ? [words] : []));
  expect(inLine.sort()).toEqual([1, 2, 3].map((place) => `Waiting to be written, ${place} in line`));
  writing.resolve();
  await world.until(() => count('review') === 8, 'all eight');
  expect(await world.happened('generation')).toBe(8);
});

test('a cancelled and resumed item continues with the same draft', async () => {
  world = await startWorld();
  await world.practice.control('POST', '/writer', { delayMs: 300 });
  const { itemIds } = await dropPaths(await world.folder('red bag'));
  const [itemId = ''] = itemIds;
  await world.item(itemId, 'writing');
  expect(await world.companion().items.cancel(itemId)).toMatchObject({
    words: 'Cancelled',
    stop: { next: ['resume', 'remove'] },
  });
  await world.companion().items.resume(itemId);
  await world.item(itemId, 'review');
  expect([await world.happened('draft'), await world.happened('generation')]).toEqual([1, 1]);
});

test('a failed generation is retried only after approval', async () => {
  world = await startWorld();
  await world.practice.control('POST', '/writer', { fail: 'IMAGES_UNREADABLE' });
  const { itemIds } = await dropPaths(await world.folder('dark cellar'));
  const [itemId = ''] = itemIds;
  const { stop } = await world.until(() => {
    const item = world.companion().items.get(itemId);
    return item.stop ? item : null;
  }, 'the stop');
  expect(stop).toMatchObject({ code: 'IMAGES_UNREADABLE', next: ['change_photos', 'write_again', 'remove'] });
  await world.practice.control('POST', '/writer', { delayMs: 0, fail: null });
  await world.companion().items.resume(itemId);
  const [prompt] = world.companion().approvals.listPending();
  expect(prompt?.prompt.act).toBe('Write the listing again');
  expect(await world.happened('generation')).toBe(1);
  await world.pressYes(prompt?.approvalId ?? '', prompt?.digest ?? '');
  await world.item(itemId, 'review');
  expect(await world.happened('generation')).toBe(2);
});
