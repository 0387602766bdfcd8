import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, expect, test } from 'vitest';
import type { ItemView } from '../../../src/core/storage/tables/itemRecord.ts';
import { createShotFolder, createShots } from '../../helpers/photos/createShotFolder.ts';
import { startWorld, type World } from '../../helpers/world.ts';

let world: World;
afterEach(() => world.close());

const put = ['PUT', '/uploads/{token}'] as const;
const items = () => world.companion().items;
const dropFolder = async (name: string, photos: number): Promise<string> => {
  const { itemIds } = await world.companion().add({ kind: 'paths', paths: [await world.folder(name, photos)] });
  return itemIds[0] ?? '';
};
/** Returns the indexes of the stored photos, in order of arrival. */
const readStoredIndexes = async (): Promise<unknown[]> =>
  (await world.practice.journal()).flatMap(({ kind, index }) => (kind === 'photo' ? [index] : []));
/** Adds an item, and waits until all its photos are prepared. */
const prepareItem = async (count: number): Promise<ItemView> => {
  const folder = await createShotFolder(world.dataDir, 'DCIM', createShots([count, 1]));
  const { itemIds } = await world.companion().add({ kind: 'paths', paths: [folder] });
  return world.item(itemIds[0] ?? '', 'arranging');
};

/** Sends the bytes of some photos to the companion, as a browser does. */
const receiveShots = async (count: number): Promise<{ uploadId: string; relativePath: string }[]> => {
  const folder = await createShotFolder(world.dataDir, 'DCIM', createShots([count, 1]));
  return Promise.all(
    (await readdir(folder)).map(async (name) => {
      const bytes = Readable.from([await readFile(join(folder, name))]);
      return { ...(await world.companion().receivePhoto(bytes)), relativePath: `DCIM/${name}` };
    }),
  );
};

test('a refused upload is retried with a new slot, without sending stored photos again', async () => {
  world = await startWorld();
  await world.practice.fault({ method: put[0], path: put[1], times: 1, status: 403 });
  const itemId = await dropFolder('five', 5);
  const { listingId } = await world.item(itemId, 'review');
  expect((await readStoredIndexes()).toSorted()).toEqual([0, 1, 2, 3, 4]);
  expect((await world.listing(listingId ?? '')).imageUrls).toHaveLength(5);
});

test('an item reports the number of bytes sent during its upload', async () => {
  world = await startWorld();
  await world.practice.fault({ method: put[0], path: put[1], times: 9, delayMs: 150 });
  const itemId = await dropFolder('four', 4);
  const seen: NonNullable<ItemView['sent']>[] = [];
  await world.until(() => {
    const item = items().get(itemId);
    if (item.sent && item.sent.bytes !== seen.at(-1)?.bytes) seen.push(item.sent);
    // The generation can end between two polls.
    return item.step === 'writing' || item.step === 'review';
  }, 'the end of the upload');
  const bytes = seen.map((sent) => sent.bytes);
  expect(bytes).toEqual(bytes.toSorted((a, b) => a - b));
  expect(bytes.length).toBeGreaterThan(1);
  expect(new Set(seen.map(({ total }) => total)).size).toBe(1);
  expect(bytes.at(-1)).toBeLessThanOrEqual(seen[0]?.total ?? 0);
});

test('a prepared photo that is damaged on disk is prepared again before upload', async () => {
  world = await startWorld();
  const { itemId } = await prepareItem(2);
  const dir = join(world.dataDir, 'prepared');
  const photos = (await readdir(dir)).filter((name) => /^[0-9a-f]+\.jpg$/.test(name));
  for (const name of photos) {
    const bytes = await readFile(join(dir, name));
    await writeFile(join(dir, name), bytes.fill(0, Math.floor(bytes.length / 2)));
  }
  await items().begin([itemId]);
  const { listingId } = await world.item(itemId, 'review');
  const { imageUrls } = await world.listing(listingId ?? '');
  expect(imageUrls).toHaveLength(2);
  for (const url of imageUrls ?? []) {
    const bytes = Buffer.from(await (await fetch(url)).arrayBuffer());
    expect(bytes.subarray(-2).toString('hex')).toBe('ffd9');
  }
});

test('photos are uploaded as WebP when the person chose WebP', async () => {
  world = await startWorld();
  world.companion().changeSettings({ photoFormat: 'webp' });
  const { listingId } = await world.item(await dropFolder('two', 2), 'review');
  const [url = ''] = (await world.listing(listingId ?? '')).imageUrls ?? [];
  const response = await fetch(url);
  expect(response.headers.get('content-type')).toBe('image/webp');
  expect(Buffer.from(await response.arrayBuffer()).toString('latin1', 8, 12)).toBe('WEBP');
});

test('a photo received as bytes can be edited, and its copy is deleted after upload', async () => {
  world = await startWorld();
  const files = await receiveShots(2);
  const { itemIds } = await world.companion().add({ kind: 'uploads', files });
  const view = await world.item(itemIds[0] ?? '', 'arranging');
  const edits = { quarterTurns: 1 as const, straightenDeg: 0, crop: null, brighten: 0 };
  await items().arranging.edit(view.photos[0]?.photoId ?? '', edits);
  expect((await world.item(view.itemId, 'arranging')).photos[0]).toMatchObject({ state: 'ready', width: 480 });
  await items().begin();
  await Promise.all(itemIds.map((itemId) => world.item(itemId, 'review')));
  expect(await readdir(join(world.dataDir, 'intake'))).toEqual([]);
});

test('received bytes become photos of one item only, so that removing a second item cannot remove them', async () => {
  world = await startWorld();
  const files = await receiveShots(2);
  world.companion().changeSettings({ deferDrops: true });
  const { itemIds } = await world.companion().add({ kind: 'uploads', files });
  const [itemId = ''] = itemIds;
  for (const use of [
    () => world.companion().add({ kind: 'uploads', files }),
    () => world.companion().addInto({ kind: 'uploads', files }, { itemId }),
    () => world.companion().avatar({ uploadId: files[0]?.uploadId ?? '' }),
  ])
    await expect(use()).rejects.toMatchObject({ code: 'INTAKE_MISSING' });
  expect(items().get(itemId).photos).not.toHaveLength(0);
  expect(await readdir(join(world.dataDir, 'intake'))).toHaveLength(files.length);
});
