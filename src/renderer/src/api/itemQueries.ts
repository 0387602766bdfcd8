import {
  type QueryFunctionContext,
  keepPreviousData,
  replaceEqualDeep,
  skipToken,
  useQueries,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useCallback, useDeferredValue, useState } from 'react';
import type { CallAnswer, CallInput } from '../../../ipc/calls.ts';
import { i18n } from '../i18n.ts';
import { call, type ItemSummary } from './call.ts';
import { languageOf } from '../../../i18n/languages.ts';

const pageRows = 100;
/** The maximum length of a search that the core accepts. */
const longestFind = 200;
const mostChosen = 10_000;

/** The filter of the item list, and the language of the item states. */
export type ItemFilter = Required<Pick<CallInput<'items.list'>, 'find' | 'language' | 'folded'>>;

/** The local storage key for whether live items are folded. Without a stored choice, many are folded. */
const foldKey = 'items live folded';
const folding = (): boolean | null => {
  const kept = localStorage.getItem(foldKey);
  return kept === null ? null : kept === 'true';
};
export const keepFolded = (folded: boolean): void => localStorage.setItem(foldKey, String(folded));

/** Creates the filter for a typed search, in the language of the screens. */
export const itemFilter = (find: string, language = languageOf(i18n.language, [])): ItemFilter => ({
  find: find.trim().slice(0, longestFind),
  language,
  folded: folding(),
});

export const countsQuery = { queryKey: ['items', 'counts'], queryFn: () => call('items.counts', {}) };

type Sections = CallAnswer<'items.list'>['sections'];
export type Section = keyof Sections;
/** The sections of the list from top to bottom, in the core's order. */
export const sections = ['toCheck', 'working', 'ready', 'live'] as const satisfies readonly Section[];

/** Returns the number of items, of those that need a review, and the progress of background work. */
export const useItemCounts = () => useQuery(countsQuery).data ?? null;

/** The items of a list: their number, the loaded rows, and the visible range. */
export type ShownItems = {
  total: number;
  sections: Sections;
  folded: boolean;
  /** The search that found them; the typed text may be newer. */
  find: string;
  row: (at: number) => ItemSummary | undefined;
  placeOf: (itemId: string) => number | null;
  /** Returns a unique key of a row. A row that moves between pages while they load is on both for a moment. */
  keyOf: (at: number) => string;
  show: (first: number, last: number) => void;
};

/** A page with the filter that found it; it stays visible while another filter loads. */
type Page = CallAnswer<'items.list'> & { filter: ItemFilter };

/** Keeps unchanged rows referentially stable, even if they moved, so that they do not rerender. */
const keepRows = (before: Page | undefined, now: Page): Page => {
  if (!before) return now;
  const known = new Map(before.rows.map((row) => [row.itemId, row]));
  return { ...now, rows: now.rows.map((row) => replaceEqualDeep(known.get(row.itemId), row)) };
};

/** Returns the query for a page of items, the newest first. */
export const pageQuery = (filter: ItemFilter, page: number) => ({
  queryKey: ['items', 'list', filter, page],
  queryFn: async ({ client, queryKey }: QueryFunctionContext) => {
    const now = await call('items.list', { ...filter, offset: page * pageRows, limit: pageRows });
    return keepRows(client.getQueryData<Page>(queryKey), { ...now, filter });
  },
  // Rows are shared by id above; sharing by index would treat a moved row as new.
  structuralSharing: false,
});

