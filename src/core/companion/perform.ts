import * as z from 'zod';
import {
  findFormCode,
  isRouteName,
  findRouteByName,
  listing as listingShape,
  requireRouteInput,
  parseRouteInput,
  uploadSlot,
  type Standing,
  type Listing,
  type ParsedInput,
  type RawInput,
  type RouteName,
} from '../../contract/index.ts';
import type { Approvals } from '../approvals/approvals.ts';
import type { OwnWrites } from '../approvals/checks/ownWrites.ts';
import type { ExtrasOwners } from '../approvals/extrasOwners.ts';
import { needsPersonApproval } from '../approvals/needsApproval.ts';
import { waitForApprovalOutcome } from './approvalOutcome.ts';
import { checkBeforeSending, type CheckAsker } from './askerCheck.ts';
import {
  describePersonPage,
  toVisibleError,
  splitPersonPage,
  type OpenPage,
  type OpenPages,
} from '../service/personPages.ts';
import { type Scope, filterVisibleListings } from '../assistants/scope.ts';
import { usesListingAllowance, type Allowance } from '../service/allowance.ts';
import type { Throttle } from '../service/throttle/throttle.ts';
import { createSemaphore, type Semaphore } from '../base/semaphore.ts';
import type { PhotoUploads } from '../photos/photoUploads.ts';
import type { Clock, Topic } from '../base/ports.ts';
import { Problem, createProblem } from '../base/problem.ts';
import { isRecord, readListingId } from '../base/json.ts';
import { ServiceError } from '../service/serviceError.ts';
import type { Asker, Outcome, PerformRequest } from '../base/request.ts';

/** The dependencies of the performer. */
export type PerformContext = {
  /** Sends requests that need no approval, within the call limits. */
  throttle: Throttle;
  approvals: Approvals;
  clock: Clock;
  onChanged: (listener: (topic: Topic) => void) => () => void;
  /** Throws if this asker may not make this request now. */
  checkAsker: CheckAsker;
  /** Notes that a generation is about to be requested, and its result. */
  generations: {
    sent: (account: string | null, listingId: string, extrasApproval: string | null) => void;
    settled: (account: string | null, listingId: string, started: boolean) => void;
  };
  /** Decides which listings an assistant may access. */
  scope: Scope;
  /** Stores the service's answer. */
  keep: (route: RouteName, answer: unknown, listings: Listing[]) => void;
  /** Replaces upload slots by addresses of the companion, for assistants. */
  openUploads: PhotoUploads['open'];
  /** Counts a request for slots as uploads in flight. */
  whileAskingSlots: PhotoUploads['asking'];
  extras: ExtrasOwners;
  freshStanding: (signal?: AbortSignal) => Promise<Standing>;
  /** Returns whether plan or credits cover one more generation. */
  allowance: Pick<Allowance, 'readCoverage'>;
  /** Called before and after a request is sent. */
  noteRequest: (by: Asker, route: RouteName, input: unknown) => void;
  onReadFailed: (input: ParsedInput<RouteName>, error: unknown) => void;
  /** Notes who changes a listing without an approval. */
  ownWrites: Pick<OwnWrites, 'noteWrite'>;
  /** Notes which fields of a listing a local request wrote. */
  noteWrittenFields: (body: unknown) => void;
  /** Throws if the assistant is paused or no longer paired. */
  checkAccess: (by: Asker) => void;
  /** Returns the connected account; null if there is none. */
  account: () => string | null;
  /** The person's pages whose links still work. */
  pages: OpenPages;
  /**
   * Pages that assistants requested but may not open. `checkDismissed` throws if the person recently dismissed the
   * page.
   */
  offers: { put: (by: Asker, page: OpenPage) => void; checkDismissed: (by: Asker, key: string) => void };
  /** Called when the person received a page of the service. */
  notePageGiven: () => void;
};

/** Approval refusals that are decided before anything is read. */
const unreadRefusals: readonly string[] = ['PHOTOS_UPLOADING', 'TOO_MANY_WAITING'];

/** Sign-in creates a key. It is handled inside the core; callers never see these answers. */
const connectionRoutes: readonly RouteName[] = ['startSignIn', 'verifySignIn'];

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
  /** Serialises the generations of assistants. */
  generationMutex: Semaphore;
  /** Caches parsed inputs: repeated reads pass the same object. Writes are never cached. */
  parsedInputs: WeakMap<RawInput, { route: RouteName; parsed: ParsedInput<RouteName> }>;
};

