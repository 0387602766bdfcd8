import { maxNoticeLengths, type Notice } from '../core/base/ports.ts';
import { replaceNotificationMarkup } from '../core/base/messages.ts';
import { formatCodePoint, hiddenCharacter } from '../text/escapes.ts';
import type { HostTranslator } from './hostTranslator.ts';

/** Emoji variation selectors are allowed after an emoji, because they only change the style of the emoji. */
const invisibleCharacters = new RegExp(
  `(?!\\ufe0f)${hiddenCharacter.source}|(?<!\\p{Extended_Pictographic})\\ufe0f`,
  'gu',
);

/**
 * Makes invisible characters visible. A long text loses its middle, because its last characters might contain the
 * amount.
 */
export const toPlainLine = (text: string, maxChars: number): string => {
  const line = [...text.replace(/\s+/g, ' ').trim().replace(invisibleCharacters, formatCodePoint)];
  if (line.length <= maxChars) return line.join('');
  const tail = Math.floor(maxChars / 3);
  return `${line.slice(0, maxChars - tail - 1).join('')}…${line.slice(line.length - tail).join('')}`;
};

type Translates = Pick<HostTranslator, 'translate'>;

export type NoticeText = { title: string; text: string };

const toNoticeLine = (text: string, maxChars: number): string => replaceNotificationMarkup(toPlainLine(text, maxChars));

export const toNoticeText = (
  { translate }: Translates,
  { title, text, says }: Pick<Notice, 'title' | 'text' | 'says'>,
  maxChars: number = maxNoticeLengths.text,
): NoticeText => ({
  title: toNoticeLine(translate(says?.title, title), maxNoticeLengths.title),
  text: toNoticeLine(translate(says?.text, text), maxChars),
});

/**
 * Returns the label of the approve button. Returns null if the notice has no such button, or if a notification cannot
 * show all texts of the notice in full and unchanged.
 */
export const findApproveLabel = ({ translate }: Translates, { title, text, says, yes }: Notice): string | null => {
  if (!yes) return null;
  const label = translate(yes.says, yes.label);
  const shown = [
    [translate(says?.title, title), maxNoticeLengths.title],
    [translate(says?.text, text), maxNoticeLengths.textWithYes],
    [label, maxNoticeLengths.yes],
  ] as const;
  return shown.every(([text, maxChars]) => toNoticeLine(text, maxChars) === text) ? label : null;
};
