import * as z from 'zod';
import { day, dayOrTime, openObject } from '../fields.ts';
import { declareRoutes } from '../route.ts';

const group = 'Insights';
const period = z.looseObject({ from: dayOrTime.optional(), to: dayOrTime.optional() });

export const insightRoutes = declareRoutes({
  readInsightsSummary: {
    group,
    method: 'GET',
    path: '/insights/summary',
    summary: 'Read sales and listing totals of a period.',
    access: 'agent',
    query: () => period,
    answer: () => openObject,
  },
  readInventory: {
    group,
    method: 'GET',
    path: '/insights/inventory',
    summary: 'Read how many items are listed, sold and unsold.',
    access: 'agent',
    query: () => period,
    answer: () => openObject,
  },
  readItemSales: {
    group,
    method: 'GET',
    path: '/insights/items',
    summary: 'Read the sales of each item, live from the marketplace; only when the person asks.',
    access: 'agent',
    quota: 'fulfillment',
    query: () => period,
    answer: () => openObject,
  },
  readDaySales: {
    group,
    method: 'GET',
    path: '/insights/day',
    summary: "Read one day's sales; only when the person asks.",
    access: 'agent',
    quota: 'fulfillment',
    query: () => z.looseObject({ day: day.optional() }),
    answer: () => openObject,
  },
});
