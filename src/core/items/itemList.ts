import { setImmediate as immediate } from 'node:timers/promises';
import { formatEnglishMessage } from '../../i18n/english.ts';
import { createMessageTranslator, type Translator } from '../../i18n/format.ts';
import {
  getReviewReason,
  type Step,
  type ItemSummary,
  type ChosenItems,
  type ItemPage,
  type ItemPlace,
  type ReadyItems,
  type SettledItems,
} from '../storage/tables/itemRecord.ts';
import type { ItemQueries, SearchRow, SummaryRow, ItemKindFilter, ItemQuery } from '../storage/tables/itemQueries.ts';
import { parseShelfQuery, type ShelfTable } from '../storage/tables/shelfTable.ts';
import { formatItemState, buildThumbnailUrl, type Trouble } from './itemState.ts';
import { loadCoreTexts, type Language } from '../../i18n/languages.ts';
import { isLongGeneration, getStepProgress, type RuntimeFacts } from './itemView.ts';
import type { ItemChangeLog } from './itemChanges.ts';
import type { ReadListingWarnings } from '../listings/warningReader.ts';

type ItemFilter = { find: string; language: Language };

/** Item ids, null for all items, or `open` for all items that are not live. */
export type FilteredItems = readonly string[] | null | 'open';

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

/** The texts of all items, as they were at the mark or later. */
type ItemTexts = { byItem: Map<string, string>; toText: (row: SearchRow) => string };

/**
 * The texts of all items are kept, because every key of a search and every part of a list searches again. After a change,
 * only the changed items are read again.
 */
