import type { createRandom } from '../helpers/createRandom.ts';

type Random = ReturnType<typeof createRandom>;
type Mutation = (bytes: Buffer, random: Random) => Buffer;

const pickIndex = (length: number, random: Random): number => Math.floor(random() * length);
/** Prefers the start of the file, because damaged headers do the most harm. */
const pickNearStart = (length: number, random: Random): number => Math.floor(random() ** 4 * length);

const mutations: readonly Mutation[] = [
  (bytes, random) => {
    for (let count = 1 + pickIndex(20, random); count > 0; count -= 1)
      bytes[pickNearStart(bytes.length, random)] = pickIndex(256, random);
    return bytes;
  },
  (bytes, random) => {
    for (let count = 1 + pickIndex(8, random); count > 0; count -= 1) {
      const place = pickIndex(bytes.length, random);
      bytes[place] = (bytes[place] ?? 0) ^ (1 << pickIndex(8, random));
    }
    return bytes;
  },
  (bytes, random) => bytes.subarray(0, pickIndex(bytes.length, random)),
  (bytes, random) => {
    const from = pickIndex(bytes.length, random);
    return Buffer.concat([bytes.subarray(0, from), bytes.subarray(from + pickIndex(600, random))]);
  },
  (bytes, random) => {
    const from = pickIndex(bytes.length, random);
    return Buffer.concat([bytes.subarray(0, from), bytes.subarray(pickIndex(bytes.length, random))]);
  },
  (bytes, random) => {
    // Sets four bytes to a huge length or to zero.
    const place = pickNearStart(Math.max(1, bytes.length - 4), random);
    bytes.fill(random() < 0.5 ? 0xff : 0, place, place + 4);
    return bytes;
  },
];

/** Returns a damaged copy of a file, in one or two of the ways that disks, cables and attackers damage files. */
export const mutate = (original: Buffer, random: Random): Buffer => {
  let bytes: Buffer = Buffer.from(original);
  for (let count = random() < 0.7 ? 1 : 2; count > 0; count -= 1) {
    const mutation = mutations[pickIndex(mutations.length, random)];
    if (mutation && bytes.length > 8) bytes = Buffer.from(mutation(bytes, random));
  }
  return bytes;
};
