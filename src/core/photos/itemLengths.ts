/** An item with more photos than this is as likely to end after each further photo. */
const maxAge = 12;
const rounds = 3;
/** How many items the drop must have before its own lengths count as much as the usual ones. */
const priorItems = 6;

type Passes = { forward: number[][]; backward: number[][] };

const normalize = (values: readonly number[]): number[] => {
  const sum = values.reduce((total, value) => total + value, 0);
  return values.map((value) => value / sum);
};

/** `ends[age]` is the probability that an item with so many photos ends before the next photo. */
type Ends = readonly number[];

/** The weights of a border and of no border at a gap, for an item that has `age + 1` photos. */
const weighGap = (odds: number, ends: number, base: number): [cut: number, keep: number] => [
  (odds * ends) / base,
  (1 - ends) / (1 - base),
];

/** Runs over the gaps in both directions. Each state is the number of photos that the item has so far. */
const runPasses = (odds: readonly number[], ends: Ends, base: number): Passes => {
  const first = ends.map((_, age): number => (age === 0 ? 1 : 0));
  const forward = [first];
  for (const odd of odds) {
    const from = forward.at(-1) ?? first;
    const next = ends.map(() => 0);
    for (const [age, share] of from.entries()) {
      const [cut, keep] = weighGap(odd, ends[age] ?? base, base);
      const older = Math.min(age + 1, maxAge - 1);
      next[0] = (next[0] ?? 0) + share * cut;
      next[older] = (next[older] ?? 0) + share * keep;
    }
    forward.push(normalize(next));
  }
  const backward = [ends.map(() => 1)];
  for (const odd of odds.toReversed()) {
    const from = backward.at(-1) ?? [];
    const next = ends.map((end, age) => {
      const [cut, keep] = weighGap(odd, end, base);
      return cut * (from[0] ?? 0) + keep * (from[Math.min(age + 1, maxAge - 1)] ?? 0);
    });
    backward.push(normalize(next));
  }
  return { forward, backward: backward.toReversed() };
};

/** Returns for each gap and age how probable it is that the gap ends an item, and that it does not. */
const countEnds = (odds: readonly number[], ends: Ends, base: number): { cut: number[]; keep: number[] }[] => {
  const { forward, backward } = runPasses(odds, ends, base);
  return odds.map((odd, gap) => {
    const [from, to] = [forward[gap] ?? [], backward[gap + 1] ?? []];
    const weights = ends.map((end) => weighGap(odd, end, base));
    const cut = weights.map(([weight], age) => weight * (from[age] ?? 0) * (to[0] ?? 0));
    const keep = weights.map(([, weight], age) => weight * (from[age] ?? 0) * (to[Math.min(age + 1, maxAge - 1)] ?? 0));
    const sum = [...cut, ...keep].reduce((total, value) => total + value, 0);
    return { cut: cut.map((value) => value / sum), keep: keep.map((value) => value / sum) };
  });
};

const sumAges = (counts: readonly (readonly number[])[]): number[] =>
  Array.from({ length: maxAge }, (_, age) => counts.reduce((sum, count) => sum + (count[age] ?? 0), 0));

/**
 * Sellers take about the same number of photos of each item. Learns from the drop how many, and returns the probability
 * of a border at each gap. `odds` are the odds of a border by everything else.
 */
export const applyItemLengths = (odds: readonly number[]): number[] => {
  const chances = odds.map((odd) => odd / (1 + odd));
  const base = (chances.reduce((sum, chance) => sum + chance, 0) + 1) / (chances.length + 4);
  let ends: Ends = Array.from({ length: maxAge }, () => base);
  let counts = countEnds(odds, ends, base);
  for (let round = 0; round < rounds; round += 1) {
    const [cut, keep] = [sumAges(counts.map((one) => one.cut)), sumAges(counts.map((one) => one.keep))];
    ends = cut.map((count, age) => (count + priorItems * base) / (count + (keep[age] ?? 0) + priorItems));
    counts = countEnds(odds, ends, base);
  }
  return counts.map(({ cut }) => cut.reduce((sum, value) => sum + value, 0));
};
