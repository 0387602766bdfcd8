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
/** What the core takes of a search. */
const longestFind = 200;
const mostChosen = 10_000;

/** What is looked for among the items, and in which language their states are said. */
export type ItemFilter = Required<Pick<CallInput<'items.list'>, 'find' | 'language' | 'folded'>>;

/** Under this name a window remembers whether the live items are folded away; until the person says so, many are. */
const foldKey = 'items live folded';
const folding = (): boolean | null => {
  const kept = localStorage.getItem(foldKey);
  return kept === null ? null : kept === 'true';
};
/** Remembers whether the live items are folded away. */
export const keepFolded = (folded: boolean): void => localStorage.setItem(foldKey, String(folded));

/** The filter of what was typed, in the language of the screens. */
export const itemFilter = (find: string, language = languageOf(i18n.language, [])): ItemFilter => ({
  find: find.trim().slice(0, longestFind),
  language,
  folded: folding(),
});

export const countsQuery = { queryKey: ['items', 'counts'], queryFn: () => call('items.counts', {}) };

type Sections = CallAnswer<'items.list'>['sections'];
export type Section = keyof Sections;
/** The parts of the list from its top on, as the core puts them. */
export const sections = ['toCheck', 'working', 'ready', 'live'] as const satisfies readonly Section[];

/** How many items there are, how many wait for a look, and how far everything is that goes on by itself. */
export const useItemCounts = () => useQuery(countsQuery).data ?? null;

/** The items that a list shows: how many there are, each row that has come, and which rows are in sight. */
export type ShownItems = {
  total: number;
  /** How many stand in each section, folded or not. */
  sections: Sections;
  /** Whether the live ones are left out. */
  folded: boolean;
  /** What they were found by: what is typed may be ahead of it. */
  find: string;
  row: (at: number) => ItemSummary | undefined;
  /** Where an item is, if its row has come. */
  placeOf: (itemId: string) => number | null;
  /** Tells rows apart: one that moves from page to page while they are read stands on two of them for a moment. */
  keyOf: (at: number) => string;
  /** Has the rows between these two read, both included. */
  show: (first: number, last: number) => void;
};

/** With the filter that found it: while another one is read, this is still in sight. */
type Page = CallAnswer<'items.list'> & { filter: ItemFilter };

/** Keeps each row that did not change the one it was, also where it moved: a row is drawn again only for a new object. */
const keepRows = (before: Page | undefined, now: Page): Page => {
  if (!before) return now;
  const known = new Map(before.rows.map((row) => [row.itemId, row]));
  return { ...now, rows: now.rows.map((row) => replaceEqualDeep(known.get(row.itemId), row)) };
};

/** A page of the items that a filter finds, from the newest on. */
export const pageQuery = (filter: ItemFilter, page: number) => ({
  queryKey: ['items', 'list', filter, page],
  queryFn: async ({ client, queryKey }: QueryFunctionContext) => {
    const now = await call('items.list', { ...filter, offset: page * pageRows, limit: pageRows });
    return keepRows(client.getQueryData<Page>(queryKey), { ...now, filter });
  },
  // Shared row by row above; place by place, a row that moved would be taken for a new one.
  structuralSharing: false,
});

/** The rows in sight, newest first as the core has them; the others are not read. Null until the first have come. */
export const useShownItems = (find: string): ShownItems | null => {
  const [seen, see] = useState({ from: 0, to: 0 });
  // What was shown before stays in sight until the first rows of another search have come, and so do its other pages: the
  // counts belong to the rows. Many rows that change at once are drawn bit by bit, so that a key is never kept waiting.
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

/** Those of the shown ones that can be published: as many as one question takes, and how to read them anew. */
export const useReadyItems = (find: string) => {
  const client = useQueryClient();
  const query = readyQuery(itemFilter(find));
  const { data } = useQuery({ ...query, placeholderData: keepPreviousData });
  return { ready: data, read: () => client.fetchQuery(query) };
};

/** What can be done with those that are chosen; what was done with them since is no longer among them. */
export const useChosenItems = (itemIds: readonly string[], find = '') => {
  const chosen = { ...itemFilter(find), itemIds: itemIds.slice(0, mostChosen) };
  return useQuery({
    queryKey: ['items', 'chosen', chosen],
    queryFn: itemIds.length === 0 ? skipToken : () => call('items.chosen', chosen),
    placeholderData: keepPreviousData,
  });
};

/** The first items that photos can be moved to and from, and how many there are. */
export const arrangeableQuery = (find: string, limit: number) => {
  const filter = itemFilter(find);
  return {
    queryKey: ['items', 'arrangeable', filter, limit],
    queryFn: () => call('items.list', { ...filter, only: 'arrangeable', limit }),
  };
};

/** The next item that waits to be looked over, down the list and then from its top. */
export const nextToReviewQuery = (find: string, itemId: string | null) => {
  const filter = itemFilter(find);
  return {
    queryKey: ['items', 'next', filter, itemId],
    queryFn: () => call('items.beside', { ...filter, itemId, way: 'review' }),
  };
};

/** The next item after the open one that waits to be looked over; null while none is open. */
export const useNextToReview = (find: string, itemId: string | null) => {
  const query = nextToReviewQuery(find, itemId ?? '');
  return useQuery({ ...query, queryFn: itemId === null ? skipToken : query.queryFn }).data ?? null;
};

/** Whether any item waits to be looked over. */
export const useIsAnyToReview = (): boolean => (useQuery(nextToReviewQuery('', null)).data ?? null) !== null;

/** What was put together by a guess, a row an item. */
export const useContactSheet = () =>
  useQuery({ queryKey: ['items', 'sheet'], queryFn: () => call('items.sheet', {}) }).data;

/** The item of a listing; null while it is not known, and when there is none. */
export const useItemOf = (listingId: string | undefined): string | null =>
  useQuery({
    queryKey: ['items', 'ofListing', listingId],
    queryFn: listingId === undefined ? skipToken : () => call('items.ofListing', { listingId }),
  }).data?.itemId ?? null;

/** Has one item read, or read ahead. */
export const itemQuery = (itemId: string) => ({
  queryKey: ['items', 'one', itemId],
  queryFn: () => call('items.get', { itemId }),
});

/** One item with everything that is known of it. */
export const useItem = (itemId: string) => useQuery(itemQuery(itemId));

/** Reads whether something has come to rest since it was last asked; an answer is never asked for twice. */
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
