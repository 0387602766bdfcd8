/** What a photo shows instead of an item, or beside it. */
export type MarkKind = 'label' | 'code' | 'sheet' | 'covered';

/**
 * Where the photographer puts the marks of items. `marked` is the share of items that have a mark. `stray` is the share
 * of gaps inside items that are next to a mark.
 */
export type MarkHabit = { kinds: readonly MarkKind[]; side: 'first' | 'last'; marked: number; stray: number };
type MarkPlace = Pick<MarkHabit, 'kinds' | 'side'>;

type Marks = readonly (MarkKind | null)[];

const kindSets: readonly MarkHabit['kinds'][] = [
  ['label'],
  ['code'],
  ['sheet'],
  ['covered'],
  ['label', 'code', 'sheet', 'covered'],
];
const sides = ['first', 'last'] as const;

const rounds = 4;
/** A border at the wrong side of a mark would leave the mark alone. */
const wrongSideOdds = 0.03;
/**
 * How much more likely the marks must be with the habit than without one, as a logarithm. It is below 0, because a few
 * marks prove little, but are rarely where a habit would put them by accident.
 */
const minGain = -0.5;
/** Probabilities that differ by less are equal. */
const minDifference = 0.01;
/** The lowest share of items with a mark that counts as a habit. */
const minMarked = 0.4;

/** What the marks say about a gap. `wrong`: the gap is inside a run of marks or on the other side of it. */
type GapSign = 'marked' | 'wrong' | 'bare';

/**
 * A run of marks that follow one another, with the positions of the first and the last one. A run counts as one mark.
 */
type MarkRun = { from: number; to: number };

const listMarkRuns = (marks: Marks, kinds: MarkHabit['kinds']): MarkRun[] => {
  const runs: MarkRun[] = [];
  for (const [at, mark] of marks.entries()) {
    if (mark === null || !kinds.includes(mark)) continue;
    const last = runs.at(-1);
    if (last?.to === at - 1) last.to = at;
    else runs.push({ from: at, to: at });
  }
  return runs;
};

/**
 * Chooses the gap that a run of marks belongs to. The photo of a pale item can look like a sheet of paper, so the
 * function chooses the most probable border with a mark on the correct side; the outermost one if all are equal.
 */
const chooseMarkedGap = ({ from, to }: MarkRun, side: MarkHabit['side'], chances: readonly number[]): number => {
  const gaps = Array.from({ length: to - from + 1 }, (_, nth) => (side === 'first' ? from + nth : to + 1 - nth));
  return gaps.reduce((best, gap) => ((chances[gap] ?? 0) > (chances[best] ?? 0) + minDifference ? gap : best));
};

/**
 * Returns the signs of all gaps, from the one before the first photo to the one after the last photo. `chances` are the
 * probabilities of a border at each gap from all other signs.
 */
const listGapSigns = (marks: Marks, { kinds, side }: MarkPlace, chances: readonly number[]): GapSign[] => {
  const signs = Array.from({ length: marks.length + 1 }, (): GapSign => 'bare');
  for (const run of listMarkRuns(marks, kinds)) {
    signs.fill('wrong', run.from, run.to + 2);
    signs[chooseMarkedGap(run, side, chances)] = 'marked';
  }
  return signs;
};

const getSignOdds = (sign: GapSign, { marked, stray }: Pick<MarkHabit, 'marked' | 'stray'>): number => {
  if (sign === 'wrong') return wrongSideOdds;
  return sign === 'marked' ? marked / stray : (1 - marked) / (1 - stray);
};

/** A border before the first photo and after the last one is certain. */
const includeEnds = (chances: readonly number[]): number[] => [1, ...chances, 1];

/**
 * Returns by which factor the habit changes the odds of a border at each gap between two photos. `chances` are the
 * probabilities of a border by everything else.
 */
export const listMarkOdds = (
  marks: Marks,
  habit: MarkHabit,
  chances: readonly number[],
): { odds: number; sign: GapSign }[] =>
  listGapSigns(marks, habit, includeEnds(chances))
    .slice(1, -1)
    .map((sign) => ({ odds: getSignOdds(sign, habit), sign }));

