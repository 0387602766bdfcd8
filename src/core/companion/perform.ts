import { getRouteByName, type ParsedInput, type RouteName } from '../../contract/index.ts';
import type { ApprovalEngine } from '../approvals/approvals.ts';
import { requiresApproval } from '../approvals/needsApproval.ts';
import type { Clock, Topic } from '../base/ports.ts';
import { Problem, createProblem } from '../base/problem.ts';
import type { Outcome, PerformRequest } from '../base/request.ts';
import { createSemaphore, type Semaphore } from '../base/semaphore.ts';
import { usesListingAllowance } from '../service/allowance.ts';
import { toVisibleError } from '../service/personPages.ts';
import type { Throttle } from '../service/throttle/throttle.ts';
import { waitForApprovalOutcome } from './approvalOutcome.ts';
import type { CheckAsker } from './askerCheck.ts';
import { createRequestParser, type ParseRequest } from './requests/parseRequest.ts';
import { getRoutePolicy } from './requests/routePolicies.ts';
import { sendRequest, type SendContext } from './requests/sendRequest.ts';

export type PerformContext = SendContext & {
  throttle: Throttle;
  approvals: ApprovalEngine;
  clock: Clock;
  onChanged: (listener: (topic: Topic) => void) => () => void;
};

/** All callers send requests to the service through this interface. */
export type Performer = {
  /** Returns the answer of the service, or `pending` with the id of the approval. Throws `Problem`. */
  perform: (request: PerformRequest) => Promise<Outcome>;
  /** Waits at most `waitMs` for the outcome of an approval. Throws the error of the approved request if it failed. */
  outcome: (approvalId: string, waitMs: number, signal?: AbortSignal) => Promise<Outcome>;
  /**
   * Requests an approval in the prompt of a batch and returns the id of the approval. Throws `APPROVAL_NOT_REQUIRED` if
   * the request needs no approval.
   */
  askInBatch: (request: PerformRequest, batchId: string) => Promise<string>;
  checkAsker: CheckAsker;
};

type PerformerContext = PerformContext & {
  parse: ParseRequest;
  generationMutex: Semaphore;
};

type CheckedRequest = { request: PerformRequest; input: ParsedInput<RouteName>; asks: boolean };

/**
 * Creates the performer. The parsed object that is checked is also the one that is stored and sent, so that the request
 * cannot change after the check.
 */
export const createPerformer = (parts: PerformContext): Performer => {
  const context: PerformerContext = { ...parts, parse: createRequestParser(), generationMutex: createSemaphore(1) };
  return {
    perform: (request) => performRequest(context, request),
    outcome: (approvalId, waitMs, signal) => waitForApprovalOutcome(context, approvalId, waitMs, signal),
    askInBatch: (request, batchId) => requestApprovalInBatch(context, request, batchId),
    checkAsker: parts.checkAsker,
  };
};

const performRequest = async (context: PerformerContext, request: PerformRequest): Promise<Outcome> => {
  const checked = checkRequest(context, request);
  try {
    checkRequestSpending(context, checked);
    context.offers.checkDismissed(request.by, () => context.pages.keyOf(request.route, checked.input));
    return await (checked.asks ? requestApproval(context, checked) : sendWithoutApproval(context, checked));
  } catch (error) {
    throw request.by.kind === 'person' ? error : toVisibleError(request.route, error);
  }
};

const requestApprovalInBatch = async (
  context: PerformerContext,
  request: PerformRequest,
  batchId: string,
): Promise<string> => {
  const checked = checkRequest(context, request);
  if (!checked.asks) throw createProblem('APPROVAL_NOT_REQUIRED');
  checkRequestSpending(context, checked);
  const { by, route, reason } = request;
  return (await context.approvals.requestApproval({ by, route, input: checked.input, reason, batchId })).approvalId;
};

/** Throws if the asker may not make the request. */
const checkRequest = (context: PerformerContext, request: PerformRequest): CheckedRequest => {
  const input = context.parse(request);
  const facts = context.checkAsker(request.by, request.route, input);
  const asks = requiresApproval(request.route, input.body, facts);
  // The companion's own follow-up requests were allowed together with the request that caused them.
  if (!request.internal) context.scope.checkAct(request.by, request.route, asks);
  if (getRoutePolicy(request.route).isWholeShop && !context.scope.seesAll(request.by))
    throw createProblem('OWN_LISTINGS_ONLY');
  return { request, input, asks };
};

