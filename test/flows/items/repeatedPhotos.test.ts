import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { person } from '../../../src/core/base/request.ts';
import { createShotFolder, createShots } from '../../helpers/photos/createShotFolder.ts';
import { listAllItems } from '../../helpers/listAllItems.ts';
import { pairWithId } from '../../helpers/bridge/scene.ts';
import * as z from 'zod';
import { startWorld, type World } from '../../helpers/world.ts';

const warning = z.object({ code: z.literal('PHOTOS_REPEATED'), sentence: z.string() });
const made = z.object({ itemId: z.string(), warnings: z.array(warning) });

let world: World;
afterEach(() => world.close());

const dropFolders = (...paths: string[]) =>
  world.companion().add({ kind: 'paths', paths }, person, undefined, { repeats: 'ask' });
const createFolder = (name: string, seed: number): Promise<string> =>
  createShotFolder(
    join(world.dataDir, 'drop'),
    name,
    createShots([2]).map((shot, at) => ({ ...shot, seed: seed * 10 + at })),
  );
const waitUntilPrepared = (itemIds: readonly string[]): Promise<unknown> =>
  world.until(
    () => itemIds.every((itemId) => world.companion().items.get(itemId).step === 'arranging'),
    'the preparation',
  );

test('folders that are dropped a second time are added only if the person says so', async () => {
  world = await startWorld();
  world.companion().changeSettings({ deferDrops: true });
  const folders = [await createFolder('red fox', 1), await createFolder('blue coat', 2)];
  const first = await dropFolders(...folders);
  expect(first.repeats).toBeUndefined();
  await waitUntilPrepared(first.itemIds);

  // The copy has another name, so only its content shows that it is the same photo.
  const copied = join(world.dataDir, 'copied');
  await mkdir(copied);
  for (const at of [1, 2]) await copyFile(join(folders[0] ?? '', `IMG_${at}.jpg`), join(copied, `front ${at}.jpg`));
  const second = await dropFolders(copied, folders[1] ?? '', await createFolder('tin robot', 3));
  expect(second.itemIds.map((itemId) => world.companion().items.get(itemId).name)).toEqual(['tin robot']);
  expect(second.says?.values).toMatchObject({ photos: { values: { count: 2 } } });
  expect(second.repeats?.count).toBe(2);
  expect(listAllItems(world.companion())).toHaveLength(3);

  const { repeatId = '' } = second.repeats ?? {};
  const added = await world.companion().settleRepeats(repeatId, true);
  expect(added.itemIds).toHaveLength(2);
  expect(listAllItems(world.companion())).toHaveLength(5);
  await expect(world.companion().settleRepeats(repeatId, true)).rejects.toThrow();
});

test('an unanswered question about repeated photos survives a restart', async () => {
  world = await startWorld();
  world.companion().changeSettings({ deferDrops: true });
  const folders = [await createFolder('red fox', 1), await createFolder('blue coat', 2)];
  await waitUntilPrepared((await dropFolders(...folders)).itemIds);
  const { repeats } = await dropFolders(...folders);
  await world.stop();
  await world.begin();
  expect(world.companion().listRepeats()).toEqual([repeats]);
  const added = await world.companion().settleRepeats(repeats?.repeatId ?? '', true);
  expect(added.itemIds.map((itemId) => world.companion().items.get(itemId).name)).toEqual(['red fox', 'blue coat']);
  expect(world.companion().items.get(added.itemIds[0] ?? '').photos).toHaveLength(2);
  expect(world.companion().listRepeats()).toEqual([]);
});

test('skipped photos are not added, and a folder with one new photo is a new item', async () => {
  world = await startWorld();
  world.companion().changeSettings({ deferDrops: true });
  const folder = await createFolder('red fox', 1);
  await waitUntilPrepared((await dropFolders(folder)).itemIds);
  const { repeats } = await dropFolders(folder);
  expect((await world.companion().settleRepeats(repeats?.repeatId ?? '', false)).itemIds).toEqual([]);
  expect(listAllItems(world.companion())).toHaveLength(1);
  const other = await createFolder('other', 4);
  await copyFile(join(other, 'IMG_1.jpg'), join(folder, 'IMG_9.jpg'));
  const third = await dropFolders(folder);
  expect([third.itemIds.length, third.repeats]).toEqual([1, undefined]);
});

test('an assistant that repeats the photos of an item is told which item has them', async () => {
  world = await startWorld();
  const folder = await createFolder('red fox', 1);
  const bridge = await world.bridge();
  const helper = await pairWithId(world, bridge.url, 'Tidy Helper');
  world.companion().assistants.change(helper.assistantId, { folders: [folder] });
  const add = async () => made.parse((await helper.call('POST', '/companion/items', { body: { folder } })).body);
  const first = await add();
  expect(first.warnings).toEqual([]);
  await world.item(first.itemId, 'review');
  const { warnings } = await add();
  expect(warnings).toHaveLength(1);
  expect(warnings[0]?.sentence).toContain(`The same photos are already in ${first.itemId}.`);
  await bridge.stop();
});

const addPhotosOfPerson = async (touches: 'all' | 'own') => {
  world = await startWorld();
  world.companion().changeSettings({ deferDrops: true });
  const folder = await createFolder('red fox', 1);
  const { itemIds } = await dropFolders(folder);
  await waitUntilPrepared(itemIds);
  const bridge = await world.bridge();
  const helper = await pairWithId(world, bridge.url, 'Tidy Helper');
  world.companion().assistants.change(helper.assistantId, { folders: [folder], touches });
  const { warnings } = made.parse((await helper.call('POST', '/companion/items', { body: { folder } })).body);
  await bridge.stop();
  return warnings;
};

test('an assistant that adds the photos of another item learns no id of that item', async () => {
  const warnings = await addPhotosOfPerson('all');
  expect(warnings).toHaveLength(1);
  expect(warnings[0]?.sentence).toContain('The same photos are already in another item of the person.');
});

test('an assistant that may see only its own listings does not learn that another item has its photos', async () => {
  expect(await addPhotosOfPerson('own')).toEqual([]);
});
