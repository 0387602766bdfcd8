import * as z from 'zod';
import { liveLink, nextStep, toServiceCode, untrusted, untrustedJson, waitS, warnings } from '../fields.ts';
import { itemOutput, itemsOutput, toItemAnswer, toItemsAnswer } from '../itemFields.ts';
import { batchAnswer, toBatchAnswer } from '../batchCalls.ts';
import { awaitingPersonMessage, formatRowCounts, reportWhileWaiting } from '../serviceCalls.ts';
import { hints, defineTool, type ToolContext } from '../tool.ts';
import { declineReasons, notCheckedCode, Problem } from '../../../core/base/problem.ts';
import { batchIdPrefix } from '../../../core/approvals/batches.ts';
import type { ApprovalRecord } from '../../assistantRecords.ts';
import { approvalStates, chooseStepForApproval, uncheckedSentence } from '../nextSteps.ts';
import { awaitItemsAtRest, formatItemCount } from './itemTools.ts';

const requestId = z.string().min(1).max(200);

const approvalOutput = z.object({
  requestId: z.string(),
  state: z.string().describe(`${approvalStates.slice(0, -1).join(', ')} or ${approvalStates.at(-1)}.`),
  untrustedSummary: untrusted,
  expiresAt: z.string(),
  supersededBy: z.string().nullable(),
  code: z
    .string()
    .nullable()
    .describe('Why it failed; NOT_CHECKED: done as the service says, which reading does not show.'),
  untrustedOutcome: untrusted.nullable(),
  declinedBecause: z.enum(declineReasons).nullable().describe('Why the person said no.'),
  retryAfterS: z.int().nullable().describe('How long their no stands.'),
  ...liveLink,
  answer: z.object({ status: z.int(), untrustedBody: untrustedJson }).nullable(),
  warnings,
  nextStep,
});

const toApprovalOutput = (record: ApprovalRecord): z.input<typeof approvalOutput> => {
  const answer = record.answer ?? null;
  return {
    requestId: record.id,
    state: record.state,
    untrustedSummary: record.summary,
    expiresAt: record.expiresAt,
    supersededBy: record.supersededBy ?? null,
    code: toServiceCode(record.code),
    untrustedOutcome: record.outcome ?? null,
    declinedBecause: record.declinedBecause ?? null,
    retryAfterS: record.retryAfterS ?? null,
    liveUrl: record.liveUrl ?? null,
    liveUrlNotChecked: record.liveUrlNotChecked ?? null,
    answer: answer && { status: answer.status, untrustedBody: untrustedJson.parse(answer.body ?? null) },
    warnings: record.warnings ?? [],
    nextStep: chooseStepForApproval(record),
  };
};

const openRequestsOutput = z.object({
  requests: z
    .array(
      z.object({
        requestId: z.string(),
        state: z.string(),
        untrustedSummary: untrusted,
        listings: z.int().describe('How many it is about, in one prompt.'),
        expiresAt: z.string(),
      }),
    )
    .describe('Your open requests, newest first.'),
  nextStep,
});

const openRequestsStep =
  'Call check_request with a requestId and waitS 45 to wait for the person, or withdraw_request where it is no longer wanted.';

const listOpenRequests = ({ api, by }: ToolContext): z.input<typeof openRequestsOutput> => {
  const requests = api.openRequests(by).map(({ summary, ...request }) => ({ ...request, untrustedSummary: summary }));
  return { requests, nextStep: requests.length === 0 ? 'None of your requests is open.' : openRequestsStep };
};

export const checkRequest = defineTool({
  name: 'check_request',
  title: 'See how a request or an item stands',
  description:
    'See whether the person has decided (requestId) or how far photos have come (itemId), waiting up to waitS seconds for news. Without an id: list your open requests. Not to decide anything; let it wait rather than call it in a loop.',
  input: z.object({
    requestId: requestId.optional(),
    itemId: z.string().min(1).max(200).optional(),
    itemIds: z.array(z.string().min(1).max(200)).min(1).max(20).optional(),
    waitS,
  }),
  output: z.union([approvalOutput, batchAnswer, itemOutput, itemsOutput, openRequestsOutput]),
  decides: ['state', 'step', 'requests', 'nextStep'],
  hints: hints.readsHere,
  run: async ({ requestId: id, itemId, itemIds, waitS: seconds }, context) => {
    const { api, by, signal } = context;
    const named = [id, itemId, itemIds].filter((one) => one !== undefined);
    if (named.length > 1)
      throw new Problem('INVALID_REQUEST', 'Name either a requestId, an itemId or itemIds.', { field: 'requestId' });
    if (named.length === 0) return listOpenRequests(context);
    if (id !== undefined) {
      const report = <T>(work: Promise<T>): Promise<T> =>
        reportWhileWaiting(context, () => awaitingPersonMessage, work);
      return id.startsWith(batchIdPrefix)
        ? toBatchAnswer(await report(api.batch(by, id, seconds * 1_000, signal)))
        : toApprovalOutput(await report(api.approval(by, id, seconds * 1_000, signal)));
    }
    const items = await awaitItemsAtRest(context, itemIds ?? [itemId ?? ''], seconds);
    const [only] = items;
    return itemIds === undefined && only ? toItemAnswer(only) : toItemsAnswer(items);
  },
  summarize: (answer) => {
    if ('words' in answer) return `${answer.words}.`;
    if ('items' in answer) return formatItemCount(answer.items);
    if ('requests' in answer) return `Open requests: ${answer.requests.length}.`;
    if ('counts' in answer) return formatRowCounts(answer.counts);
    return answer.code === notCheckedCode ? uncheckedSentence : `The request is ${answer.state}.`;
  },
});

export const withdrawRequest = defineTool({
  name: 'withdraw_request',
  title: 'Take back a request',
  description: 'Take back a request that waits for the person. Not to undo what they have said yes to.',
  input: z.object({ requestId }),
  output: z.union([batchAnswer, z.object({ requestId, state: z.string(), nextStep })]),
  decides: ['state', 'nextStep'],
  hints: hints.withdraws,
  run: async ({ requestId: id }, { api, by }) => {
    if (id.startsWith(batchIdPrefix)) return toBatchAnswer(await api.withdrawBatch(by, id));
    const now = await api.approval(by, id, 0);
    const record = now.state === 'pending' ? api.withdraw(by, id) : now;
    return { requestId: id, state: record.state, nextStep: chooseStepForApproval(record) };
  },
  summarize: (answer) => ('counts' in answer ? formatRowCounts(answer.counts) : `The request is ${answer.state}.`),
});
