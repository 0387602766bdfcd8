import { copyFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findPhotosInPaths } from '../../../../src/core/photos/findPhotos.ts';
import { countTurns } from '../../../helpers/hosts/countTurns.ts';
import { groupUploadedFiles, type FoundPhotos } from '../../../../src/core/photos/groupFiles.ts';
import { createTempDir } from '../../../helpers/photos/photoWorld.ts';
import { getFixtureFolder } from '../../../helpers/photos/getFixtureFolder.ts';

const listGroups = (found: FoundPhotos) =>
  Object.fromEntries(found.groups.map((group) => [group.name, group.photos.map(({ name }) => name)]));
const countSkipped = (found: FoundPhotos, why: string) => found.skipped.filter((file) => file.why === why).length;

test('each folder becomes one group with its photos in natural name order', async () => {
  const nested = join(await getFixtureFolder(), 'folders/nested');
  const found = await findPhotosInPaths([`${nested}/`]);
  expect(listGroups(found)).toEqual({
    lamp: ['broken.jpg', 'front'],
    shoes: ['IMG_2.jpg', 'IMG_10.jpg'],
    left: ['IMG_1.jpg'],
  });
  expect(found.groups.map(({ folder }) => folder)).toContain(join(nested, 'shoes/left'));
  expect([countSkipped(found, 'junk'), countSkipped(found, 'video'), countSkipped(found, 'not_a_photo')]).toEqual([
    7, 1, 0,
  ]);
  // A text file next to photos is kept with their group.
  expect(found.groups.flatMap(({ texts = [] }) => texts)).toHaveLength(1);
});

test('files given individually form one group named after the first file', async () => {
  const good = join(await getFixtureFolder(), 'good');
  const found = await findPhotosInPaths([join(good, 'photo.png'), join(good, 'photo.jpg'), join(good, 'photo.png')]);
  expect(found.groups).toHaveLength(1);
  expect(found.groups[0]).toMatchObject({ name: 'photo', folder: null });
  expect(listGroups(found)).toEqual({ photo: ['photo.jpg', 'photo.png'] });
});

test('a folder without photos produces no group, and a large folder is read completely', async () => {
  const folders = join(await getFixtureFolder(), 'folders');
  const none = await findPhotosInPaths([join(folders, 'no-photos')]);
  expect([none.groups.length, none.skipped.length]).toEqual([0, 2]);
  const many = await findPhotosInPaths([join(folders, 'many')]);
  expect(many.groups[0]?.photos.map(({ name }) => name)).toEqual(
    Array.from({ length: 30 }, (_, i) => `photo ${i + 1}.jpg`),
  );
});

test('a search for photos can be aborted', async () => {
  const folders = join(await getFixtureFolder(), 'folders');
  const abort = new AbortController();
  abort.abort();
  await expect(findPhotosInPaths([folders], { signal: abort.signal })).rejects.toThrow(/abort/i);
});

test('files from a browser are grouped like files on disk', async () => {
  const files = [
    'shoes/IMG_10.jpg',
    'shoes/IMG_2.jpg',
    'shoes/._IMG_2.jpg',
    'shoes/IMG_2.MOV',
    'shoes/left/a.heic',
    'shoes/notes.txt',
    'one.png',
  ];
  const found = await groupUploadedFiles(files.map((relativePath, i) => ({ path: `/uploads/${i}`, relativePath })));
  expect(listGroups(found)).toEqual({ shoes: ['IMG_2.jpg', 'IMG_10.jpg'], left: ['a.heic'], one: ['one.png'] });
  expect(found.groups.at(-1)?.folder).toBeNull();
  expect([countSkipped(found, 'junk'), countSkipped(found, 'video'), countSkipped(found, 'not_a_photo')]).toEqual([
    1, 1, 0,
  ]);
  expect(found.groups.map(({ texts = [] }) => texts.map(({ name }) => name))).toEqual([['notes.txt'], [], []]);
});

test('thousands of uploaded photos are put in order and edited copies are found while other work runs', async () => {
  const files = Array.from({ length: 3_000 }, (_, at) => `card/IMG_${at}.jpg`).toReversed();
  const { turns, result } = await countTurns(async () =>
    groupUploadedFiles(
      [...files, 'card/IMG_E7.jpg'].map((relativePath, at) => ({ path: `/in/card/${at}`, relativePath })),
    ),
  );
  expect(turns).toBeGreaterThan(20);
  const names = result.groups[0]?.photos.map(({ name }) => name) ?? [];
  expect(names.slice(5, 9)).toEqual(['IMG_5.jpg', 'IMG_6.jpg', 'IMG_E7.jpg', 'IMG_8.jpg']);
  expect(names).toHaveLength(3_000);
  expect(countSkipped(result, 'edited')).toBe(1);
});

