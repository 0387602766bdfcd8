/** What a photo may say about where an item begins. */
export type StartMark = { barcodes: readonly unknown[]; sheet: boolean };

const isMark = ({ barcodes, sheet }: StartMark): boolean => barcodes.length > 0 || sheet;

/**
 * Where new items begin among photos in order, for sellers who first photograph the barcode, or a sheet of paper with a
 * number, of each item. Only where that is plainly the habit: the first photo is such a mark, there are more of them, and
 * each is followed by other photos. Otherwise one item: a barcode in the middle is a photo of the item like any other.
 */
export const itemStarts = (photos: readonly StartMark[]): number[] => {
  const marks = photos.map(isMark);
  const starts = marks.flatMap((mark, at) => (mark && !marks[at - 1] ? [at] : []));
  const followed = starts.every((at) => marks.indexOf(false, at) !== -1);
  return starts[0] === 0 && starts.length > 1 && followed ? starts : [0];
};

/** Pictures whose difference hashes differ in at most this many of 64 bits are copies; more of them finds false pairs. */
const mostBits = 6;

const bits = (value: number): number => {
  let n = value - ((value >>> 1) & 0x55555555);
  n = (n & 0x33333333) + ((n >>> 2) & 0x33333333);
  return Math.imul((n + (n >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
};

type Halves = readonly [high: number, low: number];
const halvesOf = (hash: string): Halves => [parseInt(hash.slice(0, 8), 16), parseInt(hash.slice(8, 16), 16)];
const isCopy = (a: Halves, b: Halves): boolean => bits(a[0] ^ b[0]) + bits(a[1] ^ b[1]) <= mostBits;

/**
 * Which pictures are copies of an earlier one: for each hash (16 hex digits, or null where there is none) the index of
 * the first picture it is a copy of, or null. A copy is never what another is a copy of.
 */
export const findCopies = (hashes: readonly (string | null)[]): (number | null)[] => {
  const firsts: { at: number; halves: Halves }[] = [];
  return hashes.map((hash, at) => {
    if (hash === null) return null;
    const halves = halvesOf(hash);
    const first = firsts.find((one) => isCopy(one.halves, halves));
    if (first) return first.at;
    firsts.push({ at, halves });
    return null;
  });
};
