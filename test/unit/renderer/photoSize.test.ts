import { expect, test } from 'vitest';
import { findLargestPhotoSize, layOutItems } from '../../../src/renderer/src/screens/items/sheet/sheetView.ts';

test.each([
  ['60 photos of 12 items in a large window', Array.from({ length: 12 }, () => 5), { width: 1688, height: 940 }, 128],
  ['a few photos', [3, 2], { width: 1000, height: 600 }, 160],
  ['more photos than fit', Array.from({ length: 60 }, () => 5), { width: 1000, height: 600 }, 72],
])('%s are as large as fits', (_what, counts, room, size) => {
  expect(findLargestPhotoSize(counts, { ...room, itemStart: 20 })).toBe(size);
});

test('items flow like words in a text, and an item with more photos than fit into a line has lines of its own', () => {
  const { places, lines, height } = layOutItems([2, 2, 9, 1], 72, { width: 400, height: 600, itemStart: 20 });
  expect(places.map(({ left, top }) => [left, top])).toEqual([
    [0, 0],
    [170, 0],
    [0, 92],
    [0, 366],
  ]);
  expect(lines.map(({ first, count }) => [first, count])).toEqual([
    [0, 2],
    [2, 1],
    [3, 1],
  ]);
  expect(height).toBe(458);
});
