import { findRouteByName, type ParsedInput, type RouteName } from '../../contract/index.ts';
import type { Approvals } from '../approvals/approvals.ts';
import { needsPersonApproval } from '../approvals/needsApproval.ts';
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
import { findRoutePolicy } from './requests/routePolicies.ts';
import { sendRequest, type SendContext } from './requests/sendRequest.ts';

/** The dependencies of the performer. */
export type PerformContext = SendContext & {
  throttle: Throttle;
  approvals: Approvals;
  clock: Clock;
  onChanged: (listener: (topic: Topic) => void) => () => void;
};

/** The only interface that sends requests to the service for callers. */
export type Performer = {
  /** Returns the service's answer, or `pending` with the approval's id. Throws `Problem`. */
  perform: (request: PerformRequest) => Promise<Outcome>;
  /** Waits up to `waitMs` for the outcome of an approval. Throws the error that the approved request failed with. */
  outcome: (approvalId: string, waitMs: number, signal?: AbortSignal) => Promise<Outcome>;
  /**
   * Requests the approval of one request in a batch's prompt. Throws `NEEDS_NO_YES` for a request that needs no
   * approval.
   */
  askInBatch: (request: PerformRequest, batchId: string) => Promise<string>;
  checkAsker: CheckAsker;
};

type PerformerContext = PerformContext & {
  parse: ParseRequest;
  /** Serialises the generations of assistants. */
  generationMutex: Semaphore;
};

/** A parsed request, and whether it needs an approval. */
type JudgedRequest = { request: PerformRequest; input: ParsedInput<RouteName>; asks: boolean };

/** Creates the performer. A request is parsed once; that same object is checked, stored for an approval, and sent. */
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
  const judged = judgeRequest(context, request);
  try {
    refuseUnspendable(context, judged);
    context.offers.checkDismissed(request.by, context.pages.keyOf(request.route, judged.input));
    return await (judged.asks ? requestApproval(context, judged) : sendUnasked(context, judged));
  } catch (error) {
    throw request.by.kind === 'person' ? error : toVisibleError(request.route, error);
  }
};

const requestApprovalInBatch = async (
  context: PerformerContext,
  request: PerformRequest,
  batchId: string,
): Promise<string> => {
  const judged = judgeRequest(context, request);
  if (!judged.asks) throw createProblem('NEEDS_NO_YES');
  refuseUnspendable(context, judged);
  const { by, route, reason } = request;
  return (await context.approvals.requestApproval({ by, route, input: judged.input, reason, batchId })).approvalId;
};

/** Parses a request and decides whether it needs an approval. Throws if the asker may not make it. */
const judgeRequest = (context: PerformerContext, request: PerformRequest): JudgedRequest => {
  const input = context.parse(request);
  const facts = context.checkAsker(request.by, request.route, input);
  const asks = needsPersonApproval(request.route, input.body, facts);
  // The companion's own follow-up requests were authorised when their work started.
  if (!request.internal) context.scope.checkAct(request.by, request.route, asks);
  return { request, input, asks };
};

const refuseUnspendable = (context: PerformerContext, { request, input }: JudgedRequest): void =>
  findRoutePolicy(request.route).checkSpending?.(context, request.by, input);

/** Approval refusals that are decided before anything is read. */
const unreadRefusals: readonly string[] = ['PHOTOS_UPLOADING', 'TOO_MANY_WAITING'];

/** Requests the approval, unless the page that it would open is open already, and waits for the outcome. */
const requestApproval = async (context: PerformerContext, judged: JudgedRequest): Promise<Outcome> => {
  const openPage = reuseOpenPage(context, judged);
  if (openPage !== null) return openPage;
  const { approvals, throttle } = context;
  const { request, input } = judged;
  const { by, route, reason, waitMs = 0, signal } = request;
  if (by.kind === 'assistant') throttle.admitApprovalRequest(by.assistantId);
  // An assistant's approval survives its disconnect; the same request finds it again.
  const approvalRequest = { by, route, input, reason, signal: by.kind === 'person' ? signal : undefined };
  const approval = await approvals.requestApproval(approvalRequest).catch((error: unknown) => {
    const code = error instanceof Problem ? error.code : '';
    if (by.kind === 'assistant' && !unreadRefusals.includes(code)) throttle.noteFailedRequest(by.assistantId);
    throw error;
  });
  return waitForApprovalOutcome(context, approval.approvalId, waitMs, signal);
};

/** Returns the open page that an assistant requests again. A new link would invalidate the one the person has. */
const reuseOpenPage = (
  { pages, offers, clock }: PerformerContext,
  { request: { by, route }, input }: JudgedRequest,
): Outcome | null => {
  const page = by.kind === 'person' ? null : pages.find(route, input);
  if (page === null) return null;
  offers.add(by, page);
  const { status, answer, atMs } = page;
  return { state: 'done', status, headers: {}, answer, source: 'cache', ageMs: clock.elapsedMs() - atMs };
};

/** Sends a request that needs no approval, in its turn: requests for the same page, and generations, run in order. */
const sendUnasked = async (context: PerformerContext, judged: JudgedRequest): Promise<Outcome> => {
  const { request, input } = judged;
  const { by, route, internal } = request;
  const policy = findRoutePolicy(route);
  const send = (): Promise<Outcome> => sendRequest(context, request, input);
  if (findRouteByName(route).personPage !== undefined)
    return context.pages.runInTurn(route, input, async () => reuseOpenPage(context, judged) ?? send());
  if (policy.isAdmittedEarly && by.kind === 'assistant' && !internal) context.throttle.admit(route, input);
  // The companion already checked the allowance for its own requests on behalf of the person.
  const isCovered = by.kind === 'person' && internal;
  if (usesListingAllowance(route, input) && !isCovered) return sendWithinAllowance(context, judged);
  return policy.sendInside ? policy.sendInside(context, input, send) : send();
};

const neverAborted = new AbortController().signal;

/**
 * Sends a generation. If it would be charged as an extra, it must name its own extras approval, or the person is
 * asked. Runs one at a time, as each reads the remaining allowance.
 */
const sendWithinAllowance = async (context: PerformerContext, judged: JudgedRequest): Promise<Outcome> => {
  const { request, input } = judged;
  const leave = await context.generationMutex.acquire('writing', request.signal ?? neverAborted);
  try {
    // Re-check inside the lock: the previous request may have used up the extras.
    refuseUnspendable(context, judged);
    const isExtra = await findRoutePolicy(request.route).wouldChargeExtra?.(context, judged);
    if (isExtra && request.internal) throw createProblem('EXTRAS_APPROVAL_REQUIRED');
    // The previous request, or one of the person's, may have generated this listing; check again.
    if (!isExtra && !judgeRequest(context, request).asks) return await sendRequest(context, request, input);
  } finally {
    leave();
  }
  context.scope.checkAct(request.by, request.route, true);
  return requestApproval(context, judged);
};
