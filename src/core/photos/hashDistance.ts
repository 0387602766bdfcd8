const countSetBits = (value: number): number => {
  let n = value - ((value >>> 1) & 0x55555555);
  n = (n & 0x33333333) + ((n >>> 2) & 0x33333333);
  return Math.imul((n + (n >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
};

const parseHashHalf = (hash: string, at: number): number => parseInt(hash.slice(at, at + 8), 16);

/**
 * Returns how many of the 64 bits of two perceptual hashes differ: at most 6 for copies of one photo, 20 or more for
 * other angles.
 */
export const countDifferingBits = (one: string, other: string): number =>
  countSetBits(parseHashHalf(one, 0) ^ parseHashHalf(other, 0)) +
  countSetBits(parseHashHalf(one, 8) ^ parseHashHalf(other, 8));
