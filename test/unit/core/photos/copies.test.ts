import { expect, test } from 'vitest';
import { findDuplicatePhotos } from '../../../../src/core/items/choosePhotos.ts';
import { findMarkedItemStarts, type ItemMarker } from '../../../../src/core/photos/splitGroups.ts';

const hash = '0123456789abcdef';
/** The same hash with so many of its bits turned. */
const turned = (bits: number): string =>
  (BigInt(`0x${hash}`) ^ ((1n << BigInt(bits)) - 1n)).toString(16).padStart(16, '0');

test.each([
  { what: 'the same twice', hashes: [hash, hash], copies: [null, 0] },
  { what: 'six bits apart', hashes: [hash, turned(6)], copies: [null, 0] },
  { what: 'seven bits apart', hashes: [hash, turned(7)], copies: [null, null] },
  { what: 'copies of a copy name the first', hashes: [hash, turned(3), turned(4)], copies: [null, 0, 0] },
  { what: 'a chain does not grow', hashes: [hash, turned(6), turned(12)], copies: [null, 0, null] },
  { what: 'what has no hash', hashes: [null, hash, null, hash], copies: [null, null, null, 1] },
  { what: 'all bits count, the highest too', hashes: ['8000000000000000', '0000000000000000'], copies: [null, 0] },
  { what: 'opposites', hashes: ['ffffffffffffffff', '0000000000000000'], copies: [null, null] },
])('duplicate photos are found by hash: $what', ({ hashes, copies }) => {
  expect(findDuplicatePhotos(hashes)).toEqual(copies);
});

const marks = (text: string): ItemMarker[] =>
  [...text].map((sign) => ({ barcodes: sign === 'b' ? ['1'] : [], sheet: sign === 's' }));

test.each([
  ['....', [0]],
  ['b...b...', [0, 4]],
  ['s..bs..', [0, 3]],
  ['bs...bs..', [0, 5]],
  ['...b...b', [0]],
  ['b...', [0]],
  ['b..b', [0]],
  ['', [0]],
])('items in %s start at %j', (given, starts) => {
  expect(findMarkedItemStarts(marks(given))).toEqual(starts);
});
