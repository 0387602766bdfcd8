import { formatEnglishMessage } from '../../i18n/english.ts';
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
import type { ItemQueries, SummaryRow, ItemKindFilter, ItemQuery } from '../storage/tables/itemQueries.ts';
import type { ShelfTable } from '../storage/tables/shelfTable.ts';
import { formatItemState, buildThumbnailUrl, type Trouble } from './itemState.ts';
import { isLongGeneration, getStepProgress, type RuntimeFacts } from './itemView.ts';
import type { ItemChangeLog } from './itemChanges.ts';
import { createItemSearch, type FoundItems, type ItemFilter } from './itemSearch.ts';
import type { ReadListingWarnings } from '../listings/warningReader.ts';

/** The results of a search, null for all items, or `open` for all items that are not live. */
export type FilteredItems = FoundItems | null | 'open';

/** Returns null if there was no search. */
const getResults = (found: FilteredItems): FoundItems | null => (found === 'open' ? null : found);
const getFoundIds = (found: FilteredItems): readonly string[] | null => getResults(found)?.itemIds ?? null;

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
    within: getFoundIds(found),
  });

const getShownKind = (found: FilteredItems): ItemKindFilter => (found === 'open' ? 'open' : 'all');

/** Returns the number of shown items before this one; null if the list does not show it. */
const findPlace = ({ pages, account }: ItemListContext, found: FilteredItems, itemId: string): number | null => {
  const ids = getFoundIds(found);
  if (ids === null) return pages.placeIn({ account: account(), only: getShownKind(found), within: null }, itemId);
  return ids.includes(itemId) ? ids.indexOf(itemId) : null;
};

/** Creates the searches for the next item that needs the person. After the last item, they start at the top. */
const createNextItemSearches = (context: ItemListContext) => {
  const { pages, account, readWarnings } = context;
  const toListQuery = createListQueryBuilder(account);
  const findNext = (found: FilteredItems, wanted: ItemQuery, itemId: string | null): ItemPlace | null => {
    const isInList = itemId !== null && getFoundIds(found)?.includes(itemId) !== false;
    const from = isInList ? { itemId, of: toListQuery(null, 'all') } : null;
    const next = pages.beside(wanted, from, 1) ?? pages.beside(wanted, null, 1);
    return next === null || next === itemId ? null : { itemId: next, at: findPlace(context, found, next) };
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
      const ids = getFoundIds(found);
      const within = ids === null ? weak : weak.filter((id) => ids.includes(id));
      return findNext(found, { ...toListQuery(null, 'ready'), within }, itemId);
    },
  };
};

const findBeside = (ids: readonly string[], itemId: string | null, by: 1 | -1): ItemPlace | null => {
  const from = itemId === null ? -1 : ids.indexOf(itemId);
  const at = from === -1 && by === -1 ? ids.length - 1 : from + by;
  const next = ids[at];
  return next === undefined ? null : { itemId: next, at };
};

/** Creates the list of items. A call reads only the items that it returns. */
export const createItemList = (context: ItemListContext) => {
  const { pages, shelf, account, clock, changes, placeInLine, trouble } = context;
  const { search, release } = createItemSearch({ pages, shelf, account, changes, trouble });
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
    release,
    found: async (filter: ItemFilter & { folded?: boolean | null }): Promise<FilteredItems> => {
      const found = await search(filter);
      if (found !== null) return found;
      const { folded = false } = filter;
      return (folded ?? pages.areMoreLive(account(), maxUnfoldedLive)) ? 'open' : null;
    },
    page: (found: FilteredItems, only: 'all' | 'arrangeable', offset: number, limit: number): ItemPage => {
      const results = getResults(found);
      if (results !== null && only === 'all') {
        const { itemIds, sections } = results;
        return { total: itemIds.length, sections, rows: readItemSummaries(itemIds.slice(offset, offset + limit)) };
      }
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
    chosen: (found: FilteredItems, itemIds: readonly string[]): ChosenItems => {
      const ids = getFoundIds(found);
      return toChosenItems(pages.chosen(account(), itemIds), ids && new Set(ids));
    },
    between: (found: FilteredItems, from: string, to: string): string[] =>
      pages.between(toListQuery(found, 'pickable'), from, to) ?? [to],
    /**
     * Returns the next or previous item. If `itemId` is null or not in the list, the first or last item is returned.
     */
    beside: (found: FilteredItems, itemId: string | null, by: 1 | -1): ItemPlace | null => {
      const ids = getFoundIds(found);
      if (ids !== null) return findBeside(ids, itemId, by);
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
