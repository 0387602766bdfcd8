import { noticeLengths, type Notice } from '../core/base/ports.ts';
import { withoutMarkup } from '../core/base/withoutMarkup.ts';
import { plainLine } from './plainLine.ts';
import type { HostWords } from './words.ts';

type Words = Pick<HostWords, 'translate'>;

/** Somebody else's text in a notification: one line in which nothing hides, and no desktop finds markup or an escape. */
const noticeLine = (text: string, most: number): string => withoutMarkup(plainLine(text, most));

/** Title and text of a notification, in the person's language, as any desktop shows them. */
export const shownWords = (
  { translate }: Words,
  { title, text, says }: Pick<Notice, 'title' | 'text' | 'says'>,
  most: number = noticeLengths.text,
): { title: string; text: string } => ({
  title: noticeLine(translate(says?.title, title), noticeLengths.title),
  text: noticeLine(translate(says?.text, text), most),
});

/** The yes that a notice offers, in the person's language; null where what it is to would not be shown as it is. */
export const shownYes = ({ translate }: Words, { title, text, says, yes }: Notice): string | null => {
  if (!yes) return null;
  const label = translate(yes.says, yes.label);
  const shown = [
    [translate(says?.title, title), noticeLengths.title],
    [translate(says?.text, text), noticeLengths.textWithYes],
    [label, noticeLengths.yes],
  ] as const;
  return shown.every(([words, most]) => noticeLine(words, most) === words) ? label : null;
};
