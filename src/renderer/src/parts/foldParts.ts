import type { Part } from './wordDiff.ts';

/** Up to here a side is shown whole. */
const wholeUpTo = 400;
/** Around what changed, and of what changed itself, so many characters. */
const around = 60;
const ofChanged = 300;

/** How many UTF-16 units the runs have together. */
export const lengthOf = (parts: readonly Part[]): number => parts.reduce((sum, { text }) => sum + text.length, 0);

const cut = (chars: readonly string[], head: number, tail: number): string =>
  chars.length <= head + tail + 1
    ? chars.join('')
    : `${chars.slice(0, head).join('')}…${tail > 0 ? chars.slice(-tail).join('') : ''}`;

/** A long side without what both sides have anyway, but for a little around each change. By whole characters. */
export const foldParts = (parts: readonly Part[]): readonly Part[] => {
  if (lengthOf(parts) <= wholeUpTo) return parts;
  return parts.map(({ text, changed }, at) => {
    const chars = [...text];
    if (changed) return { changed, text: cut(chars, ofChanged, around) };
    const head = at === 0 ? 0 : around;
    const tail = at === parts.length - 1 ? 0 : around;
    // Nothing differs: its beginning says what it is.
    return { changed, text: parts.length === 1 ? cut(chars, ofChanged, 0) : cut(chars, head, tail) };
  });
};
