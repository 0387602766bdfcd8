import * as z from 'zod';
import { dayMs, formatIsoTime } from '../clock.ts';
import { selectAllRows } from '../database.ts';
import { refuseCall } from '../refusal.ts';
import type { Person } from '../world/people.ts';
import type { World } from '../world/world.ts';
import type { Answers, RouteNameOf } from './answer.ts';

type Period = { from: number; to: number };

/**
 * Refuses an unknown parameter. The interface does not document these parameters, and if a misspelt name were ignored,
 * the answer would cover a period that the caller did not mean.
 */
const requireKnownParameters = (query: object, names: readonly string[]): void => {
  const other = Object.keys(query).find((name) => !names.includes(name));
  if (other !== undefined) refuseCall(400, `${other}: This is not known here. What can be named: ${names.join(', ')}.`);
};

/** The default is the last 30 days. If `to` is a date without a time, the period includes that whole day. */
const parseQueryPeriod = ({ clock }: World, query: { from?: string | undefined; to?: string | undefined }): Period => {
  requireKnownParameters(query, ['from', 'to']);
  const now = clock.now();
  const wholeDay = query.to !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(query.to) ? dayMs : 0;
  const to = query.to === undefined ? now + 1 : Date.parse(query.to) + wholeDay;
  const from = query.from === undefined ? to - 30 * dayMs : Date.parse(query.from);
  return from <= to ? { from, to } : refuseCall(400, 'from: The period begins after it ends.');
};

const toApiPeriod = ({ from, to }: Period) => ({ from: formatIsoTime(from), to: formatIsoTime(to) });

const totalRow = z.object({ currency: z.string(), sales: z.int(), items: z.int(), revenueMinor: z.int() });

const readSalesTotals = ({ db }: World, { userId }: Person, { from, to }: Period) =>
  selectAllRows(
    db,
    totalRow,
    `SELECT currency, COUNT(*) AS sales, SUM(quantity) AS items, SUM(quantity * unitCents) AS revenueMinor
     FROM sales WHERE userId = ? AND at >= ? AND at < ? GROUP BY currency ORDER BY currency`,
    userId,
    from,
    to,
  );

const stateRow = z.object({ status: z.string(), n: z.int() });

const countListingsByState = ({ db }: World, { userId }: Person): Record<string, number> =>
  Object.fromEntries(
    selectAllRows(
      db,
      stateRow,
      'SELECT status, COUNT(*) AS n FROM listings WHERE userId = ? GROUP BY status',
      userId,
    ).map(({ status, n }) => [status, n]),
  );

const readSalesSummary = (world: World, person: Person, period: Period) => ({
  ...toApiPeriod(period),
  sales: readSalesTotals(world, person, period),
  listings: countListingsByState(world, person),
});

const readInventoryCounts = (world: World, person: Person) => {
  const { published = 0, sold = 0, ended = 0, ...rest } = countListingsByState(world, person);
  return { listed: published, sold, unsold: ended, notYetLive: Object.values(rest).reduce((sum, n) => sum + n, 0) };
};

const itemRow = z.object({
  listingId: z.string(),
  title: z.string(),
  sold: z.int(),
  revenueMinor: z.int(),
  currency: z.string(),
  lastSoldAt: z.int(),
});

const readSalesByItem = ({ db }: World, { userId }: Person, { from, to }: Period) =>
  selectAllRows(
    db,
    itemRow,
    `SELECT listingId, MAX(title) AS title, SUM(quantity) AS sold, SUM(quantity * unitCents) AS revenueMinor,
       MAX(currency) AS currency, MAX(at) AS lastSoldAt
     FROM sales WHERE userId = ? AND at >= ? AND at < ? GROUP BY listingId ORDER BY lastSoldAt DESC LIMIT 500`,
    userId,
    from,
    to,
  ).map((row) => ({ ...row, lastSoldAt: formatIsoTime(row.lastSoldAt) }));

const saleRow = z.object({
  listingId: z.string(),
  title: z.string(),
  quantity: z.int(),
  unitCents: z.int(),
  currency: z.string(),
  buyer: z.string(),
  at: z.int(),
});

const readSalesOfDay = (world: World, person: Person, day: string = formatIsoTime(world.clock.now()).slice(0, 10)) => {
  const from = Date.parse(day);
  const period = { from, to: from + dayMs };
  const sales = selectAllRows(
    world.db,
    saleRow,
    `SELECT listingId, title, quantity, unitCents, currency, buyer, at FROM sales
     WHERE userId = ? AND at >= ? AND at < ? ORDER BY at`,
    person.userId,
    period.from,
    period.to,
  );
  return {
    day,
    totals: readSalesTotals(world, person, period),
    sales: sales.map((row) => ({ ...row, at: formatIsoTime(row.at) })),
  };
};

export const insightAnswers: Answers<RouteNameOf<'Insights'>> = {
  readInsightsSummary: ({ world, person, input }) => ({
    body: readSalesSummary(world, person, parseQueryPeriod(world, input.query)),
  }),
  readInventory: ({ world, person }) => ({ body: readInventoryCounts(world, person) }),
  readItemSales: ({ world, person, input }) => ({
    body: { items: readSalesByItem(world, person, parseQueryPeriod(world, input.query)) },
  }),
  readDaySales: ({ world, person, input }) => {
    requireKnownParameters(input.query, ['day']);
    return { body: readSalesOfDay(world, person, input.query.day) };
  },
};
