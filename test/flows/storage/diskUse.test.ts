import { readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { startWorld, type World } from '../../helpers/world.ts';

let world: World;
afterEach(() => world.close());

const listPrepared = (): Promise<string[]> => readdir(join(world.dataDir, 'prepared'));
/** Makes the prepared photos old, because the clean-up keeps new files. */
const makePreparedOld = async (): Promise<void> => {
  const dir = join(world.dataDir, 'prepared');
  for (const name of await readdir(dir)) await utimes(join(dir, name), new Date(0), new Date(0));
};
const cleanUpPrepared = async (): Promise<string[]> => {
  await makePreparedOld();
  await world.companion().disk.cleanUp();
  return listPrepared();
};
const filterFullPhotos = (names: string[]): string[] => names.filter((name) => /^[0-9a-f]+\.jpg$/.test(name));

test('prepared photos that are no longer needed are removed, and original photos are kept', async () => {
  world = await startWorld();
  const kept = await world.reviewed('a lamp', 2);
  const gone = await world.reviewed('two books', 3);
  expect(await world.companion().disk.use()).toMatchObject({ copies: 0, copiesBytes: 0 });
  expect(filterFullPhotos(await cleanUpPrepared())).toHaveLength(5);

  const before = await world.companion().disk.use();
  await world.companion().items.remove(gone.itemId);
  expect(filterFullPhotos(await cleanUpPrepared())).toHaveLength(2);
  expect((await world.companion().disk.use()).preparedBytes).toBeLessThan(before.preparedBytes);
  expect(await readdir(join(world.dataDir, 'photos of', 'two books'))).toHaveLength(3);

  // A prepared photo that is still needed can be shown.
  const [photo] = world.companion().items.get(kept.itemId).photos;
  expect(await world.companion().photo({ photoId: photo?.photoId ?? '', size: 'full' })).not.toBeNull();
});

test('photos shared by two items are prepared once and kept while needed', async () => {
  world = await startWorld();
  const first = await world.reviewed('a lamp', 2);
  const second = await world.reviewed('a lamp', 2);
  expect(filterFullPhotos(await listPrepared())).toHaveLength(2);
  await world.companion().items.remove(first.itemId);
  expect(filterFullPhotos(await cleanUpPrepared())).toHaveLength(2);
  await world.companion().items.remove(second.itemId);
  expect(await cleanUpPrepared()).toEqual([]);
});

test('at the next start, only the thumbnails of an ended listing remain', async () => {
  world = await startWorld();
  const { itemId, listingId } = await world.reviewed('a lamp', 2);
  await world.perform('publishListing', { params: { listingId } });
  await world.yes();
  await world.perform('endListing', { params: { listingId } });
  await world.yes();
  await world.until(() => world.companion().items.get(itemId).step === 'ended', 'the end');
  await writeFile(join(world.dataDir, 'prepared', 'feedbeef.jpg'), 'left behind');
  await makePreparedOld();
  await world.stop();
  await world.begin();
  await world.until(async () => (await listPrepared()).length === 2, 'the cleaning');
  expect((await listPrepared()).every((name) => name.endsWith('.thumb.jpg'))).toBe(true);
  const [photo] = world.companion().items.get(itemId).photos;
  expect(await world.companion().photo({ photoId: photo?.photoId ?? '', size: 'thumb' })).not.toBeNull();
});
