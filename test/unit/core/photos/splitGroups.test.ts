import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findPhotosInPaths } from '../../../../src/core/photos/findPhotos.ts';
import { splitPhotoGroups } from '../../../../src/core/photos/splitGroups.ts';
import { corpus, whyNoCorpus } from '../../../helpers/photos/corpus.ts';
import { createShotFolder, createShots } from '../../../helpers/photos/createShotFolder.ts';
import { createTempDir } from '../../../helpers/photos/photoWorld.ts';

if (!corpus) console.log(whyNoCorpus);

/** Returns the groups as `name: count`, with a question mark after guessed groups. */
const splitPaths = async (...paths: string[]): Promise<string[]> =>
  (await splitPhotoGroups((await findPhotosInPaths(paths)).groups)).map(
    ({ name, photos, guessed }) => `${name}: ${photos.length}${guessed ? '?' : ''}`,
  );

test('a camera folder is split at pauses, but a folder with a descriptive name is not', async () => {
  const dir = await createTempDir();
  await createShotFolder(dir, 'DCIM', createShots([3, 4]));
  expect(await splitPaths(join(dir, 'DCIM'))).toEqual(['DCIM 1: 3?', 'DCIM 2: 4?']);
  await createShotFolder(dir, 'blue lamp', createShots([3, 4]));
  expect(await splitPaths(join(dir, 'blue lamp'))).toEqual(['blue lamp: 7']);
});

test('a folder with a descriptive name is split if its photos clearly show several items', async () => {
  const dir = await createTempDir();
  await createShotFolder(dir, 'garage finds', createShots([3, 2, 4], 600));
  expect(await splitPaths(join(dir, 'garage finds'))).toEqual([
    'garage finds 1: 3?',
    'garage finds 2: 2?',
    'garage finds 3: 4?',
  ]);
  await createShotFolder(dir, 'fan', createShots([2]));
  expect(await splitPaths(dir)).toEqual(['fan: 2', 'garage finds: 9']);
});

test('single photos are split at pauses into groups named after their first photos', async () => {
  const dir = await createShotFolder(await createTempDir(), 'any', createShots([2, 2], 700));
  const paths = (await readdir(dir)).map((name) => join(dir, name));
  expect(await splitPaths(...paths)).toEqual(['IMG_1: 2?', 'IMG_3: 2?']);
});

test('only a large group of undated photos is marked for review', async () => {
  const dir = await createTempDir();
  const mute = (count: number) => Array.from({ length: count }, () => ({ atS: null }));
  await createShotFolder(dir, 'inbox', mute(9));
  expect(await splitPaths(join(dir, 'inbox'))).toEqual(['inbox: 9?']);
  await createShotFolder(dir, 'few/inbox', mute(3));
  expect(await splitPaths(join(dir, 'few/inbox'))).toEqual(['inbox: 3']);
});

test.skipIf(!corpus)('folders of real photos from many years and cameras are not split', async () => {
  const items = join(corpus?.dir ?? '', 'items');
  const names = await readdir(items);
  const groups = await splitPaths(items);
  expect(groups.length).toBe(names.length);
  expect(groups.filter((group) => group.endsWith('?'))).toEqual(['mixed-inbox: 23?']);
});
