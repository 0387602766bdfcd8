import { noticeLengths, type Notice } from '../core/base/ports.ts';
import { stripNotificationMarkup } from '../core/base/messages.ts';
import type { HostTranslator } from './hostTranslator.ts';

/**
 * Invisible characters and those that change the reading direction. The emoji variation selector is allowed after an
 * emoji.
 */
const invisibleCharacters =
  /(?!\ufe0f)[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?<!\p{Extended_Pictographic})\ufe0f/gu;
const formatCodePoint = (char: string): string =>
  `‹U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}›`;

/**
 * Returns text of a third party as one line for a menu or a notification. Invisible characters are written as code
 * points. A long text loses its middle, because its end may contain the amount.
 */
export const toPlainLine = (text: string, maxChars: number): string => {
  const line = [...text.replace(/\s+/g, ' ').trim().replace(invisibleCharacters, formatCodePoint)];
  if (line.length <= maxChars) return line.join('');
  const tail = Math.floor(maxChars / 3);
  return `${line.slice(0, maxChars - tail - 1).join('')}…${line.slice(line.length - tail).join('')}`;
};

type Translates = Pick<HostTranslator, 'translate'>;

/** The title and text of a notification as shown, one line each. */
export type NoticeText = { title: string; text: string };

/** Returns text of a third party as one line for a notification, without invisible characters, markup and escapes. */
const toNoticeLine = (text: string, maxChars: number): string => stripNotificationMarkup(toPlainLine(text, maxChars));

/** Returns the title and text of a notification in the person's language, safe for any desktop. */
export const toNoticeText = (
  { translate }: Translates,
  { title, text, says }: Pick<Notice, 'title' | 'text' | 'says'>,
  maxChars: number = noticeLengths.text,
): NoticeText => ({
  title: toNoticeLine(translate(says?.title, title), noticeLengths.title),
  text: toNoticeLine(translate(says?.text, text), maxChars),
});

/**
 * Returns the label of the approve button, in the person's language. Returns null if the notification has no such
 * button, or could not show its content unchanged.
 */
export const toActionLabel = ({ translate }: Translates, { title, text, says, yes }: Notice): string | null => {
  if (!yes) return null;
  const label = translate(yes.says, yes.label);
  const shown = [
    [translate(says?.title, title), noticeLengths.title],
    [translate(says?.text, text), noticeLengths.textWithYes],
    [label, noticeLengths.yes],
  ] as const;
  return shown.every(([text, maxChars]) => toNoticeLine(text, maxChars) === text) ? label : null;
};
