import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findPhotosInPaths } from '../../../../src/core/photos/findPhotos.ts';
import { splitPhotoGroups } from '../../../../src/core/photos/splitGroups.ts';
import { corpus, whyNoCorpus } from '../../../helpers/photos/corpus.ts';
import { shotFolder, shotsOf } from '../../../helpers/photos/shotFolder.ts';
import { tempDir } from '../../../helpers/photos/photoWorld.ts';

if (!corpus) console.log(whyNoCorpus);

/** The groups as `name: count`, with a question mark where they are a guess. */
const split = async (...paths: string[]): Promise<string[]> =>
  (await splitPhotoGroups((await findPhotosInPaths(paths)).groups)).map(
    ({ name, photos, guessed }) => `${name}: ${photos.length}${guessed ? '?' : ''}`,
  );

test('a camera folder is split at pauses, and a folder with a descriptive name stays one item', async () => {
  const dir = await tempDir();
  await shotFolder(dir, 'DCIM', shotsOf([3, 4]));
  expect(await split(join(dir, 'DCIM'))).toEqual(['DCIM 1: 3?', 'DCIM 2: 4?']);
  await shotFolder(dir, 'blue lamp', shotsOf([3, 4]));
  expect(await split(join(dir, 'blue lamp'))).toEqual(['blue lamp: 7']);
});

test('a folder with a descriptive name is split if it clearly shows several items, unless the person sorted the photos', async () => {
  const dir = await tempDir();
  await shotFolder(dir, 'garage finds', shotsOf([3, 2, 4], 600));
  expect(await split(join(dir, 'garage finds'))).toEqual([
    'garage finds 1: 3?',
    'garage finds 2: 2?',
    'garage finds 3: 4?',
  ]);
  await shotFolder(dir, 'fan', shotsOf([2]));
  expect(await split(dir)).toEqual(['fan: 2', 'garage finds: 9']);
});

test('loose photos are split too, and each group is named after its first photo', async () => {
  const dir = await shotFolder(await tempDir(), 'any', shotsOf([2, 2], 700));
  const paths = (await readdir(dir)).map((name) => join(dir, name));
  expect(await split(...paths)).toEqual(['IMG_1: 2?', 'IMG_3: 2?']);
});

test('a large group of photos without dates is marked for review, and a small group is not', async () => {
  const dir = await tempDir();
  const mute = (count: number) => Array.from({ length: count }, () => ({ atS: null }));
  await shotFolder(dir, 'inbox', mute(9));
  expect(await split(join(dir, 'inbox'))).toEqual(['inbox: 9?']);
  await shotFolder(dir, 'few/inbox', mute(3));
  expect(await split(join(dir, 'few/inbox'))).toEqual(['inbox: 3']);
});

test.skipIf(!corpus)('folders of real photos from many years and cameras stay unsplit', async () => {
  const items = join(corpus?.dir ?? '', 'items');
  const names = await readdir(items);
  const groups = await split(items);
  expect(groups.length).toBe(names.length);
  expect(groups.filter((group) => group.endsWith('?'))).toEqual(['mixed-inbox: 23?']);
});
