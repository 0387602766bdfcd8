import { expect, test } from 'vitest';
import { findDuplicatePhotos } from '../../../../src/core/items/choosePhotos.ts';

const hash = '0123456789abcdef';
/** Returns the hash with this number of bits flipped. */
const flipBits = (bits: number): string =>
  (BigInt(`0x${hash}`) ^ ((1n << BigInt(bits)) - 1n)).toString(16).padStart(16, '0');

test.each([
  { what: 'equal hashes are duplicates', hashes: [hash, hash], copies: [null, 0] },
  { what: 'hashes that differ in six bits are duplicates', hashes: [hash, flipBits(6)], copies: [null, 0] },
  { what: 'hashes that differ in seven bits are different', hashes: [hash, flipBits(7)], copies: [null, null] },
  {
    what: 'a copy of a copy refers to the first photo',
    hashes: [hash, flipBits(3), flipBits(4)],
    copies: [null, 0, 0],
  },
  {
    what: 'a photo that resembles only a copy is no duplicate',
    hashes: [hash, flipBits(6), flipBits(12)],
    copies: [null, 0, null],
  },
  { what: 'a photo without a hash is no duplicate', hashes: [null, hash, null, hash], copies: [null, null, null, 1] },
  { what: 'the highest bit is included', hashes: ['8000000000000000', '0000000000000000'], copies: [null, 0] },
  { what: 'opposite hashes are different', hashes: ['ffffffffffffffff', '0000000000000000'], copies: [null, null] },
])('photos are compared by hash: $what', ({ hashes, copies }) => {
  expect(findDuplicatePhotos(hashes)).toEqual(copies);
});
