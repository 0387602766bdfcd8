import { message, type Message } from '../../../i18n/message.ts';
import { withoutMarkup } from '../../base/messages.ts';

/** Marks that could end a quotation of ours; somebody else's text stands in marks, so that it is none of our words. */
const marks = /["“”„‟«»‹›″＂〝〞]/g;
/** Somebody else's text as a part of a sentence of ours that has the marks. */
export const plainQuote = (text: string): string => withoutMarkup(text.replace(marks, "'"));
/** Somebody else's text in its whole length, as it stands among words of ours. */
export const quotedWhole = (text: string): Message => message('notices.quoted', { text: plainQuote(text) });
