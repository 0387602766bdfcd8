import { expect, test } from 'vitest';
import { countDifferingBits } from '../../../../src/core/photos/photoLikeness.ts';
import { createRandom } from '../../../helpers/createRandom.ts';
import { createDuplicateFinder } from '../../../../src/core/photos/findDuplicatePhotos.ts';

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
  expect(hashes.map(createDuplicateFinder())).toEqual(copies);
});

test('the index finds the same duplicates as comparing each photo with all others', () => {
  const random = createRandom(48);
  const hashes: string[] = [];
  for (let at = 0; at < 400; at += 1) {
    const like = hashes[Math.floor(random() * at)];
    const base =
      like !== undefined && random() < 0.6 ? BigInt(`0x${like}`) : BigInt(Math.floor(random() * 2 ** 53)) << 11n;
    const flips = Array.from({ length: Math.floor(random() * 9) }, () => 1n << BigInt(Math.floor(random() * 64)));
    hashes.push(
      flips
        .reduce((value, flip) => value ^ flip, base)
        .toString(16)
        .padStart(16, '0'),
    );
  }
  const firsts: number[] = [];
  const wanted = hashes.map((hash, at) => {
    const first = firsts.find((one) => countDifferingBits(hashes[one] ?? '', hash) <= 6);
    if (first === undefined) firsts.push(at);
    return first ?? null;
  });
  expect(wanted.filter((first) => first !== null).length).toBeGreaterThan(50);
  expect(hashes.map(createDuplicateFinder())).toEqual(wanted);
});
