import { applyItemLengths } from './itemLengths.ts';
import { findMarkHabit, listMarkOdds, type MarkHabit, type MarkKind } from './markHabit.ts';
import { type BorderPhoto, type Gap, type GapFeatures, measureGaps } from './measureGaps.ts';
import { parseColourParts } from '../photoLikeness.ts';

/**
 * The gap between two photos. `chance` is the probability (0 to 1) that a new item begins after the gap. `isAtMark`:
 * the photographer marks items, and the mark of this item is beside the gap.
 */
export type Border = { pauseMs: number | null; chance: number; isAtMark: boolean };

export const startsNewItem = ({ chance }: Border): boolean => chance >= 0.5;
/** Returns whether the person should check the border. */
export const isUncertainBorder = ({ chance }: Border): boolean => chance > 0.07 && chance < 0.93;

type Weights = { base: number } & Record<keyof GapFeatures, number>;

/** Weights of logistic regressions, fitted to test folders whose items are known. */
const weightsByFacts: Record<'timesAndLooks' | 'looks' | 'times', Weights> = {
  timesAndLooks: {
    base: -2.82,
    pause: -0.05,
    longPause: -0.06,
    localPause: 0.96,
    beside: 4.38,
    nearest: 7.76,
    across: -1.76,
    within: -5.1,
    outline: -0.34,
    nearestOutline: -0.89,
    fileNumber: 0.57,
  },
  looks: {
    base: -2.12,
    pause: 0,
    longPause: 0,
    localPause: 0,
    beside: 5.08,
    nearest: 7.89,
    across: -2.7,
    within: -6.07,
    outline: -0.23,
    nearestOutline: -0.75,
    fileNumber: 0.6,
  },
  times: {
    base: -1.48,
    pause: -0.03,
    longPause: -0.26,
    localPause: 1.08,
    beside: 0,
    nearest: 0,
    across: 0,
    within: 0,
    outline: 0,
    nearestOutline: 0,
    fileNumber: 0.5,
  },
};
/** Looks and times alone never decide against the marks of a whole drop. */
const [minScore, maxScore] = [-3.5, 4];

const chooseWeights = ({ pauseMs, hasLooks }: Gap): Weights =>
  weightsByFacts[hasLooks ? (pauseMs === null ? 'looks' : 'timesAndLooks') : 'times'];

const computeOdds = (gap: Gap): number => {
  const { base, ...weights } = chooseWeights(gap);
  const names = Object.keys(weights) as (keyof GapFeatures)[];
  const score = names.reduce((sum, name) => sum + weights[name] * gap.features[name], base);
  return Math.exp(Math.min(maxScore, Math.max(minScore, score)));
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
const hidesItem = ({ kinds }: MarkHabit, mark: MarkKind | null | undefined): boolean =>
  mark != null && mark !== 'code' && kinds.includes(mark);

/**
 * Estimates for each gap between two photos how probable it is that a new item begins. Learns from all photos where the
 * photographer puts marks and how many photos an item has. Returns one border fewer than photos.
 */
export const estimateItemBorders = (photos: readonly BorderPhoto[]): Border[] => {
  if (photos.length < 2) return [];
  const marks = photos.map(chooseMarkKind);
  // A sheet or a covered lens may be a pale or a black item.
  const isMark = (at: number): boolean => marks[at] === 'code' || marks[at] === 'label';
  const gaps = measureGaps(photos, { isMark, isLeftOut: () => false });
  const odds = gaps.map(computeOdds);
  const unmarked = applyItemLengths(odds);
  const habit = findMarkHabit(marks, unmarked);
  if (habit === null) return gaps.map(({ pauseMs }, at) => ({ pauseMs, chance: unmarked[at] ?? 0, isAtMark: false }));
  const isHiddenItem = (at: number): boolean => hidesItem(habit, marks[at]);
  const shown = marks.some((_, at) => isHiddenItem(at))
    ? measureGaps(photos, { isMark, isLeftOut: isHiddenItem }).map(computeOdds)
    : odds;
  const signs = listMarkOdds(marks, habit, unmarked);
  // The photo of a mark often differs from the photos of its item, so a difference at the wrong side of the mark proves
  // nothing.
  const chances = applyItemLengths(
    signs.map(({ odds: markOdds, sign }, at) => (sign === 'wrong' ? markOdds : markOdds * (shown[at] ?? 1))),
  );
  return signs.map(({ sign }, at) => ({
    pauseMs: gaps[at]?.pauseMs ?? null,
    chance: chances[at] ?? 0,
    isAtMark: sign === 'marked',
  }));
};
