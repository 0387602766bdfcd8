import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { ItemView } from '../../../src/core/storage/tables/itemRecord.ts';
import { startWorld, type World } from '../../helpers/world.ts';

let world: World;
afterEach(() => world.close());

const items = () => world.companion().items;
const get = (itemId: string): ItemView => items().get(itemId);
const drop = async (path: string): Promise<string> =>
  (await world.companion().add({ kind: 'paths', paths: [path] })).itemIds[0] ?? '';
const waits = (itemId: string) => world.until(() => get(itemId).step === 'arranging', 'the look');
/** Lets everything run that would run, and tells whether anything has reached the service. */
const sentMeanwhile = async (): Promise<number> => {
  for (let turn = 0; turn < 20; turn += 1) await world.until(() => true);
  return world.happened('draft');
};

test('a drop waits for the person when that setting is on, even after a restart, and its photos can still be changed', async () => {
  world = await startWorld();
  world.companion().changeSettings({ deferDrops: true });
  const itemId = await drop(await world.folder('a tea pot', 3));
  await waits(itemId);
  expect(get(itemId)).toMatchObject({ reviewReason: 'requested', deferrable: false, arrangeable: true });
  await world.stop();
  await world.begin();
  expect([await sentMeanwhile(), get(itemId).step]).toEqual([0, 'arranging']);

  const [first, second, third] = get(itemId).photos.map(({ photoId }) => photoId) as [string, string, string];
  await items().arranging.order(itemId, [third]);
  await items().arranging.edit(first, { quarterTurns: 1, straightenDeg: 0, crop: null, brighten: 0 });
  await world.until(() => get(itemId).step === 'arranging' && get(itemId).progress === null, 'the turned photo');
  expect(get(itemId).photos.map(({ photoId }) => photoId)).toEqual([third, first, second]);
  expect(await sentMeanwhile()).toBe(0);
  await items().begin([itemId]);
  await world.item(itemId, 'review');
  expect(get(itemId)).toMatchObject({ reviewReason: null });
});

test('an item that is in progress is deferred before its photos are sent, and it still waits after a restart', async () => {
  world = await startWorld();
  world.companion().pauseAll(true);
  const itemId = await drop(await world.folder('a brass bell'));
  expect(get(itemId)).toMatchObject({ reviewReason: null, deferrable: true });
  expect(await items().defer(itemId)).toMatchObject({ reviewReason: 'requested' });
  await world.stop();
  await world.begin();
  world.companion().pauseAll(false);
  await waits(itemId);
  expect(await sentMeanwhile()).toBe(0);
  await items().begin([itemId]);
  await world.item(itemId, 'review');
  await expect(items().defer(itemId)).rejects.toThrow('already uploaded');
});

test('an item with more photos than the plan allows waits once for the person’s choice', async () => {
  world = await startWorld({ person: { plan: 'Free' } });
  await world.until(() => world.companion().state(null).allowance, 'the standing');
  const cap = world.companion().state(null).allowance?.photosPerListing ?? 0;
  const itemId = await drop(await world.folder('a set of plates', cap + 2));
  await waits(itemId);
  expect(get(itemId)).toMatchObject({ reviewReason: 'overCap', overCap: 2 });
  expect(await sentMeanwhile()).toBe(0);
  await items().begin([itemId]);
  await world.item(itemId, 'review');
  expect(await world.happened('generation')).toBe(1);
});

test('no listing is used without asking when most photos are unusable', async () => {
  world = await startWorld();
  const folder = await world.folder('a wooden box', 2);
  for (const at of [1, 2, 3]) await writeFile(join(folder, `torn ${at}.jpg`), 'no picture at all');
  const itemId = await drop(folder);
  await waits(itemId);
  expect(get(itemId)).toMatchObject({ reviewReason: 'unusable' });
  expect(await sentMeanwhile()).toBe(0);
  await items().begin([itemId]);
  await world.item(itemId, 'review');
});
