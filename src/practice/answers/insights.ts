import { daySales, inventory, itemSales, periodOfQuery, summary } from '../world/insights.ts';
import type { Answers, RouteNameOf } from './answer.ts';

/** What the routes of the group "Insights" do. */
export const insightAnswers: Answers<RouteNameOf<'Insights'>> = {
  readInsightsSummary: ({ world, person, input }) => ({
    body: summary(world, person, periodOfQuery(world, input.query)),
  }),
  readInventory: ({ world, person }) => ({ body: inventory(world, person) }),
  readItemSales: ({ world, person, input }) => ({
    body: { items: itemSales(world, person, periodOfQuery(world, input.query)) },
  }),
  readDaySales: ({ world, person, input }) => ({ body: daySales(world, person, input.query.day) }),
};
