import { expect, test } from 'vitest';
import { findLargestPhotoSize } from '../../../src/renderer/src/screens/items/sheet/sheetView.ts';

test.each([
  ['60 photos of 12 items in a large window', Array.from({ length: 12 }, () => 5), { width: 1688, height: 940 }, 128],
  ['a few photos', [3, 2], { width: 1000, height: 600 }, 160],
  ['more photos than fit', Array.from({ length: 60 }, () => 5), { width: 1000, height: 600 }, 72],
])('%s are as large as fits', (_what, counts, room, size) => {
  expect(findLargestPhotoSize(counts, { ...room, itemStart: 20 })).toBe(size);
});
