import { diffArrays } from 'diff';

/** A run of words, and whether the other side does not have it. */
export type Part = { text: string; changed: boolean };
export type WordDiff = { before: Part[]; after: Part[] };

/** Beyond this many words that differ, finding them would be felt; then whole sentences are compared. */
const mostChanges = 900;

const wordsOf = (text: string): string[] => text.match(/\s+|\S+/gu) ?? [];
const sentencesOf = (text: string): string[] => text.match(/[^.!?\n]*[.!?\n]*\s*/gu)?.filter((one) => one !== '') ?? [];
const wholeOf = (text: string): string[] => (text === '' ? [] : [text]);

/** Both sides of a change, every character of them, with the words marked that the other side does not have. */
export const wordDiff = (before: string, after: string): WordDiff => {
  const between = (cut: (text: string) => string[]) =>
    diffArrays(cut(before), cut(after), { maxEditLength: mostChanges });
  const changes = between(wordsOf) ?? between(sentencesOf) ?? between(wholeOf) ?? [];
  const side = (isOther: (change: { added: boolean; removed: boolean }) => boolean): Part[] =>
    changes
      .filter((change) => !isOther(change))
      .map(({ value, added, removed }) => ({ text: value.join(''), changed: added || removed }));
  return { before: side(({ added }) => added), after: side(({ removed }) => removed) };
};
