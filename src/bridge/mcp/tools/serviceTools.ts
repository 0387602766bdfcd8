import * as z from 'zod';
import { routeNames, getRouteByName, type RouteName, isRouteName } from '../../../contract/index.ts';
import { listParamNames } from '../../../contract/route.ts';
import { hints, defineTool } from '../tool.ts';
import { Problem } from '../../../core/base/problem.ts';
import {
  callOrRequestApproval,
  omitUndefinedFields,
  createApprovalSummarizer,
  toDoneAnswer,
  doneFields,
  pendingAnswer,
} from '../serviceCalls.ts';
import { ageS, nextStep, reason, untrustedJson, waitS } from '../fields.ts';
import { describeFields, findRoutes } from '../routeSearch.ts';

const routeRow = z.object({
  route: z.string().describe('Give it to call_service.'),
  summary: z.string(),
});
const fullRouteRow = routeRow.extend({
  method: z.string(),
  path: z.string(),
  asksPerson: z.enum(['always', 'sometimes', 'never']),
  asksWhen: z.array(z.string()).describe('The fields of the body that make it ask the person.'),
  reversible: z.boolean(),
  cost: z.string().nullable(),
  dailyBudget: z.string().nullable(),
  params: z.array(z.string()),
  query: z.record(z.string(), z.string()).describe('By name, with their types.'),
  body: z.record(z.string(), z.string()).nullable().describe('The fields by name, with their types; null for no body.'),
});

const toFullRouteRow = (name: RouteName): z.input<typeof fullRouteRow> => {
  const { method, path, summary, askFirst, askFirstWhen = [], ...route } = getRouteByName(name);
  return {
    route: name,
    summary,
    method,
    path,
    asksPerson: askFirst ? 'always' : askFirstWhen.length > 0 ? 'sometimes' : 'never',
    asksWhen: [...askFirstWhen],
    reversible: route.reversible ?? true,
    cost: route.cost ?? null,
    dailyBudget: route.quota ?? null,
    params: listParamNames(path),
    query: describeFields(route.query),
    body: route.body === undefined ? null : describeFields(route.body),
  };
};

const listRoutes = (query: string | undefined) => {
  if (query === undefined)
    return {
      routes: routeNames.map((route) => ({ route, summary: getRouteByName(route).summary })),
      nextStep: 'Call again with the name of one as query to see its fields, then call_service.',
    };
  const { found, others } = findRoutes(query);
  if (found.length === 0)
    return { routes: [], nextStep: 'No route matches. Call again without a query for all names and summaries.' };
  const more = others === 0 ? '' : `${others} more match: name a word more. `;
  return { routes: found.map(toFullRouteRow), nextStep: `${more}Give route, params, query and body to call_service.` };
};

export const listServiceRoutes = defineTool({
  name: 'list_service_routes',
  title: 'List what call_service can call',
  description:
    'List the routes for call_service: all names and summaries, or those that match a query, with their fields. Not for what another tool does.',
  input: z.object({ query: z.string().min(1).max(100).optional().describe('Words for what you want, or a name.') }),
  output: z.object({ routes: z.array(z.union([fullRouteRow, routeRow])), nextStep }),
  decides: ['routes', 'nextStep'],
  hints: hints.readsHere,
  run: async ({ query }) => listRoutes(query),
  summarize: ({ routes }) => `${routes.length} ${routes.length === 1 ? 'route' : 'routes'}.`,
});

export const callService = defineTool({
  name: 'call_service',
  title: 'Call the listing service',
  description:
    'Call a route of list_service_routes by its name. Not for what another tool here does. What spends, goes live or cannot be undone waits for the person here, too.',
  input: z.object({
    route: z.string().min(1).max(100).describe('A name of list_service_routes.'),
    params: z.record(z.string(), z.string()).optional().describe('The values in the braces of the path.'),
    query: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(),
    body: z.record(z.string(), z.unknown()).optional(),
    idempotencyKey: z.string().optional().describe('For createListing: the same key makes one draft.'),
    reason,
    waitS,
  }),
  output: z.union([
    z.object({
      ...doneFields,
      status: z.int(),
      untrustedBody: untrustedJson,
      unknownHosts: z
        .array(z.string())
        .describe('Hosts of pages in it that are not known: give the person no link there.'),
      ageS,
    }),
    pendingAnswer,
  ]),
  decides: ['state', 'status', 'requestId', 'nextStep'],
  hints: hints.acts,
  run: async ({ route, params, query, body, idempotencyKey, reason: why, waitS: seconds }, context) => {
    if (!isRouteName(route)) throw new Problem('UNKNOWN_ROUTE', 'There is no route of this name.', { field: 'route' });
    const headers = idempotencyKey === undefined ? undefined : { 'idempotency-key': idempotencyKey };
    const input = omitUndefinedFields({ params, query, headers, body });
    return callOrRequestApproval(context, { route, input, reason: why, waitS: seconds }, (answer) => ({
      ...toDoneAnswer(answer, 'Go on with what you were doing.'),
      status: answer.status,
      untrustedBody: untrustedJson.parse(answer.body ?? null),
      unknownHosts: answer.unknownHosts,
      ageS: answer.ageS,
    }));
  },
  summarize: createApprovalSummarizer('The service has answered.'),
});
