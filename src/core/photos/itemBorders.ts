import { computeCommonColours, countDifferingBits, parseColourParts } from './photoLikeness.ts';

export type BorderPhoto = {
  name: string;
  /** Ms since 1970. */
  takenAt: number | null;
  hash64: string | null;
  colours: string | null;
};

/** The gap between two photos. `chance` is the probability (0 to 1) that a new item begins after the gap. */
export type Border = { pauseMs: number | null; chance: number };

export const startsNewItem = ({ chance }: Border): boolean => chance >= 0.5;
/** Returns whether the person should check the border. */
export const isUncertainBorder = ({ chance }: Border): boolean => chance > 0.2 && chance < 0.8;

/** Weights of a logistic regression, fitted to test photos whose items are known. */
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
const timeOnlyWeights = { base: -1.77, pause: 1.58 };

/** A pause of this length is neutral: it makes a new item neither more nor less probable. */
const usualPauseS = 10;
const [minDoublings, maxDoublings] = [-3, 4];
/** On each side of a gap, this many photos are compared, so that a single unusual photo does not start a new item. */
const maxNeighbours = 3;
/** Added to the mean share of each colour in all photos, so that a very rare colour does not outweigh all others. */
const minCommonShare = 0.01;
const usualUnlikeness = 0.3;

const toProbability = (score: number): number => 1 / (1 + Math.exp(-score));

/**
 * Converts colours to unit vectors in which the colours that all photos share, such as the colour of a table, have
 * little weight.
 */
const toRareColourVectors = (photos: readonly BorderPhoto[]): (number[] | null)[] => {
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

/** 0 for equal colours, 1 for no common colours, null if a colour is unknown. */
type MeasureUnlikeness = (one: number, other: number) => number | null;

const createUnlikenessMeasure = (photos: readonly BorderPhoto[]): MeasureUnlikeness => {
  const colours = toRareColourVectors(photos);
  return (one, other) => {
    const [a, b] = [colours[one], colours[other]];
    if (!a || !b) return null;
    return Math.sqrt(Math.max(0, 1 - computeCommonColours(a, b)));
  };
};

const measureOutlineDifference = (one: BorderPhoto, other: BorderPhoto): number =>
  one.hash64 === null || other.hash64 === null ? 0.5 : countDifferingBits(one.hash64, other.hash64) / 64;

const parseFileNumber = (name: string): number | null => {
  const digits = /(\d+)\D*$/.exec(name)?.[1];
  return digits === undefined ? null : Number(digits);
};
const hasFileNumberGap = (one: BorderPhoto, other: BorderPhoto): boolean => {
  const [from, to] = [parseFileNumber(one.name), parseFileNumber(other.name)];
  return from !== null && to !== null && to - from !== 1;
};

const measurePauseMs = (one: BorderPhoto, other: BorderPhoto): number | null =>
  one.takenAt === null || other.takenAt === null ? null : Math.abs(other.takenAt - one.takenAt);

const computeLogPause = (pauseMs: number | null): number =>
  pauseMs === null
    ? 0
    : Math.min(maxDoublings, Math.max(minDoublings, Math.log2(Math.max(1_000, pauseMs) / 1_000 / usualPauseS)));

const getSmallestUnlikeness = (unlike: MeasureUnlikeness, before: number, count: number): number => {
  const found: number[] = [];
  for (let one = Math.max(0, before - maxNeighbours + 1); one <= before; one += 1)
    for (let other = before + 1; other < Math.min(count, before + 1 + maxNeighbours); other += 1)
      found.push(unlike(one, other) ?? usualUnlikeness);
  return Math.min(...found);
};

/**
 * Estimates for each gap between two photos how probable it is that a new item begins. Returns one border fewer than
 * photos.
 */
export const estimateItemBorders = (photos: readonly BorderPhoto[]): Border[] => {
  const unlike = createUnlikenessMeasure(photos);
  return photos.slice(1).map((other, before) => {
    const one = photos[before] ?? other;
    const pauseMs = measurePauseMs(one, other);
    const pause = computeLogPause(pauseMs);
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
      weights.nearest * getSmallestUnlikeness(unlike, before, photos.length) +
      weights.around * (sides.every((side) => side === null) ? usualUnlikeness : around) +
      weights.outline * measureOutlineDifference(one, other) +
      weights.number * (hasFileNumberGap(one, other) ? 1 : 0);
    return { pauseMs, chance: toProbability(score) };
  });
};
