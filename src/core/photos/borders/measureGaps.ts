import { computeCommonColours, countDifferingBits, parseColourParts } from '../photoLikeness.ts';

/** What the photo process found in a photo, and the name of its file. */
export type BorderPhoto = {
  name: string;
  /** Ms since 1970. */
  takenAt: number | null;
  hash64: string | null;
  colours: string | null;
  /** Barcodes, QR codes and the like. */
  barcodes: readonly unknown[];
  sheet: boolean;
  isLabel: boolean;
};

/** What is known about the gap between two photos. Each number is 0 if it is unknown or says nothing. */
export type GapFeatures = {
  /** The pause as doublings of the usual pause of the drop, and the part of it that is longer than twice the usual one. */
  pause: number;
  longPause: number;
  /** The pause as doublings of the pauses around it. */
  localPause: number;
  /** How different the colours of the photos beside the gap are. */
  beside: number;
  /** The same for the two most similar photos near the gap, and the mean of the photos near it. */
  nearest: number;
  across: number;
  /** How different the colours of the photos before the gap are from each other, and those after it. */
  within: number;
  /** How different the outlines are. */
  outline: number;
  nearestOutline: number;
  fileNumber: number;
};

export type Gap = { pauseMs: number | null; hasLooks: boolean; features: GapFeatures };

/** On each side of a gap, this many photos are compared, so that a single unusual photo does not start a new item. */
const maxNeighbours = 3;
/** The usual pause if the drop has too few pauses to measure it. */
const usualPauseS = 10;
const [minDoublings, maxDoublings] = [-3, 5];
/** Added to the mean share of each colour in all photos, so that a very rare colour does not outweigh all others. */
const minCommonShare = 0.01;

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

const computeMean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;

type Likeness = { colours: number; outline: number };

/** Compares the photos at two positions; null if their looks are unknown. 0 is for equal photos, 1 for unlike ones. */
type ComparePhotos = (one: number, other: number) => Likeness | null;

/**
 * Each photo is compared with its neighbours at several gaps, so each result is cached. The photos of certain marks look
 * alike although their items differ, so they are not compared.
 */
const createComparison = (photos: readonly BorderPhoto[], isMark: (at: number) => boolean): ComparePhotos => {
  const colours = toRareColourVectors(photos);
  const known = photos.map(() => new Map<number, Likeness | null>());
  const comparePhotos: ComparePhotos = (one, other) => {
    const [a, b] = [colours[one], colours[other]];
    if (!a || !b || (isMark(one) && isMark(other))) return null;
    const [hashA, hashB] = [photos[one]?.hash64, photos[other]?.hash64];
    return {
      colours: Math.sqrt(Math.max(0, 1 - computeCommonColours(a, b))),
      outline: hashA && hashB ? countDifferingBits(hashA, hashB) / 64 : 0.5,
    };
  };
  return (one, other) => {
    const [first, last] = [Math.min(one, other), Math.max(one, other)];
    const found = known[first]?.get(last);
    if (found !== undefined) return found;
    const likeness = comparePhotos(first, last);
    known[first]?.set(last, likeness);
    return likeness;
  };
};

const comparePairs = (compare: ComparePhotos, pairs: readonly (readonly [number, number])[]): Likeness[] =>
  pairs.flatMap(([one, other]) => compare(one, other) ?? []);

const listPairsWithin = (side: readonly number[]): [number, number][] =>
  side.slice(1).map((other, before): [number, number] => [side[before] ?? other, other]);

const measureLooks = (compare: ComparePhotos, before: readonly number[], after: readonly number[]) => {
  const across = comparePairs(
    compare,
    before.flatMap((one) => after.map((other) => [one, other] as const)),
  );
  const [beside] = across;
  if (beside === undefined) return null;
  const within = comparePairs(compare, [...listPairsWithin(before), ...listPairsWithin(after)]);
  return {
    beside: beside.colours,
    nearest: Math.min(...across.map(({ colours }) => colours)),
    across: computeMean(across.map(({ colours }) => colours)),
    within: within.length === 0 ? 0.4 : computeMean(within.map(({ colours }) => colours)),
    outline: beside.outline,
    nearestOutline: Math.min(...across.map(({ outline }) => outline)),
  };
};

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

const toDoublings = (pauseMs: number | null): number | null =>
  pauseMs === null ? null : Math.log2(Math.max(1_000, pauseMs) / 1_000);

const limitDoublings = (doublings: number): number => Math.min(maxDoublings, Math.max(minDoublings, doublings));

/**
 * Compares each pause with the usual one and with its neighbours. The usual pause is the median, because most gaps are
 * between photos of one item.
 */
const measurePauses = (pausesMs: readonly (number | null)[]) => {
  const doublings = pausesMs.map(toDoublings);
  const known = doublings.filter((value) => value !== null).toSorted((a, b) => a - b);
  const usual = known.length < 8 ? Math.log2(usualPauseS) : (known[Math.floor(known.length / 2)] ?? 0);
  return doublings.map((value, at) => {
    if (value === null) return { pause: 0, longPause: 0, localPause: 0 };
    const around = [at - 2, at - 1, at + 1, at + 2].flatMap((near) => doublings[near] ?? []);
    const pause = limitDoublings(value - usual);
    const localPause = around.length === 0 ? 0 : limitDoublings(value - computeMean(around));
    return { pause, longPause: Math.max(0, pause - 1), localPause };
  });
};

export type MarkPositions = { isMark: (at: number) => boolean; isLeftOut: (at: number) => boolean };

/**
 * Measures each gap between two photos. Photos with `isLeftOut` show no item, so their neighbours are compared instead.
 * Returns one gap fewer than photos.
 */
export const measureGaps = (photos: readonly BorderPhoto[], { isMark, isLeftOut }: MarkPositions): Gap[] => {
  const compare = createComparison(photos, isMark);
  const shown = [...photos.keys()].filter((at) => !isLeftOut(at));
  const pausesMs = photos.slice(1).map((other, before) => measurePauseMs(photos[before] ?? other, other));
  const pauses = measurePauses(pausesMs);
  let seen = 0;
  return pausesMs.map((pauseMs, before) => {
    while ((shown[seen] ?? Infinity) <= before) seen += 1;
    const looks = measureLooks(
      compare,
      shown.slice(Math.max(0, seen - maxNeighbours), seen).toReversed(),
      shown.slice(seen, seen + maxNeighbours),
    );
    const [one, other] = [photos[before], photos[before + 1]];
    const fileNumber = one && other && hasFileNumberGap(one, other) ? 1 : 0;
    const unknown = { beside: 0, nearest: 0, across: 0, within: 0, outline: 0, nearestOutline: 0 };
    const pause = pauses[before] ?? { pause: 0, longPause: 0, localPause: 0 };
    return { pauseMs, hasLooks: looks !== null, features: { ...pause, ...(looks ?? unknown), fileNumber } };
  });
};
