import { noticeLengths, type Notice } from '../core/base/ports.ts';
import { stripNotificationMarkup } from '../core/base/messages.ts';
import type { HostTranslator } from './hostTranslator.ts';

/**
 * Matches invisible characters and characters that change the reading direction. The emoji variation selector is allowed after an emoji.
 */
const invisibleCharacters =
  /(?!\ufe0f)[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?<!\p{Extended_Pictographic})\ufe0f/gu;
const formatCodePoint = (char: string): string =>
  `‹U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}›`;

/**
 * Returns untrusted text as one line, and makes invisible characters visible. A long text loses its middle because its last characters
 * might contain the amount.
 */
export const toPlainLine = (text: string, maxChars: number): string => {
  const line = [...text.replace(/\s+/g, ' ').trim().replace(invisibleCharacters, formatCodePoint)];
  if (line.length <= maxChars) return line.join('');
  const tail = Math.floor(maxChars / 3);
  return `${line.slice(0, maxChars - tail - 1).join('')}…${line.slice(line.length - tail).join('')}`;
};

type Translates = Pick<HostTranslator, 'translate'>;

export type NoticeText = { title: string; text: string };

const toNoticeLine = (text: string, maxChars: number): string => stripNotificationMarkup(toPlainLine(text, maxChars));

/** Returns the title and the text in the person's language. Desktops treat some characters as markup, so the markup is removed. */
export const toNoticeText = (
  { translate }: Translates,
  { title, text, says }: Pick<Notice, 'title' | 'text' | 'says'>,
  maxChars: number = noticeLengths.text,
): NoticeText => ({
  title: toNoticeLine(translate(says?.title, title), noticeLengths.title),
  text: toNoticeLine(translate(says?.text, text), maxChars),
});

/**
 * Returns the label of the approve button. Returns null if there is no such button, or if any text would have to be changed or shortened.
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
