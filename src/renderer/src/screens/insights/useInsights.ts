import * as z from 'zod';
import { useQueries, useQuery } from '@tanstack/react-query';
import { read, call } from '../../api/call.ts';

/** The interface leaves these shapes open; what is known of them is read here, and an odd answer is said to be one. */
const totals = z.looseObject({ currency: z.string(), sales: z.int(), items: z.int(), revenueMinor: z.int() });
export type Totals = z.infer<typeof totals>;
const summaryShape = z.looseObject({ sales: z.array(totals).default([]) });

const inventoryShape = z.looseObject({
  listed: z.int().default(0),
  sold: z.int().default(0),
  unsold: z.int().default(0),
  notYetLive: z.int().nullish(),
});
export type Inventory = z.infer<typeof inventoryShape>;

const itemSales = z.looseObject({
  listingId: z.string().nullish(),
  title: z.string().default(''),
  sold: z.int(),
  revenueMinor: z.int(),
  currency: z.string(),
  lastSoldAt: z.string().nullish(),
});
export type ItemSales = z.infer<typeof itemSales>;
export const itemsShape = z.looseObject({ items: z.array(itemSales).default([]) });

const sale = z.looseObject({
  title: z.string().default(''),
  quantity: z.int().default(1),
  unitCents: z.int(),
  currency: z.string(),
  at: z.string().nullish(),
});
export type Sale = z.infer<typeof sale>;
export const dayShape = z.looseObject({ sales: z.array(sale).default([]) });

/** A period by its first and last day, as YYYY-MM-DD. */
export type Span = { from: string; to: string };

const dayMs = 86_400_000;
const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** The last `days` days as whole days, cut into parts of the same length, oldest first; both ends included. */
export const spansOf = (days: number, parts: number, now: number): Span[] => {
  const length = Math.ceil(days / parts);
  return Array.from({ length: Math.ceil(days / length) }, (_, at) => {
    const first = days - at * length;
    const last = Math.max(1, first - length + 1);
    return { from: dayOf(now - (first - 1) * dayMs), to: dayOf(now - (last - 1) * dayMs) };
  });
};

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

/** The totals of all parts, each currency on its own, the largest first. */
export const sumsOf = (parts: readonly Part[]): Totals[] => {
  const sums = new Map<string, Totals>();
  for (const { currency, sales, items, revenueMinor } of parts.flatMap(({ totals }) => totals)) {
    const before = sums.get(currency) ?? { currency, sales: 0, items: 0, revenueMinor: 0 };
    sums.set(currency, {
      currency,
      sales: before.sales + sales,
      items: before.items + items,
      revenueMinor: before.revenueMinor + revenueMinor,
    });
  }
  return [...sums.values()].sort((a, b) => b.revenueMinor - a.revenueMinor);
};

const none = { sales: 0, items: 0, revenueMinor: 0 };

/** One currency in each part. */
export const inCurrency = (parts: readonly Part[], currency: string): (Totals & Pick<Part, 'span'>)[] =>
  parts.map(({ span, totals }) => ({
    ...none,
    ...totals.find((one) => one.currency === currency),
    currency,
    span,
  }));
