import type { Notice } from './ports.ts';
import { formatEnglish } from '../../i18n/english.ts';
import type { Message } from '../../i18n/message.ts';

/** The words of a notice, for every language. */
export const noticeText = (title: Message, text: Message): Pick<Notice, 'title' | 'text' | 'says'> => ({
  title: formatEnglish(title),
  text: formatEnglish(text),
  says: { title, text },
});
