import { diffArrays } from 'diff';
import { useState } from 'react';
import { ShowAllButton, MixedScriptWarning, UntrustedText } from './UntrustedText.tsx';

/** `changed` is true if the other text does not contain this part. */
export type DiffPart = { text: string; changed: boolean };
export type WordDiff = { before: DiffPart[]; after: DiffPart[] };

/** A diff by words is too slow if there are more changes than this, so sentences are compared instead. */
const maxChanges = 900;

const splitIntoWords = (text: string): string[] => text.match(/\s+|\S+/gu) ?? [];
const splitIntoSentences = (text: string): string[] =>
  text.match(/[^.!?\n]*[.!?\n]*\s*/gu)?.filter((one) => one !== '') ?? [];
const keepTextWhole = (text: string): string[] => (text === '' ? [] : [text]);

export const computeWordDiff = (before: string, after: string): WordDiff => {
  const diffTextsSplitBy = (cut: (text: string) => string[]) =>
    diffArrays(cut(before), cut(after), { maxEditLength: maxChanges });
  const changes =
    diffTextsSplitBy(splitIntoWords) ?? diffTextsSplitBy(splitIntoSentences) ?? diffTextsSplitBy(keepTextWhole) ?? [];
  const collectSideParts = (isOther: (change: { added: boolean; removed: boolean }) => boolean): DiffPart[] =>
    changes
      .filter((change) => !isOther(change))
      .map(({ value, added, removed }) => ({ text: value.join(''), changed: added || removed }));
  return { before: collectSideParts(({ added }) => added), after: collectSideParts(({ removed }) => removed) };
};

const maxUnfoldedChars = 400;
const contextChars = 60;
const maxChangedChars = 300;

/** Returns the length in UTF-16 units. */
export const measurePartsLength = (parts: readonly DiffPart[]): number =>
  parts.reduce((sum, { text }) => sum + text.length, 0);

const shortenMiddle = (chars: readonly string[], head: number, tail: number): string =>
  chars.length <= head + tail + 1
    ? chars.join('')
    : `${chars.slice(0, head).join('')}…${tail > 0 ? chars.slice(-tail).join('') : ''}`;

/** Shortens a long text but keeps the changes and some context. The text is cut only between code points. */
export const foldUnchangedParts = (parts: readonly DiffPart[]): readonly DiffPart[] => {
  if (measurePartsLength(parts) <= maxUnfoldedChars) return parts;
  return parts.map(({ text, changed }, at) => {
    const chars = [...text];
    if (changed) return { changed, text: shortenMiddle(chars, maxChangedChars, contextChars) };
    const head = at === 0 ? 0 : contextChars;
    const tail = at === parts.length - 1 ? 0 : contextChars;
    // A single part means that nothing changed, so the beginning of the text is enough.
    return {
      changed,
      text: parts.length === 1 ? shortenMiddle(chars, maxChangedChars, 0) : shortenMiddle(chars, head, tail),
    };
  });
};

export const ChangedText = ({ parts, mark: Mark }: { parts: readonly DiffPart[]; mark: 'del' | 'ins' }) => {
  const [open, setOpen] = useState(false);
  const folded = foldUnchangedParts(parts);
  const isLong = measurePartsLength(folded) < measurePartsLength(parts);
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
      {isLong && <ShowAllButton open={open} count={measurePartsLength(parts)} onOpen={setOpen} />}
      <MixedScriptWarning text={parts.map(({ text }) => text).join('')} />
    </>
  );
};
