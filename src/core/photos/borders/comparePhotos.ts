import { compareItemColours } from './itemColours.ts';
import { computeCommonColours, countUnequalBits, parseColourParts, parseHash } from '../photoLikeness.ts';

/** What the photo process found in a photo, and the name of its file. */
export type BorderPhoto = {
  name: string;
  /** Ms since 1970. */
  takenAt: number | null;
  hash64: string | null;
  colours: string | null;
  /** More exact colours. Null for photos that were prepared by older versions. */
  palette: string | null;
  /** Barcodes, QR codes and the like. */
  barcodes: readonly unknown[];
  sheet: boolean;
  isLabel: boolean;
};

/** Compares the photos at two positions. */
type Compare = (one: number, other: number) => number | null;

/**
 * Photos of one drop, compared. Differences of colours are relative to the usual difference of the drop, because the photos of
 * shoes on a wooden table differ less than those of prints on a plain one.
 */
export type ComparedPhotos = {
  /** How different the colours of two photos are: 0 for equal photos, 1 for unlike ones, null if unknown. */
  compareColours: Compare;
  /** How many of the 64 bits of their outlines differ; null if unknown. This is not relative. */
  countOutlineBits: Compare;
  /** How many of them usually differ. */
  usualOutlineBits: number;
  /** How much of each photo has the colours of the table, compared with the other photos. 0 is the mean. */
  tableShares: readonly number[];
};

/** Photos this far apart rarely show the same item. */
const farApart = 20;
/** The usual differences of a drop with few photos. They have the weight of `priorPairs` pairs. */
const [usualColours, usualOutlineBits] = [0.8, 25.6];
const priorPairs = 10;
const usualItemColours = 0.5;
/** The photos of one item alone differ less than this. */
const [minUsualColours, minUsualItemColours] = [0.5, 0.2];
/** Added to the mean share of each colour in all photos, so that a very rare colour does not outweigh all others. */
const minCommonShare = 0.01;

const computeMean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;

const toUnitVector = (values: readonly number[]): number[] | null => {
  const length = Math.hypot(...values);
  return length > 0 ? values.map((value) => value / length) : null;
};

/** Measures the usual difference of two photos of the drop that show different items. */
const measureUsual = (count: number, compare: Compare, usual: number): number => {
  const step = Math.min(farApart, Math.ceil(count / 2));
  const far = Array.from({ length: count }, (_, at) => compare(at, (at + step) % count)).filter(
    (difference) => difference !== null,
  );
  return (priorPairs * usual + far.reduce((sum, difference) => sum + difference, 0)) / (priorPairs + far.length);
};

const standardize = (values: readonly (number | null)[]): number[] => {
  const known = values.filter((value) => value !== null);
  const mean = computeMean(known);
  const deviation = Math.sqrt(computeMean(known.map((value) => (value - mean) ** 2))) || 1;
  return values.map((value) => (value === null ? 0 : (value - mean) / deviation));
};

/** Divides differences by the usual difference of the drop. */
const makeRelative = (count: number, compare: Compare, usual: number, least: number): Compare => {
  const scale = usualColours / Math.max(least, measureUsual(count, compare, usual));
  return (one, other) => {
    const difference = compare(one, other);
    return difference === null ? null : difference * scale;
  };
};

/** Compares colours. The colours that all photos share, such as the colour of the table, have little weight. */
const createColourComparison = (all: readonly (number[] | null)[], common: readonly number[]): Compare => {
  const vectors = all.map((parts) =>
    parts === null ? null : toUnitVector(parts.map((part, bin) => part / (minCommonShare + (common[bin] ?? 0)))),
  );
  return (one, other) => {
    const [a, b] = [vectors[one], vectors[other]];
    return a && b ? Math.sqrt(Math.max(0, 1 - computeCommonColours(a, b))) : null;
  };
};

/** Photos that are closer together than this are compared more than once. */
const reach = 16;
const unknown = -1;

/** Remembers the differences of photos, because each photo is compared with its neighbours at several gaps. */
const rememberDifferences = (count: number, compare: Compare): Compare => {
  const known = new Float64Array(count * reach).fill(NaN);
  return (one, other) => {
    const [first, distance] = [Math.min(one, other), Math.abs(one - other)];
    if (distance >= reach) return compare(one, other);
    const place = first * reach + distance;
    if (Number.isNaN(known[place])) known[place] = compare(one, other) ?? unknown;
    const difference = known[place] ?? unknown;
    return difference === unknown ? null : difference;
  };
};

/**
 * Compares the photos of a drop. The photos of certain marks look alike although their items differ, so `isMark` photos
 * are not compared with each other.
 */
export const comparePhotos = (photos: readonly BorderPhoto[], isMark: (at: number) => boolean): ComparedPhotos => {
  const all = photos.map(({ colours }) => (colours === null ? null : parseColourParts(colours)));
  const known = all.filter((parts) => parts !== null);
  const common = (known[0] ?? []).map((_, bin) => computeMean(known.map((parts) => parts[bin] ?? 0)));
  const hashes = photos.map(({ hash64 }) => (hash64 === null ? null : parseHash(hash64)));
  const skipMarks =
    (compare: Compare): Compare =>
    (one, other) =>
      isMark(one) && isMark(other) ? null : compare(one, other);
  const count = photos.length;
  const items = skipMarks(compareItemColours(photos.map(({ palette }) => palette)));
  const compareItems = makeRelative(count, items, usualItemColours, minUsualItemColours);
  // Photos of older versions have no palette. Photos of nothing but the table have no colours of an item.
  let compareAll: Compare | undefined;
  const compareAllColours: Compare = (one, other) => {
    compareAll ??= makeRelative(count, skipMarks(createColourComparison(all, common)), usualColours, minUsualColours);
    return compareAll(one, other);
  };
  const countOutlineBits: Compare = (one, other) => {
    const a = hashes[one];
    const b = hashes[other];
    return a && b ? countUnequalBits(a, b) : null;
  };
  const table = toUnitVector(common);
  return {
    compareColours: rememberDifferences(
      count,
      (one, other) => compareItems(one, other) ?? compareAllColours(one, other),
    ),
    countOutlineBits,
    usualOutlineBits: measureUsual(count, countOutlineBits, usualOutlineBits),
    tableShares: standardize(
      all.map((parts) => {
        const own = parts && toUnitVector(parts);
        return own && table ? computeCommonColours(own, table) : null;
      }),
    ),
  };
};