const createItemSearch = ({ pages, shelf, account, changes, trouble }: SearchParts) => {
  let last: { key: string; mark: string; texts: Promise<ItemTexts> } | null = null;

  const readItemTexts = async (of: string, language: Language): Promise<ItemTexts> => {
    const stateText = createStateTextCache(createMessageTranslator(language, await loadCoreTexts(language)));
    const toText = (row: SearchRow): string => {
      const state = stateText(row, trouble(row.item_id, row.step));
      return `${row.title ?? ''} ${row.name} ${row.words ?? ''} ${state}`.toLowerCase();
    };
    const byItem = new Map<string, string>();
    for (let after: SearchRow | null = null; ;) {
      const some: SearchRow[] = pages.searched(of, after, searchChunkSize);
      for (const row of some) byItem.set(row.item_id, toText(row));
      after = some.at(-1) ?? null;
      if (some.length < searchChunkSize) return { byItem, toText };
      await immediate();
    }
  };

  const updateItemTexts = ({ byItem, toText }: ItemTexts, of: string, changed: readonly string[]): ItemTexts => {
    for (const itemId of changed) byItem.delete(itemId);
    for (const row of pages.searchedAmong(of, changed)) byItem.set(row.item_id, toText(row));
    return { byItem, toText };
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

  return async ({ find, language }: ItemFilter): Promise<readonly string[] | null> => {
    const shelfQuery = parseShelfQuery(find);
    const words = splitSearchWords(shelfQuery.words);
    const within = shelf.itemIds(account(), shelfQuery);
    if (words.length === 0 && within === null) return null;
    const only = within === null ? null : new Set(within);
    const { byItem } = await loadItemTexts(language);
    return [...byItem].flatMap(([itemId, text]) =>
      only?.has(itemId) !== false && words.every((word) => text.includes(word)) ? [itemId] : [],
    );
  };
};

const toItemSummary = (
  row: SummaryRow,
  { placeInLine, trouble, now }: Pick<RuntimeFacts, 'placeInLine' | 'trouble' | 'now'>,
): ItemSummary => {
  const { step, stop, prepared, photos, uploaded, going } = row;
  const says = formatItemState({
    ...{ step, stop, photos, uploaded, placeInLine, trouble },
    ready: step === 'photos' ? prepared : going,
    long: isLongGeneration(row.writing_since, now),
  });
  return {
    itemId: row.item_id,
    name: row.name,
    title: row.title,
    step,
    stop,
    words: formatEnglishMessage(says),
    says,
    progress: getStepProgress(step, { prepared, photos, uploaded, going }),
    reviewReason: getReviewReason(row.review_reason),
    arrangeable: row.arrangeable === 1,
    checked: row.checked_at !== null,
    section: row.section,
    photoCount: step === 'photos' ? photos : going,
    warningCount: step === 'review' ? (row.blockers ?? 0) : step === 'live' || step === 'ended' ? 0 : row.warned,
    price: row.price_cents === null ? null : { cents: row.price_cents, site: row.site },
    listingId: row.listing_id,
    createdAt: row.created_at,
    shelf: row.shelf,
    thumbUrl: row.thumb_id === null ? null : buildThumbnailUrl(row.thumb_id, row.thumb_sha),
  };
};

const toChosenItems = (rows: ReturnType<ItemQueries['chosen']>, within: ReadonlySet<string> | null): ChosenItems => {
  const isHiddenItem = (itemId: string): boolean => within?.has(itemId) === false;
  return {
    ready: rows.flatMap(({ item_id, listing_id, ready }) =>
      ready === 1 && listing_id !== null
        ? [{ itemId: item_id, listingId: listing_id, hidden: isHiddenItem(item_id) }]
        : [],
    ),
    arrangeable: rows.flatMap(({ item_id, review_reason, arrangeable }) => {
      const reason = getReviewReason(review_reason);
      const startable = reason !== null && reason !== 'liveDuplicate';
      return arrangeable === 1 ? [{ itemId: item_id, startable, hidden: isHiddenItem(item_id) }] : [];
    }),
  };
};

type ItemListContext = {
  pages: ItemQueries;
  shelf: Pick<ShelfTable, 'itemIds' | 'revision'>;
  account: () => string;
  clock: { now: () => number };
  changes: ItemChangeLog;
  placeInLine: (itemId: string) => number | null;
  trouble: (itemId: string, step: Step) => Trouble | null;
  readWarnings: ReadListingWarnings;
};

const maxPublishBatch = 200;
/** If there are more live items than this, they are folded unless the person has unfolded them. */
const maxUnfoldedLive = 20;
const maxSettledAnswer = 20;

const createListQueryBuilder =
  (account: () => string) =>
  (found: FilteredItems, only: ItemKindFilter): ItemQuery => ({
    account: account(),
    only,
    within: found === 'open' ? null : found,
  });

const getShownKind = (found: FilteredItems): ItemKindFilter => (found === 'open' ? 'open' : 'all');

/** Creates the searches for the next item that needs the person. After the last item, they start at the top. */
const createNextItemSearches = ({ pages, account, readWarnings }: ItemListContext) => {
  const toListQuery = createListQueryBuilder(account);
  const findNext = (found: FilteredItems, wanted: ItemQuery, itemId: string | null): ItemPlace | null => {
    const from = itemId === null ? null : { itemId, of: toListQuery(found, 'all') };
    const next = pages.beside(wanted, from, 1) ?? pages.beside(wanted, null, 1);
    return next === null || next === itemId
      ? null
      : { itemId: next, at: pages.placeIn(toListQuery(found, getShownKind(found)), next) };
  };
  /** Returns the items of the next batch: the chosen ones, else the checked ones, else all that can be published. */
  const listBatchIds = (found: FilteredItems, chosen: readonly string[]): readonly string[] => {
    if (chosen.length > 0) return chosen;
    const checked = pages.ids(toListQuery(found, 'checked'), 0, maxPublishBatch);
    return checked.length > 0 ? checked : pages.ids(toListQuery(found, 'ready'), 0, maxPublishBatch);
  };
  const listWeakIds = (itemIds: readonly string[]): string[] => {
    const rows = pages.chosen(account(), itemIds).filter(({ ready }) => ready === 1);
    const listingIds = rows.flatMap(({ listing_id }) => listing_id ?? []);
    const warnings = readWarnings({ listingIds, makerId: null, prices: 'these' });
    return rows.flatMap(({ item_id, listing_id }) => (warnings.has(listing_id ?? '') ? [item_id] : []));
  };
  return {
    nextToReview: (found: FilteredItems, itemId: string | null): ItemPlace | null =>
      findNext(found, toListQuery(found, 'review'), itemId),
    /** Returns the next weak item of the batch that the person would publish now. */
    nextWeak: (found: FilteredItems, itemId: string | null, chosen: readonly string[]): ItemPlace | null => {
      const weak = listWeakIds(listBatchIds(found, chosen));
      const within = found === null || found === 'open' ? weak : weak.filter((id) => found.includes(id));
      return findNext(found, { ...toListQuery(null, 'ready'), within }, itemId);
    },
  };
};

/** Creates the list of items. A call reads only the items that it returns. */
export const createItemList = (context: ItemListContext) => {
  const { pages, shelf, account, clock, changes, placeInLine, trouble } = context;
  const search = createItemSearch({ pages, shelf, account, changes, trouble });
  const toListQuery = createListQueryBuilder(account);
  const toShownListQuery = (found: FilteredItems): ItemQuery => toListQuery(found, getShownKind(found));
  const readItemSummaries = (itemIds: readonly string[]): ItemSummary[] =>
    pages.summaries(account(), itemIds).map((row) =>
      toItemSummary(row, {
        placeInLine: placeInLine(row.item_id),
        trouble: trouble(row.item_id, row.step),
        now: clock.now(),
      }),
    );
  return {
    ...createNextItemSearches(context),
    found: async (filter: ItemFilter & { folded?: boolean | null }): Promise<FilteredItems> => {
      const within = await search(filter);
      if (within !== null) return within;
      const { folded = false } = filter;
      return (folded ?? pages.sections(toListQuery(null, 'all')).live > maxUnfoldedLive) ? 'open' : null;
    },
    page: (found: FilteredItems, only: 'all' | 'arrangeable', offset: number, limit: number): ItemPage => {
      const sections = pages.sections(toListQuery(found, only));
      const { live, ...others } = sections;
      const isFolded = found === 'open' && only === 'all';
      const total = Object.values(others).reduce((sum, count) => sum + count, isFolded ? 0 : live);
      const query = isFolded ? toShownListQuery(found) : toListQuery(found, only);
      return { total, sections, rows: readItemSummaries(pages.ids(query, offset, limit)) };
    },
    counts: () => pages.counts(account()),
    ready: (found: FilteredItems): ReadyItems => ({
      total: pages.count(toListQuery(found, 'ready')),
      itemIds: pages.ids(toListQuery(found, 'ready'), 0, maxPublishBatch),
      checked: pages.ids(toListQuery(found, 'checked'), 0, maxPublishBatch),
    }),
    chosen: (found: FilteredItems, itemIds: readonly string[]): ChosenItems =>
      toChosenItems(pages.chosen(account(), itemIds), found === null || found === 'open' ? null : new Set(found)),
    between: (found: FilteredItems, from: string, to: string): string[] =>
      pages.between(toListQuery(found, 'pickable'), from, to) ?? [to],
    /**
     * Returns the next or previous item. If `itemId` is null or not in the list, the first or last item is returned.
     */
    beside: (found: FilteredItems, itemId: string | null, by: 1 | -1): ItemPlace | null => {
      const all = toShownListQuery(found);
      const next = pages.beside(all, itemId === null ? null : { itemId, of: all }, by);
      return next === null ? null : { itemId: next, at: pages.placeIn(all, next) };
    },
    settled: (mark: string | null): SettledItems => {
      const itemIds = changes.settledSince(mark, account()).slice(-maxSettledAnswer);
      return { mark: changes.mark(account()), items: readItemSummaries(itemIds) };
    },
  };
};
