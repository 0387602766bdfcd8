import { useCoreQuery } from './useCall.ts';
import {
  type QueryClient,
  type QueryFunctionContext,
  keepPreviousData,
  replaceEqualDeep,
  skipToken,
  useQueries,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useCallback, useDeferredValue, useEffect, useMemo, useState } from 'react';
import type { CallAnswer, CallInput } from '../../../ipc/calls.ts';
import { i18n } from '../i18n.ts';
import { callCore, type ContactSheetRow, type ItemSummary, type ItemView, type SheetItem } from './call.ts';
import { chooseSupportedLanguage } from '../../../i18n/languages.ts';

const pageRows = 100;
/** The core refuses a longer search. */
const maxFindChars = 200;
export const maxChosen = 10_000;

export type ItemFilter = Required<Pick<CallInput<'items.list'>, 'find' | 'language' | 'folded'>>;

/** Stores whether live items are folded. If the person has not chosen, the core folds them only if there are many. */
const foldKey = 'items live folded';
const readFoldedSetting = (): boolean | null => {
  const kept = localStorage.getItem(foldKey);
  return kept === null ? null : kept === 'true';
};
export const saveFoldedSetting = (folded: boolean): void => localStorage.setItem(foldKey, String(folded));

export const createItemFilter = (find: string, language = chooseSupportedLanguage(i18n.language, [])): ItemFilter => ({
  find: find.trim().slice(0, maxFindChars),
  language,
  folded: readFoldedSetting(),
});

export const countsQuery = { queryKey: ['items', 'counts'], queryFn: () => callCore('items.counts', {}) };

type Sections = CallAnswer<'items.list'>['sections'];
export type Section = keyof Sections;
export const sections = ['toCheck', 'working', 'ready', 'live'] as const satisfies readonly Section[];

export const useItemCounts = () => useQuery(countsQuery).data ?? null;

export type ShownItems = {
  total: number;
  sections: Sections;
  folded: boolean;
  /** The search that found these items. The typed text can be newer. */
  find: string;
  row: (at: number) => ItemSummary | undefined;
  placeOf: (itemId: string) => number | null;
  /** While pages load, a row can be on two pages, so the key contains the page. */
  keyOf: (at: number) => string;
  show: (first: number, last: number) => void;
};

type ItemPage = CallAnswer<'items.list'> & { filter: ItemFilter };

/** Unchanged rows keep their identity even if they move, so that they do not rerender. Unchanged sections do, too. */
const reuseUnchangedRows = (before: ItemPage | undefined, now: ItemPage): ItemPage => {
  if (!before) return now;
  const known = new Map(before.rows.map((row) => [row.itemId, row]));
  return {
    ...now,
    sections: replaceEqualDeep(before.sections, now.sections),
    rows: now.rows.map((row) => replaceEqualDeep(known.get(row.itemId), row)),
  };
};

export const createPageQuery = (filter: ItemFilter, page: number) => ({
  queryKey: ['items', 'list', filter, page],
  queryFn: async ({ client, queryKey }: QueryFunctionContext) => {
    const now = await callCore('items.list', { ...filter, offset: page * pageRows, limit: pageRows });
    return reuseUnchangedRows(client.getQueryData<ItemPage>(queryKey), { ...now, filter });
  },
  // `reuseUnchangedRows` shares rows by id. The built-in sharing works by index and would treat a moved row as new.
  structuralSharing: false,
});

/** The answer stays the same object while no page changes. */
const listPageData = <Page>(pages: readonly { data: Page }[]): Page[] => pages.map(({ data }) => data);

/** Loads only visible rows. Returns null until the first rows have been loaded. */
export const useShownItems = (find: string): ShownItems | null => {
  const [seen, setPageRange] = useState({ from: 0, to: 0 });
  // The previous rows stay visible until new rows load. The value is deferred to keep key presses fast.
  const typed = createPageQuery(createItemFilter(find), 0);
  const first = useDeferredValue(useQuery({ ...typed, placeholderData: keepPreviousData }).data);
  const last = Math.max(0, Math.ceil((first?.total ?? 0) / pageRows) - 1);
  const from = Math.min(seen.from, last);
  const pages = Array.from({ length: Math.min(seen.to, last) - from + 1 }, (_, at) => from + at);
  const others = pages.filter((page) => page > 0);
  const read = useQueries({
    queries: first ? others.map((page) => createPageQuery(first.filter, page)) : [],
    combine: listPageData,
  });
  const show = useCallback((firstIndex: number, lastIndex: number): void => {
    const next = { from: Math.floor(firstIndex / pageRows), to: Math.floor(lastIndex / pageRows) };
    setPageRange((now) => (now.from === next.from && now.to === next.to ? now : next));
  }, []);
  const firstOther = Math.max(1, from);
  // The list renders again when this object changes.
  return useMemo(() => {
    if (!first) return null;
    const listPageRows = (page: number) => (page === 0 ? first : read[page - firstOther])?.rows ?? [];
    const findRow = (at: number) => listPageRows(Math.floor(at / pageRows))[at % pageRows];
    return {
      total: first.total,
      sections: first.sections,
      find: first.filter.find,
      folded: first.total < Object.values(first.sections).reduce((sum, count) => sum + count, 0),
      row: findRow,
      placeOf: (itemId) => {
        for (const page of [0, ...read.map((_, at) => firstOther + at)]) {
          const at = listPageRows(page).findIndex((row) => row.itemId === itemId);
          if (at !== -1) return page * pageRows + at;
        }
        return null;
      },
      keyOf: (at) => `${Math.floor(at / pageRows)} ${findRow(at)?.itemId ?? at}`,
      show,
    };
  }, [first, read, firstOther, show]);
};

