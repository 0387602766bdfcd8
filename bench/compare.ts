/** Medians of our figure and a peer's figure from the same run. `ratio` is ours divided by theirs, of each round. */
export type Compared = { what: string; unit: string; ours: number; peer: string; theirs: number; ratio: number };

export const takeMedian = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

/** Runs the work once. Returns how long it took in ms. */
export const measureMs = (work: () => unknown): number => {
  const from = performance.now();
  work();
  return performance.now() - from;
};

type Names = { what: string; unit: string; peer: string };

/**
 * Compares figures of the same rounds. `ratio` is the median of the ratios of the rounds, so that a round with other load
 * on the machine does not decide.
 */
export const compareRounds = (names: Names, ours: number[], theirs: number[]): Compared => ({
  ...names,
  ours: takeMedian(ours),
  theirs: takeMedian(theirs),
  ratio: takeMedian(ours.map((figure, at) => figure / (theirs[at] ?? NaN))),
});

/**
 * Runs the functions alternately, so that other load on the machine affects all of them, and returns the figures of each
 * function. Every other round has the reverse order, because clean-up after one function slows the next one.
 */
export const runInRounds = async <T>(runs: readonly (() => Promise<T>)[], rounds: number): Promise<T[][]> => {
  const all = runs.map((run) => ({ run, figures: new Array<T>() }));
  for (let round = 0; round < rounds; round += 1) {
    for (const { run, figures } of round % 2 === 0 ? all : all.toReversed()) figures.push(await run());
  }
  return all.map(({ figures }) => figures);
};

/** Runs our functions and the peer for `rounds` rounds. */
export const compareEach = async (
  ours: readonly (Names & { run: () => Promise<number> })[],
  theirs: () => Promise<number>,
  rounds: number,
): Promise<Compared[]> => {
  const [other = [], ...own] = await runInRounds([theirs, ...ours.map(({ run }) => run)], rounds);
  return ours.map(({ run: _run, ...names }, at) => compareRounds(names, own[at] ?? [], other));
};

export const compare = async (
  names: Names,
  ours: () => Promise<number>,
  theirs: () => Promise<number>,
  rounds = 3,
): Promise<Compared> => {
  const [compared] = await compareEach([{ ...names, run: ours }], theirs, rounds);
  if (compared === undefined) throw new Error('Nothing was compared.');
  return compared;
};

/** Compares a figure with a figure that was measured separately. */
export const against = (what: string, unit: string, ours: number, peer: string, theirs: number): Compared => ({
  what,
  unit,
  ours,
  peer,
  theirs,
  ratio: ours / theirs,
});

const limitPeer = 'the limit';

/** Compares a figure with its limit. */
export const againstLimit = (what: string, unit: string, ours: number, limit: number): Compared =>
  against(what, unit, ours, limitPeer, limit);

export const line = ({ what, unit, ours, peer, theirs, ratio }: Compared): string =>
  `${what}: ${ours.toFixed(2)} ${unit}, ${peer}: ${theirs.toFixed(2)} ${unit}, ratio ${ratio.toFixed(2)}`;

/** Returns whether a figure is over its limit. */
export const isOverLimit = ({ peer, ratio }: Compared): boolean => peer === limitPeer && !(ratio <= 1);
