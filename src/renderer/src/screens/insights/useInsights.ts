import { useCoreQuery } from '../../api/useCall.ts';
import * as z from 'zod';
import { skipToken, useQueries, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { findListingCurrency } from '../../../../contract/currency.ts';
import type { CallAnswer } from '../../../../ipc/calls.ts';
import { readServiceAnswer, type ListingCounts } from '../../api/call.ts';
import { dayMs } from '../../components/text/format.ts';
import { useServiceNotifications } from '../../api/queries.ts';

/** The API does not define the shapes of these answers, so each schema parses only the known part. */
const totalsSchema = z.looseObject({ currency: z.string(), sales: z.int(), items: z.int(), revenueMinor: z.int() });
export type Totals = z.infer<typeof totalsSchema>;
const summarySchema = z.looseObject({ sales: z.array(totalsSchema).default([]) });

const inventorySchema = z.looseObject({
  listed: z.int().default(0),
  sold: z.int().default(0),
  unsold: z.int().default(0),
  notYetLive: z.int().nullish(),
});
export type Inventory = z.infer<typeof inventorySchema>;

const itemSalesSchema = z.looseObject({
  listingId: z.string().nullish(),
  title: z.string().default(''),
  sold: z.int(),
  revenueMinor: z.int(),
  currency: z.string(),
  lastSoldAt: z.string().nullish(),
});
export type ItemSales = z.infer<typeof itemSalesSchema>;
export const itemSalesListSchema = z.looseObject({ items: z.array(itemSalesSchema).default([]) });

const saleSchema = z.looseObject({
  listingId: z.string().nullish(),
  title: z.string().default(''),
  quantity: z.int().default(1),
  unitCents: z.int(),
  currency: z.string(),
  at: z.string().nullish(),
});
export type Sale = z.infer<typeof saleSchema>;
export const daySalesSchema = z.looseObject({ sales: z.array(saleSchema).default([]) });

/** The first and the last day, both included, as YYYY-MM-DD. */
export type Span = { from: string; to: string };

const formatUtcDay = (at: number): string => new Date(at).toISOString().slice(0, 10);

export const splitDaysIntoSpans = (days: number, length: number, now: number): Span[] =>
  Array.from({ length: Math.ceil(days / length) }, (_, at) => {
    const first = days - at * length;
    const last = Math.max(1, first - length + 1);
    return { from: formatUtcDay(now - (first - 1) * dayMs), to: formatUtcDay(now - (last - 1) * dayMs) };
  });

const monthsBack = 12;
const maxDailyDays = 31;

/** The last `days` days, or a calendar month as YYYY-MM. */
export type Period = { days: number } | { month: string };

/** Returns months as YYYY-MM in UTC. The current month comes first. */
export const listMonthsUpTo = (now: number): string[] => {
  const date = new Date(now);
  return Array.from({ length: monthsBack }, (_, back) =>
    new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - back)).toISOString().slice(0, 7),
  );
};

const countDaysOfMonth = (month: string): number => {
  const date = new Date(Date.parse(`${month}-01`));
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
};

/** Each span is one day. The current month ends today. */
export const splitMonthIntoSpans = (month: string, now: number): Span[] => {
  const first = Date.parse(`${month}-01`);
  return Array.from({ length: countDaysOfMonth(month) }, (_, at) => formatUtcDay(first + at * dayMs))
    .filter((day) => day <= formatUtcDay(now))
    .map((day) => ({ from: day, to: day }));
};

/** A span is one day, one week for a quarter, and about a month for a year, so that no period needs many requests. */
const splitPeriodIntoSpans = (period: Period, now: number): Span[] => {
  if ('month' in period) return splitMonthIntoSpans(period.month, now);
  return splitDaysIntoSpans(period.days, period.days <= maxDailyDays ? 1 : period.days <= 100 ? 7 : 30, now);
};

/** Returns the equally long period that ends the day before the first span. */
export const findSpanBefore = (spans: readonly Span[]): Span | null => {
  const [first, last] = [spans[0], spans.at(-1)];
  if (!first || !last) return null;
  const from = Date.parse(first.from);
  const length = Date.parse(last.to) - from + dayMs;
  return { from: formatUtcDay(from - length), to: formatUtcDay(from - dayMs) };
};

const daysOfWeek = 7;

/** Joins days to weeks; the last week can be shorter. Longer spans stay as they are. */
export const joinDaysToWeeks = (spans: readonly Span[]): Span[] => {
  if (spans.some(({ from, to }) => from !== to)) return [...spans];
  const starts = spans.filter((_, at) => at % daysOfWeek === 0);
  return starts.map(({ from }, week) => {
    const last = spans[Math.min((week + 1) * daysOfWeek, spans.length) - 1];
    return { from, to: last?.to ?? from };
  });
};

const isInSpan = (inner: Span, { from, to }: Span): boolean => from <= inner.from && inner.to <= to;

const pastSpanStaleMs = 60 * 60_000;

/**
 * The figures of a span that ended before yesterday hardly change, so neither a refresh nor a return to the screen
 * reads them again within the hour.
 */