/** A parsed request, and whether it needs an approval. */
type JudgedRequest = { input: ParsedInput<RouteName>; asks: boolean };

/** Creates the performer. A request is parsed once; that same object is checked, stored for an approval, and sent. */
export const createPerformer = (parts: PerformContext): Performer => {
  const context: PerformerContext = { ...parts, generationMutex: createSemaphore(1), parsedInputs: new WeakMap() };
  return {
    perform: (request) => performRequest(context, request),
    outcome: (approvalId, waitMs, signal) => waitForApprovalOutcome(context, approvalId, waitMs, signal),
    askInBatch: (request, batchId) => requestApprovalInBatch(context, request, batchId),
    checkAsker: parts.checkAsker,
  };
};

const parseRequestOnce = (
  { parsedInputs }: PerformerContext,
  { route, input }: PerformRequest,
): ParsedInput<RouteName> => {
  const known = parsedInputs.get(input);
  if (known?.route === route) return known.parsed;
  const parsed = parseRouteInput(route, input);
  if (!parsed.ok) {
    const { field, message } = parsed.problem;
    throw new Problem(findFormCode(route, field), message, { field });
  }
  if (findRouteByName(route).method === 'GET') parsedInputs.set(input, { route, parsed: parsed.input });
  return parsed.input;
};

/** Parses a request and decides whether it needs an approval. Throws if the asker may not make it. */
const judgeRequest = (context: PerformerContext, request: PerformRequest): JudgedRequest => {
  if (!isRouteName(request.route)) throw createProblem('UNKNOWN_ROUTE');
  if (connectionRoutes.includes(request.route)) throw createProblem('CONNECTION_IS_THE_PERSONS');
  const input = parseRequestOnce(context, request);
  refuseUnknownFields(request.route, input.body);
  const facts = context.checkAsker(request.by, request.route, input);
  const asks = needsPersonApproval(request.route, input.body, facts);
  // The companion's own follow-up requests were authorised when their work started.
  if (!request.internal) context.scope.checkAct(request.by, request.route, asks);
  return { input, asks };
};

const performRequest = async (context: PerformerContext, request: PerformRequest): Promise<Outcome> => {
  const judged = judgeRequest(context, request);
  try {
    return await performJudgedRequest(context, request, judged);
  } catch (error) {
    throw request.by.kind === 'person' ? error : toVisibleError(request.route, error);
  }
};

const performJudgedRequest = async (
  context: PerformerContext,
  request: PerformRequest,
  { input, asks }: JudgedRequest,
): Promise<Outcome> => {
  refuseOthersExtras(context, request, input);
  context.offers.checkDismissed(request.by, context.pages.keyOf(request.route, input));
  if (describePersonPage(request.route) !== null && !asks)
    return context.pages.runInTurn(
      request.route,
      input,
      async () => reuseOpenPage(context, request, input) ?? sendRequestNow(context, request, input),
    );
  if (asks) return reuseOpenPage(context, request, input) ?? requestApproval(context, request, input);
  if (request.route === 'requestUploads') {
    const { listingId } = requireRouteInput('requestUploads', input).body;
    return context.whileAskingSlots(listingId, () => sendRequestNow(context, request, input));
  }
  if (request.route === 'generateListing' && request.by.kind === 'assistant' && !request.internal)
    context.throttle.admit(request.route, input);
  // The companion already checked the allowance for its own requests on behalf of the person.
  const isJudged = request.by.kind === 'person' && request.internal;
  if (usesListingAllowance(request.route, input) && !isJudged) return generateForRequest(context, request, input);
  return sendRequestNow(context, request, input);
};

/** Returns the open page that an assistant requests again. A new link would invalidate the one the person has. */
const reuseOpenPage = (
  { pages, offers, clock }: PerformerContext,
  { by, route }: PerformRequest,
  input: ParsedInput<RouteName>,
): Outcome | null => {
  const page = by.kind === 'person' ? null : pages.find(route, input);
  if (page === null) return null;
  offers.put(by, page);
  const { status, answer, atMs } = page;
  return { state: 'done', status, headers: {}, answer, source: 'cache', ageMs: clock.elapsedMs() - atMs };
};