test('copies that a system numbered come after their original and before the next photo', async () => {
  const dir = await createTempDir();
  const names = ['IMG_11.JPG', 'IMG_11 (1).JPG', 'IMG_11 2.JPG', 'IMG_12.JPG'];
  for (const name of names) await copyFile(join(await getFixtureFolder(), 'good/photo.jpg'), join(dir, name));
  const found = (await findPhotosInPaths([dir])).groups[0]?.photos.map(({ name }) => name) ?? [];
  expect(found).toHaveLength(names.length);
  expect([found[0], found[3]]).toEqual(['IMG_11.JPG', 'IMG_12.JPG']);
});

const createFolderOf = async (names: readonly string[]): Promise<string> => {
  const dir = await createTempDir();
  const photo = join(await getFixtureFolder(), 'good/photo.jpg');
  for (const name of names) await copyFile(photo, join(dir, name));
  return dir;
};
const listSkipped = (found: FoundPhotos) => found.skipped.map(({ name, why }) => [name, why]);

test('an edited copy takes the place of its original', async () => {
  const dir = await createFolderOf([
    ...['IMG_9.JPG', 'IMG_11.JPG', 'IMG_E11.JPG', 'IMG_12.JPG'],
    ...['PXL_1.jpg', 'PXL_1-edited.jpg', 'PXL_2(1).jpg', 'PXL_2-bearbeitet(1).jpg'],
    // Neither of these has an original here.
    ...['IMG_E40.JPG', 'lamp-edited.jpg'],
  ]);
  const found = await findPhotosInPaths([dir]);
  expect(found.groups[0]?.photos.map(({ name }) => name)).toEqual([
    ...['IMG_9.JPG', 'IMG_E11.JPG', 'IMG_12.JPG', 'IMG_E40.JPG'],
    ...['lamp-edited.jpg', 'PXL_1-edited.jpg', 'PXL_2-bearbeitet(1).jpg'],
  ]);
  expect(listSkipped(found)).toEqual([
    ['IMG_11.JPG', 'edited'],
    ['PXL_1.jpg', 'edited'],
    ['PXL_2(1).jpg', 'edited'],
  ]);
  // The person can still choose the original.
  const alone = await findPhotosInPaths([join(dir, 'IMG_11.JPG')]);
  expect(alone.groups[0]?.photos.map(({ name }) => name)).toEqual(['IMG_11.JPG']);
});

test('a placeholder of iCloud is named by its photo, and other placeholders are ignored', async () => {
  const dir = await createFolderOf(['IMG_1.jpg']);
  for (const name of ['.IMG_0500.HEIC.icloud', '.notes.txt.icloud']) await writeFile(join(dir, name), 'bplist00');
  const found = await findPhotosInPaths([dir]);
  expect(listSkipped(found)).toEqual([
    ['IMG_0500.HEIC', 'in_icloud'],
    ['.notes.txt.icloud', 'junk'],
  ]);
  const uploaded = await groupUploadedFiles([{ path: '/in/1', relativePath: 'mug/.IMG_0500.HEIC.icloud' }]);
  expect(listSkipped(uploaded)).toEqual([['IMG_0500.HEIC', 'in_icloud']]);
});

test('a file that only an online storage has is not read, and a sparse file on Linux is', async () => {
  const dir = await createFolderOf(['IMG_1.jpg']);
  // A sparse file has a size and no blocks, like a file that is not downloaded.
  for (const [name, size] of [
    ['IMG_2.jpg', 90_000],
    ['IMG_3.jpg', 400],
  ] as const) {
    await writeFile(join(dir, name), '');
    await truncate(join(dir, name), size);
  }
  for (const platform of ['darwin', 'win32'] as const) {
    const found = await findPhotosInPaths([dir], { platform });
    expect(listSkipped(found)).toEqual([['IMG_2.jpg', 'online_only']]);
    expect(found.groups[0]?.photos.map(({ name }) => name)).toEqual(['IMG_1.jpg', 'IMG_3.jpg']);
  }
  expect((await findPhotosInPaths([dir], { platform: 'linux' })).groups[0]?.photos).toHaveLength(3);
});
