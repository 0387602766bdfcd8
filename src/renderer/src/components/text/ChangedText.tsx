import { diffArrays } from 'diff';
import { useState } from 'react';
import { ShowAll, Mixed, UntrustedText } from './UntrustedText.tsx';

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

/** One side of a change, with the words marked that the other side does not have. A long one is folded around them. */
export const ChangedText = ({ parts, mark: Mark }: { parts: readonly Part[]; mark: 'del' | 'ins' }) => {
  const [open, setOpen] = useState(false);
  const folded = foldParts(parts);
  const isLong = lengthOf(folded) < lengthOf(parts);
  return (
    <>
      {(open ? parts : folded).map((part, at) =>
        part.changed && part.text.trim() !== '' ? (
          <Mark key={at}>
            <UntrustedText text={part.text} fold={Infinity} flag={false} />
          </Mark>
        ) : (
          <UntrustedText key={at} text={part.text} fold={Infinity} flag={false} />
        ),
      )}
      {isLong && <ShowAll open={open} count={lengthOf(parts)} onOpen={setOpen} />}
      <Mixed text={parts.map(({ text }) => text).join('')} />
    </>
  );
};
