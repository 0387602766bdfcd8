import { getRouteByName, type ParsedInput, type RouteName } from '../../../contract/index.ts';
import type { ApprovalEngine } from '../../approvals/approvals.ts';
import type { OwnWriteTracker } from '../../approvals/checks/ownWrites.ts';
import type { OfferStore } from '../../assistants/offers.ts';
import { filterVisibleListings } from '../../assistants/scope.ts';
import { createProblem } from '../../base/problem.ts';
import type { Asker, Outcome, PerformRequest } from '../../base/request.ts';
import { separatePersonPage, type OpenPageStore, type PageWatch } from '../../service/personPages.ts';
import { ServiceError } from '../../service/serviceError.ts';
import type { Throttle } from '../../service/throttle/throttle.ts';
import { recheckRequestBeforeSending, type BeforeSendContext } from '../askerCheck.ts';
import type { ListingReads } from '../keptAnswers.ts';
import { getRoutePolicy } from './routePolicies.ts';
import type { PolicyContext, OutgoingRequest } from './routePolicy.ts';

export type SendContext = PolicyContext &
  BeforeSendContext & {
    throttle: Pick<Throttle, 'send'>;
    approvals: Pick<ApprovalEngine, 'learnAnswer'>;
    checkAccess: (by: Asker) => void;
    listingReads: Pick<ListingReads, 'noteRequest' | 'keepAll' | 'keepUnknown' | 'noteMissing'>;
    ownWrites: Pick<OwnWriteTracker, 'noteWrite'>;
    noteWrittenFields: (body: unknown) => void;
    pages: OpenPageStore;
    /** Pages that an assistant requested and only the person may open. */
    offers: Pick<OfferStore, 'add' | 'removeByKey' | 'checkDismissed'>;
    pageWatch: Pick<PageWatch, 'opened'>;
  };

type SentAnswer = Awaited<ReturnType<Throttle['send']>>;

/** Sends a request that needs no approval and records the answer. Returns what the asker may see of it. */
export const sendRequest = async (
  context: SendContext,
  request: PerformRequest,
  input: ParsedInput<RouteName>,
): Promise<Outcome> => {
  const { by, route } = request;
  const ownPart = context.scope.seesAll(by) ? undefined : getRoutePolicy(route).ownPart;
  const sending: OutgoingRequest = { request, input: ownPart?.input() ?? input, account: context.account() };
  recordSending(context, sending);
  const answered = await sendThroughThrottle(context, sending);
  recordAskerChange(context, sending);
  // During the request, another account might have connected, or the assistant might have lost its access.
  if (context.account() !== sending.account) throw createProblem('ACCOUNT_CHANGED.sent');
  context.checkAccess(by);
  recordAnswer(context, sending, answered);
  const { status, headers, answer, text, source, ageMs } = answered;
  const seen = toVisibleAnswer(context, sending, ownPart ? ownPart.select(context, by, input, answer) : answer);
  return { state: 'done', status, headers, answer: seen, text: seen === answer ? text : undefined, source, ageMs };
};

const recordSending = (context: SendContext, sending: OutgoingRequest): void => {
  const { input, request } = sending;
  const policy = getRoutePolicy(request.route);
  policy.noteSending?.(context, sending);
  if (policy.makesDraft || (input.params && 'listingId' in input.params)) context.noteWrittenFields(input.body);
  recordAskerChange(context, sending);
};

const recordAskerChange = (
  { account, listingReads }: SendContext,
  { request, input, account: madeFor }: OutgoingRequest,
): void => {
  if (!request.internal && account() === madeFor) listingReads.noteRequest(request.by, request.route, input);
};

const sendThroughThrottle = async (context: SendContext, sending: OutgoingRequest): Promise<SentAnswer> => {
  const { request, input, account } = sending;
  const { by, route, waitMs = 0, internal = false, signal } = request;
  const unattended = request.unattended ? ('work' as const) : undefined;
  let hasLeft = false;
  const beforeSend = (): void => {
    recheckRequestBeforeSending(context, request, input, account);
    context.ownWrites.noteWrite(by, route, input);
    hasLeft = true;
  };
  try {
    return await context.throttle.send(by, route, input, { waitMs, internal, signal, unattended, beforeSend });
  } catch (error) {
    recordFailure(context, sending, error, hasLeft);
    throw error;
  }
};

const recordFailure = (context: SendContext, sending: OutgoingRequest, error: unknown, hasLeft: boolean): void => {
  const policy = getRoutePolicy(sending.request.route);
  // A request counts as refused only if it had no effect. A 409 means that the listing is already being generated,
  // perhaps by this request, and aborting does not undo a request that was sent.
  const refused = error instanceof ServiceError ? error.effect !== 'unclear' && error.status !== 409 : !hasLeft;
  if (refused) policy.undoSending?.(context, sending);
  if (context.account() === sending.account) policy.noteFailure?.(context, sending, error);
};

const recordAnswer = (context: SendContext, sending: OutgoingRequest, answered: SentAnswer): void => {
  const { by, route } = sending.request;
  getRoutePolicy(route).noteAccepted?.(context, sending);
  if (by.kind === 'person' && getRouteByName(route).personPage !== undefined) context.pageWatch.opened();
  if (answered.source === 'service') storeAnsweredListings(context, sending, answered.answer);
  const page = context.pages.note(route, sending.input, answered);
  if (page === null) return;
  if (by.kind === 'person') context.offers.removeByKey(page.key);
  else context.offers.add(by, page);
};

const storeAnsweredListings = (context: SendContext, { request, input }: OutgoingRequest, answer: unknown): void => {
  const { by, route } = request;
  const policy = getRoutePolicy(route);
  const listings = policy.findListings?.(answer, input) ?? [];
  if (policy.makesDraft) {
    context.listingReads.keepUnknown(listings);
    for (const { listingId } of listings) context.scope.noteCreated(by, listingId);
  } else {
    context.listingReads.keepAll(listings);
  }
  policy.keepAnswer?.(context, answer);
  context.approvals.learnAnswer(route, answer);
};

/** Hides from assistants the person's pages, the upload slots, and the listings that they may not access. */
const toVisibleAnswer = (context: SendContext, sending: OutgoingRequest, answer: unknown): unknown => {
  const { by, route } = sending.request;
  if (by.kind === 'person') return answer;
  const { replaceAnswer, hideFields } = getRoutePolicy(route);
  const replaced = replaceAnswer?.(context, by, sending, answer);
  if (replaced !== undefined) return replaced;
  const seen = filterVisibleListings(context.scope, by, separatePersonPage(route, answer).answer);
  return hideFields ? hideFields(context, by, seen) : seen;
};
