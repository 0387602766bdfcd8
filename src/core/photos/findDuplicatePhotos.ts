import { countDifferingBits } from './photoLikeness.ts';

/**
 * If the hashes of two photos differ in at most this many of 64 bits, they are duplicates. A higher limit finds false
 * duplicates.
 */
const maxBits = 6;

const partChars = 4;
const partBits = 16;
const parts = [0, 1, 2, 3];

/** Returns the value and all values that differ from it in one bit. */
const listSimilarValues = (value: number): number[] => [
  value,
  ...Array.from({ length: partBits }, (_, bit) => value ^ (1 << bit)),
];

/**
 * Finds similar hashes without comparing each with all others: if two hashes differ in at most six bits, one of their
 * four parts differs in at most one bit.
 */
const createHashIndex = () => {
  const byPart = parts.map(() => new Map<number, { at: number; hash: string }[]>());
  const parsePart = (hash: string, part: number): number =>
    parseInt(hash.slice(part * partChars, (part + 1) * partChars), 16);
  return {
    add: (hash: string, at: number): void => {
      for (const [part, known] of byPart.entries()) {
        const value = parsePart(hash, part);
        const same = known.get(value);
        if (same) same.push({ at, hash });
        else known.set(value, [{ at, hash }]);
      }
    },
    /** Returns the lowest index of a similar hash, or null. */
    findFirst: (hash: string): number | null => {
      let first = Infinity;
      for (const [part, known] of byPart.entries())
        for (const value of listSimilarValues(parsePart(hash, part)))
          for (const other of known.get(value) ?? [])
            if (other.at < first && countDifferingBits(other.hash, hash) <= maxBits) first = other.at;
      return first === Infinity ? null : first;
    },
  };
};

/** Returns for each hash the index of the first photo that it duplicates; null if it duplicates none. */
export const findDuplicatePhotos = (hashes: readonly (string | null)[]): (number | null)[] => {
  const index = createHashIndex();
  return hashes.map((hash, at) => {
    if (hash === null) return null;
    const first = index.findFirst(hash);
    if (first === null) index.add(hash, at);
    return first;
  });
};
