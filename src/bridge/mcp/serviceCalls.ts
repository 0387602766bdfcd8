import { hash } from 'node:crypto';
import * as z from 'zod';
import type { RawInput, RouteName } from '../../contract/index.ts';
import type { AssistantAnswer } from '../assistantApi.ts';
import type { ApprovalRecord } from '../assistantRecords.ts';
import { nextStep, untrusted } from './fields.ts';
import { notChecked, stepOfApproval, uncheckedSentence, uncheckedStep } from './nextSteps.ts';
import { createBoundedMap } from '../../core/base/boundedMap.ts';
import type { Clock } from '../../core/base/ports.ts';
import type { BegunCalls, ToolContext } from './tool.ts';
import { Problem } from '../../core/base/problem.ts';

/** The answer of a tool whose act waits for the person, or has their yes and no end yet. */
export const waitingForPerson = z.object({
  state: z.enum(['waiting_for_person', 'under_way']),
  requestId: z.string().describe('Give it to check_request.'),
  untrustedSummary: untrusted,
  expiresAt: z.string(),
  nextStep,
});

/** How an act ended that the person said yes to, as they read it. */
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

/** An act that was done, as an answer; `step` is what follows where it could be checked. */
export const doneAnswer = ({ told }: Pick<DoneAnswer, 'told'>, step: string) => ({
  state: 'done' as const,
  code: told?.code ?? null,
  untrustedOutcome: told?.sentence ?? null,
  nextStep: told?.code === notChecked ? uncheckedStep : step,
});

/** The next step with every question that waits. */
const pendingStep =
  'Nothing has happened yet. Tell the person that their yes or no is awaited in Listing Companion, then call check_request with this requestId and waitS 45. Only the person can say yes, and only there.';

/** An approval that has not ended, as an answer. */
export const pendingAnswer = (approval: ApprovalRecord): z.input<typeof waitingForPerson> => ({
  state: approval.state === 'pending' ? 'waiting_for_person' : 'under_way',
  requestId: approval.id,
  untrustedSummary: approval.summary,
  expiresAt: approval.expiresAt,
  nextStep: approval.state === 'pending' ? pendingStep : stepOfApproval(approval),
});

/** So long may a client take to call again for what it began. */
const begunMs = 10 * 60_000;
const mostBegun = 100;

/** Remembers what one assistant has asked for some minutes. */
export const createBegunCalls = (clock: Clock): BegunCalls => {
  const asked = createBoundedMap<string, { atMs: number; answer: AssistantAnswer }>(mostBegun);
  return {
    ask: async (key, request) => {
      const known = asked.get(key);
      if (known && clock.elapsedMs() - known.atMs < begunMs) return known.answer;
      const answer = await request();
      if (answer.state === 'pending') asked.set(key, { atMs: clock.elapsedMs(), answer });
      return answer;
    },
    taken: asked.delete,
  };
};

/** What tells a call from every other: the same one of the same assistant has the same key. */
export const keyOfCall = ({ by }: Pick<ToolContext, 'by'>, ...call: readonly unknown[]): string =>
  hash('sha256', JSON.stringify([by.assistantId, ...call]), 'base64url');

/** So often a client that wants to know is told how far it is. */
const reportMs = 5_000;

/** Waits for `work`, and tells the client meanwhile how far it is. */
export const withProgress = async <T>(
  { clock, progress }: ToolContext,
  words: () => Promise<string> | string,
  work: Promise<T>,
): Promise<T> => {
  if (progress === undefined) return work;
  const over = new AbortController();
  const report = async (): Promise<void> => {
    while (!over.signal.aborted) {
      const now = await words();
      if (!over.signal.aborted) progress(now);
      await clock.sleep(reportMs, over.signal);
    }
  };
  // It ends with the work, and what cannot be told is in the answer.
  void report().catch(() => undefined);
  try {
    return await work;
  } finally {
    over.abort();
  }
};

/** What a client is told while the person has not answered. */
export const askedWords = 'The person is asked in Listing Companion';

type Call = { route: RouteName; input: RawInput; reason?: string | undefined; waitS: number };

/**
 * Makes a request and turns its answer into the tool's, or into the question that waits for the person. For `waitS`
 * seconds it waits for their answer.
 */
export const callOrAsk = async <T>(
  context: ToolContext,
  { route, input, reason, waitS }: Call,
  done: (answer: DoneAnswer) => T,
): Promise<T | z.input<typeof waitingForPerson>> => {
  const { answered, api, begun, by, personWindow: window, signal } = context;
  const key = keyOfCall(context, route, input);
  const ofCall = `.${key}`;
  const outcomeOf = (approvalId: string): Promise<AssistantAnswer> =>
    withProgress(context, () => askedWords, api.decision(by, approvalId, waitS * 1_000, signal));
  const ask = async (): Promise<AssistantAnswer> => {
    if (window?.opened?.endsWith(ofCall)) return outcomeOf(window.opened.slice(0, -ofCall.length));
    const asked = await begun.ask(key, () => api.call({ by, route, input, reason, signal }));
    if (asked.state === 'done') {
      if (isForPerson(asked.body) && window?.opened === null) window.open('page');
      return asked;
    }
    // It comes back by way of the client: what the person says to this call is no answer to another one.
    const over = window?.open(`${asked.approval.id}${ofCall}`);
    const answer = await outcomeOf(asked.approval.id);
    if (answer.state === 'done') over?.();
    return answer;
  };
  const taken = (): void => begun.taken(key);
  const answer = await ask().catch((error: unknown) => {
    // What it began is kept where its caller hung up.
    if (signal?.aborted !== true) taken();
    throw error;
  });
  answered(taken);
  return answer.state === 'pending' ? pendingAnswer(answer.approval) : done(answer);
};

const offered = z.looseObject({ openedFor: z.literal('person') });
/** Whether an answer says that the companion offers a page to the person. */
const isForPerson = (body: unknown): boolean => offered.safeParse(body).success;

/** What is left of the arguments when the given ones are taken out, without those that were not given. */
export const withoutUndefined = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/** The fields that a tool changes. Throws INVALID_REQUEST where none is named. */
export const changesOf = (fields: Record<string, unknown>): Record<string, unknown> => {
  const changes = withoutUndefined(fields);
  if (Object.keys(changes).length === 0)
    throw new Problem('INVALID_REQUEST', 'Name at least one field to change.', { field: 'title' });
  return changes;
};

/** The sentence of a tool that may wait for the person; `done` where it did not. */
export const actSummary =
  (done: string) =>
  ({ state, code }: { state: string; code?: string | null }): string => {
    if (state === 'waiting_for_person') return 'It waits for the person; nothing has happened yet.';
    if (state === 'under_way') return 'The person said yes; how it ends is not known yet.';
    return code === notChecked ? uncheckedSentence : done;
  };

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
