import { useLocalStorage } from '@mantine/hooks';
import * as z from 'zod';
import { useRef, useState } from 'react';
import { type ListingRow, call } from '../../api/call.ts';
import type { CallInput } from '../../../../ipc/calls.ts';
import { textToCents } from '../../components/text/format.ts';
import { mostAtOnce } from '../approvals/batch/useBatches.ts';
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';

export const columnNames = [
  'status',
  'site',
  'price',
  'quantity',
  'condition',
  'category',
  'sku',
  'listed',
  'changed',
] as const;
export type ColumnName = (typeof columnNames)[number];

const view = z.object({ kind: z.enum(['table', 'grid']), columns: z.array(z.enum(columnNames)) });
export type View = z.infer<typeof view>;

const usual: View = { kind: 'table', columns: ['status', 'site', 'price', 'listed'] };

export const useView = () =>
  useLocalStorage<View>({
    key: 'listings view',
    defaultValue: usual,
    getInitialValueInEffect: false,
    deserialize: (text) => {
      try {
        return view.catch(usual).parse(JSON.parse(text ?? 'null'));
      } catch {
        return usual;
      }
    },
  });

export type ListingSelection = {
  rows: ListingRow[];
  has: (listingId: string) => boolean;
  /** With `range`, adds all rows since the last toggled one. */
  toggle: (row: ListingRow, at: number, range: boolean) => void;
  /** Replaces the selection, up to the maximum of one batch. */
  take: (rows: readonly ListingRow[]) => void;
  clear: () => void;
};

/** Keeps the selected rows as they were when they were selected. */
export const useListingSelection = ({ asked }: Pick<ListingSearch, 'asked'>): ListingSelection => {
  const [rows, setRows] = useState<ReadonlyMap<string, ListingRow>>(new Map());
  const last = useRef<number | null>(null);
  const add = (more: readonly ListingRow[]): void =>
    setRows((before) => new Map([...before, ...more.map((row) => [row.listingId, row] as const)]));
  const addRange = (row: ListingRow, from: number, to: number): void => {
    const offset = Math.min(from, to);
    const limit = Math.min(mostAtOnce, Math.abs(to - from) + 1);
    void call('listings.search', { ...asked, offset, limit }).then(
      (found) => add(found.rows),
      () => add([row]),
    );
  };
  const toggleOne = (row: ListingRow): void =>
    setRows((before) => {
      const next = new Map(before);
      if (!next.delete(row.listingId)) next.set(row.listingId, row);
      return next;
    });
  return {
    rows: [...rows.values()],
    has: (listingId: string): boolean => rows.has(listingId),
    toggle: (row, at, range) => {
      const from = last.current;
      last.current = at;
      if (range && from !== null) addRange(row, from, at);
      else toggleOne(row);
    },
    take: (more: readonly ListingRow[]): void =>
      setRows(new Map(more.slice(0, mostAtOnce).map((row) => [row.listingId, row]))),
    clear: (): void => setRows(new Map()),
  };
};

type Search = CallInput<'listings.search'>;
export type Sort = NonNullable<Search['sort']>;
type Asked = Omit<Search, 'sort' | 'offset' | 'limit'>;
type Status = NonNullable<Search['statuses']>[number];

export const ages = ['week', 'month', 'quarter', 'older'] as const;
export type Age = (typeof ages)[number];

/** The filter inputs as typed; '' means no filter. */
export type Filter = { q: string; status: Status | ''; site: string; age: Age | ''; min: string; max: string };

export const noFilter: Filter = { q: '', status: '', site: '', age: '', min: '', max: '' };

export const isFiltered = (filter: Filter): boolean => Object.values(filter).some((value) => value.trim() !== '');

const dayMs = 86_400_000;
const daysOf: Readonly<Record<Exclude<Age, 'older'>, number>> = { week: 7, month: 30, quarter: 91 };

/** Whole days, so that the query key stays stable. */
const ageOf = (age: Age | '', now: number): Pick<Search, 'from' | 'to'> => {
  const midnight = Math.floor(now / dayMs) * dayMs;
  if (age === '') return {};
  return age === 'older' ? { to: midnight - daysOf.quarter * dayMs } : { from: midnight - daysOf[age] * dayMs };
};

/** Returns the search input for the core. An invalid price is ignored. */
export const askedOf = (filter: Filter, now: number): Asked => ({
  q: filter.q.trim(),
  statuses: filter.status === '' ? [] : [filter.status],
  site: filter.site === '' ? null : filter.site,
  ...ageOf(filter.age, now),
  minCents: textToCents(filter.min),
  maxCents: textToCents(filter.max),
});

const pageRows = 100;
/** The visible rows; the pages that contain them are read. */
export type VisibleRows = { first: number; last: number };

const pagesOf = ({ first, last }: VisibleRows): number[] => {
  const from = Math.floor(Math.max(0, first) / pageRows);
  const to = Math.floor(Math.max(0, last) / pageRows);
  return Array.from({ length: Math.min(5, to - from + 1) }, (_, at) => from + at);
};

/** Returns the previous value while the same pages are visible, so that small scrolls cause no render and no read. */
export const onlyNewPages = (before: VisibleRows, next: VisibleRows): VisibleRows =>
  pagesOf(before).join() === pagesOf(next).join() ? before : next;

export type ListingSearch = {
  asked: Asked & { sort: Sort };
  /** Null until the first page is read. */
  total: number | null;
  error: Error | null;
  /** Undefined until its page is read. */
  row: (at: number) => ListingRow | undefined;
};

/** Searches the listings: the total and the rows of the visible pages. */
export const useListingSearch = (filter: Filter, sort: Sort, sight: VisibleRows): ListingSearch => {
  // Fixed when the screen opens, so that the age filter does not change.
  const [now] = useState(() => Date.now());
  const asked = { ...askedOf(filter, now), sort };
  const query = (page: number) => ({
    queryKey: ['listings', 'search', asked, page],
    queryFn: () => call('listings.search', { ...asked, offset: page * pageRows, limit: pageRows }),
  });
  const head = useQuery({ ...query(0), placeholderData: keepPreviousData });
  const wanted = pagesOf(sight).filter((page) => page > 0);
  const others = useQueries({ queries: wanted.map(query) });
  const pages = new Map<number, ListingRow[]>([[0, head.data?.rows ?? []]]);
  wanted.forEach((page, at) => pages.set(page, others[at]?.data?.rows ?? []));
  return {
    asked,
    total: head.data?.total ?? null,
    error: head.error,
    row: (at) => pages.get(Math.floor(at / pageRows))?.[at % pageRows],
  };
};