/** Returns the items of the list, the newest first. Loads only visible rows; null until the first are loaded. */
export const useShownItems = (find: string): ShownItems | null => {
  const [seen, see] = useState({ from: 0, to: 0 });
  // The previous rows and pages stay visible until the first rows of another search are loaded, because the counts
  // belong to the rows. The value is deferred, so that drawing many rows never delays key presses.
  const typed = pageQuery(itemFilter(find), 0);
  const first = useDeferredValue(useQuery({ ...typed, placeholderData: keepPreviousData }).data);
  const last = Math.max(0, Math.ceil((first?.total ?? 0) / pageRows) - 1);
  const from = Math.min(seen.from, last);
  const pages = Array.from({ length: Math.min(seen.to, last) - from + 1 }, (_, at) => from + at);
  const others = pages.filter((page) => page > 0);
  const read = useQueries({ queries: first ? others.map((page) => pageQuery(first.filter, page)) : [] });
  const show = useCallback((one: number, other: number): void => {
    const next = { from: Math.floor(one / pageRows), to: Math.floor(other / pageRows) };
    see((now) => (now.from === next.from && now.to === next.to ? now : next));
  }, []);
  if (!first) return null;
  const rowsOf = (page: number) => (page === 0 ? first : read[others.indexOf(page)]?.data)?.rows ?? [];
  return {
    total: first.total,
    sections: first.sections,
    find: first.filter.find,
    folded: first.total < Object.values(first.sections).reduce((sum, count) => sum + count, 0),
    row: (at) => rowsOf(Math.floor(at / pageRows))[at % pageRows],
    placeOf: (itemId) => {
      for (const page of new Set([0, ...others])) {
        const at = rowsOf(page).findIndex((row) => row.itemId === itemId);
        if (at !== -1) return page * pageRows + at;
      }
      return null;
    },
    keyOf: (at) => `${Math.floor(at / pageRows)} ${rowsOf(Math.floor(at / pageRows))[at % pageRows]?.itemId ?? at}`,
    show,
  };
};

const readyQuery = (filter: ItemFilter) => ({
  queryKey: ['items', 'ready', filter],
  queryFn: () => call('items.ready', filter),
});

/** Returns the listed items that can be published, up to one batch, and a function that reads them again. */
export const useReadyItems = (find: string) => {
  const client = useQueryClient();
  const query = readyQuery(itemFilter(find));
  const { data } = useQuery({ ...query, placeholderData: keepPreviousData });
  return { ready: data, read: () => client.fetchQuery(query) };
};

/** Returns what can be done with the selected items. Items that are already done are left out. */
export const useChosenItems = (itemIds: readonly string[], find = '') => {
  const chosen = { ...itemFilter(find), itemIds: itemIds.slice(0, mostChosen) };
  return useQuery({
    queryKey: ['items', 'chosen', chosen],
    queryFn: itemIds.length === 0 ? skipToken : () => call('items.chosen', chosen),
    placeholderData: keepPreviousData,
  });
};

/** Returns the query for the first items that photos can be moved between, with their total number. */
export const arrangeableQuery = (find: string, limit: number) => {
  const filter = itemFilter(find);
  return {
    queryKey: ['items', 'arrangeable', filter, limit],
    queryFn: () => call('items.list', { ...filter, only: 'arrangeable', limit }),
  };
};

/** Returns the query for the next item to review, down the list and then from its top. */
export const nextToReviewQuery = (find: string, itemId: string | null) => {
  const filter = itemFilter(find);
  return {
    queryKey: ['items', 'next', filter, itemId],
    queryFn: () => call('items.beside', { ...filter, itemId, way: 'review' }),
  };
};

/** Returns the next item to review after the open one; null if no item is open. */
export const useNextToReview = (find: string, itemId: string | null) => {
  const query = nextToReviewQuery(find, itemId ?? '');
  return useQuery({ ...query, queryFn: itemId === null ? skipToken : query.queryFn }).data ?? null;
};

export const useIsAnyToReview = (): boolean => (useQuery(nextToReviewQuery('', null)).data ?? null) !== null;

/** Returns the groups that were guessed from a drop, one row per item. */
export const useContactSheet = () =>
  useQuery({ queryKey: ['items', 'sheet'], queryFn: () => call('items.sheet', {}) }).data;

/** Returns the item of a listing; null if it is unknown or there is none. */
export const useItemOf = (listingId: string | undefined): string | null =>
  useQuery({
    queryKey: ['items', 'ofListing', listingId],
    queryFn: listingId === undefined ? skipToken : () => call('items.ofListing', { listingId }),
  }).data?.itemId ?? null;

/** Returns the query for one item; it is also used to prefetch. */
export const itemQuery = (itemId: string) => ({
  queryKey: ['items', 'one', itemId],
  queryFn: () => call('items.get', { itemId }),
});

export const useItem = (itemId: string) => useQuery(itemQuery(itemId));

/** Returns the items that finished since the last read. The mark ensures that each is returned once. */
export const useSettledItems = () => {
  const client = useQueryClient();
  return useQuery({
    queryKey: ['items', 'settled'],
    queryFn: () => {
      const before = client.getQueryData<{ mark: string }>(['items', 'settled']);
      return call('items.settled', { mark: before?.mark ?? null });
    },
    structuralSharing: false,
  }).data;
};
