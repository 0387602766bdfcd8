import * as z from 'zod';
import { day, dayOrTime } from '../fields.ts';
import { declareRoutes } from '../route.ts';

const period = z.looseObject({ from: dayOrTime.optional(), to: dayOrTime.optional() });

export const insightRoutes = declareRoutes('Insights', {
  readInsightsSummary: {
    method: 'GET',
    path: '/insights/summary',
    summary: 'Read sales and listing totals of a period.',
    access: 'agent',
    query: () => period,
  },
  readInventory: {
    method: 'GET',
    path: '/insights/inventory',
    summary: 'Read how many items are listed, sold and unsold.',
    access: 'agent',
    query: () => period,
  },
  readItemSales: {
    method: 'GET',
    path: '/insights/items',
    summary: 'Read the sales of each item, live from the marketplace; only when the person asks.',
    access: 'agent',
    quota: 'fulfillment',
    query: () => period,
  },
  readDaySales: {
    method: 'GET',
    path: '/insights/day',
    summary: "Read one day's sales; only when the person asks.",
    access: 'agent',
    quota: 'fulfillment',
    query: () => z.looseObject({ day: day.optional() }),
  },
});
