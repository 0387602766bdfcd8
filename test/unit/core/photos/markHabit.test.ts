import { describe, expect, test } from 'vitest';
import { estimateItemBorders, startsNewItem } from '../../../../src/core/photos/borders/itemBorders.ts';
import type { BorderPhoto } from '../../../../src/core/photos/borders/comparePhotos.ts';

/** Colours of which the photo has only one. */
const paintColour = (bin: number): string => Array.from({ length: 64 }, (_, at) => (at === bin ? 'ff' : '00')).join('');

const marks: Record<string, Partial<BorderPhoto>> = {
  L: { isLabel: true },
  b: { barcodes: ['4006381333931'] },
  s: { sheet: true },
  c: { colours: paintColour(0) },
};
const unknown: BorderPhoto = {
  ...{ name: 'photo.jpg', takenAt: null, hash64: null, colours: null, palette: null },
  ...{ barcodes: [], sheet: false, isLabel: false },
};

/** Photos of which only the marks are known: a label, a barcode, a sheet of paper, or a covered lens. */
const createMarkPhotos = (text: string): BorderPhoto[] =>
  [...text.replaceAll('|', '')].map((sign) => ({ ...unknown, ...marks[sign] }));

const paper = paintColour(63);

/**
 * Photos of items with one colour each. Other signs than marks are photos of the item. The next photo follows after 8 s,
 * the next item after 30 s, or after 8 s if `hasPauses` is false.
 */
const shootItems = (text: string, hasPauses = true): BorderPhoto[] => {
  let [takenAt, number] = [Date.UTC(2026, 4, 18), 0];
  return text.split('|').flatMap((item, nth) =>
    [...item].map((sign, at) => {
      takenAt += at === 0 && hasPauses ? 30_000 : 8_000;
      number += 1;
      const looks = sign === 's' || sign === 'L' ? paper : paintColour(1 + ((nth * 7) % 60));
      return {
        ...unknown,
        name: `IMG_${number}.JPG`,
        takenAt,
        colours: looks,
        hash64: '0f0f3c3c55aa0f0f',
        ...marks[sign],
      };
    }),
  );
};

/** Writes the found borders into the text: `b..|b..`. */
const showItems = (photos: readonly BorderPhoto[], text: string): string => {
  const borders = estimateItemBorders(photos);
  const isStart = (at: number): boolean => borders[at - 1] !== undefined && startsNewItem(borders[at - 1]!);
  return [...text.replaceAll('|', '')].map((sign, at) => (isStart(at) ? `|${sign}` : sign)).join('');
};

const repeatItem = (item: string, count: number): string => Array.from({ length: count }, () => item).join('|');

test.each([
  ['no mark', '....'],
  ['barcodes before each item', 'b...|b...'],
  ['a sheet of paper, then a barcode', 's..|bs..'],
  ['a barcode and a sheet of paper before each item', 'bs...|bs..'],
  ['barcodes after each item', '...b|...b'],
  ['barcodes after items of several lengths', '....b|..b|...b'],
  ['a single barcode', 'b...'],
  ['a barcode at both ends', 'b..b'],
  ['labels before each item', 'L...|L...'],
  ['labels, and other marks of the products', 'L..b|L.b.s'],
  ['labels after each item', '..L|..L'],
  ['a label in the middle', 'b..L...'],
  ['a single label', 'L.........'],
  ['one photo', '.'],
  ['no photo', ''],
])('marks alone split photos where they stand before or after each item: %s', (_, text) => {
  expect(showItems(createMarkPhotos(text), text)).toBe(text);
});

describe('the marks of a whole drop', () => {
  test.each([
    ['before each item', repeatItem('b...', 6)],
    ['after each item', repeatItem('...b', 6)],
    ['covered lens before each item', repeatItem('c...', 6)],
    ['mixed, before each item', 's...|b...|c...|s...|b...|b...'],
    ['missing for two items', '...b|...b|...|...b|...b|...|...b|...b'],
  ])('decide about items that follow one another without a pause: %s', (_, text) => {
    expect(showItems(shootItems(text, false), text)).toBe(text);
  });

  test.each([
    ['a barcode in the middle of one item', '...b|...b|..b.|...b|...b|...b|...b'],
    ['a second barcode in an item', '...b|...b|.b.b|...b|...b|...b|...b'],
    ['a lens covered by accident', '....|..c.|....|....|....|....'],
    ['sheets of paper without a habit', '.s..|....|..s.|....|....|..s.|....|....'],
    ['no mark', repeatItem('....', 8)],
  ])('do not split an item that breaks the habit: %s', (_, text) => {
    expect(showItems(shootItems(text), text)).toBe(text);
  });
});

test('20,000 photos take ten times as many comparisons as 2,000', () => {
  const countReads = (items: number): number => {
    let reads = 0;
    const photos = shootItems(repeatItem('...b', items)).map((photo) => ({
      ...photo,
      get hash64() {
        reads += 1;
        return photo.hash64;
      },
    }));
    estimateItemBorders(photos);
    return reads;
  };
  expect(countReads(5_000) / countReads(500)).toBeCloseTo(10, 1);
});
