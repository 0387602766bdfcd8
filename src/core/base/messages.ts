import * as z from 'zod';
import type { Message, MessageValue } from '../../i18n/message.ts';
import type { Notice } from './ports.ts';
import { formatEnglish } from '../../i18n/english.ts';

const value: z.ZodType<MessageValue> = z.union([
  z.string(),
  z.number(),
  z.object({ minor: z.number(), currency: z.string().nullable() }),
  z.object({ at: z.number() }),
  z.object({ language: z.string() }),
  z.lazy(() => messageShape),
]);

/** A message as it is stored. */
export const messageShape: z.ZodType<Message> = z.object({
  key: z.string(),
  values: z.record(z.string(), value).optional(),
});

/** The words of a notice, for every language. */
export const noticeText = (title: Message, text: Message): Pick<Notice, 'title' | 'text' | 'says'> => ({
  title: formatEnglish(title),
  text: formatEnglish(text),
  says: { title, text },
});

/** Signs that look the same and mean nothing. */
const lookalikes: Readonly<Record<string, string>> = { '<': '‹', '>': '›', '\\': '∖', '&': '＆' };
/** An ampersand only where an entity could begin: “Salt & pepper” is no markup anywhere. */
const markup = /[<>\\]|&(?=[#\p{L}\p{N}])/gu;

/**
 * A text as a notification may carry it. Desktops read tags and entities in it, some with and some without a semicolon, and
 * notify-send reads backslashes; escaping would be shown as it is by those that do not.
 */
export const withoutMarkup = (text: string): string => text.replace(markup, (sign) => lookalikes[sign] ?? '');
