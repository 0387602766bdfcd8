import { noticeLengths, type Notice } from '../core/base/ports.ts';
import { withoutMarkup } from '../core/base/messages.ts';
import { plainLine } from './plainLine.ts';
import type { HostWords } from './words.ts';

type Translates = Pick<HostWords, 'translate'>;

/** Title and text of a notification as they are shown: one line each. */
export type NoticeText = { title: string; text: string };

/** Somebody else's text in a notification: one line in which nothing hides, and no desktop finds markup or an escape. */
const noticeLine = (text: string, most: number): string => withoutMarkup(plainLine(text, most));

/** Title and text of a notification, in the person's language, as any desktop shows them. */
export const shownWords = (
  { translate }: Translates,
  { title, text, says }: Pick<Notice, 'title' | 'text' | 'says'>,
  most: number = noticeLengths.text,
): NoticeText => ({
  title: noticeLine(translate(says?.title, title), noticeLengths.title),
  text: noticeLine(translate(says?.text, text), most),
});

/** The yes that a notice offers, in the person's language; null where what it is to would not be shown as it is. */
export const shownYes = ({ translate }: Translates, { title, text, says, yes }: Notice): string | null => {
  if (!yes) return null;
  const label = translate(yes.says, yes.label);
  const shown = [
    [translate(says?.title, title), noticeLengths.title],
    [translate(says?.text, text), noticeLengths.textWithYes],
    [label, noticeLengths.yes],
  ] as const;
  return shown.every(([text, most]) => noticeLine(text, most) === text) ? label : null;
};
