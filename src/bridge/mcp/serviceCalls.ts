import * as z from 'zod';
import type { RawInput, RouteName } from '../../contract/index.ts';
import type { ApprovalRecord } from '../assistantRecords.ts';
import { nextStep, untrusted } from './fields.ts';
import type { ToolContext } from './tool.ts';
import { Problem } from '../../core/base/problem.ts';

/** The answer of a tool whose act waits for the person. */
export const waitingForPerson = z.object({
  state: z.literal('waiting_for_person'),
  requestId: z.string().describe('Give it to check_request.'),
  untrustedSummary: untrusted,
  expiresAt: z.string(),
  nextStep,
});

/** The next step with every question that waits. */
const pendingStep =
  'Nothing has happened yet. Tell the person that their yes or no is awaited in Listing Companion, then call check_request with this requestId. Only the person can say yes, and only there.';

/** An approval that waits, as an answer. */
export const pendingAnswer = (approval: ApprovalRecord): z.input<typeof waitingForPerson> => ({
  state: 'waiting_for_person',
  requestId: approval.id,
  untrustedSummary: approval.summary,
  expiresAt: approval.expiresAt,
  nextStep: pendingStep,
});

type Call = { route: RouteName; input: RawInput; reason?: string | undefined };

/** Makes a request and turns its answer into the tool's, or into the question that waits for the person. */
export const callOrAsk = async <T>(
  { api, by, signal }: ToolContext,
  { route, input, reason }: Call,
  done: (body: unknown) => T,
): Promise<T | z.input<typeof waitingForPerson>> => {
  const answer = await api.call({ by, route, input, reason, signal });
  return answer.state === 'pending' ? pendingAnswer(answer.approval) : done(answer.body);
};

/** What is left of the arguments when the given ones are taken out, without those that were not given. */
export const withoutUndefined = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/** The sentence of a tool that may wait for the person; `done` where it did not. */
export const actSummary =
  (done: string) =>
  ({ state }: { state: string }): string =>
    state === 'waiting_for_person' ? 'It waits for the person; nothing has happened yet.' : done;

/**
 * The body that a read answers, with its age in seconds. Throws `NOT_NOW` where the service has come to ask the person
 * before this read.
 */
export const readService = async (
  { api, by, signal }: ToolContext,
  route: RouteName,
  input: RawInput,
): Promise<{ body: unknown; ageS: number }> => {
  const answer = await api.call({ by, route, input, signal });
  if (answer.state === 'done') return answer;
  throw new Problem('NOT_NOW', 'The service asks the person first before this can be read.');
};
