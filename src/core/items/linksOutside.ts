import { message, type Message } from '../../i18n/message.ts';
import type { SkippedFile } from '../photos/groupFiles.ts';
import { Problem } from '../base/problem.ts';

/** So many are named; the others are counted. */
const named = 5;
const longestName = 60;

/** What a refusal names because there was nothing else; throws any other error. */
export const linksOrThrow = (error: unknown): Message => {
  const says = error instanceof Problem ? error.says : undefined;
  const left = says?.key === 'problems.NO_PHOTOS_FOUND.links' ? says.values?.['left'] : undefined;
  if (typeof left !== 'object' || !('key' in left)) throw error;
  return left;
};

/** A name as it can stand in a sentence: nothing hidden, nothing that turns the text around, and not without end. */
const plain = (name: string): string => {
  const seen = name.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\uFFFD');
  return seen.length > longestName ? `${seen.slice(0, longestName)}…` : seen;
};

/** Names what was left out because it leads out of what was given; null when there is nothing. */
export const linksOutside = (skipped: readonly SkippedFile[]): Message | null => {
  const all = skipped.filter(({ why }) => why === 'outside').map(({ name }) => plain(name));
  if (all.length === 0) return null;
  const names = all.slice(0, named).join(', ');
  const others = all.length - named;
  return message('items.linksOutside', {
    count: all.length,
    names: others > 0 ? message('items.andMore', { names, others }) : names,
  });
};
