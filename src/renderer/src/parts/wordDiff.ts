/** A run of words, and whether the other side does not have it. */
export type Part = { text: string; changed: boolean };
export type WordDiff = { before: Part[]; after: Part[] };

/** Beyond this many pairs of words the table would be large; then whole sentences are compared. */
const mostPairs = 400_000;

const wordsOf = (text: string): string[] => text.match(/\s+|[^\s]+/gu) ?? [];
const sentencesOf = (text: string): string[] => text.match(/[^.!?\n]*[.!?\n]*\s*/gu)?.filter((one) => one !== '') ?? [];

/** Length of the longest common run of words from each pair of positions to the ends. */
const lengths = (a: readonly string[], b: readonly string[]): Uint32Array[] => {
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
  if (text === '') return;
  if (last && last.changed === changed) last.text += text;
  else parts.push({ text, changed });
};

const diffOf = (a: readonly string[], b: readonly string[], diff: WordDiff): void => {
  const table = lengths(a, b);
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
};

/** What both sides begin with, and what they end with, in words. */
const shared = (a: readonly string[], b: readonly string[]): { head: number; tail: number } => {
  const most = Math.min(a.length, b.length);
  let head = 0;
  while (head < most && a[head] === b[head]) head += 1;
  let tail = 0;
  while (tail < most - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail += 1;
  return { head, tail };
};

/** By words; where these are too many, by sentences; and what is longer still counts as changed as a whole. */
const middle = (a: readonly string[], b: readonly string[], diff: WordDiff): void => {
  if (a.length * b.length <= mostPairs) return diffOf(a, b, diff);
  const [before, after] = [a.join(''), b.join('')];
  const sentences = [sentencesOf(before), sentencesOf(after)] as const;
  if (sentences[0].length * sentences[1].length <= mostPairs) return diffOf(...sentences, diff);
  add(diff.before, before, true);
  add(diff.after, after, true);
};

/** Both sides of a change, every character of them, with the words marked that the other side does not have. */
export const wordDiff = (before: string, after: string): WordDiff => {
  const a = wordsOf(before);
  const b = wordsOf(after);
  const { head, tail } = shared(a, b);
  const diff: WordDiff = { before: [], after: [] };
  const addBoth = (text: string): void => {
    add(diff.before, text, false);
    add(diff.after, text, false);
  };
  addBoth(a.slice(0, head).join(''));
  middle(a.slice(head, a.length - tail), b.slice(head, b.length - tail), diff);
  addBoth(a.slice(a.length - tail).join(''));
  return diff;
};
