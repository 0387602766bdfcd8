import { hash } from 'node:crypto';
import * as z from 'zod';
import type { RawInput, RouteName } from '../../contract/index.ts';
import type { AssistantAnswer } from '../approvalCalls.ts';
import type { ApprovalRecord } from '../assistantRecords.ts';
import { nextStep, untrusted, warnings } from './fields.ts';
import { chooseStepForApproval, uncheckedSentence, uncheckedStep } from './nextSteps.ts';
import { createBoundedMap } from '../../core/base/boundedMap.ts';
import type { Clock } from '../../core/base/ports.ts';
import type { UndeliveredCalls, ToolContext } from './tool.ts';
import { notCheckedCode, Problem } from '../../core/base/problem.ts';

export const pendingAnswer = z.object({
  state: z.enum(['waiting_for_person', 'under_way']),
  requestId: z.string().describe('Give it to check_request.'),
  untrustedSummary: untrusted,
  expiresAt: z.string(),
  warnings: warnings.describe('What is weak about the listing of a publish, to tell the person.'),
  nextStep,
});

export const doneFields = {
  state: z.literal('done'),
  code: z
    .string()
    .nullable()
    .describe('NOT_CHECKED: the service says it is done, and reading does not show all of it.'),
  untrustedOutcome: untrusted.nullable().describe('How the person reads it.'),
  nextStep,
};

type DoneAnswer = Extract<AssistantAnswer, { state: 'done' }>;

/** Returns the answer for a completed request. `step` is the next step if the outcome is confirmed. */
export const toDoneAnswer = ({ told }: Pick<DoneAnswer, 'told'>, step: string) => ({
  state: 'done' as const,
  code: told?.code ?? null,
  untrustedOutcome: told?.sentence ?? null,
  nextStep: told?.code === notCheckedCode ? uncheckedStep : step,
});

const pendingStep =
  'Nothing has happened yet. Tell the person that their yes or no is awaited in Listing Companion, then call check_request with this requestId and waitS 45. Only the person can say yes, and only there.';

/** Returns the answer for an approval without a final state. */
export const toPendingAnswer = (approval: ApprovalRecord): z.input<typeof pendingAnswer> => ({
  state: approval.state === 'pending' ? 'waiting_for_person' : 'under_way',
  requestId: approval.id,
  untrustedSummary: approval.summary,
  expiresAt: approval.expiresAt,
  warnings: approval.warnings ?? [],
  nextStep: approval.state === 'pending' ? pendingStep : chooseStepForApproval(approval),
});

const undeliveredMs = 10 * 60_000;
const maxBegun = 100;

/** Keeps the undelivered calls of one assistant for some minutes, so that the client can repeat a call. */
export const createUndeliveredCallStore = <T>(clock: Clock): UndeliveredCalls<T> => {
  const asked = createBoundedMap<string, { atMs: number; answer: Promise<T> }>(maxBegun);
  return {
    find: (key) => {
      const known = asked.get(key);
      return known && clock.elapsedMs() - known.atMs < undeliveredMs ? known.answer : null;
    },
    keep: (key, answer) => {
      asked.set(key, { atMs: clock.elapsedMs(), answer });
      answer.catch(() => asked.delete(key));
    },
    markDelivered: asked.delete,
  };
};

/** Returns a key that is equal only for identical calls of one assistant. */
export const createCallKey = ({ by }: Pick<ToolContext, 'by'>, ...call: readonly unknown[]): string =>
  hash('sha256', JSON.stringify([by.assistantId, ...call]), 'base64url');

const reportEveryMs = 5_000;

/** Waits for `work` and reports progress to the client until `work` ends. */
export const reportWhileWaiting = async <T>(
  { clock, progress }: Pick<ToolContext, 'clock' | 'progress'>,
  words: () => Promise<string> | string,
  work: Promise<T>,
): Promise<T> => {
  if (progress === undefined) return work;
  const over = new AbortController();
  const reportProgress = async (): Promise<void> => {
    while (!over.signal.aborted) {
      const now = await words();
      if (!over.signal.aborted) progress(now);
      await clock.sleep(reportEveryMs, over.signal);
    }
  };
  // Ignore an error, because progress messages are optional and the answer contains the result.
  void reportProgress().catch(() => undefined);
  try {
    return await work;
  } finally {
    over.abort();
  }
};

export const awaitingPersonMessage = 'The person is asked in Listing Companion';

type ServiceCall = { route: RouteName; input: RawInput; reason?: string | undefined; waitS: number };

type ResumableRequest<T> = {
  key: string;
  undelivered: UndeliveredCalls<T>;
  request: () => Promise<T>;
  /** Returns the id of what waits for the person; null if nothing waits. */
  findPendingId: (answer: T) => string | null;
  awaitDecision: (id: string) => Promise<T>;
};