const multiplyOdds = (chance: number, odds: number): number => (chance * odds) / (chance * odds + 1 - chance);

/** The expected habit. It has the weight of `priorGaps` gaps, so that a few photos do not decide. */
const usualShares = { marked: 0.85, stray: 0.03 };
const priorGaps = 4;
/** A person makes a label for an item, so it is hardly ever inside one. */
const labelStray = 0.002;
/** If several kinds of marks could be the habit of the person, a habit with all kinds is a little more likely. */
const allKindsGain = 0.5;
/** A single mark shows no habit, but no border is on its wrong side. */
const unknownShares = { marked: 0.5, stray: 0.5 };
const computeShare = (count: number, of: number, usual: number): number =>
  (count + priorGaps * usual) / (of + priorGaps);

type SignedGap = { sign: GapSign; chance: number };

/** Learns how many items and how many gaps inside items are marked. */
const learnShares = (gaps: readonly SignedGap[], { kinds }: MarkPlace): Pick<MarkHabit, 'marked' | 'stray'> => {
  let shares = usualShares;
  for (let round = 0; round < rounds; round += 1) {
    let [marked, borders, stray, insides] = [0, 0, 0, 0];
    for (const { sign, chance } of gaps) {
      if (sign === 'wrong') continue;
      const border = multiplyOdds(chance, getSignOdds(sign, shares));
      borders += border;
      insides += 1 - border;
      if (sign === 'bare') continue;
      marked += border;
      stray += 1 - border;
    }
    shares = {
      marked: computeShare(marked, borders, usualShares.marked),
      stray: kinds[0] === 'label' && kinds.length === 1 ? labelStray : computeShare(stray, insides, usualShares.stray),
    };
  }
  return shares;
};

/** Returns how much more likely the marks are with the habit than without one, as a logarithm. */
const computeGain = (gaps: readonly SignedGap[], { marked, stray }: Pick<MarkHabit, 'marked' | 'stray'>): number => {
  const open = gaps.filter(({ sign }) => sign !== 'wrong');
  const usual = open.filter(({ sign }) => sign === 'marked').length / open.length;
  // At an end of the drop, the border on the wrong side of a mark is certain. Elsewhere, it is on its other side.
  const alone = [gaps[0], gaps.at(-1)].filter((end) => end?.sign === 'wrong').length;
  return open.reduce(
    (sum, { sign, chance }) => {
      const [border, inside, without] = sign === 'marked' ? [marked, stray, usual] : [1 - marked, 1 - stray, 1 - usual];
      return sum + Math.log((chance * border + (1 - chance) * inside) / without);
    },
    alone * Math.log(wrongSideOdds),
  );
};

/**
 * Finds out from all photos of a drop whether a mark stands before or after each item. `chances` are the probabilities
 * of a border at each gap from all other signs. Returns null if the marks follow no habit. A label always marks an
 * item.
 */
export const findMarkHabit = (marks: Marks, chances: readonly number[]): MarkHabit | null => {
  const all = includeEnds(chances);
  const hasLabels = marks.includes('label');
  const found = kindSets
    .filter((kinds) => (hasLabels ? kinds.length === 1 && kinds[0] === 'label' : listMarkRuns(marks, kinds).length > 1))
    .flatMap((kinds) => sides.map((side): MarkPlace => ({ kinds, side })))
    .map((place) => {
      const gaps = listGapSigns(marks, place, all).map((sign, at): SignedGap => ({ sign, chance: all[at] ?? 0 }));
      const shares = listMarkRuns(marks, place.kinds).length > 1 ? learnShares(gaps, place) : unknownShares;
      const gain = computeGain(gaps, shares) + (place.kinds.length > 1 ? allKindsGain : 0);
      return { habit: { ...place, ...shares }, gain };
    })
    .toSorted((a, b) => b.gain - a.gain);
  const [best] = found;
  if (best === undefined) return null;
  return hasLabels || (best.gain >= minGain && best.habit.marked >= minMarked) ? best.habit : null;
};
