import { type BorderPhoto, comparePhotos, type ComparedPhotos } from './comparePhotos.ts';
import { applyItemLengths, type GapOdds } from './itemLengths.ts';
import { findMarkHabit, listMarkOdds, type MarkKind } from './markHabit.ts';
import { type Gap, type GapFeatures, gapFeatureNames, measureGaps, measurePausesMs } from './measureGaps.ts';
import { parseColourParts } from '../photoLikeness.ts';
import { measureStartLooks } from './startLooks.ts';

/**
 * The gap between two photos. `chance` is the probability (0 to 1) that a new item begins after the gap. `isAtMark`:
 * the photographer marks items, and the mark of this item is beside the gap.
 */
export type Border = { pauseMs: number | null; chance: number; isAtMark: boolean };

export const startsNewItem = ({ chance }: Border): boolean => chance >= 0.5;
/** Returns whether the person should check the border. */
export const isUncertainBorder = ({ chance }: Border): boolean => chance > 0.04 && chance < 0.96;

type Weights = Record<keyof GapFeatures | 'base' | 'nearestInItem' | 'startLook', number>;

/** Fitted to test folders whose items are known. */
const weightsByFacts: Record<'timesAndLooks' | 'looks' | 'times', Weights> = {
  timesAndLooks: {
    ...{ base: -4.65, pause: 0.85, longPause: -0.27, localPause: 0, fileNumber: 0.8 },
    ...{ beside: 2.59, nearest: 5.44, within: -2.9, tableBefore: -0.16, tableAfter: 0.3 },
    ...{ nearestInItem: 1.88, startLook: 3.17 },
  },
  looks: {
    ...{ base: -4, pause: 0, longPause: 0, localPause: 0, fileNumber: 0.71 },
    ...{ beside: 2.75, nearest: 5.74, within: -3.77, tableBefore: -0.15, tableAfter: 0.35 },
    ...{ nearestInItem: 1.99, startLook: 3.18 },
  },
  times: {
    ...{ base: -1.49, pause: 0.67, longPause: -0.43, localPause: 0.43, fileNumber: 0.87 },
    ...{ beside: 0, nearest: 0, within: 0, tableBefore: 0, tableAfter: 0 },
    ...{ nearestInItem: 0, startLook: 0 },
  },
};
/** Looks and times alone never decide against the marks of a whole drop. */
const [minScore, maxScore] = [-6, 6];

const chooseWeights = ({ hasTime, hasLooks }: Gap): Weights =>
  weightsByFacts[hasLooks ? (hasTime ? 'timesAndLooks' : 'looks') : 'times'];

const computeOdds = (gap: Gap, startLook: number): GapOdds => {
  const weights = chooseWeights(gap);
  let score = weights.base + weights.startLook * startLook;
  for (const name of gapFeatureNames) score += weights[name] * gap.features[name];
  // The allocator of the system keeps the memory of thousands of small typed arrays.
  const odds = gap.nearestByLength.map(() => 0);
  for (const [at, nearest] of gap.nearestByLength.entries()) {
    if (nearest === null) continue;
    // The nearest photo of a longer item is mostly the same photo.
    odds[at] =
      nearest === gap.nearestByLength[at - 1]
        ? (odds[at - 1] ?? 0)
        : Math.exp(Math.min(maxScore, Math.max(minScore, score + weights.nearestInItem * nearest)));
  }
  return odds;
};

/** The smallest share of black in a photo that was taken with a covered lens. */
const minBlackPart = 0.75;

const chooseMarkKind = ({ isLabel, barcodes, sheet, colours }: BorderPhoto): MarkKind | null => {
  if (isLabel) return 'label';
  if (barcodes.length > 0) return 'code';
  if (sheet) return 'sheet';
  return colours !== null && (parseColourParts(colours.slice(0, 2))[0] ?? 0) >= minBlackPart ? 'covered' : null;
};

