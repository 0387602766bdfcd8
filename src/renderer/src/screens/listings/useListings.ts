import { useLocalStorage } from '@mantine/hooks';
import * as z from 'zod';
import { useCallback, useDeferredValue, useRef, useState } from 'react';
import { createStore } from '../../api/createStore.ts';
import { type ListingRow, callCore } from '../../api/call.ts';
import type { CallInput } from '../../../../ipc/calls.ts';
import { dayMs, parseCentsInput } from '../../components/text/format.ts';
import { maxBatchListings } from '../approvals/batch/useBatches.ts';
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';

export const columnNames = [
  'status',
  'site',
  'price',
  'quantity',
  'condition',
  'category',
  'sku',
  'place',
  'listed',
  'changed',
] as const;
export type ColumnName = (typeof columnNames)[number];

const listViewSchema = z.object({ kind: z.enum(['table', 'grid']), columns: z.array(z.enum(columnNames)) });
export type ListView = z.infer<typeof listViewSchema>;

const defaultView: ListView = { kind: 'table', columns: ['status', 'site', 'price'] };

export const useListView = () =>
  useLocalStorage<ListView>({
    key: 'listings view',
    defaultValue: defaultView,
    getInitialValueInEffect: false,
    deserialize: (text) => {
      try {
        return listViewSchema.catch(defaultView).parse(JSON.parse(text ?? 'null'));
      } catch {
        return defaultView;
      }
    },
  });

export type ListingSelection = {
  /** The selected rows that the list contains. Actions apply to these. */
  rows: ListingRow[];
  /** The number of all selected rows. */
  total: number;
  /** The number of selected rows that the filters hide; 0 until it is known. */
  hidden: number;
  has: (listingId: string) => boolean;
  /** With `range`, also selects all rows since the last toggled row. Stays the same until the filters change. */
  toggle: (row: ListingRow, at: number, range: boolean) => void;
  /** Selects these rows, at most one batch. Rows that the filters hide stay selected. */
  take: (rows: readonly ListingRow[]) => void;
  clear: () => void;
};

/** `within` are the filters under which the row was selected. */
type SelectedRow = { row: ListingRow; within: string };

/** Returns the selected ids that the filters hide; null until the core has answered. */
const useHiddenIds = (asked: ListingSearch['asked'], ids: readonly string[]): ReadonlySet<string> | null => {
  // The key leaves the ids out: a row that is selected later is in the list.
  const { data } = useQuery({
    queryKey: ['listings', 'selected', asked],
    queryFn: async () => {
      const limit = maxBatchListings;
      const parts = Array.from({ length: Math.ceil(ids.length / limit) }, (_, at) =>
        ids.slice(at * limit, (at + 1) * limit),
      );
      const found = await Promise.all(parts.map((only) => callCore('listings.search', { ...asked, only, limit })));
      const shown = new Set(found.flatMap(({ rows }) => rows.map(({ listingId }) => listingId)));
      return new Set(ids.filter((id) => !shown.has(id)));
    },
    enabled: ids.length > 0,
    // An earlier answer under the same filters was about another selection.
    gcTime: 0,
  });
  return data ?? null;
};

/** Returns the rows of these listings in the same order; at most one batch. */
export const useListingRows = (listingIds: readonly string[]): readonly ListingRow[] => {
  const { data } = useQuery({
    queryKey: ['listings', 'rows', listingIds],
    queryFn: () => callCore('listings.search', { only: [...listingIds], limit: maxBatchListings }),
    enabled: listingIds.length > 0,
    placeholderData: keepPreviousData,
  });
  const rows = new Map(data?.rows.map((row) => [row.listingId, row]));
  return listingIds.flatMap((listingId) => rows.get(listingId) ?? []);
};

