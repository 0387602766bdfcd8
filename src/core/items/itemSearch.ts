import { setImmediate as immediate } from 'node:timers/promises';
import { formatEnglish } from '../../i18n/english.ts';
import { createTranslator, type Translator } from '../../i18n/format.ts';
import type { Step } from '../storage/tables/itemRecord.ts';
import type { ItemQueries, SearchRow } from '../storage/tables/itemQueries.ts';
import { itemWords, type Trouble } from './itemText.ts';
import { loadCore, type Language } from '../../i18n/languages.ts';

/** What is looked for: words in the title, the name, or the state as that language says it. */
export type ItemFilter = { find: string; language: Language };

type Parts = {
  pages: Pick<ItemQueries, 'searched'>;
  account: () => string;
  /** Stands for everything as it is now: while it is the same, so is what is found. */
  mark: () => string;
  trouble: (itemId: string, step: Step) => Trouble | null;
};

/** So many items are looked through before everything else has its turn. */
const atOnce = 500;

const wordsIn = (find: string): string[] => find.toLowerCase().split(/\s+/).filter(Boolean);

/** The state of items in words, each kind of state said once; numbers in it are not looked for. */
const createStateWords = (speak: Translator) => {
  const said = new Map<string, string>();
  return (step: Step, stopKind: string | null, trouble: Trouble | null): string => {
    const key = `${step} ${stopKind} ${trouble === null || trouble === 'service' ? trouble : trouble.key}`;
    const known = said.get(key);
    if (known !== undefined) return known;
    const facts = { step, ready: 0, photos: 0, uploaded: 0, placeInLine: null, trouble, long: false };
    const kind = stopKind === 'cancelled' ? stopKind : 'failed';
    const stop = stopKind === null ? null : ({ kind, code: '', sentence: '', next: [] } as const);
    const says = itemWords({ ...facts, stop: stop && { ...stop, next: [] } });
    const words = (speak(says) ?? formatEnglish(says)).toLowerCase().replace(/\d/g, '');
    said.set(key, words);
    return words;
  };
};

/** Finds items by words. What was found last is kept until something changes, as each part of a list asks for it. */
export const createItemSearch = ({ pages, account, mark, trouble }: Parts) => {
  let last: { key: string; itemIds: readonly string[] } | null = null;

  /** The items that have every word, newest first; null when nothing is looked for. */
  return async ({ find, language }: ItemFilter): Promise<readonly string[] | null> => {
    const words = wordsIn(find);
    if (words.length === 0) return null;
    const texts = await loadCore(language);
    const key = JSON.stringify([mark(), account(), language, words]);
    if (last?.key === key) return last.itemIds;
    const stateWords = createStateWords(createTranslator(language, texts));
    const has = ({ item_id, title, name, step, stop_kind }: SearchRow): boolean => {
      const text = `${title ?? ''} ${name} ${stateWords(step, stop_kind, trouble(item_id, step))}`.toLowerCase();
      return words.every((word) => text.includes(word));
    };
    const itemIds: string[] = [];
    const searched = account();
    for (let after: SearchRow | null = null; ;) {
      const some: SearchRow[] = pages.searched(searched, after, atOnce);
      itemIds.push(...some.filter(has).map(({ item_id }) => item_id));
      after = some.at(-1) ?? null;
      if (some.length < atOnce) break;
      await immediate();
    }
    last = { key, itemIds };
    return itemIds;
  };
};
