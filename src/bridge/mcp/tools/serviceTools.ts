import * as z from 'zod';
import { groups, routeNames, getRouteByName, type RouteName, isRouteName } from '../../../contract/index.ts';
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
import { ageS, reason, untrustedJson, waitS } from '../fields.ts';

const routeRow = z.object({
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

const toRouteRow = (name: RouteName): z.input<typeof routeRow> => {
  const {
    method,
    path,
    summary,
    askFirst,
    askFirstWhen = [],
    reversible,
    cost,
    quota,
    query,
    body,
  } = getRouteByName(name);
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
    params: listParamNames(path),
    query: Object.keys(query?.shape ?? {}),
    takesBody: body !== undefined,
  };
};

const toSearchText = ({ route, path, summary }: z.input<typeof routeRow>): string =>
  `${route} ${path} ${summary}`.toLowerCase();

export const listServiceRoutes = defineTool({
  name: 'list_service_routes',
  title: 'List what call_service can call',
  description: 'List the routes of the listing service by name, for call_service. Not for what another tool here does.',
  input: z.object({
    group: z.enum(groups).optional(),
    query: z.string().max(100).optional().describe('A word in the name, path or summary.'),
  }),
  output: z.object({ routes: z.array(routeRow) }),
  decides: ['routes'],
  hints: hints.readsHere,
  run: async ({ group, query = '' }) => ({
    routes: routeNames
      .filter((name) => group === undefined || getRouteByName(name).group === group)
      .map(toRouteRow)
      .filter((one) => toSearchText(one).includes(query.toLowerCase())),
  }),
  summarize: ({ routes }) => `${routes.length} routes.`,
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
