import * as z from 'zod';
import { quotationMarks } from '../../text/escapes.ts';
import { createMessage, type Message, type MessageValue } from '../../i18n/message.ts';
import type { Notice } from './ports.ts';
import { formatEnglishMessage } from '../../i18n/english.ts';

const messageValue: z.ZodType<MessageValue> = z.union([
  z.string(),
  z.number(),
  z.object({ minor: z.number(), currency: z.string().nullable() }),
  z.object({ at: z.number() }),
  z.object({ language: z.string() }),
  z.object({ grams: z.number(), units: z.enum(['metric', 'imperial']) }),
  z.lazy(() => messageShape),
]);

export const messageShape: z.ZodType<Message> = z.object({
  key: z.string(),
  values: z.record(z.string(), messageValue).optional(),
});

/** Returns the English texts of a notice and, in `says`, the messages from which other languages are formatted. */
export const formatNoticeTexts = (title: Message, text: Message): Pick<Notice, 'title' | 'text' | 'says'> => ({
  title: formatEnglishMessage(title),
  text: formatEnglishMessage(text),
  says: { title, text },
});

const markupLookalikes: Readonly<Record<string, string>> = { '<': '‹', '>': '›', '\\': '∖', '&': '＆' };
/** Matches markup characters, but an ampersand only where an entity could begin: “Salt & pepper” is not markup. */
const markup = /[<>\\]|&(?=[#\p{L}\p{N}])/gu;

/**
 * Replaces markup characters with lookalikes. Escaping them is no solution: some desktops parse markup, and others show
 * escape sequences as text.
 */
export const replaceNotificationMarkup = (text: string): string =>
  text.replace(markup, (sign) => markupLookalikes[sign] ?? '');

/** Cleans foreign text for a message that already contains quotation marks. */
export const cleanForeignText = (text: string): string => replaceNotificationMarkup(text.replace(quotationMarks, "'"));
export const quoteForeignText = (text: string): Message =>
  createMessage('notices.quoted', { text: cleanForeignText(text) });
