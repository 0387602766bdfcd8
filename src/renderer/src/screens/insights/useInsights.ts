import { useQueries, useQuery } from '@tanstack/react-query';
import { read } from '../../api/perform.ts';
import { call } from '../../api/call.ts';
import { inventoryShape, summaryShape, type Totals } from './answers.ts';
import { spansOf, type Span } from './spans.ts';

const parts = 6;

export type Part = { span: Span; totals: readonly Totals[] };

/** The totals of each part of the last `days` days; undefined until all are here. They are read once a day. */
export const useSales = (days: number, now: number) => {
  const spans = spansOf(days, parts, now);
  return useQueries({
    queries: spans.map((span) => ({
      queryKey: ['insights', 'summary', span],
      queryFn: async () => summaryShape.parse(await read('readInsightsSummary', { query: span })),
    })),
    combine: (results) => ({
      error: results.find(({ error }) => error !== null)?.error ?? null,
      parts: results.every(({ data }) => data !== undefined)
        ? spans.map((span, at): Part => ({ span, totals: results[at]?.data?.sales ?? [] }))
        : null,
    }),
  });
};

export const useInventory = () =>
  useQuery({
    queryKey: ['insights', 'inventory'],
    queryFn: async () => inventoryShape.parse(await read('readInventory', {})),
  });

const slowShown = 10;

/** Live listings that have waited longest; of the copy here, so nothing is asked of the service. */
export const useSlowest = () =>
  useQuery({
    queryKey: ['listings', 'slowest'],
    queryFn: () => call('listings.search', { statuses: ['published'], sort: 'oldest', limit: slowShown }),
  });
