/** What is known of a photo that tells whether it shows the same thing as the one before; null where it is not known. */
export type PhotoFacts = {
  name: string;
  /** Ms since 1970. */
  takenAt: number | null;
  /** See differenceHash and colourHistogram in the photo process. */
  hash64: string | null;
  colours: string | null;
};

/** The gap between two photos: the time between the shots, and how likely (0 to 1) another item begins behind it. */
export type Border = { pauseMs: number | null; chance: number };

/** From here on another item begins. */
export const begins = ({ chance }: Border): boolean => chance >= 0.5;
/** Whether a border, or that there is none, is worth a second look. */
export const isUnsure = ({ chance }: Border): boolean => chance > 0.2 && chance < 0.8;

/** Logistic weights, fitted to mixes of drawn and real photos with known items; other mixes measure them in the tests. */
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
/** The same where only the time is known. */
const byTime = { base: -1.77, pause: 1.58 };

/** The pause that says nothing by itself, and how far others count: from an eighth to sixteen times of it. */
const usualPauseS = 10;
const [leastDoublings, mostDoublings] = [-3, 4];
/** Likeness is looked for among so many photos before and behind a gap: one odd shot does not make an item. */
const reach = 3;
/** Keeps a colour that hardly any photo has from counting for everything. */
const leastCommon = 0.01;
/** How unlike the neighbours of a gap are where there are none. */
const usualUnlikeness = 0.3;

const chanceOf = (score: number): number => 1 / (1 + Math.exp(-score));

const partsOf = (colours: string): number[] =>
  Array.from({ length: colours.length / 2 }, (_, at) => parseInt(colours.slice(2 * at, 2 * at + 2), 16) / 255);

/** Colours as directions, in which those that all photos share, such as a table's, count little. */
const rareColours = (photos: readonly PhotoFacts[]): (number[] | null)[] => {
  const all = photos.map(({ colours }) => (colours === null ? null : partsOf(colours)));
  const known = all.filter((parts) => parts !== null);
  const common = (known[0] ?? []).map(
    (_, bin) => known.reduce((sum, parts) => sum + (parts[bin] ?? 0), 0) / known.length,
  );
  return all.map((parts) => {
    const rare = parts?.map((part, bin) => part / (leastCommon + (common[bin] ?? 0)));
    const length = Math.hypot(...(rare ?? []));
    return rare && length > 0 ? rare.map((part) => part / length) : null;
  });
};

/** From 0, the same colours, to 1, none in common; null where one is not known. */
type Unlikeness = (one: number, other: number) => number | null;

const unlikenessOf = (photos: readonly PhotoFacts[]): Unlikeness => {
  const colours = rareColours(photos);
  return (one, other) => {
    const [a, b] = [colours[one], colours[other]];
    if (!a || !b) return null;
    return Math.sqrt(Math.max(0, 1 - a.reduce((sum, part, bin) => sum + part * (b[bin] ?? 0), 0)));
  };
};

const differingBits = (one: string, other: string): number => {
  let count = 0;
  for (let left = BigInt(`0x${one}`) ^ BigInt(`0x${other}`); left > 0n; left &= left - 1n) count += 1;
  return count;
};

const outlineOf = (one: PhotoFacts, other: PhotoFacts): number =>
  one.hash64 === null || other.hash64 === null ? 0.5 : differingBits(one.hash64, other.hash64) / 64;

const lastNumber = (name: string): number | null => {
  const digits = /(\d+)\D*$/.exec(name)?.[1];
  return digits === undefined ? null : Number(digits);
};
/** Whether a file's number does not follow the other's: a photo between them is gone, or it is of another run. */
const leapsOver = (one: PhotoFacts, other: PhotoFacts): boolean => {
  const [from, to] = [lastNumber(one.name), lastNumber(other.name)];
  return from !== null && to !== null && to - from !== 1;
};

const pauseOf = (one: PhotoFacts, other: PhotoFacts): number | null =>
  one.takenAt === null || other.takenAt === null ? null : Math.abs(other.takenAt - one.takenAt);

/** In doublings of the usual pause. An unknown one says as little as the usual one. */
const doublings = (pauseMs: number | null): number =>
  pauseMs === null
    ? 0
    : Math.min(mostDoublings, Math.max(leastDoublings, Math.log2(Math.max(1_000, pauseMs) / 1_000 / usualPauseS)));

/** The most alike of two photos on either side of a gap. */
const nearestOf = (unlike: Unlikeness, before: number, count: number): number => {
  const found: number[] = [];
  for (let one = Math.max(0, before - reach + 1); one <= before; one += 1)
    for (let other = before + 1; other < Math.min(count, before + 1 + reach); other += 1)
      found.push(unlike(one, other) ?? usualUnlikeness);
  return Math.min(...found);
};

/**
 * How likely another item begins in each gap between photos in order; one fewer than photos. Weighs the time between the
 * shots, how alike the photos around the gap are compared with all others, and whether the files' numbers go on.
 */
export const findBorders = (photos: readonly PhotoFacts[]): Border[] => {
  const unlike = unlikenessOf(photos);
  return photos.slice(1).map((other, before) => {
    const one = photos[before] ?? other;
    const pauseMs = pauseOf(one, other);
    const pause = doublings(pauseMs);
    const beside = unlike(before, before + 1);
    if (beside === null) return { pauseMs, chance: chanceOf(byTime.base + byTime.pause * pause) };
    const sides = [before > 0 ? unlike(before - 1, before) : null, unlike(before + 1, before + 2)];
    const around = Math.min(1, ...sides.filter((side) => side !== null));
    const score =
      weights.base +
      weights.pause * pause +
      weights.longPause * Math.min(2, Math.max(0, pause - 1)) +
      weights.beside * beside +
      weights.nearest * nearestOf(unlike, before, photos.length) +
      weights.around * (sides.every((side) => side === null) ? usualUnlikeness : around) +
      weights.outline * outlineOf(one, other) +
      weights.number * (leapsOver(one, other) ? 1 : 0);
    return { pauseMs, chance: chanceOf(score) };
  });
};
