/** One figure of ours beside one of a peer, measured alternately in the same run. Medians; `ratio` is ours over theirs. */
export type Compared = { what: string; unit: string; ours: number; peer: string; theirs: number; ratio: number };

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

type Names = { what: string; unit: string; peer: string };

/**
 * Runs several of ours and the one peer of all in turn, `rounds` times each, so that a busy moment of the machine meets all of
 * them. Every other round goes backwards: what one leaves to be tidied up slows the next.
 */
export const compareEach = async (
  ours: readonly (Names & { run: () => Promise<number> })[],
  theirs: () => Promise<number>,
  rounds: number,
): Promise<Compared[]> => {
  const all = [theirs, ...ours.map(({ run }) => run)].map((run) => ({ run, figures: new Array<number>() }));
  for (let round = 0; round < rounds; round += 1) {
    for (const { run, figures } of round % 2 === 0 ? all : all.toReversed()) figures.push(await run());
  }
  const [other = NaN, ...own] = all.map(({ figures }) => median(figures));
  return ours.map(({ run: _run, ...names }, at) => {
    const figure = own[at] ?? NaN;
    return { ...names, ours: figure, theirs: other, ratio: figure / other };
  });
};

/** Runs both in turn, `rounds` times each, so that a busy moment of the machine meets both. */
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

/** A figure beside one that was measured elsewhere in the same run, or beside a limit. */
export const against = (what: string, unit: string, ours: number, peer: string, theirs: number): Compared => ({
  what,
  unit,
  ours,
  peer,
  theirs,
  ratio: ours / theirs,
});

/** A line for people: what, both figures, and their ratio. */
export const line = ({ what, unit, ours, peer, theirs, ratio }: Compared): string =>
  `${what}: ${ours.toFixed(2)} ${unit}, ${peer}: ${theirs.toFixed(2)} ${unit}, ratio ${ratio.toFixed(2)}`;
