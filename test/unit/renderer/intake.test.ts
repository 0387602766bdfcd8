import { expect, test } from 'vitest';
import { resolveSourcePaths, isLikelyPhoto } from '../../../src/renderer/src/api/addPhotos.ts';

const createFile = (webkitRelativePath: string, path: string) => ({ webkitRelativePath, path }) as unknown as File;
const pathOf = (given: File): string => (given as unknown as { path: string }).path;

test('a chosen folder is added as a folder, so that its photos stay together', () => {
  const files = [createFile('fox/a.jpg', '/home/a/fox/a.jpg'), createFile('fox/b.jpg', '/home/a/fox/b.jpg')];
  expect(resolveSourcePaths(files, pathOf)).toEqual(['/home/a/fox']);
});

test('a chosen folder is also recognized in paths with backslashes', () => {
  expect(resolveSourcePaths([createFile('fox/in/a.jpg', 'C:\\photos\\fox\\in\\a.jpg')], pathOf)).toEqual([
    'C:\\photos\\fox',
  ]);
});

test('individually chosen photos keep their own paths', () => {
  expect(resolveSourcePaths([createFile('', '/a.jpg'), createFile('', '')], pathOf)).toEqual(['/a.jpg']);
  expect(resolveSourcePaths([createFile('', '/a.jpg')], undefined)).toEqual([]);
});

test('videos and system files are not sent as photos', () => {
  expect(isLikelyPhoto('a.heic', '')).toBe(true);
  expect(isLikelyPhoto('IMG_1', '')).toBe(true);
  expect(isLikelyPhoto('odd.bin', 'image/jpeg')).toBe(true);
  expect(isLikelyPhoto('clip.mov', 'video/quicktime')).toBe(false);
  expect(isLikelyPhoto('Thumbs.db', '')).toBe(false);
  expect(isLikelyPhoto('.DS_Store', '')).toBe(false);
  // The core tells the person to download the photo.
  expect(isLikelyPhoto('.IMG_1.HEIC.icloud', '')).toBe(true);
});
