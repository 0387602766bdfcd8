import { known } from '../host/options.ts';

/** How many letters are wrong, missing, too many, or in the place of their neighbour. */
const distance = (a: string, b: string): number => {
  const kept = new Map<string, number>();
  const upTo = (i: number, j: number): number => {
    if (i === 0 || j === 0) return i + j;
    const before = kept.get(`${i} ${j}`);
    if (before !== undefined) return before;
    const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
    const least = Math.min(
      upTo(i - 1, j) + 1,
      upTo(i, j - 1) + 1,
      upTo(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1),
      swapped ? upTo(i - 2, j - 2) + 1 : Infinity,
    );
    kept.set(`${i} ${j}`, least);
    return least;
  };
  return upTo(a.length, b.length);
};

/** In a short name, one wrong letter is much. */
const most = (own: string): number => (own.length > 5 ? 2 : 1);

/** The option of ours that a name was most likely meant to be; null where it looks like none of them. */
export const meantOption = (given: string): string | null => {
  const name = given.toLowerCase();
  const near = (own: string): boolean =>
    own.startsWith(`${name}-`) || (Math.abs(own.length - name.length) <= 2 && distance(own, name) <= most(own));
  return Object.keys(known).find(near) ?? null;
};