const requestApproval = async (
  context: PerformerContext,
  { by, route, reason, waitMs = 0, signal }: PerformRequest,
  input: ParsedInput<RouteName>,
): Promise<Outcome> => {
  const { approvals, throttle } = context;
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

/** Refuses to spend extras that were approved for another assistant. */
const refuseOthersExtras = (
  { extras }: PerformerContext,
  { by, route }: Pick<PerformRequest, 'by' | 'route'>,
  input: ParsedInput<RouteName>,
): void => {
  if (by.kind === 'person' || route !== 'generateListing') return;
  const given = requireRouteInput('generateListing', input).body.extrasApprovalId;
  if (given !== undefined && extras.findSpendable(by)?.extrasApprovalId !== given)
    throw createProblem('EXTRAS_APPROVAL_REQUIRED');
};

/**
 * Runs a generation. If it would be charged as an extra, it must name its own extras approval, or the person is
 * asked. Runs one at a time, as each reads the remaining allowance.
 */
const generateForRequest = async (
  context: PerformerContext,
  request: PerformRequest,
  input: ParsedInput<RouteName>,
): Promise<Outcome> => {
  const leave = await context.generationMutex.acquire('writing', request.signal ?? neverAborted);
  try {
    // Re-check inside the lock: the previous request may have used up the extras.
    refuseOthersExtras(context, request, input);
    const given = requireRouteInput('generateListing', input).body.extrasApprovalId;
    const kind = given === undefined ? (await context.freshStanding(request.signal)).allowance.nextListing?.kind : null;
    const isExtra = kind === 'extra' || kind === 'extras_approval_required';
    if (isExtra && request.internal) throw createProblem('EXTRAS_APPROVAL_REQUIRED');
    // The previous request, or one of the person's, may have generated this listing; check again.
    if (!isExtra && !judgeRequest(context, request).asks) return await sendRequestNow(context, request, input);
  } finally {
    leave();
  }
  context.scope.checkAct(request.by, request.route, true);
  return requestApproval(context, request, input);
};

const requestApprovalInBatch = async (
  context: PerformerContext,
  request: PerformRequest,
  batchId: string,
): Promise<string> => {
  const { input, asks } = judgeRequest(context, request);
  if (!asks) throw createProblem('NEEDS_NO_YES');
  const { by, route, reason } = request;
  refuseOthersExtras(context, request, input);
  return (await context.approvals.requestApproval({ by, route, input, reason, batchId })).approvalId;
};

const sendRequestNow = async (
  context: PerformerContext,
  request: PerformRequest,
  input: ParsedInput<RouteName>,
): Promise<Outcome> => {
  const { by, route } = request;
  const writing = route === 'generateListing' ? requireRouteInput(route, input) : null;
  // An adaptation is not a first generation; its refusal does not show whether there was one.
  const firstGeneration = writing?.body.intent === 'adapt_marketplace' ? null : writing;
  const extra = firstGeneration?.body.extrasApprovalId;
  const account = context.account();
  if (firstGeneration) context.generations.sent(account, firstGeneration.params.listingId, extra ?? null);
  if (extra !== undefined) context.extras.take(extra);
  if (route === 'createListing' || (input.params && 'listingId' in input.params)) context.noteWrittenFields(input.body);
  const unattended = request.unattended ? ('work' as const) : undefined;
  let hasLeft = false;
  const options = {
    waitMs: request.waitMs ?? 0,
    internal: request.internal ?? false,
    signal: request.signal,
    unattended,
    beforeSend: () => {
      checkBeforeSending(context, request, input, account);
      context.ownWrites.noteWrite(by, route, input);
      hasLeft = true;
    },
  };
  if (!options.internal) context.noteRequest(by, route, input);
  const sent = context.throttle.send(by, route, input, options).catch((error: unknown) => {
    // 409 means that the listing is being generated already, possibly by this request after a lost answer. Aborting
    // does not undo a request that was already sent.
    const refused = error instanceof ServiceError ? error.effect !== 'unclear' && error.status !== 409 : !hasLeft;
    if (firstGeneration && refused) context.generations.settled(account, firstGeneration.params.listingId, false);
    if (extra !== undefined && refused) context.extras.giveBack(extra);
    if (route === 'readListing' && context.account() === account) context.onReadFailed(input, error);
    throw error;
  });
  const { status, headers, answer, text, source, ageMs } = await sent;
  if (!options.internal && context.account() === account) context.noteRequest(by, route, input);
  // The answer belongs to another account, or the assistant may have lost its access while it was in flight.
  if (context.account() !== account) throw createProblem('ACCOUNT_CHANGED.sent');
  context.checkAccess(by);
  // An adaptation proves an earlier generation, too: another first generation uses another listing of the
  // allowance.
  if (writing) context.generations.settled(account, writing.params.listingId, true);
  if (by.kind === 'person' && describePersonPage(route) !== null) context.notePageGiven();
  noteAnsweredListings(context, request, input, { source, answer });
  const page = context.pages.note(route, input, { status, answer });
  if (page !== null) context.offers.put(by, page);
  const seen = toVisibleAnswer(context, request, input, answer);
  return { state: 'done', status, headers, answer: seen, text: seen === answer ? text : undefined, source, ageMs };
};

/** Stores the service's answer and notes the creators of new listings. */
const noteAnsweredListings = (
  { keep, scope }: PerformerContext,
  { by, route }: PerformRequest,
  input: ParsedInput<RouteName>,
  { source, answer }: { source: string; answer: unknown },
): void => {
  const listings = source === 'service' || route === 'listListings' ? parseAnsweredListings(route, input, answer) : [];
  if (source === 'service') keep(route, answer, listings);
  for (const { listingId: made } of listings) scope.noteCreated(by, route, made);
};

/**
 * Removes from an answer what the asker may not see: for assistants, the person's pages, other listings and raw
 * upload slots.
 */
const toVisibleAnswer = (
  { scope, extras, openUploads }: PerformerContext,
  request: PerformRequest,
  input: ParsedInput<RouteName>,
  answer: unknown,
): unknown => {
  const { by, route, internal, reachedAt = '' } = request;
  if (by.kind === 'person') return answer;
  if (route === 'requestUploads' && !internal) {
    const { listingId, files } = requireRouteInput('requestUploads', input).body;
    return openUploads(by, listingId, { files, slots: z.array(uploadSlot).parse(answer) }, reachedAt);
  }
  const seen = splitPersonPage(route, answer).answer;
  return filterVisibleListings(
    scope,
    by,
    route === 'readStanding' ? hideOthersExtras(seen, extras.findSpendable(by)) : seen,
  );
};

/** Hides an extras approval in the standing unless it belongs to this assistant. */
const hideOthersExtras = (answer: unknown, own: ReturnType<ExtrasOwners['findSpendable']>): unknown => {
  if (!isRecord(answer) || !isRecord(answer['allowance'])) return answer;
  const { extras } = answer['allowance'];
  if (!isRecord(extras) || !isRecord(extras['approval'])) return answer;
  if (own !== null && extras['approval']['approvalId'] === own.extrasApprovalId) return answer;
  return { ...answer, allowance: { ...answer['allowance'], extras: { ...extras, approval: null } } };
};

const neverAborted = new AbortController().signal;

/** Rejects unknown body fields of routes with a closed list of fields: a prompt could not describe them. */
const refuseUnknownFields = (route: RouteName, body: unknown): void => {
  const { bodyFields } = findRouteByName(route);
  if (bodyFields === undefined || body === null || typeof body !== 'object') return;
  const field = Object.keys(body).find((name) => !bodyFields.includes(name));
  if (field !== undefined)
    throw createProblem('INVALID_REQUEST.unknownField', { field, values: { field: field.slice(0, 80) } });
};

/** Routes that return the listing they are about. The interface does not document the answers of edit and revert. */
const ownListingRoutes: readonly RouteName[] = ['readListing', 'updateListing', 'revertListing'];
/** Routes that return a listing of another id. A relist's answer was already re-read at this point. */
const newListingRoutes: readonly RouteName[] = ['createListing', 'relistListing'];

/** Parses the listings in an answer. Listings that the request is not about are ignored. */
const parseAnsweredListings = (route: RouteName, input: ParsedInput<RouteName>, answer: unknown): Listing[] => {
  if (route === 'listListings' && isRecord(answer) && Array.isArray(answer['listings']))
    return answer['listings'].flatMap((value: unknown) => parseOneListing(value));
  if (newListingRoutes.includes(route)) return parseOneListing(answer);
  return ownListingRoutes.includes(route)
    ? parseOneListing(answer).filter(({ listingId }) => listingId === readListingId(input))
    : [];
};

const parseOneListing = (value: unknown) => {
  const parsed = listingShape.safeParse(value);
  return parsed.success ? [parsed.data] : [];
};
