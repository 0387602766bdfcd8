/** From this number of photos on, an item is equally likely to end after each further photo. */
const maxAge = 12;
const rounds = 3;
/** With this number of items in a drop, the lengths of its items count as much as the usual lengths. */
const priorItems = 6;

/**
 * How much more likely an item is to end, and to continue, after its first, second, … photo than an item of unknown
 * length.
 */
type Lengths = { cut: Float64Array; keep: Float64Array };

const toLengths = (ends: readonly number[], base: number): Lengths => ({
  cut: Float64Array.from(ends, (end) => end / base),
  keep: Float64Array.from(ends, (end) => (1 - end) / (1 - base)),
});

const getOlder = (age: number): number => Math.min(age + 1, maxAge - 1);

/** Scales the values from `from` on so that their sum is 1. Without this, they would become too small for a number. */
const normalizeRow = (values: Float64Array, from: number): void => {
  let sum = 0;
  for (let age = 0; age < maxAge; age += 1) sum += values[from + age] ?? 0;
  for (let age = 0; age < maxAge; age += 1) values[from + age] = (values[from + age] ?? 0) / sum;
};

/**
 * Returns for each gap the probability that the item before it has each number of photos, computed from the earlier
 * gaps.
 */
const computeLengthsForward = (odds: readonly number[], { cut, keep }: Lengths): Float64Array => {
  const rows = new Float64Array((odds.length + 1) * maxAge);
  rows[0] = 1;
  for (const [gap, odd] of odds.entries()) {
    const [from, to] = [gap * maxAge, (gap + 1) * maxAge];
    for (let age = 0; age < maxAge; age += 1) {
      const share = rows[from + age] ?? 0;
      const older = to + getOlder(age);
      rows[to] = (rows[to] ?? 0) + share * odd * (cut[age] ?? 0);
      rows[older] = (rows[older] ?? 0) + share * (keep[age] ?? 0);
    }
    normalizeRow(rows, to);
  }
  return rows;
};

/** Returns for each gap how well each number of photos of the item before it fits this gap and the later gaps. */
const computeLengthsBackward = (odds: readonly number[], { cut, keep }: Lengths): Float64Array => {
  const rows = new Float64Array((odds.length + 1) * maxAge).fill(1);
  for (let gap = odds.length - 1; gap >= 0; gap -= 1) {
    const [to, from] = [gap * maxAge, (gap + 1) * maxAge];
    for (let age = 0; age < maxAge; age += 1) {
      const ended = (odds[gap] ?? 0) * (cut[age] ?? 0) * (rows[from] ?? 0);
      rows[to + age] = ended + (keep[age] ?? 0) * (rows[from + getOlder(age)] ?? 0);
    }
    normalizeRow(rows, to);
  }
  return rows;
};

/** The probability of a border at each gap, and how many items end and continue after each number of photos. */
type Expected = { chances: number[]; ended: Float64Array; kept: Float64Array };

const expectBorders = (odds: readonly number[], lengths: Lengths): Expected => {
  const [forward, backward] = [computeLengthsForward(odds, lengths), computeLengthsBackward(odds, lengths)];
  const [ended, kept] = [new Float64Array(maxAge), new Float64Array(maxAge)];
  const weights = new Float64Array(2 * maxAge);
  const chances = odds.map((odd, gap) => {
    const [from, to] = [gap * maxAge, (gap + 1) * maxAge];
    let [cuts, sum] = [0, 0];
    for (let age = 0; age < maxAge; age += 1) {
      const share = forward[from + age] ?? 0;
      const cut = share * odd * (lengths.cut[age] ?? 0) * (backward[to] ?? 0);
      const keep = share * (lengths.keep[age] ?? 0) * (backward[to + getOlder(age)] ?? 0);
      weights[age] = cut;
      weights[maxAge + age] = keep;
      cuts += cut;
      sum += cut + keep;
    }
    for (let age = 0; age < maxAge; age += 1) {
      ended[age] = (ended[age] ?? 0) + (weights[age] ?? 0) / sum;
      kept[age] = (kept[age] ?? 0) + (weights[maxAge + age] ?? 0) / sum;
    }
    return cuts / sum;
  });
  return { chances, ended, kept };
};

/**
 * Sellers take about the same number of photos of each item. Learns from the drop how many, and returns the probability
 * of a border at each gap. `odds` are the odds of a border from all other signs.
 */
export const applyItemLengths = (odds: readonly number[]): number[] => {
  const expectedBorders = odds.reduce((sum, odd) => sum + odd / (1 + odd), 0);
  const base = (expectedBorders + 1) / (odds.length + 4);
  let expected = expectBorders(
    odds,
    toLengths(
      Array.from({ length: maxAge }, () => base),
      base,
    ),
  );
  for (let round = 0; round < rounds; round += 1) {
    const { ended, kept } = expected;
    const ends = Array.from(
      ended,
      (count, age) => (count + priorItems * base) / (count + (kept[age] ?? 0) + priorItems),
    );
    expected = expectBorders(odds, toLengths(ends, base));
  }
  return expected.chances;
};
