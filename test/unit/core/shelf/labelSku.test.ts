import fc from 'fast-check';
import { expect, test } from 'vitest';
import { buildSkuFrame, findLabelSku, formatSku, severalLabels } from '../../../../src/core/shelf/skuPattern.ts';

const at = new Date(2031, 6, 5).getTime();
const skus = ['B07', '0036000291452', 'https://shop.example/B07', 'A04-1'];
const places = ['A04', 'Regal 3', 'A-4', 'x$&y', 'B'];
const known = {
  isSku: (sku: string) => skus.includes(sku),
  isPlace: (place: string) => places.includes(place),
  at,
};
const find = (pattern: string, ...texts: string[]): string | null => findLabelSku(texts, pattern, known);

test.each([
  ['an SKU of the shelf', '{place}-{n}', 'B07'],
  ['the next number of a known place', '{place}-{n}', 'A04-17'],
  ['a place that contains the separator', '{place}-{n}', 'A-4-2'],
  ['a place with a space', '{place} / {n:2}', 'Regal 3 / 07'],
  ['a place directly before the letter', '{place}{letter}', 'A04c'],
  ['a place after the number', '{n}@{place}', '12@A04'],
  ['a month of the last years', '{YY}{MM}-{n:4}', '2911-0042'],
])('a label is recognised: %s', (_what, pattern, text) => {
  expect(find(pattern, text)).toBe(text);
});

test.each([
  ['a web address, even one that someone stored as an SKU', '{place}-{n}', 'https://shop.example/B07'],
  ['a web address without a scheme', '{n}', 'www.shop.example/12'],
  ['a model number, because no such place is known', '{place}-{n}', 'WH-1000'],
  ['a serial number', '{place}{letter}', 'DLXQ4B'],
  ['a product code, even one that someone stored as an SKU', '{place}-{n}', '0036000291452'],
  ['a product code that fits the pattern', '{n:9}', '036000291452'],
  ['an ISBN with separators', '{place}-{n}', '978-0-306-40615-7'],
  ['a month that does not exist', '{YY}{MM}-{n:4}', '2913-0042'],
  ['a year in the future', '{YY}{MM}-{n:4}', '3301-0042'],
  ['a number with too few digits', '{YY}{MM}-{n:4}', '3101-042'],
  ['text around the SKU', '{place}-{n}', 'SKU A04-1x'],
  ['the key of a network', '{place}{letter}', 'WIFI:T:WPA;S:shop;P:secret;;'],
])('nothing else is a label: %s', (_what, pattern, text) => {
  expect(find(pattern, text)).toBeNull();
});

test('product codes beside a label are ignored, and a photo of two labels is a label without an SKU', () => {
  expect(find('{place}-{n}', 'https://shop.example/', 'A04-2', '4006381333931')).toBe('A04-2');
  expect(find('{place}-{n}', 'A04-2', 'B07')).toBe(severalLabels);
  expect(find('{place}-{n}')).toBeNull();
});

test('each SKU that a pattern makes for a known place is recognised', () => {
  const patterns = [
    '{place}-{n}',
    '{place}{letter}',
    'S/{place}/{n:2}x',
    '{YY}{MM}-{n:4}',
    '{place}.{YY}{MM}.{n}',
    '({n})',
  ];
  fc.assert(
    fc.property(
      fc.constantFrom(...patterns),
      fc.constantFrom(...places),
      fc.integer({ min: 1, max: 600 }),
      fc.integer({ min: 0, max: 100 }),
      (pattern, place, number, monthsAgo) => {
        const frame = buildSkuFrame(pattern, { place, at: new Date(2031, 6 - monthsAgo, 1).getTime() });
        const sku = frame && formatSku(frame, number);
        expect(find(pattern, sku ?? '')).toBe(sku);
      },
    ),
    { numRuns: 500 },
  );
});
