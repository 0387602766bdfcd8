import { setImmediate as immediate } from 'node:timers/promises';
import { formatEnglishMessage } from '../../i18n/english.ts';
import { createMessageTranslator, type Translator } from '../../i18n/format.ts';
import { loadCoreTexts, type Language } from '../../i18n/languages.ts';
import { compareInList, getSectionByRank, type ItemQueries, type SearchRow } from '../storage/tables/itemQueries.ts';
import type { Section, Step } from '../storage/tables/itemRecord.ts';
import { parseShelfQuery, type ShelfTable } from '../storage/tables/shelfTable.ts';
import type { ItemChangeLog } from './itemChanges.ts';
import { formatItemState, type Trouble } from './itemState.ts';

export type ItemFilter = { find: string; language: Language };

type SearchParts = {
  pages: Pick<ItemQueries, 'searched' | 'searchedAmong'>;
  shelf: Pick<ShelfTable, 'itemIds' | 'revision'>;
  account: () => string;
  changes: Pick<ItemChangeLog, 'mark' | 'listSince'>;
  trouble: (itemId: string, step: Step) => Trouble | null;
};

const searchChunkSize = 500;

const splitSearchWords = (find: string): string[] => find.toLowerCase().split(/\s+/).filter(Boolean);

const createStateTextCache = (translate: Translator) => {
  const known = new Map<string, string>();
  return ({ step, stop_kind: stopKind, stop_code: code }: SearchRow, trouble: Trouble | null): string => {
    const key = `${step} ${stopKind} ${code} ${trouble === null || trouble === 'service' ? trouble : trouble.key}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const facts = { step, ready: 0, photos: 0, uploaded: 0, placeInLine: null, trouble, long: false };
    const kind = stopKind === 'cancelled' ? stopKind : 'failed';
    const stop = stopKind === null ? null : ({ kind, code: code ?? '', sentence: '', next: [] } as const);
    const says = formatItemState({ ...facts, stop: stop && { ...stop, next: [] } });
    const text = (translate(says) ?? formatEnglishMessage(says)).toLowerCase().replace(/\d/g, '');
    known.set(key, text);
    return text;
  };
};

/** The results of a search, in the order of the list, and how many of them each section has. */
export type FoundItems = { itemIds: readonly string[]; sections: Readonly<Record<Section, number>> };

type ItemText = Pick<SearchRow, 'item_id' | 'section' | 'created_at' | 'rowid'> & { text: string };
type ToItemText = (row: SearchRow) => ItemText;

/** The texts of all items in the order of the list, as they were at the mark or later. */
type ItemTexts = { all: readonly ItemText[]; toItemText: ToItemText };

const countSections = (found: readonly ItemText[]): Record<Section, number> => {
  const counts = { toCheck: 0, working: 0, ready: 0, live: 0 };
  for (const { section } of found) counts[getSectionByRank(section)] += 1;
  return counts;
};

/**
 * The texts of all items are kept, because every key of a search and every part of a list searches again. After a change,
 * only the changed items are read again.
 */
export const createItemSearch = ({ pages, shelf, account, changes, trouble }: SearchParts) => {
  let last: { key: string; mark: string; texts: Promise<ItemTexts> } | null = null;

  const readItemTexts = async (of: string, language: Language): Promise<ItemTexts> => {
    const stateText = createStateTextCache(createMessageTranslator(language, await loadCoreTexts(language)));
    const toItemText: ToItemText = (row) => {
      const { item_id, section, created_at, rowid } = row;
      const state = stateText(row, trouble(item_id, row.step));
      const text = `${row.title ?? ''} ${row.name} ${row.words ?? ''} ${state}`.toLowerCase();
      return { item_id, section, created_at, rowid, text };
    };
    const all: ItemText[] = [];
    for (let after: SearchRow | null = null; ;) {
      const some: SearchRow[] = pages.searched(of, after, searchChunkSize);
      all.push(...some.map(toItemText));
      after = some.at(-1) ?? null;
      if (some.length < searchChunkSize) return { all: all.toSorted(compareInList), toItemText };
      await immediate();
    }
  };

  const updateItemTexts = ({ all, toItemText }: ItemTexts, of: string, changed: readonly string[]): ItemTexts => {
    const ids = new Set(changed);
    const others = all.filter(({ item_id }) => !ids.has(item_id));
    const fresh = pages.searchedAmong(of, changed).map(toItemText);
    return { all: [...others, ...fresh].toSorted(compareInList), toItemText };
  };

  const loadItemTexts = (language: Language): Promise<ItemTexts> => {
    const of = account();
    const key = JSON.stringify([shelf.revision(), of, language]);
    const mark = changes.mark(of);
    const changed = last?.key === key ? changes.listSince(last.mark, of) : null;
    const texts =
      last === null || changed === null || changed.length > searchChunkSize
        ? readItemTexts(of, language)
        : changed.length === 0
          ? last.texts
          : last.texts.then((before) => updateItemTexts(before, of, changed));
    last = { key, mark, texts };
    // A failed read is not cached.
    texts.catch(() => (last = null));
    return texts;
  };

  const search = async ({ find, language }: ItemFilter): Promise<FoundItems | null> => {
    const shelfQuery = parseShelfQuery(find);
    const words = splitSearchWords(shelfQuery.words);
    const within = shelf.itemIds(account(), shelfQuery);
    if (words.length === 0 && within === null) return null;
    const only = within === null ? null : new Set(within);
    const { all } = await loadItemTexts(language);
    const found = all.filter(
      ({ item_id, text }) => only?.has(item_id) !== false && words.every((word) => text.includes(word)),
    );
    return { itemIds: found.map(({ item_id }) => item_id), sections: countSections(found) };
  };
  return {
    search,
    /** Forgets the texts. The next search reads them again. */
    release: (): void => {
      last = null;
    },
  };
};
