const countSetBits = (value: number): number => {
  let n = value - ((value >>> 1) & 0x55555555);
  n = (n & 0x33333333) + ((n >>> 2) & 0x33333333);
  return Math.imul((n + (n >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
};

/** The two halves of a perceptual hash. */
export type HashBits = readonly [number, number];

export const parseHash = (hash: string): HashBits => [parseInt(hash.slice(0, 8), 16), parseInt(hash.slice(8, 16), 16)];

export const countUnequalBits = (one: HashBits, other: HashBits): number =>
  countSetBits(one[0] ^ other[0]) + countSetBits(one[1] ^ other[1]);

/**
 * Returns how many of the 64 bits of two perceptual hashes differ: at most 6 for copies of one photo, 20 or more for
 * other angles.
 */
export const countDifferingBits = (one: string, other: string): number =>
  countUnequalBits(parseHash(one), parseHash(other));

/** Returns the part of each of the 64 colours of a photo, from 0 to 1, as the kitchen stores them. */
export const parseColourParts = (colours: string): number[] =>
  Array.from(Buffer.from(colours, 'hex'), (part) => part / 255);

/** Returns what two photos have in common: 1 for the same colours, 0 for no common colour. Both are unit vectors. */
export const computeCommonColours = (one: readonly number[], other: readonly number[]): number => {
  let common = 0;
  for (let bin = 0; bin < one.length; bin += 1) common += (one[bin] ?? 0) * (other[bin] ?? 0);
  return common;
};
