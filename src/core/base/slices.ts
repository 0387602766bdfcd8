import { setImmediate as immediate } from 'node:timers/promises';

/** Comparing, naming or matching this many values takes a few milliseconds. */
const valuesPerSlice = 500;

export const cutIntoSlices = <T>(all: readonly T[], perSlice: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / perSlice) }, (_, nth) => all.slice(nth * perSlice, (nth + 1) * perSlice));

/** Maps a list. Other work runs between its values. */
export const mapEachInTurn = async <T, R>(all: readonly T[], map: (one: T) => R | Promise<R>): Promise<R[]> => {
  const mapped: R[] = [];
  for (const one of all) {
    if (mapped.length > 0) await immediate();
    mapped.push(await map(one));
  }
  return mapped;
};

/** Maps a list. Other work runs between slices of it. */
export const mapInSlices = async <T, R>(all: readonly T[], map: (one: T) => R): Promise<R[]> => {
  const slices = await mapEachInTurn(cutIntoSlices(all, valuesPerSlice), (slice) => slice.map((one) => map(one)));
  return slices.flatMap((slice) => slice);
};

type Compare<T> = (one: T, other: T) => number;

const mergeInSlices = async <T extends object>(
  [first = [], second = []]: readonly T[][],
  compare: Compare<T>,
): Promise<T[]> => {
  const merged: T[] = [];
  let [a, b] = [0, 0];
  for (;;) {
    const [one, other] = [first[a], second[b]];
    if (one === undefined || other === undefined) return merged.concat(first.slice(a), second.slice(b));
    if (compare(one, other) <= 0) {
      merged.push(one);
      a += 1;
    } else {
      merged.push(other);
      b += 1;
    }
    if (merged.length % valuesPerSlice === 0) await immediate();
  }
};

/** Sorts like `toSorted`. Other work runs between slices of the comparisons. */
export const sortInSlices = async <T extends object>(all: readonly T[], compare: Compare<T>): Promise<T[]> => {
  let runs = await mapEachInTurn(cutIntoSlices(all, valuesPerSlice), (slice) => slice.toSorted(compare));
  while (runs.length > 1) runs = await mapEachInTurn(cutIntoSlices(runs, 2), (pair) => mergeInSlices(pair, compare));
  return runs[0] ?? [];
};
