import { countUnequalBits, parseHash, type HashBits } from './photoLikeness.ts';

/**
 * If the hashes of two photos differ in at most this many of 64 bits, they are duplicates. A higher limit finds false
 * duplicates.
 */
const maxBits = 6;

const partBits = 16;
const partMask = 0xffff;

/** Returns the four parts of a hash as numbers. */
const cutIntoParts = ([high, low]: HashBits): number[] => [
  high >>> partBits,
  high & partMask,
  low >>> partBits,
  low & partMask,
];

/** 0 and all numbers with one bit. */
const smallChanges = [0, ...Array.from({ length: partBits }, (_, bit) => 1 << bit)];

/**
 * Creates the function that returns for each hash the index of the first hash that it duplicates; null if it duplicates
 * none. It finds similar hashes without comparing each with all others: if two hashes differ in at most six bits, one of
 * their four parts differs in at most one bit.
 */
export const createDuplicateFinder = (): ((hash: string | null) => number | null) => {
  const byPart = Array.from({ length: 4 }, () => new Map<number, { at: number; bits: HashBits }[]>());
  let count = 0;
  const findFirst = (bits: HashBits, parts: readonly number[]): number | null => {
    let first = Infinity;
    for (const [nth, part] of parts.entries())
      for (const change of smallChanges)
        for (const other of byPart[nth]?.get(part ^ change) ?? [])
          if (other.at < first && countUnequalBits(other.bits, bits) <= maxBits) first = other.at;
    return first === Infinity ? null : first;
  };
  return (hash) => {
    const at = count++;
    if (hash === null) return null;
    const bits = parseHash(hash);
    const parts = cutIntoParts(bits);
    const first = findFirst(bits, parts);
    if (first !== null) return first;
    const entry = { at, bits };
    for (const [nth, part] of parts.entries()) {
      const same = byPart[nth]?.get(part);
      if (same) same.push(entry);
      else byPart[nth]?.set(part, [entry]);
    }
    return null;
  };
};
