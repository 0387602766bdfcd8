import { afterEach, expect, test } from 'vitest';
import { quickWriter } from '../../helpers/practice.ts';
import { startWorld, type World } from '../../helpers/world.ts';
import { listAllItems } from '../../helpers/listAllItems.ts';

let world: World;
afterEach(() => world.close());

const dropFolder = async (name: string, photos: number): Promise<string> => {
  const { itemIds } = await world.companion().add({ kind: 'paths', paths: [await world.folder(name, photos)] });
  return itemIds[0] ?? '';
};

test('an item continues with new upload slots after its slots expired overnight', async () => {
  world = await startWorld();
  await world.practice.fault({ method: 'PUT', path: '/uploads/{token}', times: 100, status: 503 });
  const itemId = await dropFolder('long night', 3);
  await world.item(itemId, 'upload');
  await world.until(
    () => world.companion().items.get(itemId).words.includes('waiting for the service'),
    'the first failure',
  );
  await world.stop();
  await world.practice.control('DELETE', '/faults');
  await world.practice.advance(8 * 3_600_000);
  world.clock.advance(8 * 3_600_000);
  await world.begin();
  const { photos } = await world.item(itemId, 'review');
  expect(photos.every(({ uploaded }) => uploaded)).toBe(true);
  expect([await world.happened('draft'), await world.happened('photo'), await world.happened('generation')]).toEqual([
    1, 3, 1,
  ]);
});

test('each of seven interrupted items is generated exactly once after a restart', async () => {
  const writing = Promise.withResolvers<void>();
  world = await startWorld({
    writer: { ...quickWriter, write: (input) => writing.promise.then(() => quickWriter.write(input)) },
  });
  for (let index = 0; index < 7; index += 1) await dropFolder(`thing ${index}`, 1);
  await world.until(
    () => listAllItems(world.companion()).filter(({ step }) => step === 'writing').length === 5,
    'five being written',
  );
  await world.stop();
  await world.begin();
  writing.resolve();
  await world.until(() => listAllItems(world.companion()).every(({ step }) => step === 'review'), 'all seven');
  expect([await world.happened('draft'), await world.happened('generation')]).toEqual([7, 7]);
});

test('a draft request that got no response is not repeated a day later', async () => {
  world = await startWorld();
  await world.practice.fault({ method: 'POST', path: '/listings', times: 1_000, drop: 'after' });
  const itemId = await dropFolder('lost in the post', 1);
  await world.until(
    () => world.companion().items.get(itemId).words.includes('waiting for the service'),
    'the lost answer',
  );
  await world.stop();
  await world.practice.control('DELETE', '/faults');
  await world.practice.advance(25 * 3_600_000);
  world.clock.advance(25 * 3_600_000);
  await world.begin();
  const stop = await world.until(() => world.companion().items.get(itemId).stop, 'the stop');
  expect(stop.code).toBe('DRAFT_UNKNOWN');
  expect(await world.happened('draft')).toBe(1);
});

test('a second companion on the same data folder is refused', async () => {
  world = await startWorld();
  const { lockDataFolder } = await import('../../../src/core/storage/folderLock.ts');
  const unlock = lockDataFolder(world.dataDir);
  expect(() => lockDataFolder(world.dataDir)).toThrow('already running with this data folder');
  unlock();
  lockDataFolder(world.dataDir)();
});

test('a data folder of a newer version is not opened', async () => {
  world = await startWorld();
  await world.stop();
  const { default: Database } = await import('better-sqlite3');
  const db = new Database(`${world.dataDir}/companion.db`);
  db.pragma('user_version = 999');
  db.close();
  await expect(world.begin()).rejects.toThrow('newer version');
});
