import { message, type Message } from '../../../i18n/message.ts';
import { withoutMarkup } from '../../base/messages.ts';

/** Quotation marks that could end a quotation early, so that foreign text would look like the companion's own. */
const marks = /["“”„‟«»‹›″＂〝〞]/g;
/** Returns foreign text for a sentence that already has quotation marks. */
export const plainQuote = (text: string): string => withoutMarkup(text.replace(marks, "'"));
export const quotedWhole = (text: string): Message => message('notices.quoted', { text: plainQuote(text) });