const createSummaryQuery = (span: Span, now: number) => {
  const isPast = span.to < formatUtcDay(now - dayMs);
  return {
    queryKey: [isPast ? 'past insights' : 'insights', 'summary', span],
    queryFn: async () => summarySchema.parse(await readServiceAnswer('readInsightsSummary', { query: span })),
    ...(isPast && { staleTime: pastSpanStaleMs, gcTime: pastSpanStaleMs }),
  };
};

export type SpanTotals = { span: Span; totals: readonly Totals[] };

/** `parts` is null until all spans are loaded. */
const useSpanTotals = (spans: readonly Span[], now: number) =>
  useQueries({
    queries: spans.map((span) => createSummaryQuery(span, now)),
    combine: (results) => ({
      error: results.find(({ error }) => error !== null)?.error ?? null,
      parts: results.every(({ data }) => data !== undefined)
        ? spans.map((span, at): SpanTotals => ({ span, totals: results[at]?.data?.sales ?? [] }))
        : null,
    }),
  });

const hasSales = ({ totals }: SpanTotals): boolean => totals.some(({ sales }) => sales > 0);

/**
 * The weeks are read first, because their sums are drawn first. Then the days of the weeks with sales are read. `sums`
 * and `parts` are null until they are loaded.
 */
export const useSalesBySpan = (period: Period, now: number) => {
  const spans = splitPeriodIntoSpans(period, now);
  const weeks = useSpanTotals(joinDaysToWeeks(spans), now);
  const sold = (weeks.parts ?? []).filter(hasSales);
  const days = useSpanTotals(
    spans.filter((span) => sold.some((week) => isInSpan(span, week.span))),
    now,
  );
  const known = new Map((days.parts ?? []).map((part) => [part.span.from, part]));
  return {
    error: weeks.error ?? days.error,
    sums: weeks.parts && sumTotalsByCurrency(weeks.parts),
    parts: weeks.parts && days.parts && spans.map((span): SpanTotals => known.get(span.from) ?? { span, totals: [] }),
  };
};

/** Returns null until the totals of the period before are loaded. */
export const useTotalsBefore = (period: Period, now: number): readonly Totals[] | null => {
  const before = findSpanBefore(splitPeriodIntoSpans(period, now));
  const query = createSummaryQuery(before ?? { from: '', to: '' }, now);
  return useQuery({ ...query, queryFn: before === null ? skipToken : query.queryFn }).data?.sales ?? null;
};

/** Returns the sum of the prices of all live listings by currency, largest first. Reads the local copy. */
export const useAskingValue = (): { currency: string; cents: number }[] => {
  const rows = useCoreQuery(['listings', 'asking'], 'listings.askingValue', {}).data ?? [];
  const sums = new Map<string, number>();
  for (const { site, priceCents } of rows) {
    const currency = findListingCurrency({ marketplaceId: site });
    if (currency !== null) sums.set(currency, (sums.get(currency) ?? 0) + priceCents);
  }
  return [...sums].map(([currency, cents]) => ({ currency, cents })).sort((a, b) => b.cents - a.cents);
};

export const useInventoryCounts = () =>
  useQuery({
    queryKey: ['insights', 'inventory'],
    queryFn: async () => inventorySchema.parse(await readServiceAnswer('readInventory', {})),
  });

const maxSlowestListings = 10;

/** Reads the local copy, so no request is sent to the service. */
export const useSlowestListings = () =>
  useCoreQuery(['listings', 'slowest'], 'listings.search', {
    statuses: ['published'],
    sort: 'oldest',
    limit: maxSlowestListings,
  });

/** Leaves out currencies without sales. Returns the largest revenue first. */
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

const insightsKey = ['insights'] as const;
const fingerprintKey = ['insights stand'] as const;
/** The minimum time between two reads of the figures after a change. */
const minRefreshMs = 60_000;

const unrelatedKinds: readonly string[] = ['listing_ready', 'listing_failed', 'account'];

/** The fingerprint changes with every sale, publish and end that this computer knows about. */
const getSalesFingerprint = (
  { statuses }: Pick<ListingCounts, 'statuses'>,
  { rows }: Pick<CallAnswer<'notifications.list'>, 'rows'>,
): string => {
  const notice = rows.find(({ kind, listingId }) => listingId !== null && !unrelatedKinds.includes(kind ?? ''));
  const { published = 0, sold = 0, ended = 0 } = statuses;
  return JSON.stringify([published, sold, ended, notice?.notifId ?? null]);
};

/** Returns ms since 1970. A query in flight counts as read now. */
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
 * Reads the figures again after a sale, a publish or an end, but at most once a minute. Only local data triggers a
 * read.
 */
export const useInsightsRefresh = (): void => {
  const client = useQueryClient();
  // A query that no component uses is deleted after five minutes. The next sale would then not be noticed.
  useQuery({ queryKey: fingerprintKey, queryFn: skipToken });
  const counts = useCoreQuery(['listings', 'counts'], 'listings.counts', {}).data;
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
