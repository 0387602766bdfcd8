import { createMessage, type Message } from '../../../i18n/message.ts';
import { replaceNotificationMarkup } from '../../base/messages.ts';

/** Foreign text could use these characters to end its quotation and imitate the companion. */
const quotationMarks = /["“”„‟«»‹›″＂〝〞]/g;
/** Cleans foreign text for a message that already contains quotation marks. */
export const cleanForeignText = (text: string): string => replaceNotificationMarkup(text.replace(quotationMarks, "'"));
export const quoteForeignText = (text: string): Message =>
  createMessage('notices.quoted', { text: cleanForeignText(text) });