/** Keeps each row as it was when the person selected it. */
export const useListingSelection = ({ asked }: Pick<ListingSearch, 'asked'>): ListingSelection => {
  const [selected, setRows] = useState<ReadonlyMap<string, SelectedRow>>(new Map());
  const last = useRef<number | null>(null);
  const within = JSON.stringify(asked);
  const hiddenIds = useHiddenIds(asked, [...selected.keys()]);
  const isShown = (one: SelectedRow): boolean =>
    hiddenIds === null ? one.within === within : !hiddenIds.has(one.row.listingId);
  const all = [...selected.values()];
  const shown = all.filter(isShown);
  const addSelectedRows = (more: readonly ListingRow[]): void =>
    setRows((before) => new Map([...before, ...more.map((row) => [row.listingId, { row, within }] as const)]));
  const addRowRange = (row: ListingRow, from: number, to: number): void => {
    const offset = Math.min(from, to);
    const limit = Math.min(maxBatchListings, Math.abs(to - from) + 1);
    void callCore('listings.search', { ...asked, offset, limit }).then(
      (found) => addSelectedRows(found.rows),
      () => addSelectedRows([row]),
    );
  };
  const toggleSelectedRow = (row: ListingRow): void =>
    setRows((before) => {
      const next = new Map(before);
      if (!next.delete(row.listingId)) next.set(row.listingId, { row, within });
      return next;
    });
  const toggle = useCallback(
    (row: ListingRow, at: number, range: boolean): void => {
      const from = last.current;
      last.current = at;
      if (range && from !== null) addRowRange(row, from, at);
      else toggleSelectedRow(row);
    },
    // The functions depend only on the filters.
    [within],
  );
  return {
    rows: shown.map(({ row }) => row),
    total: all.length,
    hidden: hiddenIds === null ? 0 : all.length - shown.length,
    has: (listingId: string): boolean => selected.has(listingId),
    toggle,
    take: (more: readonly ListingRow[]): void => {
      const kept = all.filter((one) => !isShown(one));
      const next = [...kept, ...more.slice(0, maxBatchListings).map((row) => ({ row, within }))];
      setRows(new Map(next.map((one) => [one.row.listingId, one])));
    },
    clear: (): void => setRows(new Map()),
  };
};

type Search = CallInput<'listings.search'>;
export type Sort = NonNullable<Search['sort']>;
type SearchFilter = Omit<Search, 'sort' | 'offset' | 'limit'>;
type Status = NonNullable<Search['statuses']>[number];

export const listingAges = ['week', 'month', 'quarter', 'older'] as const;
export type ListingAge = (typeof listingAges)[number];

/** The inputs as the person typed them. An empty text means no filter. */
export type ListingFilter = {
  q: string;
  status: Status | '';
  site: string;
  age: ListingAge | '';
  min: string;
  max: string;
};

export const noFilter: ListingFilter = { q: '', status: '', site: '', age: '', min: '', max: '' };

/** The tabs that show only listings of one status. */
export const tabStatuses = ['pending_review', 'published', 'sold', 'ended', 'failed'] as const satisfies Status[];

/** The filters that the person can add. `status` has the statuses without a tab. */
export const filterNames = ['site', 'age', 'price', 'status'] as const;
export type FilterName = (typeof filterNames)[number];

const isTabStatus = (status: Status | ''): boolean => tabStatuses.some((tab) => tab === status);

/** Returns whether an added filter narrows the list. A status with a tab belongs to no added filter. */
export const isFilterSet = (filter: ListingFilter, name: FilterName): boolean => {
  if (name === 'price') return filter.min.trim() !== '' || filter.max.trim() !== '';
  return name === 'status' ? filter.status !== '' && !isTabStatus(filter.status) : filter[name] !== '';
};

export const isAnyFilterSet = (filter: ListingFilter): boolean =>
  Object.values(filter).some((value) => value.trim() !== '');

const valuesByFilter: Readonly<Record<FilterName, Partial<ListingFilter>>> = {
  site: { site: '' },
  age: { age: '' },
  price: { min: '', max: '' },
  status: { status: '' },
};

/** Returns the changes that remove the values of one added filter. The tab stays. */
const resetFilter = (filter: ListingFilter, name: FilterName): Partial<ListingFilter> =>
  isFilterSet(filter, name) ? valuesByFilter[name] : {};

export type AddedFilters = {
  /** The filters that the person added, with or without a value. */
  names: readonly FilterName[];
  add: (name: FilterName) => void;
  remove: (name: FilterName) => void;
  clear: () => void;
};

type ListingQuery = { filter: ListingFilter; names: readonly FilterName[]; sort: Sort };

/** The filters and the sort stay until the window closes, also while another screen is open. */
const listingQuery = createStore<ListingQuery>({ filter: noFilter, names: [], sort: 'newest' });

