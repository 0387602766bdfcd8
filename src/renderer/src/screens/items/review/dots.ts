/** Where a price stands: its share of the width in percent, and its place in the pile of those that stand there, from 0. */
export type Dot = { x: number; up: number };
export type Scale = { x: (cents: number) => number; ticks: readonly number[] };

const steps = [1, 2, 2.5, 5, 10];

/** A step that people count in: 1, 2, 2.5, 5 times a power of ten, for about `count` of them. */
const roundStep = (span: number, count: number): number => {
  const raw = Math.max(1, span / count);
  const power = 10 ** Math.floor(Math.log10(raw));
  return Math.max(1, Math.round((steps.find((step) => step * power >= raw) ?? 10) * power));
};

/** A line that all of them stand on, in percent with a margin for the words, and round amounts along it. */
export const scaleOf = (cents: readonly number[]): Scale => {
  const least = Math.min(...cents);
  const most = Math.max(...cents);
  const span = Math.max(most - least, most / 10, 100);
  const step = roundStep(span, 4);
  const first = Math.ceil(least / step) * step;
  const ticks = Array.from({ length: Math.floor((least + span - first) / step) + 1 }, (_, at) => first + at * step);
  return { x: (price) => 6 + (88 * (price - least)) / span, ticks };
};

/** Dots on a line, piled up where they would cover each other. `widthPercent` is how much of the line one takes. */
export const pile = (xs: readonly number[], widthPercent: number): Dot[] => {
  const placed: Dot[] = [];
  for (const x of xs) {
    const beside = placed.filter((dot) => Math.abs(dot.x - x) < widthPercent).map(({ up }) => up);
    let up = 0;
    while (beside.includes(up)) up += 1;
    placed.push({ x, up });
  }
  return placed;
};
