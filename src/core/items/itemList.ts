import { setImmediate as immediate } from 'node:timers/promises';
import { formatEnglish } from '../../i18n/english.ts';
import { createTranslator, type Translator } from '../../i18n/format.ts';
import type {
  Step,
  ItemSummary,
  ChosenItems,
  ItemPage,
  ItemPlace,
  ReadyItems,
  SettledItems,
} from '../storage/tables/itemRecord.ts';
import type { ItemQueries, SearchRow, SummaryRow, Only, Wanted } from '../storage/tables/itemQueries.ts';
import { itemText, thumbUrl, type Trouble } from './itemState.ts';
import { loadCore, type Language } from '../../i18n/languages.ts';
import { isLong, progressOf, type RuntimeFacts } from './itemView.ts';
import type { Changes } from './itemChanges.ts';

/** What is looked for: words in the title, the name, or the state as that language says it. */
type ItemFilter = { find: string; language: Language };

/** What a filter leaves: the items that it found, null for all, `open` for all but those that are live. */
export type Found = readonly string[] | null | 'open';

type SearchParts = {
  pages: Pick<ItemQueries, 'searched'>;
  account: () => string;
  /** Stands for everything as it is now: while it is the same, so is what is found. */
  mark: () => string;
  trouble: (itemId: string, step: Step) => Trouble | null;
};

/** So many items are looked through before everything else has its turn. */
const atOnce = 500;

const wordsIn = (find: string): string[] => find.toLowerCase().split(/\s+/).filter(Boolean);

