import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { call } from '../../../api/call.ts';
import type { HistoryPage } from '../../../api/types.ts';

const pageRows = 50;

/** Where the next page begins; undefined when a page was not full. */
const after = ({ rows }: HistoryPage): number | undefined => (rows.length < pageRows ? undefined : rows.at(-1)?.seq);

/** The first page begins at no row. */
const firstPage = (): number | null => null;

/** The record, newest first, a page at a time, and only the rows that have these words. */
export const useRecord = (q: string) =>
  useInfiniteQuery({
    queryKey: ['approvals', 'record', q],
    queryFn: ({ pageParam }) =>
      call('history.search', { q, limit: pageRows, ...(pageParam === null ? {} : { before: pageParam }) }),
    initialPageParam: firstPage(),
    getNextPageParam: after,
    placeholderData: keepPreviousData,
  });