/**
 * Makes a request, or resumes the identical request of a call whose answer was lost, and waits for the person's
 * decision. Opens the companion's window while the person is asked.
 */
export const requestOrResume = async <T>(
  { answered, personWindow: window, signal, ...context }: ToolContext,
  { key, undelivered, request, findPendingId, awaitDecision }: ResumableRequest<T>,
): Promise<T> => {
  const callSuffix = `.${key}`;
  const awaitOutcome = (id: string): Promise<T> =>
    reportWhileWaiting(context, () => awaitingPersonMessage, awaitDecision(id));
  const requestAnswer = async (): Promise<T> => {
    if (window?.resumedState?.endsWith(callSuffix))
      return awaitOutcome(window.resumedState.slice(0, -callSuffix.length));
    const asked = await (undelivered.find(key) ?? request());
    const pendingId = findPendingId(asked);
    if (pendingId === null) return asked;
    undelivered.keep(key, Promise.resolve(asked));
    // The client sends this state when it repeats the call. The state contains the call's key, so that a decision is
    // never used for a different call.
    const completeWindow = window?.open(`${pendingId}${callSuffix}`);
    const answer = await awaitOutcome(pendingId);
    if (findPendingId(answer) === null) completeWindow?.();
    return answer;
  };
  const forgetCall = (): void => undelivered.markDelivered(key);
  const answer = await requestAnswer().catch((error: unknown) => {
    // If the caller disconnected, keep the call so that the caller can repeat it.
    if (signal?.aborted !== true) forgetCall();
    throw error;
  });
  answered(forgetCall);
  return answer;
};

/**
 * Makes a request and waits up to `waitS` seconds for the person's decision. Returns the answer, or the approval if it
 * is still pending.
 */
export const callOrRequestApproval = async <T>(
  context: ToolContext,
  { route, input, reason, waitS }: ServiceCall,
  done: (answer: DoneAnswer) => T,
): Promise<T | z.input<typeof pendingAnswer>> => {
  const { api, undelivered, by, personWindow: window, signal } = context;
  const answer = await requestOrResume(context, {
    key: createCallKey(context, route, input),
    undelivered: undelivered.calls,
    request: async () => {
      const asked = await api.call({ by, route, input, reason, signal });
      if (asked.state === 'done' && isOfferedPage(asked.body) && window?.resumedState === null) window.open('page');
      return asked;
    },
    findPendingId: (asked) => (asked.state === 'pending' ? asked.approval.id : null),
    awaitDecision: (approvalId) => api.decision(by, approvalId, waitS * 1_000, signal),
  });
  return answer.state === 'pending' ? toPendingAnswer(answer.approval) : done(answer);
};

const offeredPage = z.looseObject({ openedFor: z.literal('person') });
const isOfferedPage = (body: unknown): boolean => offeredPage.safeParse(body).success;

export const omitUndefinedFields = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/** Returns the fields that a tool changes. Throws `INVALID_REQUEST` if a tool call changes no field. */
export const requireChangedFields = (fields: Record<string, unknown>): Record<string, unknown> => {
  const changes = omitUndefinedFields(fields);
  if (Object.keys(changes).length === 0) throw new Problem('INVALID_REQUEST', 'Name at least one field to change.');
  return changes;
};

/** Returns a sentence with the number of listings in each state. */
export const formatRowCounts = (counts: Record<string, number>): string =>
  `Listings by state: ${Object.entries(counts)
    .map(([state, count]) => `${count} ${state}`)
    .join(', ')}.`;

/** Returns a function that summarises an answer. `done` is the sentence for a completed request. */
export const createApprovalSummarizer =
  (done: string) =>
  (answer: { state: string; code?: string | null; counts?: Record<string, number> }): string => {
    const { state, code, counts } = answer;
    if (counts !== undefined) return formatRowCounts(counts);
    if (state === 'waiting_for_person') return 'It waits for the person; nothing has happened yet.';
    if (state === 'under_way') return 'The person said yes; how it ends is not known yet.';
    return code === notCheckedCode ? uncheckedSentence : done;
  };

/**
 * Returns the body of a read and its age in seconds. Throws `NOT_NOW` if the service requires an approval for this
 * read.
 */
export const readServiceAnswer = async (
  { api, by, signal }: ToolContext,
  route: RouteName,
  input: RawInput,
): Promise<{ body: unknown; ageS: number }> => {
  const answer = await api.call({ by, route, input, signal });
  if (answer.state === 'done') return answer;
  throw new Problem('NOT_NOW', 'The service asks the person first before this can be read.');
};
