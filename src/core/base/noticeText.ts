import { inEnglish } from '../../words/inEnglish.ts';
import type { Saying } from '../../words/saying.ts';
import type { Notice } from './ports.ts';

/** The words of a notice, for every language. */
export const noticeWords = (title: Saying, text: Saying): Pick<Notice, 'title' | 'text' | 'says'> => ({
  title: inEnglish(title),
  text: inEnglish(text),
  says: { title, text },
});
