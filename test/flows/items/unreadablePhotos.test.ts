import { copyFile, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { listAllItems } from '../../helpers/listAllItems.ts';
import { startCachingKitchen } from '../../helpers/photos/startCachingKitchen.ts';
import { startWorld, type World } from '../../helpers/world.ts';

let world: World;
beforeEach(async () => {
  world = await startWorld();
});
afterEach(() => world.close());

const items = () => world.companion().items;
/** Pauses all work and drops a folder, so that its photos are not read yet. */
const dropWhilePaused = async (name: string, photos: number) => {
  world.companion().pauseAll(true);
  const folder = await world.folder(name, photos);
  const { itemIds } = await world.companion().add({ kind: 'paths', paths: [folder] });
  return { folder, itemId: itemIds[0] ?? '' };
};
const resumeUntilStop = async (itemId: string) => {
  world.companion().pauseAll(false);
  await world.until(() => items().get(itemId).stop !== null, 'the stop');
  return items().get(itemId);
};
const getPhotos = (itemId: string) => items().get(itemId).photos;

test('an item with a missing photo stops until the person continues without the photo', async () => {
  const { folder, itemId } = await dropWhilePaused('blue mug', 3);
  await rm(join(folder, 'IMG_2.jpg'));
  const { stop, step, words } = await resumeUntilStop(itemId);
  expect(words).toBe('Waiting for photos');
  for (const find of ['waiting for photos', 'wartet auf fotos'])
    expect(await items().list.found({ find, language: find.startsWith('wartet') ? 'de' : 'en' })).toMatchObject({
      itemIds: [itemId],
    });
  expect([step, stop?.code, stop?.next]).toEqual(['photos', 'PHOTOS_AWAY', ['retry', 'without_photos', 'remove']]);
  expect(stop?.sentence).toContain('“IMG_2.jpg” cannot be read where it was. Put it back');
  expect(getPhotos(itemId).map(({ state, says }) => [state, says?.key])).toEqual([
    ['ready', undefined],
    ['waiting', 'refusals.MISSING_FILE'],
    ['ready', undefined],
  ]);
  expect(await world.happened('draft')).toBe(0);

  items().skipUnreadable(itemId);
  await world.item(itemId, 'review');
  expect(getPhotos(itemId).map(({ state }) => state)).toEqual(['ready', 'refused', 'ready']);
  expect(() => items().skipUnreadable(itemId)).toThrow();
});

test('an item can be resumed after its renamed folder gets its old name back', async () => {
  const { folder, itemId } = await dropWhilePaused('blue mug', 2);
  await rename(folder, `${folder} away`);
  const { stop } = await resumeUntilStop(itemId);
  expect([stop?.code, stop?.next]).toEqual(['PHOTOS_AWAY', ['retry', 'remove']]);
  expect(stop?.sentence).toContain('2 photos cannot be read where they were, the first is “IMG_1.jpg”');
  await items().resume(itemId);
  await world.until(() => items().get(itemId).stop !== null, 'the stop again');
  await world.stop();
  await world.begin();
  expect(items().get(itemId).stop?.code).toBe('PHOTOS_AWAY');
  await rename(`${folder} away`, folder);
  await items().resume(itemId);
  await world.item(itemId, 'review');
  expect(getPhotos(itemId).map(({ state, sentence }) => [state, sentence])).toEqual(Array(2).fill(['ready', null]));
});

test('an item resumes automatically when its missing folder is back', async () => {
  // The checks after the start have ended, so only the stop of this item causes new checks.
  await world.reviewed('red mug');
  const { folder, itemId } = await dropWhilePaused('blue mug', 2);
  await rename(folder, `${folder} away`);
  await resumeUntilStop(itemId);
  await rename(`${folder} away`, folder);
  await world.until(() => items().get(itemId).stop === null, 'the item to resume');
  await world.item(itemId, 'review');
});

test('a damaged photo is refused, but the item waits for a missing photo', async () => {
  const { folder, itemId } = await dropWhilePaused('blue mug', 3);
  await writeFile(join(folder, 'IMG_1.jpg'), 'This was a photo.');
  await rm(join(folder, 'IMG_3.jpg'));
  await resumeUntilStop(itemId);
  expect(getPhotos(itemId).map(({ state }) => state)).toEqual(['refused', 'ready', 'waiting']);
});

test('a drop with a missing path names that path and adds the other paths', async () => {
  const folder = await world.folder('blue mug', 1);
  const paths = [join(folder, '..', 'not there'), folder];
  const { sentence } = await world.companion().add({ kind: 'paths', paths });
  expect(sentence).toBe('1 item with 1 photo. “not there” was left out: it is not there any more.');
  expect(listAllItems(world.companion())).toHaveLength(1);
  await expect(world.companion().add({ kind: 'paths', paths: paths.slice(0, 1) })).rejects.toMatchObject({
    code: 'MISSING_PATH',
  });
});

test.skipIf(process.platform !== 'linux')(
  'a drop asks the person to rename a folder whose name is not valid UTF-8',
  async () => {
    const folder = await world.folder('blue mug', 1);
    const strange = Buffer.concat([Buffer.from(join(folder, 'caf')), Buffer.from([0xe9])]);
    await mkdir(strange);
    const { sentence } = await world.companion().add({ kind: 'paths', paths: [folder] });
    expect(sentence).toContain('caf\uFFFD was left out: its name has characters that cannot be read here. Rename it');
  },
);

test('a drop names photos that are still in iCloud and originals that have an edited copy', async () => {
  const folder = await world.folder('blue mug', 2);
  await copyFile(join(folder, 'IMG_1.jpg'), join(folder, 'IMG_E1.jpg'));
  await writeFile(join(folder, '.IMG_0500.HEIC.icloud'), 'bplist00');
  const { sentence } = await world.companion().add({ kind: 'paths', paths: [folder] });
  expect(sentence).toBe(
    '1 item with 2 photos. 1 photo is still in iCloud: IMG_0500.HEIC. Download it first. IMG_1.jpg was left out ' +
      'because its edited copy is used. It stays on the disk, and you can add it by itself.',
  );
  await rm(folder, { recursive: true });
  await mkdir(folder);
  await writeFile(join(folder, '.IMG_0500.HEIC.icloud'), 'bplist00');
  await expect(world.companion().add({ kind: 'paths', paths: [folder] })).rejects.toMatchObject({
    says: { values: { left: { key: 'items.leftInIcloud', values: { names: 'IMG_0500.HEIC' } } } },
  });
});

test('an item continues automatically once file descriptors are available again', async () => {
  await world.close();
  let isBusy = true;
  world = await startWorld({
    startKitchen: async (onMessage) => {
      if (isBusy) throw Object.assign(new Error('spawn EMFILE'), { code: 'EMFILE' });
      return startCachingKitchen(onMessage);
    },
  });
  const { itemIds } = await world.companion().add({ kind: 'paths', paths: [await world.folder('blue mug', 2)] });
  const itemId = itemIds[0] ?? '';
  await world.until(() => items().get(itemId).words.includes('cannot open more files'), 'the sentence');
  expect([items().get(itemId).stop, getPhotos(itemId).map(({ state }) => state)]).toEqual([
    null,
    ['waiting', 'waiting'],
  ]);
  isBusy = false;
  await world.item(itemId, 'review');
});
