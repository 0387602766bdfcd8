/** A run of words, and whether the other side does not have it. */
export type Part = { text: string; changed: boolean };
export type WordDiff = { before: Part[]; after: Part[] };

/** Beyond this many words on both sides together the table would be large; then all of it counts as changed. */
const mostPairs = 400_000;

const wordsOf = (text: string): string[] => text.match(/\s+|[^\s]+/gu) ?? [];

/** Length of the longest common run of words from each pair of positions to the ends. */
const lengths = (a: string[], b: string[]): Uint32Array[] => {
  const rows = Array.from({ length: a.length + 1 }, () => new Uint32Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--) {
      const row = rows[i] as Uint32Array;
      const below = rows[i + 1] as Uint32Array;
      row[j] = a[i] === b[j] ? (below[j + 1] ?? 0) + 1 : Math.max(below[j] ?? 0, row[j + 1] ?? 0);
    }
  return rows;
};

const add = (parts: Part[], text: string, changed: boolean): void => {
  const last = parts.at(-1);
  if (last && last.changed === changed) last.text += text;
  else parts.push({ text, changed });
};

/** Both sides of a change with the words marked that the other side does not have. */
export const wordDiff = (before: string, after: string): WordDiff => {
  const a = wordsOf(before);
  const b = wordsOf(after);
  if (a.length * b.length > mostPairs)
    return { before: [{ text: before, changed: true }], after: [{ text: after, changed: true }] };
  const table = lengths(a, b);
  const diff: WordDiff = { before: [], after: [] };
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    if (i < a.length && a[i] === b[j]) {
      add(diff.before, a[i++] ?? '', false);
      add(diff.after, b[j++] ?? '', false);
    } else if (j >= b.length || (i < a.length && (table[i + 1]?.[j] ?? 0) >= (table[i]?.[j + 1] ?? 0)))
      add(diff.before, a[i++] ?? '', true);
    else add(diff.after, b[j++] ?? '', true);
  }
  return diff;
};