const checkRequestSpending = (context: PerformerContext, { request, input }: CheckedRequest): void =>
  getRoutePolicy(request.route).checkSpending?.(context, request.by, input);

/** These errors occur before anything is read from the service, so they do not count as failed requests. */
const unreadRefusals: readonly string[] = ['PHOTOS_UPLOADING', 'TOO_MANY_WAITING'];

const requestApproval = async (context: PerformerContext, checked: CheckedRequest): Promise<Outcome> => {
  const openPage = reuseOpenPage(context, checked);
  if (openPage !== null) return openPage;
  const { approvals, throttle } = context;
  const { request, input } = checked;
  const { by, route, reason, addedItemId, waitMs = 0, signal } = request;
  if (by.kind === 'assistant') throttle.admitApprovalRequest(by.assistantId);
  // If an assistant loses its connection, the approval stays pending, and a repeated request finds it again.
  const own = { addedItemId, signal: by.kind === 'person' ? signal : undefined };
  const approvalRequest = { by, route, input, reason, ...own };
  const approval = await approvals.requestApproval(approvalRequest).catch((error: unknown) => {
    const code = error instanceof Problem ? error.code : '';
    if (by.kind === 'assistant' && !unreadRefusals.includes(code)) throttle.noteFailedRequest(by.assistantId);
    throw error;
  });
  return waitForApprovalOutcome(context, approval.approvalId, waitMs, signal);
};

/** A new link would make the person's open link invalid, so the open page is reused. */
const reuseOpenPage = (
  { pages, offers, clock }: PerformerContext,
  { request: { by, route }, input }: CheckedRequest,
): Outcome | null => {
  const page = by.kind === 'person' ? null : pages.find(route, input);
  if (page === null) return null;
  offers.add(by, page);
  const { status, answer, atMs } = page;
  return { state: 'done', status, headers: {}, answer, source: 'cache', ageMs: clock.elapsedMs() - atMs };
};

/** Requests for the same page are sent one after another, so that only one link is created. */
const sendWithoutApproval = (context: PerformerContext, checked: CheckedRequest): Promise<Outcome> => {
  const { request, input } = checked;
  const { by, route, internal } = request;
  const policy = getRoutePolicy(route);
  const send = (): Promise<Outcome> => sendRequest(context, request, input);
  if (getRouteByName(route).personPage !== undefined)
    return context.pages.runInTurn(route, input, async () => reuseOpenPage(context, checked) ?? send());
  if (policy.isAdmittedEarly && by.kind === 'assistant' && !internal) context.throttle.admit(route, input);
  // For the person's own items, the allowance has already been checked.
  const isCovered = by.kind === 'person' && internal;
  if (usesListingAllowance(route, input) && !isCovered) return sendWithinAllowance(context, checked);
  return policy.sendInside ? policy.sendInside(context, input, send) : send();
};

const neverAborted = new AbortController().signal;

/**
 * Sends a generation. Generations are sent one at a time, because two at once could both rely on the last listing of
 * the allowance. If the generation would be charged as an extra, the person is asked.
 */
const sendWithinAllowance = async (context: PerformerContext, checked: CheckedRequest): Promise<Outcome> => {
  const { request, input } = checked;
  const leave = await context.generationMutex.acquire('writing', request.signal ?? neverAborted);
  try {
    // The previous generation might have used up the extras, so the check runs again.
    checkRequestSpending(context, checked);
    const isExtra = await getRoutePolicy(request.route).wouldChargeExtra?.(context, checked);
    if (isExtra && request.internal) throw createProblem('EXTRAS_APPROVAL_REQUIRED');
    // The previous generation might have been one of this listing, so another one might now need an approval.
    if (!isExtra && !checkRequest(context, request).asks) return await sendRequest(context, request, input);
  } finally {
    leave();
  }
  context.scope.checkAct(request.by, request.route, true);
  return requestApproval(context, checked);
};
