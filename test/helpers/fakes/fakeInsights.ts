import type { RouteAnswers } from './fakeService.ts';

const none = (): boolean => window.scenario?.noSales === true;

const camera = { listingId: 'lst_1', title: 'Film camera, blue' };
const shoes = { listingId: 'lst_shoes', title: 'Running shoes' };

/** Returns sales that differ between parts of a period, so that a chart has a shape. */
const totals = (from: string) => {
  const seed = [...from].reduce((sum, char) => sum + char.charCodeAt(0), 0);
  const sales = 2 + (seed % 7);
  return [
    { currency: 'USD', sales, items: sales + 1, revenueMinor: sales * 3_499 },
    { currency: 'EUR', sales: 1, items: 1, revenueMinor: 5_900 },
  ];
};

/** The service's answers about insights. */
export const insightAnswers: RouteAnswers = {
  readInsightsSummary: (_fake, { query }) => ({ sales: none() ? [] : totals(query?.['from'] ?? '') }),
  readInventory: () => ({ listed: 34, sold: 112, unsold: 9, notYetLive: 5 }),
  readItemSales: () => ({
    items: [
      { ...camera, sold: 2, revenueMinor: 6_998, currency: 'USD', lastSoldAt: '2026-11-02T10:00:00Z' },
      { ...shoes, sold: 5, revenueMinor: 29_500, currency: 'EUR', lastSoldAt: '2026-11-12T10:00:00Z' },
    ],
  }),
  readDaySales: (_fake, { query }) => ({
    day: query?.['day'],
    sales: [{ ...shoes, quantity: 2, unitCents: 5_900, currency: 'EUR', at: `${query?.['day']}T09:30:00Z` }],
  }),
};
