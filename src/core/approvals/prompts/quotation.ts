import { createMessage, type Message } from '../../../i18n/message.ts';
import { stripNotificationMarkup } from '../../base/messages.ts';

/** Quotation marks that could end a quotation early, so that foreign text would look like the companion's own. */
const quotationMarks = /["“”„‟«»‹›″＂〝〞]/g;
/** Returns foreign text for a sentence that already has quotation marks. */
export const cleanForeignText = (text: string): string => stripNotificationMarkup(text.replace(quotationMarks, "'"));
export const quoteForeignText = (text: string): Message =>
  createMessage('notices.quoted', { text: cleanForeignText(text) });
