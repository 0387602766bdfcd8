import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/call.ts';
import type { ListingRow } from '../../api/types.ts';
import { askedOf, type Asked, type Filter, type Sort } from './filter.ts';

const pageRows = 100;
/** Where the list looks: the pages that hold these rows are read. */
export type InSight = { first: number; last: number };

const pagesOf = ({ first, last }: InSight): number[] => {
  const from = Math.floor(Math.max(0, first) / pageRows);
  const to = Math.floor(Math.max(0, last) / pageRows);
  return Array.from({ length: Math.min(5, to - from + 1) }, (_, at) => from + at);
};

/** The same place as long as the same pages are in sight: a scroll by a row asks for nothing and draws nothing else. */
export const onlyNewPages = (before: InSight, next: InSight): InSight =>
  pagesOf(before).join() === pagesOf(next).join() ? before : next;

/** What a search found. */
export type Found = {
  asked: Asked & { sort: Sort };
  /** Null while nothing is read yet. */
  total: number | null;
  error: Error | null;
  /** Undefined while its page is not here yet. */
  row: (at: number) => ListingRow | undefined;
};

/** The listings that are asked for: how many, and the rows of the pages in sight; the others come when they are. */
export const useFound = (filter: Filter, sort: Sort, sight: InSight): Found => {
  // The day in which the screen was opened decides what is a week old.
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
