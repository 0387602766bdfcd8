/** One figure of ours beside one of a peer, measured alternately in the same run. Medians; `ratio` is ours over theirs. */
export type Compared = { what: string; unit: string; ours: number; peer: string; theirs: number; ratio: number };

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

/** Runs both in turn, `rounds` times each, so that a busy moment of the machine meets both. */
export const compare = async (
  names: { what: string; unit: string; peer: string },
  ours: () => Promise<number>,
  theirs: () => Promise<number>,
  rounds = 3,
): Promise<Compared> => {
  const figures: { ours: number[]; theirs: number[] } = { ours: [], theirs: [] };
  for (let round = 0; round < rounds; round += 1) {
    figures.theirs.push(await theirs());
    figures.ours.push(await ours());
  }
  const [own, other] = [median(figures.ours), median(figures.theirs)];
  return { ...names, ours: own, theirs: other, ratio: own / other };
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
