import type { BorderPhoto, ComparedPhotos } from './comparePhotos.ts';
import { maxLength } from './itemLengths.ts';

/** What is known about the gap between two photos. Each number is 0 if it is unknown or says nothing. */
export type GapFeatures = {
  /** The pause as doublings of the usual pause of the drop, and the part of it that is longer than twice the usual one. */
  pause: number;
  longPause: number;
  /** The pause as doublings of the pauses around it. */
  localPause: number;
  /** How different the colours of the photos beside the gap are. */
  beside: number;
  /** The same for the two most similar photos near the gap. */
  nearest: number;
  /** How different the colours of the photos before the gap are from each other, and those after it. */
  within: number;
  /** How much of the photos beside the gap shows the table: much in a photo of a whole item, little in a close-up. */
  tableBefore: number;
  tableAfter: number;
  fileNumber: number;
};
export const gapFeatureNames = [
  ...(['pause', 'longPause', 'localPause', 'fileNumber'] as const),
  ...(['beside', 'nearest', 'within', 'tableBefore', 'tableAfter'] as const),
] satisfies readonly (keyof GapFeatures)[];

export type Gap = {
  hasTime: boolean;
  /** The position of the first photo after the gap that shows an item. */
  nextShown: number;
  hasLooks: boolean;
  features: GapFeatures;
  /**
   * How different the colours of the photo after the gap are from the most similar photo of the item before the gap, if
   * that item has 1, 2, … photos. Null if these photos show no item.
   */
  nearestByLength: readonly (number | null)[];
};

/** On each side of a gap, this many photos are compared, so that a single unusual photo does not start a new item. */
const maxNeighbours = 3;
/** The differences if there are no photos to compare. */
const [usualWithin, usualInItem] = [0.4, 0.5];
/** The usual pause if the drop has too few pauses to measure it. */
const usualPauseS = 10;
const [minDoublings, maxDoublings] = [-3, 5];

const computeMean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;

/** Compares the photos at `before`, from the gap backwards, with those at `after`. Returns null if nothing is known. */
const measureLooks = (
  { compareColours, tableShares }: ComparedPhotos,
  before: readonly number[],
  after: readonly number[],
) => {
  let [beside, nearest]: [number | null, number] = [null, Infinity];
  for (const one of before) {
    for (const other of after) {
      const difference = compareColours(one, other);
      if (difference === null) continue;
      beside ??= difference;
      nearest = Math.min(nearest, difference);
    }
  }
  if (beside === null) return null;
  const within = [before, after].flatMap((side) =>
    side.flatMap((one, at) => (at === 0 ? [] : (compareColours(side[at - 1] ?? one, one) ?? []))),
  );
  return {
    beside,
    nearest,
    within: within.length === 0 ? usualWithin : computeMean(within),
    tableBefore: tableShares[before[0] ?? 0] ?? 0,
    tableAfter: tableShares[after[0] ?? 0] ?? 0,
  };
};

/** `before` lists the shown photos from the gap backwards. */
const measureNearestByLength = (
  { compareColours }: ComparedPhotos,
  gap: number,
  before: readonly number[],
  after: number | undefined,
): (number | null)[] => {
  let [nearest, seen] = [Infinity, 0];
  return Array.from({ length: maxLength }, (_, shorter) => {
    for (let at = before[seen]; at !== undefined && at >= gap - shorter; at = before[seen]) {
      nearest = Math.min(nearest, (after === undefined ? null : compareColours(at, after)) ?? Infinity);
      seen += 1;
    }
    if (seen === 0) return null;
    return nearest === Infinity ? usualInItem : nearest;
  });
};

const parseFileNumber = (name: string): number | null => {
  const digits = /(\d+)\D*$/.exec(name)?.[1];
  return digits === undefined ? null : Number(digits);
};
const hasFileNumberGap = (one: BorderPhoto, other: BorderPhoto): boolean => {
  const [from, to] = [parseFileNumber(one.name), parseFileNumber(other.name)];
  return from !== null && to !== null && to - from !== 1;
};

/** Returns the pause at each gap between two photos. */
export const measurePausesMs = (photos: readonly BorderPhoto[]): (number | null)[] =>
  photos.slice(1).map(({ takenAt }, before) => {
    const from = photos[before]?.takenAt ?? null;
    return from === null || takenAt === null ? null : Math.abs(takenAt - from);
  });

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

/**
 * Measures each gap between two photos. Photos with `isLeftOut` show no item, so their neighbours are compared instead.
 * Returns one gap fewer than photos.
 */
export const measureGaps = (
  photos: readonly BorderPhoto[],
  compared: ComparedPhotos,
  isLeftOut: (at: number) => boolean,
): Gap[] => {
  const shown = [...photos.keys()].filter((at) => !isLeftOut(at));
  const pausesMs = measurePausesMs(photos);
  const pauses = measurePauses(pausesMs);
  let seen = 0;
  return pausesMs.map((pauseMs, before) => {
    while ((shown[seen] ?? Infinity) <= before) seen += 1;
    const shownBefore = shown.slice(Math.max(0, seen - maxLength), seen).toReversed();
    const looks = measureLooks(compared, shownBefore.slice(0, maxNeighbours), shown.slice(seen, seen + maxNeighbours));
    const [one, other] = [photos[before], photos[before + 1]];
    const fileNumber = one && other && hasFileNumberGap(one, other) ? 1 : 0;
    const unknown = { beside: 0, nearest: 0, within: 0, tableBefore: 0, tableAfter: 0 };
    const pause = pauses[before] ?? { pause: 0, longPause: 0, localPause: 0 };
    return {
      hasTime: pauseMs !== null,
      nextShown: shown[seen] ?? before + 1,
      hasLooks: looks !== null,
      features: { ...pause, ...(looks ?? unknown), fileNumber },
      nearestByLength: measureNearestByLength(compared, before, shownBefore, shown[seen]),
    };
  });
};