const createReadyQuery = (filter: ItemFilter) => ({
  queryKey: ['items', 'ready', filter],
  queryFn: () => callCore('items.ready', filter),
});

export const readReadyItems = (client: QueryClient, find: string) =>
  client.fetchQuery(createReadyQuery(createItemFilter(find)));

export const useReadyItems = (find: string) =>
  useQuery({ ...createReadyQuery(createItemFilter(find)), placeholderData: keepPreviousData }).data;

export const useSelectedItems = (itemIds: readonly string[], find = '') => {
  const chosen = { ...createItemFilter(find), itemIds: itemIds.slice(0, maxChosen) };
  return useCoreQuery(['items', 'chosen', chosen], 'items.chosen', itemIds.length === 0 ? null : chosen, {
    placeholderData: keepPreviousData,
  });
};

export const createArrangeableItemsQuery = (find: string, limit: number) => {
  const filter = createItemFilter(find);
  return {
    queryKey: ['items', 'arrangeable', filter, limit],
    queryFn: () => callCore('items.list', { ...filter, only: 'arrangeable', limit }),
  };
};

export const createNextReviewQuery = (find: string, itemId: string | null) => {
  const filter = createItemFilter(find);
  return {
    queryKey: ['items', 'next', filter, itemId],
    queryFn: () => callCore('items.beside', { ...filter, itemId, way: 'review' }),
  };
};

export const useNextItemToReview = (find: string, itemId: string | null) => {
  const query = createNextReviewQuery(find, itemId ?? '');
  return useQuery({ ...query, queryFn: itemId === null ? skipToken : query.queryFn }).data ?? null;
};

/** Returns false while the query runs, because its previous result might be older than the item counts. */
export const useHasItemToReview = (): boolean => {
  const { data, isFetching } = useQuery(createNextReviewQuery('', null));
  return !isFetching && (data ?? null) !== null;
};

type ContactSheet = { mark: string; rows: SheetItem[] };

const sheetKey = ['items', 'sheet'];

/** Reads only the rows that have changed since the last read. */
const readContactSheet = async (before: ContactSheet | undefined): Promise<ContactSheet> => {
  const { mark, rows } = await callCore('items.sheet', { mark: before?.mark ?? null });
  const known = new Map(before?.rows.map((row) => [row.itemId, row]));
  return { mark, rows: rows.flatMap((row) => (typeof row === 'string' ? (known.get(row) ?? []) : row)) };
};

/** Returns the items of the contact sheet. */
export const useContactSheet = (): SheetItem[] | undefined =>
  useQuery({
    queryKey: sheetKey,
    queryFn: ({ client }) => readContactSheet(client.getQueryData<ContactSheet>(sheetKey)),
  }).data?.rows;

/** The photos of the contact sheet that were read, by id. */
export type KnownPhotos = Map<string, ContactSheetRow['photos'][number]>;

/**
 * Reads the details of one item of the contact sheet, and notes its photos in `known`. The photos of a new item stay
 * visible until then, because they were in another item before.
 */
export const useContactSheetRow = (
  { itemId, reviewReason, photoIds }: SheetItem,
  known: KnownPhotos,
): ContactSheetRow | null => {
  const { data } = useCoreQuery(
    ['items', 'sheetRow', itemId],
    'items.sheetRow',
    { itemId },
    {
      placeholderData: () => {
        const photos = photoIds.flatMap((photoId) => known.get(photoId) ?? []);
        return { itemId, reviewReason, name: '', isPreparing: false, photos };
      },
    },
  );
  useEffect(() => data?.photos.forEach((photo) => known.set(photo.photoId, photo)), [data, known]);
  return data ?? null;
};

/** Its answer is null if the listing was not made from an item here. */
export const useOwnerOfListing = (listingId: string | undefined) =>
  useCoreQuery(['items', 'ofListing', listingId], 'items.ofListing', listingId === undefined ? null : { listingId });

export const useItemIdOfListing = (listingId: string | undefined): string | null =>
  useOwnerOfListing(listingId).data?.itemId ?? null;

export const createItemQuery = (itemId: string) => ({
  queryKey: ['items', 'one', itemId],
  queryFn: () => callCore('items.get', { itemId }),
});

export const useItemById = (itemId: string) => useQuery(createItemQuery(itemId));

/** Returns the item of the listing; undefined if it has none or until it is loaded. */
export const useItemOfListing = (listingId: string | null): ItemView | undefined => {
  const itemId = useItemIdOfListing(listingId ?? undefined);
  const query = createItemQuery(itemId ?? '');
  return useQuery({ ...query, queryFn: itemId === null ? skipToken : query.queryFn }).data;
};

/** Returns the address of the first picture of the listing's item; null if it has no picture. */
export const useListingThumbnail = (listingId: string | null): string | null => {
  const item = useItemOfListing(listingId);
  return item?.photos.find(({ thumbUrl }) => thumbUrl !== null)?.thumbUrl ?? null;
};

/**
 * Returns the items that finished since the last read. The mark of the last read ensures that each item is returned
 * once.
 */
export const useFinishedItems = () => {
  const client = useQueryClient();
  return useQuery({
    queryKey: ['items', 'settled'],
    queryFn: () => {
      const before = client.getQueryData<{ mark: string }>(['items', 'settled']);
      return callCore('items.settled', { mark: before?.mark ?? null });
    },
    structuralSharing: false,
  }).data;
};
