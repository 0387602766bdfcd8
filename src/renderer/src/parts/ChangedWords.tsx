import { Said } from './Said.tsx';
import type { Part } from './wordDiff.ts';

/** One side of a change, with the words marked that the other side does not have. */
export const ChangedWords = ({ parts, mark: Mark }: { parts: readonly Part[]; mark: 'del' | 'ins' }) =>
  parts.map((part, at) =>
    part.changed && part.text.trim() !== '' ? (
      <Mark key={at}>
        <Said text={part.text} />
      </Mark>
    ) : (
      <Said key={at} text={part.text} />
    ),
  );
