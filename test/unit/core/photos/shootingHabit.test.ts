import { describe, expect, test } from 'vitest';
import {
  estimateItemBorders,
  isUncertainBorder,
  startsNewItem,
} from '../../../../src/core/photos/borders/itemBorders.ts';
import { applyItemLengths, maxLength } from '../../../../src/core/photos/borders/itemLengths.ts';
import type { BorderPhoto } from '../../../../src/core/photos/borders/comparePhotos.ts';

/** Colours of which the photo has the given shares, and of the table the rest. */
const paint = (shares: Record<number, number>): string => {
  const table = 1 - Object.values(shares).reduce((sum, share) => sum + share, 0);
  const parts = Array.from({ length: 64 }, (_, bin) => shares[bin] ?? (bin === 63 ? table : 0));
  return parts
    .map((part) =>
      Math.round(Math.sqrt(part) * 255)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('');
};

const views: Record<string, string> = { f: '0f0f3c3c55aa0f0f', b: 'f00ff0c3a5965a3c', d: '99c3e1785a3c0ff0' };

/**
 * Photos of items, one sign each: f for the front, b for the back, d for a detail. A bar is where a new item begins, an
 * exclamation mark a pause of 90 s before it. The next photo follows after 8 s.
 */
const shoot = (text: string, colourOf: (item: number) => number): { photos: BorderPhoto[]; starts: number[] } => {
  const [photos, starts]: [BorderPhoto[], number[]] = [[], []];
  let [takenAt, item] = [Date.UTC(2026, 4, 18), 0];
  for (const sign of text) {
    if (sign === '|') {
      item += 1;
      starts.push(photos.length);
    } else if (sign === '!') takenAt += 82_000;
    else {
      takenAt += 8_000;
      photos.push({
        ...{ name: `IMG_${photos.length}.JPG`, takenAt, barcodes: [], sheet: false, isLabel: false },
        hash64: views[sign] ?? null,
        colours: paint({ [colourOf(item)]: sign === 'd' ? 0.9 : 0.4 }),
        palette: null,
      });
    }
  }
  return { photos, starts };
};

const toHex = (bytes: readonly number[]): string => Buffer.from(bytes.map(Math.round)).toString('hex');

/** The palette of a photo of an item on a table. The light of the photo brightens all colours and makes them warmer. */
const mixPalette = (item: readonly number[], { level, warmth }: { level: number; warmth: number }): string => {
  const light = ([red = 0, green = 0, blue = 0]: readonly number[]): number[] => [
    ...[level * red * (1 + warmth), level * green, level * blue * (1 - warmth)],
  ];
  const shares = { table: [160, 255], item: [95, 0] };
  return toHex([...light([125, 110, 90]), ...shares.table, ...light(item), ...shares.item]);
};

const findStarts = (photos: readonly BorderPhoto[]): number[] =>
  estimateItemBorders(photos).flatMap((border, before) => (startsNewItem(border) ? [before + 1] : []));

describe('the habit of a whole drop', () => {
  test('tells two items of one colour without a pause apart by the view that begins all items', () => {
    const four = 'fbdd|!fbdd|!fbdd|fbdd';
    const text = Array.from({ length: 8 }, () => four).join('|!');
    const { photos, starts } = shoot(text, (item) => (item % 4 === 3 ? 5 + 7 * ((item - 1) % 8) : 5 + 7 * (item % 8)));
    expect(findStarts(photos)).toEqual(starts);
  });

  test('tells items of almost one colour apart although the light changes from photo to photo', () => {
    const { photos, starts } = shoot('bbb|bbb|bbb|bbb|bbb|bbb|bbb|bbb', () => 5);
    const shoes = photos.map((photo, at) => ({
      ...photo,
      palette: mixPalette(Math.floor(at / 3) % 2 === 0 ? [70, 50, 45] : [72, 58, 44], {
        level: 0.9 + 0.06 * ((at * 7) % 5),
        warmth: 0.02 * ((at * 3) % 4) - 0.03,
      }),
    }));
    expect(findStarts(photos)).toEqual([]);
    expect(findStarts(shoes)).toEqual(starts);
  });

  test('does not split an item at a second photo of its front', () => {
    const { photos, starts } = shoot('fbdd|!fbdd|!fbdd|!fbfd|!fbdd|!fbdd|!fbdd|!fbdd', (item) => 5 + 7 * item);
    expect(findStarts(photos)).toEqual(starts);
  });

  test('leaves no doubt about the last photos of items with equal pauses', () => {
    const { photos, starts } = shoot('bbbb|!bbbb|!bbbb|!bbbb|!bbbb|!bbbb|!bbbb|!bbbb', () => 5);
    const timed = photos.map((photo) => ({ ...photo, hash64: null, colours: null }));
    expect(findStarts(timed)).toEqual(starts);
    expect(estimateItemBorders(timed).filter(isUncertainBorder)).toEqual([]);
  });

  test('cuts where an item of the number of photos that fits best ends', () => {
    const odds = Array.from({ length: 15 }, () => Array.from({ length: maxLength }, (_, at) => (at === 3 ? 6 : 0.3)));
    const starts = applyItemLengths(odds).flatMap((chance, before) => (chance >= 0.5 ? [before + 1] : []));
    expect(starts).toEqual([4, 8, 12]);
  });
});