/** A code is on the item itself. Photos of other marks show no item, so they are not compared. */
const showsNoItem = (mark: MarkKind | null | undefined): boolean => mark != null && mark !== 'code';

/** Returns for each photo the chance that it is the first of an item that shows the item; null if it shows none. */
const listStartChances = (
  photos: readonly BorderPhoto[],
  chances: readonly number[],
  isHidden: (at: number) => boolean,
): (number | null)[] => {
  let start = 1;
  return photos.map((_, at) => {
    start = Math.min(1, start + (chances[at - 1] ?? 0));
    if (isHidden(at)) return null;
    const own = start;
    start = 0;
    return own;
  });
};

type Drop = { photos: readonly BorderPhoto[]; compared: ComparedPhotos; pause: () => void };

/** Estimates borders from pauses and looks alone. The photos with `isHidden` show no item. */
const estimateUnmarked = (
  { photos, compared, pause }: Drop,
  isHidden: (at: number) => boolean,
): { odds: GapOdds[]; chances: number[] } => {
  const gaps = measureGaps(photos, compared, isHidden);
  pause();
  const first = applyItemLengths(gaps.map((gap) => computeOdds(gap, 0)));
  pause();
  const startLooks = measureStartLooks(listStartChances(photos, first, isHidden), compared);
  pause();
  const odds = gaps.map((gap) => computeOdds(gap, startLooks[gap.nextShown] ?? 0));
  const chances = applyItemLengths(odds);
  pause();
  return { odds, chances };
};

const applyMarkOdds = (odds: readonly GapOdds[], signs: ReturnType<typeof listMarkOdds>): GapOdds[] =>
  odds.map((gapOdds, at) => {
    const { odds: markOdds, sign } = signs[at] ?? { odds: 1, sign: 'bare' };
    // The photo of a mark often differs from the photos of its item, so a difference at the wrong side of the mark
    // proves nothing.
    return gapOdds.map((odd) => (sign === 'wrong' ? markOdds : markOdds * odd));
  });

/**
 * Estimates for each gap between two photos how probable it is that a new item begins. Learns from all photos where the
 * photographer puts marks, how an item begins and how many photos it has. Returns one border fewer than photos. `pause` is
 * called after each step, which takes less than 100 ms for 30,000 photos.
 */
export const estimateItemBorders = (photos: readonly BorderPhoto[], pause = (): void => undefined): Border[] => {
  const marks = photos.map(chooseMarkKind);
  // A sheet or a covered lens may be a pale or a black item.
  const compared = comparePhotos(photos, (at) => marks[at] === 'code' || marks[at] === 'label');
  pause();
  const drop = { photos, compared, pause };
  const pausesMs = measurePausesMs(photos);
  const showAll = estimateUnmarked(drop, () => false);
  const mayBeMark = (at: number): boolean => showsNoItem(marks[at]);
  const hideAll = marks.some(showsNoItem) ? estimateUnmarked(drop, mayBeMark) : showAll;
  // The difference between a mark and its item would suggest a border on the wrong side of the mark.
  const habit = findMarkHabit(marks, hideAll.chances);
  if (habit === null)
    return showAll.chances.map((chance, at) => ({ pauseMs: pausesMs[at] ?? null, chance, isAtMark: false }));
  const isMark = (at: number): boolean => mayBeMark(at) && habit.kinds.includes(marks[at] ?? 'code');
  const isSame = marks.every((_, at) => isMark(at) === mayBeMark(at));
  const { odds } = isSame ? hideAll : estimateUnmarked(drop, isMark);
  // A pale item beside a sheet can be told from it only if both are compared.
  const signs = listMarkOdds(marks, habit, showAll.chances);
  return applyItemLengths(applyMarkOdds(odds, signs)).map((chance, at) => ({
    pauseMs: pausesMs[at] ?? null,
    chance,
    isAtMark: signs[at]?.sign === 'marked',
  }));
};
