import * as z from 'zod';
import { isRouteName } from '../../../contract/index.ts';
import { Problem } from '../../../core/base/problem.ts';
import { pendingAnswer, withoutUndefined, actSummary, waitingForPerson } from '../asking.ts';
import { ageS, nextStep, reason, untrustedJson } from '../fields.ts';
import { hints, tool } from '../tool.ts';

export const callService = tool({
  name: 'call_service',
  title: 'Call the listing service',
  description:
    'Call any route of list_service_routes by its name, for what no other tool here does. The same rules hold: what spends, goes live or cannot be undone waits for the person.',
  input: z.object({
    route: z.string().min(1).max(100).describe('A name of list_service_routes.'),
    params: z.record(z.string(), z.string()).optional().describe('The values in the braces of the path.'),
    query: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(),
    body: z.record(z.string(), z.unknown()).optional(),
    idempotencyKey: z.string().max(64).optional().describe('For createListing: the same key makes one draft.'),
    reason,
  }),
  output: z.union([
    z.object({
      state: z.literal('done'),
      status: z.int(),
      untrustedBody: untrustedJson,
      ageS,
      nextStep,
    }),
    waitingForPerson,
  ]),
  hints: hints.acts,
  run: async ({ route, params, query, body, idempotencyKey, reason: why }, { api, by, signal }) => {
    if (!isRouteName(route)) throw new Problem('UNKNOWN_ROUTE', 'There is no route of this name.', { field: 'route' });
    const headers = idempotencyKey === undefined ? undefined : { 'idempotency-key': idempotencyKey };
    const answer = await api.call({
      by,
      route,
      input: withoutUndefined({ params, query, headers, body }),
      reason: why,
      signal,
    });
    if (answer.state === 'pending') return pendingAnswer(answer.approval);
    return {
      state: 'done' as const,
      status: answer.status,
      untrustedBody: untrustedJson.parse(answer.body ?? null),
      ageS: answer.ageS,
      nextStep: 'Go on with what you were doing.',
    };
  },
  summarize: actSummary('The service has answered.'),
});
