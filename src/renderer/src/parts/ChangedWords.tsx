import { useState } from 'react';
import { ShowAll, Mixed, UntrustedText } from './UntrustedText.tsx';
import { foldParts, lengthOf } from './foldParts.ts';
import type { Part } from './wordDiff.ts';

/** One side of a change, with the words marked that the other side does not have. A long one is folded around them. */
export const ChangedWords = ({ parts, mark: Mark }: { parts: readonly Part[]; mark: 'del' | 'ins' }) => {
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