/** The screen can render a change later, in a transition. Each change therefore starts from the newest query. */
export const useListingQuery = () => {
  const [query, setQuery] = useState(listingQuery.get);
  const { filter, names } = query;
  const changeQuery = (changes: Partial<ListingQuery>): void => {
    listingQuery.set({ ...listingQuery.get(), ...changes });
    setQuery(listingQuery.get());
  };
  const changeFilter = (changes: Partial<ListingFilter>): void =>
    changeQuery({ filter: { ...listingQuery.get().filter, ...changes } });
  const setNames = (next: readonly FilterName[]): void => changeQuery({ names: next });
  const added: AddedFilters = {
    names,
    add: (name) => setNames([...names, name]),
    remove: (name) => {
      setNames(names.filter((one) => one !== name));
      changeFilter(resetFilter(filter, name));
    },
    clear: () => {
      setNames([]);
      for (const name of filterNames) changeFilter(resetFilter(filter, name));
    },
  };
  const clearAll = (): void => {
    setNames([]);
    changeFilter(noFilter);
  };
  const setSort = (sort: Sort): void => changeQuery({ sort });
  return { ...query, changeFilter, added, clearAll, setSort };
};

const daysByAge: Readonly<Record<Exclude<ListingAge, 'older'>, number>> = { week: 7, month: 30, quarter: 91 };

/** The range consists of whole days, so that the query key stays the same during a day. */
const toAgeRange = (age: ListingAge | '', now: number): Pick<Search, 'from' | 'to'> => {
  const midnight = Math.floor(now / dayMs) * dayMs;
  if (age === '') return {};
  return age === 'older' ? { to: midnight - daysByAge.quarter * dayMs } : { from: midnight - daysByAge[age] * dayMs };
};

export const toSearchFilter = (filter: ListingFilter, now: number): SearchFilter => ({
  q: filter.q.trim(),
  statuses: filter.status === '' ? [] : [filter.status],
  site: filter.site === '' ? null : filter.site,
  ...toAgeRange(filter.age, now),
  minCents: parseCentsInput(filter.min),
  maxCents: parseCentsInput(filter.max),
});

const pageRows = 100;
/** The indexes of the visible rows. Only the pages that contain these rows are read. */
export type VisibleRows = { first: number; last: number };

const listVisiblePages = ({ first, last }: VisibleRows): number[] => {
  const from = Math.floor(Math.max(0, first) / pageRows);
  const to = Math.floor(Math.max(0, last) / pageRows);
  return Array.from({ length: Math.min(5, to - from + 1) }, (_, at) => from + at);
};

/** Returns `before` while the same pages are visible, so that a small scroll causes no render. */
export const keepSamePages = (before: VisibleRows, next: VisibleRows): VisibleRows =>
  listVisiblePages(before).join() === listVisiblePages(next).join() ? before : next;

export type ListingSearch = {
  asked: SearchFilter & { sort: Sort };
  total: number | null;
  error: Error | null;
  /** Returns undefined until the page of the row is read. */
  row: (at: number) => ListingRow | undefined;
};

export const useListingSearch = (filter: ListingFilter, sort: Sort, sight: VisibleRows): ListingSearch => {
  // The age filter depends on this time, so the time stays the same while the screen is open.
  const [now] = useState(() => Date.now());
  const asked = { ...toSearchFilter(filter, now), sort };
  const toPageQuery = (page: number) => ({
    queryKey: ['listings', 'search', asked, page],
    queryFn: () => callCore('listings.search', { ...asked, offset: page * pageRows, limit: pageRows }),
  });
  const head = useQuery({ ...toPageQuery(0), placeholderData: keepPreviousData });
  const wanted = listVisiblePages(sight).filter((page) => page > 0);
  const others = useQueries({ queries: wanted.map(toPageQuery) });
  // The value is deferred to keep key presses fast.
  const first = useDeferredValue(head.data);
  const pages = new Map<number, ListingRow[]>([[0, first?.rows ?? []]]);
  wanted.forEach((page, at) => pages.set(page, others[at]?.data?.rows ?? []));
  return {
    asked,
    total: first?.total ?? null,
    error: head.error,
    row: (at) => pages.get(Math.floor(at / pageRows))?.[at % pageRows],
  };
};
