import { noticeLengths, type Notice } from '../core/base/ports.ts';
import { withoutMarkup } from '../core/base/messages.ts';
import type { HostTranslator } from './hostTranslator.ts';

/** What cannot be seen or turns the reading direction; the sign that makes an emoji colourful is honest after one. */
const hidden =
  /(?!\ufe0f)[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?<!\p{Extended_Pictographic})\ufe0f/gu;
const code = (char: string): string => `‹U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}›`;

/**
 * Somebody else's text as one line of a menu or a notification: what cannot be seen, or turns the reading direction, is
 * written out, and a long text loses its middle, as its end may hold the money.
 */
export const plainLine = (text: string, most: number): string => {
  const line = [...text.replace(/\s+/g, ' ').trim().replace(hidden, code)];
  if (line.length <= most) return line.join('');
  const tail = Math.floor(most / 3);
  return `${line.slice(0, most - tail - 1).join('')}…${line.slice(line.length - tail).join('')}`;
};

type Translates = Pick<HostTranslator, 'translate'>;

/** Title and text of a notification as they are shown: one line each. */
export type NoticeText = { title: string; text: string };

/** Somebody else's text in a notification: one line in which nothing hides, and no desktop finds markup or an escape. */
const noticeLine = (text: string, most: number): string => withoutMarkup(plainLine(text, most));

/** Title and text of a notification, in the person's language, as any desktop shows them. */
export const noticeText = (
  { translate }: Translates,
  { title, text, says }: Pick<Notice, 'title' | 'text' | 'says'>,
  most: number = noticeLengths.text,
): NoticeText => ({
  title: noticeLine(translate(says?.title, title), noticeLengths.title),
  text: noticeLine(translate(says?.text, text), most),
});

/** The yes that a notice offers, in the person's language; null where what it is to would not be shown as it is. */
export const noticeActionLabel = ({ translate }: Translates, { title, text, says, yes }: Notice): string | null => {
  if (!yes) return null;
  const label = translate(yes.says, yes.label);
  const shown = [
    [translate(says?.title, title), noticeLengths.title],
    [translate(says?.text, text), noticeLengths.textWithYes],
    [label, noticeLengths.yes],
  ] as const;
  return shown.every(([text, most]) => noticeLine(text, most) === text) ? label : null;
};
