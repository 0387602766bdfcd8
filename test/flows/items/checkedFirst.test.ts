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
const waitForArranging = (itemId: string) => world.until(() => get(itemId).step === 'arranging', 'the arranging step');
/** Lets pending work run, then returns how many drafts the service has received. */
const countSentDrafts = async (): Promise<number> => {
  for (let turn = 0; turn < 20; turn += 1) await world.until(() => true);
  return world.happened('draft');
};

test('if drops are deferred, no draft is created until the person starts the item', async () => {
  world = await startWorld();
  world.companion().changeSettings({ deferDrops: true });
  const itemId = await drop(await world.folder('a tea pot', 3));
  await waitForArranging(itemId);
  expect(get(itemId)).toMatchObject({ reviewReason: 'requested', deferrable: false, arrangeable: true });
  await world.stop();
  await world.begin();
  expect([await countSentDrafts(), get(itemId).step]).toEqual([0, 'arranging']);

  const [first, second, third] = get(itemId).photos.map(({ photoId }) => photoId) as [string, string, string];
  await items().arranging.order(itemId, [third]);
  await items().arranging.edit(first, { quarterTurns: 1, straightenDeg: 0, crop: null, brighten: 0 });
  await world.until(() => get(itemId).step === 'arranging' && get(itemId).progress === null, 'the turned photo');
  expect(get(itemId).photos.map(({ photoId }) => photoId)).toEqual([third, first, second]);
  expect(await countSentDrafts()).toBe(0);
  await items().begin([itemId]);
  await world.item(itemId, 'review');
  expect(get(itemId)).toMatchObject({ reviewReason: null });
});

test('an item in progress can be deferred before its photos are uploaded', async () => {
  world = await startWorld();
  world.companion().pauseAll(true);
  const itemId = await drop(await world.folder('a brass bell'));
  expect(get(itemId)).toMatchObject({ reviewReason: null, deferrable: true });
  expect(await items().defer(itemId)).toMatchObject({ reviewReason: 'requested' });
  await world.stop();
  await world.begin();
  world.companion().pauseAll(false);
  await waitForArranging(itemId);
  expect(await countSentDrafts()).toBe(0);
  await items().begin([itemId]);
  await world.item(itemId, 'review');
  await expect(items().defer(itemId)).rejects.toThrow('already uploaded');
});

test('an item with too many photos for the plan is deferred', async () => {
  world = await startWorld({ person: { plan: 'Free' } });
  await world.until(() => world.companion().state(null).allowance, 'the standing');
  const cap = world.companion().state(null).allowance?.photosPerListing ?? 0;
  const itemId = await drop(await world.folder('a set of plates', cap + 2));
  await waitForArranging(itemId);
  expect(get(itemId)).toMatchObject({ reviewReason: 'overCap', overCap: 2 });
  expect(await countSentDrafts()).toBe(0);
  await items().begin([itemId]);
  await world.item(itemId, 'review');
  expect(await world.happened('generation')).toBe(1);
});

test('an item is deferred if most of its photos are unusable', async () => {
  world = await startWorld();
  const folder = await world.folder('a wooden box', 2);
  for (const at of [1, 2, 3]) await writeFile(join(folder, `torn ${at}.jpg`), 'no picture at all');
  const itemId = await drop(folder);
  await waitForArranging(itemId);
  expect(get(itemId)).toMatchObject({ reviewReason: 'unusable' });
  expect(await countSentDrafts()).toBe(0);
  await items().begin([itemId]);
  await world.item(itemId, 'review');
});
