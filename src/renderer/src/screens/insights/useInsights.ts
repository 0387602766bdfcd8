import * as z from 'zod';
import { useQueries, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { CallAnswer } from '../../../../ipc/calls.ts';
import { read, call, type ListingCounts } from '../../api/call.ts';
import { useNotifications } from '../../api/queries.ts';

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
  listingId: z.string().nullish(),
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
const monthsBack = 12;

/** A time whose sales are shown: so many days up to now, or a calendar month as YYYY-MM. */
export type Period = { days: number } | { month: string };

/** The calendar months up to now, as YYYY-MM, the newest first. They are months of the service, which counts in UTC. */
export const monthsUpTo = (now: number): string[] => {
  const date = new Date(now);
  return Array.from({ length: monthsBack }, (_, back) =>
    new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - back)).toISOString().slice(0, 7),
  );
};

/** A calendar month in parts of five days, the last one longer or shorter; of the month that runs, up to today. */
export const spansOfMonth = (month: string, now: number): Span[] => {
  const first = Date.parse(`${month}-01`);
  const date = new Date(first);
  const end = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1) - dayMs;
  const last = dayOf(Math.min(end, now));
  return Array.from({ length: parts }, (_, at) => {
    const from = dayOf(first + at * 5 * dayMs);
    const to = at === parts - 1 ? dayOf(end) : dayOf(first + (at * 5 + 4) * dayMs);
    return { from, to: to < last ? to : last };
  }).filter(({ from }) => from <= last);
};

const spansIn = (period: Period, now: number): Span[] =>
  'days' in period ? spansOf(period.days, parts, now) : spansOfMonth(period.month, now);

export type Part = { span: Span; totals: readonly Totals[] };

/** The totals of each part of a time; null until all are here. */
export const useSales = (period: Period, now: number) => {
  const spans = spansIn(period, now);
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

/** The totals of all parts, each currency that anything was sold in on its own, the largest first. */
export const sumsOf = (parts: readonly Part[]): Totals[] => {
  const sums = new Map<string, Totals>();
  const sold = parts.flatMap(({ totals }) => totals).filter(({ sales }) => sales > 0);
  for (const { currency, sales, items, revenueMinor } of sold) {
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

/** What every figure of this screen is kept under. */
const key = ['insights'] as const;
/** How the listings stood when the figures were last read. */
const standKey = ['insights stand'] as const;
/** The figures are not polled: what changed meanwhile is read together, this long after the last reading. */
const leastMs = 60_000;

/** Told by the service, and about no sale, publish or end. */
const otherKinds: readonly string[] = ['listing_ready', 'listing_failed', 'account'];

/** What moves with every sale, publish and end that is known on this machine; one word of it is another one of these. */
const standOf = (
  { statuses }: Pick<ListingCounts, 'statuses'>,
  { rows }: Pick<CallAnswer<'notifications.list'>, 'rows'>,
): string => {
  const notice = rows.find(({ kind, listingId }) => listingId !== null && !otherKinds.includes(kind ?? ''));
  const { published = 0, sold = 0, ended = 0 } = statuses;
  return JSON.stringify([published, sold, ended, notice?.notifId ?? null]);
};

/** What is being read counts as read now: what changes meanwhile waits as long as what changes after it. */
const lastReadAt = (client: QueryClient): number =>
  Math.max(
    0,
    ...client
      .getQueryCache()
      .findAll({ queryKey: key })
      .map(({ state: { fetchStatus, dataUpdatedAt, errorUpdatedAt } }) =>
        fetchStatus === 'fetching' ? Date.now() : Math.max(dataUpdatedAt, errorUpdatedAt),
      ),
  );

/**
 * Has the summary and the inventory read again when something was sold, published or ended since, at most once a minute
 * and only while they are looked at. Both signs are read on this machine.
 */
export const useFreshInsights = (): void => {
  const client = useQueryClient();
  const counts = useQuery({ queryKey: ['listings', 'counts'], queryFn: () => call('listings.counts', {}) }).data;
  const news = useNotifications().data;
  const stand = counts && news ? standOf(counts, news) : null;
  useEffect(() => {
    if (stand === null) return;
    const known = client.getQueryData<string>(standKey);
    if (known === undefined) client.setQueryData(standKey, stand);
    if (known === undefined || known === stand) return;
    const again = (): void => {
      client.setQueryData(standKey, stand);
      void client.invalidateQueries({ queryKey: key });
    };
    const timer = setTimeout(again, Math.min(leastMs, Math.max(0, lastReadAt(client) + leastMs - Date.now())));
    return () => clearTimeout(timer);
  }, [client, stand]);
};
