/** The facts of a photo that help to decide whether it shows the same thing as the previous one; null where unknown. */
export type PhotoFacts = {
  name: string;
  /** Ms since 1970. */
  takenAt: number | null;
  /** See computeDifferenceHash and computeColourHistogram in the photo process. */
  hash64: string | null;
  colours: string | null;
};

/**
 * The gap between two photos: the time between the shots, and the probability (0 to 1) that a new item begins after it.
 */
export type Border = { pauseMs: number | null; chance: number };

export const startsNewItem = ({ chance }: Border): boolean => chance >= 0.5;
/** Tells whether the border is uncertain enough for the person to review. */
export const isUnsureBorder = ({ chance }: Border): boolean => chance > 0.2 && chance < 0.8;

/**
 * Logistic weights, fitted to mixes of drawn and real photos with known items. The tests evaluate them on other mixes.
 */
const weights = {
  base: -5.8,
  pause: 0.93,
  longPause: 2.08,
  beside: 3.26,
  nearest: 5.87,
  around: -1.63,
  outline: 2.11,
  number: 0.92,
};
/** The weights when only the times are known. */
const timeOnlyWeights = { base: -1.77, pause: 1.58 };

/** A pause of this length is neutral. Others are clamped to between an eighth and sixteen times of it. */
const usualPauseS = 10;
const [minDoublings, maxDoublings] = [-3, 4];
/**
 * The number of photos compared on each side of a gap. More than one, so that a single odd photo does not create an
 * item.
 */
const maxNeighbours = 3;
/** A lower bound, so that a very rare colour does not outweigh all others. */
const minCommonShare = 0.01;
/** The default unlikeness for a gap without comparable photos. */
const usualUnlikeness = 0.3;

const toProbability = (score: number): number => 1 / (1 + Math.exp(-score));

const parseColourParts = (colours: string): number[] =>
  Array.from({ length: colours.length / 2 }, (_, at) => parseInt(colours.slice(2 * at, 2 * at + 2), 16) / 255);

/**
 * Converts colours to direction vectors in which colours common to all photos, such as that of a table, count little.
 */
const weighRareColours = (photos: readonly PhotoFacts[]): (number[] | null)[] => {
  const all = photos.map(({ colours }) => (colours === null ? null : parseColourParts(colours)));
  const known = all.filter((parts) => parts !== null);
  const common = (known[0] ?? []).map(
    (_, bin) => known.reduce((sum, parts) => sum + (parts[bin] ?? 0), 0) / known.length,
  );
  return all.map((parts) => {
    const rare = parts?.map((part, bin) => part / (minCommonShare + (common[bin] ?? 0)));
    const length = Math.hypot(...(rare ?? []));
    return rare && length > 0 ? rare.map((part) => part / length) : null;
  });
};

/** From 0 (same colours) to 1 (no common colours); null where one is unknown. */
type MeasureUnlikeness = (one: number, other: number) => number | null;

const createUnlikenessMeasure = (photos: readonly PhotoFacts[]): MeasureUnlikeness => {
  const colours = weighRareColours(photos);
  return (one, other) => {
    const [a, b] = [colours[one], colours[other]];
    if (!a || !b) return null;
    return Math.sqrt(Math.max(0, 1 - a.reduce((sum, part, bin) => sum + part * (b[bin] ?? 0), 0)));
  };
};

const countDifferingBits = (one: string, other: string): number => {
  let count = 0;
  for (let left = BigInt(`0x${one}`) ^ BigInt(`0x${other}`); left > 0n; left &= left - 1n) count += 1;
  return count;
};

const compareOutlines = (one: PhotoFacts, other: PhotoFacts): number =>
  one.hash64 === null || other.hash64 === null ? 0.5 : countDifferingBits(one.hash64, other.hash64) / 64;

const readFileNumber = (name: string): number | null => {
  const digits = /(\d+)\D*$/.exec(name)?.[1];
  return digits === undefined ? null : Number(digits);
};
/**
 * Tells whether two file numbers are not consecutive: a photo between them is missing, or they are from different
 * series.
 */
const skipsFileNumbers = (one: PhotoFacts, other: PhotoFacts): boolean => {
  const [from, to] = [readFileNumber(one.name), readFileNumber(other.name)];
  return from !== null && to !== null && to - from !== 1;
};

const measurePauseMs = (one: PhotoFacts, other: PhotoFacts): number | null =>
  one.takenAt === null || other.takenAt === null ? null : Math.abs(other.takenAt - one.takenAt);

/** Returns the pause as a number of doublings of the usual one. An unknown pause is neutral. */
const toPauseDoublings = (pauseMs: number | null): number =>
  pauseMs === null
    ? 0
    : Math.min(maxDoublings, Math.max(minDoublings, Math.log2(Math.max(1_000, pauseMs) / 1_000 / usualPauseS)));

/** Returns the smallest unlikeness between photos on either side of a gap. */
const findNearestUnlikeness = (unlike: MeasureUnlikeness, before: number, count: number): number => {
  const found: number[] = [];
  for (let one = Math.max(0, before - maxNeighbours + 1); one <= before; one += 1)
    for (let other = before + 1; other < Math.min(count, before + 1 + maxNeighbours); other += 1)
      found.push(unlike(one, other) ?? usualUnlikeness);
  return Math.min(...found);
};

/**
 * Estimates for each gap between consecutive photos whether a new item begins. Uses the time between the shots, the
 * likeness of the photos around the gap compared with all others, and the file numbers. Returns one border fewer than
 * photos.
 */
export const findItemBorders = (photos: readonly PhotoFacts[]): Border[] => {
  const unlike = createUnlikenessMeasure(photos);
  return photos.slice(1).map((other, before) => {
    const one = photos[before] ?? other;
    const pauseMs = measurePauseMs(one, other);
    const pause = toPauseDoublings(pauseMs);
    const beside = unlike(before, before + 1);
    if (beside === null)
      return { pauseMs, chance: toProbability(timeOnlyWeights.base + timeOnlyWeights.pause * pause) };
    const sides = [before > 0 ? unlike(before - 1, before) : null, unlike(before + 1, before + 2)];
    const around = Math.min(1, ...sides.filter((side) => side !== null));
    const score =
      weights.base +
      weights.pause * pause +
      weights.longPause * Math.min(2, Math.max(0, pause - 1)) +
      weights.beside * beside +
      weights.nearest * findNearestUnlikeness(unlike, before, photos.length) +
      weights.around * (sides.every((side) => side === null) ? usualUnlikeness : around) +
      weights.outline * compareOutlines(one, other) +
      weights.number * (skipsFileNumbers(one, other) ? 1 : 0);
    return { pauseMs, chance: toProbability(score) };
  });
};