/** The state of items in words, each kind of state translated once; numbers in it are not looked for. */
const createStateTexts = (translate: Translator) => {
  const known = new Map<string, string>();
  return ({ step, stop_kind: stopKind, stop_code: code }: SearchRow, trouble: Trouble | null): string => {
    const key = `${step} ${stopKind} ${code} ${trouble === null || trouble === 'service' ? trouble : trouble.key}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const facts = { step, ready: 0, photos: 0, uploaded: 0, placeInLine: null, trouble, long: false };
    const kind = stopKind === 'cancelled' ? stopKind : 'failed';
    const stop = stopKind === null ? null : ({ kind, code: code ?? '', sentence: '', next: [] } as const);
    const says = itemText({ ...facts, stop: stop && { ...stop, next: [] } });
    const text = (translate(says) ?? formatEnglish(says)).toLowerCase().replace(/\d/g, '');
    known.set(key, text);
    return text;
  };
};

/** Finds items by words. What was found last is kept until something changes, as each part of a list asks for it. */
const createItemSearch = ({ pages, account, mark, trouble }: SearchParts) => {
  let last: { key: string; itemIds: readonly string[] } | null = null;

  /** The items that have every word, newest first; null when nothing is looked for. */
  return async ({ find, language }: ItemFilter): Promise<readonly string[] | null> => {
    const words = wordsIn(find);
    if (words.length === 0) return null;
    const texts = await loadCore(language);
    const key = JSON.stringify([mark(), account(), language, words]);
    if (last?.key === key) return last.itemIds;
    const stateText = createStateTexts(createTranslator(language, texts));
    const has = (row: SearchRow): boolean => {
      const text = `${row.title ?? ''} ${row.name} ${stateText(row, trouble(row.item_id, row.step))}`.toLowerCase();
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

/** An item as a list shows it. */
const itemSummary = (
  row: SummaryRow,
  { placeInLine, trouble, now }: Pick<RuntimeFacts, 'placeInLine' | 'trouble' | 'now'>,
): ItemSummary => {
  const { step, stop, prepared, photos, uploaded, going } = row;
  const says = itemText({
    ...{ step, stop, photos, uploaded, placeInLine, trouble },
    ready: step === 'photos' ? prepared : going,
    long: isLong(row.writing_since, now),
  });
  return {
    itemId: row.item_id,
    name: row.name,
    title: row.title,
    step,
    stop,
    words: formatEnglish(says),
    says,
    progress: progressOf(step, { prepared, photos, uploaded, going }),
    guessed: row.guessed !== 0,
    arrangeable: row.arrangeable === 1,
    checked: row.checked_at !== null,
    section: row.section,
    photoCount: step === 'photos' ? photos : going,
    warningCount: step === 'review' ? (row.blockers ?? 0) : step === 'live' || step === 'ended' ? 0 : row.warned,
    price: row.price_cents === null ? null : { cents: row.price_cents, site: row.site },
    listingId: row.listing_id,
    thumbUrl: row.thumb_id === null ? null : thumbUrl(row.thumb_id, row.thumb_sha),
  };
};

/** What can be done with items together. */
const chosenItems = (rows: ReturnType<ItemQueries['chosen']>, within: ReadonlySet<string> | null): ChosenItems => ({
  ready: rows.flatMap(({ item_id, listing_id, ready }) =>
    ready === 1 && listing_id !== null ? [{ itemId: item_id, listingId: listing_id }] : [],
  ),
  arrangeable: rows.flatMap(({ item_id, guessed, arrangeable }) =>
    arrangeable === 1 ? [{ itemId: item_id, guessed: guessed !== 0, hidden: within?.has(item_id) === false }] : [],
  ),
});

type Parts = {
  pages: ItemQueries;
  account: () => string;
  clock: { now: () => number };
  changes: Changes;
  placeInLine: (itemId: string) => number | null;
  trouble: (itemId: string, step: Step) => Trouble | null;
};

/** So many can be published with one question. */
const readyAtOnce = 200;
/** More live ones than these are folded away, until the person says how they want it. */
const fewLive = 20;
/** So many of those that came to rest are told at once. */
const settledAtOnce = 20;

/** The list of items, a part at a time: no call reads more of them than it answers, however many there are. */
export const createItemList = ({ pages, account, clock, changes, placeInLine, trouble }: Parts) => {
  const search = createItemSearch({ pages, account, mark: () => changes.mark(account()), trouble });
  const wanted = (found: Found, only: Only): Wanted => ({
    account: account(),
    only,
    within: found === 'open' ? null : found,
  });
  /** The whole list as it is shown. */
  const shown = (found: Found): Wanted => wanted(found, found === 'open' ? 'open' : 'all');
  const summaries = (itemIds: readonly string[]): ItemSummary[] =>
    pages.summaries(account(), itemIds).map((row) =>
      itemSummary(row, {
        placeInLine: placeInLine(row.item_id),
        trouble: trouble(row.item_id, row.step),
        now: clock.now(),
      }),
    );
  return {
    /** The items that a filter leaves, which the others go by. What is looked for is found among the live ones, too. */
    found: async (filter: ItemFilter & { folded?: boolean | null }): Promise<Found> => {
      const within = await search(filter);
      if (within !== null) return within;
      const { folded = false } = filter;
      return (folded ?? pages.sections(wanted(null, 'all')).live > fewLive) ? 'open' : null;
    },
    /** The items from `offset` on, section after section and newest first in each, and how many there are in all. */
    page: (found: Found, only: 'all' | 'arrangeable', offset: number, limit: number): ItemPage => {
      const sections = pages.sections(wanted(found, only));
      const { live, ...others } = sections;
      const isFolded = found === 'open' && only === 'all';
      const total = Object.values(others).reduce((sum, count) => sum + count, isFolded ? 0 : live);
      const rows = summaries(pages.ids(isFolded ? shown(found) : wanted(found, only), offset, limit));
      return { total, sections, rows };
    },
    counts: () => pages.counts(account()),
    ready: (found: Found): ReadyItems => ({
      total: pages.count(wanted(found, 'ready')),
      itemIds: pages.ids(wanted(found, 'ready'), 0, readyAtOnce),
      checked: pages.ids(wanted(found, 'checked'), 0, readyAtOnce),
    }),
    chosen: (found: Found, itemIds: readonly string[]): ChosenItems =>
      chosenItems(pages.chosen(account(), itemIds), found === null || found === 'open' ? null : new Set(found)),
    /** Those between two that can be chosen, both included, in the order of the list; the second alone where there is no such way. */
    between: (found: Found, from: string, to: string): string[] =>
      pages.between(wanted(found, 'pickable'), from, to) ?? [to],
    /** The next item down the list, or up; where none is given, or it is not in the list, its first, or its last. */
    beside: (found: Found, itemId: string | null, by: 1 | -1): ItemPlace | null => {
      const all = shown(found);
      const next = pages.beside(all, itemId === null ? null : { itemId, of: all }, by);
      return next === null ? null : { itemId: next, at: pages.placeIn(all, next) };
    },
    /** The next item that waits to be looked over, down the list and then from its top; null when there is no other. */
    nextToReview: (found: Found, itemId: string | null): ItemPlace | null => {
      const all = wanted(found, 'all');
      const waiting = wanted(found, 'review');
      const below = pages.beside(waiting, itemId === null ? null : { itemId, of: all }, 1);
      const next = below ?? pages.beside(waiting, null, 1);
      return next === null || next === itemId ? null : { itemId: next, at: pages.placeIn(shown(found), next) };
    },
    /** What came to rest since the mark of an earlier answer; nothing for null, and for a mark that is not known. */
    settled: (mark: string | null): SettledItems => {
      const itemIds = changes.settledSince(mark, account()).slice(-settledAtOnce);
      return { mark: changes.mark(account()), items: summaries(itemIds) };
    },
  };
};
