import * as z from 'zod';
import { groups, routeNames, routeOf, type RouteName } from '../../../contract/index.ts';
import { paramNames } from '../../../contract/route.ts';
import { hints, tool } from '../tool.ts';

const row = z.object({
  route: z.string().describe('Give it to call_service.'),
  method: z.string(),
  path: z.string(),
  summary: z.string(),
  asksPerson: z.enum(['always', 'sometimes', 'never']),
  asksWhen: z.array(z.string()).describe('The fields of the body that make it ask the person.'),
  reversible: z.boolean(),
  cost: z.string().nullable(),
  dailyBudget: z.string().nullable(),
  params: z.array(z.string()),
  query: z.array(z.string()),
  takesBody: z.boolean(),
});

const rowOf = (name: RouteName): z.input<typeof row> => {
  const { method, path, summary, askFirst, askFirstWhen = [], reversible, cost, quota, query, body } = routeOf(name);
  return {
    route: name,
    method,
    path,
    summary,
    asksPerson: askFirst ? 'always' : askFirstWhen.length > 0 ? 'sometimes' : 'never',
    asksWhen: [...askFirstWhen],
    reversible: reversible ?? true,
    cost: cost ?? null,
    dailyBudget: quota ?? null,
    params: paramNames(path),
    query: Object.keys(query?.shape ?? {}),
    takesBody: body !== undefined,
  };
};

const searchText = ({ route, path, summary }: z.input<typeof row>): string =>
  `${route} ${path} ${summary}`.toLowerCase();

export const listServiceRoutes = tool({
  name: 'list_service_routes',
  title: 'List what call_service can call',
  description: 'List the routes of the listing service by name, for what no other tool here does.',
  input: z.object({
    group: z.enum(groups).optional(),
    query: z.string().max(100).optional().describe('A word in the name, path or summary.'),
  }),
  output: z.object({ routes: z.array(row) }),
  hints: hints.readsHere,
  run: async ({ group, query = '' }) => ({
    routes: routeNames
      .filter((name) => group === undefined || routeOf(name).group === group)
      .map(rowOf)
      .filter((one) => searchText(one).includes(query.toLowerCase())),
  }),
  summarize: ({ routes }) => `${routes.length} routes.`,
});
