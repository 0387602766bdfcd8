import * as z from 'zod';
import { useQueries, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { CallAnswer } from '../../../../ipc/calls.ts';
import { readServiceAnswer, callCore, type ListingCounts } from '../../api/call.ts';
import { useServiceNotifications } from '../../api/queries.ts';

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
const formatUtcDay = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** Splits the last `days` days into spans of equal length, oldest first. */
export const splitDaysIntoSpans = (days: number, parts: number, now: number): Span[] => {
  const length = Math.ceil(days / parts);
  return Array.from({ length: Math.ceil(days / length) }, (_, at) => {
    const first = days - at * length;
    const last = Math.max(1, first - length + 1);
    return { from: formatUtcDay(now - (first - 1) * dayMs), to: formatUtcDay(now - (last - 1) * dayMs) };
  });
};

const parts = 6;
const monthsBack = 12;

/** The period whose sales are shown: the last `days` days, or a calendar month as YYYY-MM. */
export type Period = { days: number } | { month: string };

/** Returns the last calendar months including the current one, as YYYY-MM, newest first. The service counts in UTC. */
export const listMonthsUpTo = (now: number): string[] => {
  const date = new Date(now);
  return Array.from({ length: monthsBack }, (_, back) =>
    new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - back)).toISOString().slice(0, 7),
  );
};

/** Splits a calendar month into spans of five days; the last span differs in length. The current month ends today. */
export const splitMonthIntoSpans = (month: string, now: number): Span[] => {
  const first = Date.parse(`${month}-01`);
  const date = new Date(first);
  const end = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1) - dayMs;
  const last = formatUtcDay(Math.min(end, now));
  return Array.from({ length: parts }, (_, at) => {
    const from = formatUtcDay(first + at * 5 * dayMs);
    const to = at === parts - 1 ? formatUtcDay(end) : formatUtcDay(first + (at * 5 + 4) * dayMs);
    return { from, to: to < last ? to : last };
  }).filter(({ from }) => from <= last);
};

const splitPeriodIntoSpans = (period: Period, now: number): Span[] =>
  'days' in period ? splitDaysIntoSpans(period.days, parts, now) : splitMonthIntoSpans(period.month, now);

export type SpanTotals = { span: Span; totals: readonly Totals[] };

/** Reads the totals of each span of a period; `parts` is null until all are loaded. */
export const useSalesByPart = (period: Period, now: number) => {
  const spans = splitPeriodIntoSpans(period, now);
  return useQueries({
    queries: spans.map((span) => ({
      queryKey: ['insights', 'summary', span],
      queryFn: async () => summaryShape.parse(await readServiceAnswer('readInsightsSummary', { query: span })),
    })),
    combine: (results) => ({
      error: results.find(({ error }) => error !== null)?.error ?? null,
      parts: results.every(({ data }) => data !== undefined)
        ? spans.map((span, at): SpanTotals => ({ span, totals: results[at]?.data?.sales ?? [] }))
        : null,
    }),
  });
};

export const useInventoryCounts = () =>
  useQuery({
    queryKey: ['insights', 'inventory'],
    queryFn: async () => inventoryShape.parse(await readServiceAnswer('readInventory', {})),
  });

const slowShown = 10;

/** The listings that have been live longest, from the local copy: no request to the service. */
export const useSlowestListings = () =>
  useQuery({
    queryKey: ['listings', 'slowest'],
    queryFn: () => callCore('listings.search', { statuses: ['published'], sort: 'oldest', limit: slowShown }),
  });

/** Sums the totals of all spans per currency, without currencies that have no sales; largest revenue first. */
export const sumTotalsByCurrency = (parts: readonly SpanTotals[]): Totals[] => {
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

const zeroTotals = { sales: 0, items: 0, revenueMinor: 0 };

/** Returns the totals of one currency for each span. */
export const selectCurrencyTotals = (
  parts: readonly SpanTotals[],
  currency: string,
): (Totals & Pick<SpanTotals, 'span'>)[] =>
  parts.map(({ span, totals }) => ({
    ...zeroTotals,
    ...totals.find((one) => one.currency === currency),
    currency,
    span,
  }));

/** The query key prefix of every figure of this screen. */
const insightsKey = ['insights'] as const;
/** The query key of the fingerprint at the last read. */
const fingerprintKey = ['insights stand'] as const;
/** The figures are not polled. After a change they are read again, at most once in this time. */
const minRefreshMs = 60_000;

/** Kinds of notifications that report no sale, publish or end. */
const unrelatedKinds: readonly string[] = ['listing_ready', 'listing_failed', 'account'];

/** A fingerprint that changes with every sale, publish and end known on this machine. */
const getSalesFingerprint = (
  { statuses }: Pick<ListingCounts, 'statuses'>,
  { rows }: Pick<CallAnswer<'notifications.list'>, 'rows'>,
): string => {
  const notice = rows.find(({ kind, listingId }) => listingId !== null && !unrelatedKinds.includes(kind ?? ''));
  const { published = 0, sold = 0, ended = 0 } = statuses;
  return JSON.stringify([published, sold, ended, notice?.notifId ?? null]);
};

/** Returns when the figures were last read, in ms since 1970. A query in flight counts as read now. */
const getLastReadAt = (client: QueryClient): number =>
  Math.max(
    0,
    ...client
      .getQueryCache()
      .findAll({ queryKey: insightsKey })
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
  const counts = useQuery({ queryKey: ['listings', 'counts'], queryFn: () => callCore('listings.counts', {}) }).data;
  const news = useServiceNotifications().data;
  const stand = counts && news ? getSalesFingerprint(counts, news) : null;
  useEffect(() => {
    if (stand === null) return;
    const known = client.getQueryData<string>(fingerprintKey);
    if (known === undefined) client.setQueryData(fingerprintKey, stand);
    if (known === undefined || known === stand) return;
    const refreshInsights = (): void => {
      client.setQueryData(fingerprintKey, stand);
      void client.invalidateQueries({ queryKey: insightsKey });
    };
    const timer = setTimeout(
      refreshInsights,
      Math.min(minRefreshMs, Math.max(0, getLastReadAt(client) + minRefreshMs - Date.now())),
    );
    return () => clearTimeout(timer);
  }, [client, stand]);
};
