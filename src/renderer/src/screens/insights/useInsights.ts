import * as z from 'zod';
import { useQueries, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { CallAnswer } from '../../../../ipc/calls.ts';
import { read, call, type ListingCounts } from '../../api/call.ts';
import { useNotifications } from '../../api/queries.ts';

/** The API leaves these shapes open. These schemas parse the known part; an unknown shape is reported as an error. */
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

/** A period by its first and last day (both included), as YYYY-MM-DD. */
export type Span = { from: string; to: string };

const dayMs = 86_400_000;
const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** Splits the last `days` days into spans of equal length, oldest first. */
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

/** The period whose sales are shown: the last `days` days, or a calendar month as YYYY-MM. */
export type Period = { days: number } | { month: string };

/** Returns the last calendar months including the current one, as YYYY-MM, newest first. The service counts in UTC. */
export const monthsUpTo = (now: number): string[] => {
  const date = new Date(now);
  return Array.from({ length: monthsBack }, (_, back) =>
    new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - back)).toISOString().slice(0, 7),
  );
};

/** Splits a calendar month into spans of five days; the last span differs in length. The current month ends today. */
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

/** Reads the totals of each span of a period; `parts` is null until all are loaded. */
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

/** The listings that have been live longest, from the local copy: no request to the service. */
export const useSlowest = () =>
  useQuery({
    queryKey: ['listings', 'slowest'],
    queryFn: () => call('listings.search', { statuses: ['published'], sort: 'oldest', limit: slowShown }),
  });

/** Sums the totals of all spans per currency, without currencies that have no sales; largest revenue first. */
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

/** Returns the totals of one currency for each span. */
export const inCurrency = (parts: readonly Part[], currency: string): (Totals & Pick<Part, 'span'>)[] =>
  parts.map(({ span, totals }) => ({
    ...none,
    ...totals.find((one) => one.currency === currency),
    currency,
    span,
  }));

/** The query key prefix of every figure of this screen. */
const key = ['insights'] as const;
/** The query key of the fingerprint at the last read. */
const standKey = ['insights stand'] as const;
/** The figures are not polled. After a change they are read again, at most once in this time. */
const leastMs = 60_000;

/** Kinds of notifications that report no sale, publish or end. */
const otherKinds: readonly string[] = ['listing_ready', 'listing_failed', 'account'];

/** A fingerprint that changes with every sale, publish and end known on this machine. */
const standOf = (
  { statuses }: Pick<ListingCounts, 'statuses'>,
  { rows }: Pick<CallAnswer<'notifications.list'>, 'rows'>,
): string => {
  const notice = rows.find(({ kind, listingId }) => listingId !== null && !otherKinds.includes(kind ?? ''));
  const { published = 0, sold = 0, ended = 0 } = statuses;
  return JSON.stringify([published, sold, ended, notice?.notifId ?? null]);
};

/** Returns when the figures were last read, in ms since 1970. A query in flight counts as read now. */
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
 * Refetches the figures after a sale, publish or end, at most once a minute and only while they are shown. The trigger
 * comes from local data only.
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
