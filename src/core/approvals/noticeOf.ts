import { saying, type Saying, type Value } from '../../words/saying.ts';
import type { Notice } from '../ports.ts';
import { noticeWords } from '../words/noticeWords.ts';
import type { Prompt } from './approval.ts';

const joined = (before: Saying, next: Value): Saying => saying('notices.joined', { before, next });

/** What is told outside the window of a question: who asks for what, about what, and what the yes is to. */
export const noticeOf = (
  name: string,
  { act, target, yes, says = {} }: Prompt,
): Pick<Notice, 'title' | 'text' | 'says'> => {
  const price = target?.facts.find(({ label }) => label === 'Price');
  const about: Value[] = [says.title ?? target?.title ?? '', price?.says ?? price?.value ?? '', says.yes ?? yes];
  const [first = '', ...others] = about.filter((value) => value !== '');
  const title = saying('notices.asks', { name, act: says.act ?? act });
  const text = others.reduce(joined, saying('notices.plain', { text: first }));
  return noticeWords(title, text);
};
