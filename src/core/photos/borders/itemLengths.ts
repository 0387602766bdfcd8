/** From this number of photos on, an item is equally likely to end after each further photo. */
export const maxLength = 12;
/** How likely an item usually ends after its first photo and after each further one. */
const [usualFirstEnd, usualEnd] = [0.05, 0.25];
const rounds = 3;
/** With this number of items in a drop, the lengths of its items count as much as the usual lengths. */
const priorItems = 6;

/**
 * How much more likely an item is to end, and to continue, after its first, second, … photo than an item of unknown
 * length.
 */
type Lengths = { cut: Float64Array; keep: Float64Array };

const toLengths = (ends: readonly number[]): Lengths => ({
  cut: Float64Array.from(ends, (end) => end / usualEnd),
  keep: Float64Array.from(ends, (end) => (1 - end) / (1 - usualEnd)),
});

const usualEnds = Array.from({ length: maxLength }, (_, age) => (age === 0 ? usualFirstEnd : usualEnd));

/** The odds of a border at a gap, if the item before it has 1, 2, … photos. */
export type GapOdds = readonly number[];

const getOlder = (age: number): number => Math.min(age + 1, maxLength - 1);

/** Scales the values from `from` on so that their sum is 1. Without this, they would become too small for a number. */
const normalizeRow = (values: Float64Array, from: number): void => {
  let sum = 0;
  for (let age = 0; age < maxLength; age += 1) sum += values[from + age] ?? 0;
  for (let age = 0; age < maxLength; age += 1) values[from + age] = (values[from + age] ?? 0) / sum;
};

/**
 * Returns for each gap the probability that the item before it has each number of photos, computed from the earlier
 * gaps.
 */
const computeLengthsForward = (odds: readonly GapOdds[], { cut, keep }: Lengths): Float64Array => {
  const rows = new Float64Array((odds.length + 1) * maxLength);
  rows[0] = 1;
  for (const [gap, gapOdds] of odds.entries()) {
    const [from, to] = [gap * maxLength, (gap + 1) * maxLength];
    for (let age = 0; age < maxLength; age += 1) {
      const share = rows[from + age] ?? 0;
      const older = to + getOlder(age);
      rows[to] = (rows[to] ?? 0) + share * (gapOdds[age] ?? 0) * (cut[age] ?? 0);
      rows[older] = (rows[older] ?? 0) + share * (keep[age] ?? 0);
    }
    normalizeRow(rows, to);
  }
  return rows;
};

/** Returns for each gap how well each number of photos of the item before it fits this gap and the later gaps. */
const computeLengthsBackward = (odds: readonly GapOdds[], { cut, keep }: Lengths): Float64Array => {
  const rows = new Float64Array((odds.length + 1) * maxLength);
  // The last item ends with the drop.
  rows.set(cut, odds.length * maxLength);
  for (let gap = odds.length - 1; gap >= 0; gap -= 1) {
    const [to, from] = [gap * maxLength, (gap + 1) * maxLength];
    for (let age = 0; age < maxLength; age += 1) {
      const ended = (odds[gap]?.[age] ?? 0) * (cut[age] ?? 0) * (rows[from] ?? 0);
      rows[to + age] = ended + (keep[age] ?? 0) * (rows[from + getOlder(age)] ?? 0);
    }
    normalizeRow(rows, to);
  }
  return rows;
};

/** The probability of a border at each gap, and how many items end and continue after each number of photos. */
type Expected = { chances: number[]; ended: Float64Array; kept: Float64Array };

const expectBorders = (odds: readonly GapOdds[], lengths: Lengths): Expected => {
  const [forward, backward] = [computeLengthsForward(odds, lengths), computeLengthsBackward(odds, lengths)];
  const [ended, kept] = [new Float64Array(maxLength), new Float64Array(maxLength)];
  const weights = new Float64Array(2 * maxLength);
  const chances = odds.map((gapOdds, gap) => {
    const [from, to] = [gap * maxLength, (gap + 1) * maxLength];
    let [cuts, sum] = [0, 0];
    for (let age = 0; age < maxLength; age += 1) {
      const share = forward[from + age] ?? 0;
      const cut = share * (gapOdds[age] ?? 0) * (lengths.cut[age] ?? 0) * (backward[to] ?? 0);
      const keep = share * (lengths.keep[age] ?? 0) * (backward[to + getOlder(age)] ?? 0);
      weights[age] = cut;
      weights[maxLength + age] = keep;
      cuts += cut;
      sum += cut + keep;
    }
    for (let age = 0; age < maxLength; age += 1) {
      ended[age] = (ended[age] ?? 0) + (weights[age] ?? 0) / sum;
      kept[age] = (kept[age] ?? 0) + (weights[maxLength + age] ?? 0) / sum;
    }
    return cuts / sum;
  });
  return { chances, ended, kept };
};

/**
 * Sellers take about the same number of photos of each item. Learns from the drop how many, and returns the probability
 * of a border at each gap. `odds` are the odds of a border from all other signs.
 */
export const applyItemLengths = (odds: readonly GapOdds[]): number[] => {
  let expected = expectBorders(odds, toLengths(usualEnds));
  for (let round = 0; round < rounds; round += 1) {
    const { ended, kept } = expected;
    const ends = usualEnds.map(
      (usual, age) => ((ended[age] ?? 0) + priorItems * usual) / ((ended[age] ?? 0) + (kept[age] ?? 0) + priorItems),
    );
    expected = expectBorders(odds, toLengths(ends));
  }
  return expected.chances;
};
