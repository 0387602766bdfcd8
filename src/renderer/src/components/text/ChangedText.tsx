import { diffArrays } from 'diff';
import { useState } from 'react';
import { ShowAll, Mixed, UntrustedText } from './UntrustedText.tsx';

/** A run of text, and whether the other side lacks it. */
export type Part = { text: string; changed: boolean };
export type WordDiff = { before: Part[]; after: Part[] };

/** A word diff with more changes than this is too slow; whole sentences are compared instead. */
const mostChanges = 900;

const wordsOf = (text: string): string[] => text.match(/\s+|\S+/gu) ?? [];
const sentencesOf = (text: string): string[] => text.match(/[^.!?\n]*[.!?\n]*\s*/gu)?.filter((one) => one !== '') ?? [];
const wholeOf = (text: string): string[] => (text === '' ? [] : [text]);

/** Returns both sides of a change in full, with the words marked that the other side lacks. */
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

const wholeUpTo = 400;
/** The number of characters shown around a change, and of the change itself. */
const around = 60;
const ofChanged = 300;

/** The total length of the runs in UTF-16 units. */
export const lengthOf = (parts: readonly Part[]): number => parts.reduce((sum, { text }) => sum + text.length, 0);

const cut = (chars: readonly string[], head: number, tail: number): string =>
  chars.length <= head + tail + 1
    ? chars.join('')
    : `${chars.slice(0, head).join('')}…${tail > 0 ? chars.slice(-tail).join('') : ''}`;

/** Shortens a long side: keeps the changes and a little context around each. Cuts only between code points. */
export const foldParts = (parts: readonly Part[]): readonly Part[] => {
  if (lengthOf(parts) <= wholeUpTo) return parts;
  return parts.map(({ text, changed }, at) => {
    const chars = [...text];
    if (changed) return { changed, text: cut(chars, ofChanged, around) };
    const head = at === 0 ? 0 : around;
    const tail = at === parts.length - 1 ? 0 : around;
    // Nothing changed: show the beginning, which identifies the text.
    return { changed, text: parts.length === 1 ? cut(chars, ofChanged, 0) : cut(chars, head, tail) };
  });
};

/** Shows one side of a change, with the words marked that the other side lacks. A long side is folded. */
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
