import * as z from 'zod';
import {
  formCode,
  isRouteName,
  routeOf,
  listing as listingShape,
  inputOf,
  parseInput,
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
import { needsApproval } from '../approvals/needsApproval.ts';
import { approvalOutcome } from './approvalOutcome.ts';
import { checkLeaving, type CheckAsker } from './askerCheck.ts';
import { pageOf, visibleError, withoutPage, type OpenPage, type OpenPages } from '../service/personPages.ts';
import { type Scope, visibleTo } from '../assistants/scope.ts';
import { usesListing, type Allowance } from '../service/allowance.ts';
import type { Throttle } from '../service/throttle/throttle.ts';
import { createSemaphore, type Semaphore } from '../base/semaphore.ts';
import type { PhotoUploads } from '../photos/photoUploads.ts';
import type { Clock, Topic } from '../base/ports.ts';
import { Problem, problem } from '../base/problem.ts';
import { isRecord, listingIdOf } from '../base/json.ts';
import { ServiceError } from '../service/serviceError.ts';
import type { Asker, Outcome, Request } from '../base/request.ts';

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
  allowance: Pick<Allowance, 'cover'>;
  /** Called before and after a request is sent. */
  asked: (by: Asker, route: RouteName, input: unknown) => void;
  onUnread: (input: ParsedInput<RouteName>, error: unknown) => void;
  /** Notes who changes a listing without an approval. */
  ownWrites: Pick<OwnWrites, 'note'>;
  /** Notes which fields of a listing a local request wrote. */
  wrote: (body: unknown) => void;
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
  pageGiven: () => void;
};

/** Approval refusals that are decided before anything is read. */
const refusedUnread: readonly string[] = ['PHOTOS_UPLOADING', 'TOO_MANY_WAITING'];

/** Sign-in creates a key. It is handled inside the core; callers never see these answers. */
const connectionRoutes: readonly RouteName[] = ['startSignIn', 'verifySignIn'];

/** The only interface that sends requests to the service for callers. */
export type Performer = {
  /** Returns the service's answer, or `pending` with the approval's id. Throws `Problem`. */
  perform: (request: Request) => Promise<Outcome>;
  /** Waits up to `waitMs` for the outcome of an approval. Throws the error that the approved request failed with. */
  outcome: (approvalId: string, waitMs: number, signal?: AbortSignal) => Promise<Outcome>;
  /**
   * Requests the approval of one request in a batch's prompt. Throws `NEEDS_NO_YES` for a request that needs no
   * approval.
   */
  askInBatch: (request: Request, batchId: string) => Promise<string>;
  checkAsker: CheckAsker;
};

type Context = PerformContext & {
  /** Serialises the generations of assistants. */
  writingTurn: Semaphore;
  /** Caches parsed inputs: repeated reads pass the same object. Writes are never cached. */
  parsedInputs: WeakMap<RawInput, { route: RouteName; parsed: ParsedInput<RouteName> }>;
};

/** A parsed request, and whether it needs an approval. */
type Judged = { input: ParsedInput<RouteName>; asks: boolean };

/** Creates the performer. A request is parsed once; that same object is checked, stored for an approval, and sent. */
export const createPerformer = (parts: PerformContext): Performer => {
  const context: Context = { ...parts, writingTurn: createSemaphore(1), parsedInputs: new WeakMap() };
  return {
    perform: (request) => perform(context, request),
    outcome: (approvalId, waitMs, signal) => approvalOutcome(context, approvalId, waitMs, signal),
    askInBatch: (request, batchId) => askInBatch(context, request, batchId),
    checkAsker: parts.checkAsker,
  };
};

const parsedOnce = ({ parsedInputs }: Context, { route, input }: Request): ParsedInput<RouteName> => {
  const known = parsedInputs.get(input);
  if (known?.route === route) return known.parsed;
  const parsed = parseInput(route, input);
  if (!parsed.ok) {
    const { field, message } = parsed.problem;
    throw new Problem(formCode(route, field), message, { field });
  }
  if (routeOf(route).method === 'GET') parsedInputs.set(input, { route, parsed: parsed.input });
  return parsed.input;
};

/** Parses a request and decides whether it needs an approval. Throws if the asker may not make it. */
const judge = (context: Context, request: Request): Judged => {
  if (!isRouteName(request.route)) throw problem('UNKNOWN_ROUTE');
  if (connectionRoutes.includes(request.route)) throw problem('CONNECTION_IS_THE_PERSONS');
  const input = parsedOnce(context, request);
  refuseUnnamed(request.route, input.body);
  const facts = context.checkAsker(request.by, request.route, input);
  const asks = needsApproval(request.route, input.body, facts);
  // The companion's own follow-up requests were authorised when their work started.
  if (!request.internal) context.scope.checkAct(request.by, request.route, asks);
  return { input, asks };
};

const perform = async (context: Context, request: Request): Promise<Outcome> => {
  const judged = judge(context, request);
  try {
    return await performJudged(context, request, judged);
  } catch (error) {
    throw request.by.kind === 'person' ? error : visibleError(request.route, error);
  }
};

const performJudged = async (context: Context, request: Request, { input, asks }: Judged): Promise<Outcome> => {
  refuseOthersExtras(context, request, input);
  context.offers.checkDismissed(request.by, context.pages.keyOf(request.route, input));
  if (pageOf(request.route) !== null && !asks)
    return context.pages.inTurn(
      request.route,
      input,
      async () => openAlready(context, request, input) ?? sendNow(context, request, input),
    );
  if (asks) return openAlready(context, request, input) ?? ask(context, request, input);
  if (request.route === 'requestUploads') {
    const { listingId } = inputOf('requestUploads', input).body;
    return context.whileAskingSlots(listingId, () => sendNow(context, request, input));
  }
  if (request.route === 'generateListing' && request.by.kind === 'assistant' && !request.internal)
    context.throttle.admit(request.route, input);
  // The companion already checked the allowance for its own requests on behalf of the person.
  const isJudged = request.by.kind === 'person' && request.internal;
  if (usesListing(request.route, input) && !isJudged) return writeFor(context, request, input);
  return sendNow(context, request, input);
};

/** Returns the open page that an assistant requests again. A new link would invalidate the one the person has. */
const openAlready = (
  { pages, offers, clock }: Context,
  { by, route }: Request,
  input: ParsedInput<RouteName>,
): Outcome | null => {
  const page = by.kind === 'person' ? null : pages.find(route, input);
  if (page === null) return null;
  offers.put(by, page);
  const { status, answer, atMs } = page;
  return { state: 'done', status, headers: {}, answer, source: 'cache', ageMs: clock.elapsedMs() - atMs };
};

const ask = async (
  context: Context,
  { by, route, reason, waitMs = 0, signal }: Request,
  input: ParsedInput<RouteName>,
): Promise<Outcome> => {
  const { approvals, throttle } = context;
  if (by.kind === 'assistant') throttle.admitQuestion(by.assistantId);
  // An assistant's approval survives its disconnect; the same request finds it again.
  const asked = { by, route, input, reason, signal: by.kind === 'person' ? signal : undefined };
  const approval = await approvals.ask(asked).catch((error: unknown) => {
    const code = error instanceof Problem ? error.code : '';
    if (by.kind === 'assistant' && !refusedUnread.includes(code)) throttle.askedInVain(by.assistantId);
    throw error;
  });
  return approvalOutcome(context, approval.approvalId, waitMs, signal);
};

/** Refuses to spend extras that were approved for another assistant. */
const refuseOthersExtras = (
  { extras }: Context,
  { by, route }: Pick<Request, 'by' | 'route'>,
  input: ParsedInput<RouteName>,
): void => {
  if (by.kind === 'person' || route !== 'generateListing') return;
  const given = inputOf('generateListing', input).body.extrasApprovalId;
  if (given !== undefined && extras.of(by)?.extrasApprovalId !== given) throw problem('EXTRAS_APPROVAL_REQUIRED');
};

/**
 * Runs a generation. If it would be charged as an extra, it must name its own extras approval, or the person is
 * asked. Runs one at a time, as each reads the remaining allowance.
 */
const writeFor = async (context: Context, request: Request, input: ParsedInput<RouteName>): Promise<Outcome> => {
  const leave = await context.writingTurn.take('writing', request.signal ?? neverAborted);
  try {
    // Re-check inside the lock: the previous request may have used up the extras.
    refuseOthersExtras(context, request, input);
    const given = inputOf('generateListing', input).body.extrasApprovalId;
    const kind = given === undefined ? (await context.freshStanding(request.signal)).allowance.nextListing?.kind : null;
    const isExtra = kind === 'extra' || kind === 'extras_approval_required';
    if (isExtra && request.internal) throw problem('EXTRAS_APPROVAL_REQUIRED');
    // The previous request, or one of the person's, may have generated this listing; check again.
    if (!isExtra && !judge(context, request).asks) return await sendNow(context, request, input);
  } finally {
    leave();
  }
  context.scope.checkAct(request.by, request.route, true);
  return ask(context, request, input);
};

const askInBatch = async (context: Context, request: Request, batchId: string): Promise<string> => {
  const { input, asks } = judge(context, request);
  if (!asks) throw problem('NEEDS_NO_YES');
  const { by, route, reason } = request;
  refuseOthersExtras(context, request, input);
  return (await context.approvals.ask({ by, route, input, reason, batchId })).approvalId;
};

const sendNow = async (context: Context, request: Request, input: ParsedInput<RouteName>): Promise<Outcome> => {
  const { by, route } = request;
  const writing = route === 'generateListing' ? inputOf(route, input) : null;
  // An adaptation is not a first generation; its refusal does not show whether there was one.
  const first = writing?.body.intent === 'adapt_marketplace' ? null : writing;
  const extra = first?.body.extrasApprovalId;
  const account = context.account();
  if (first) context.generations.sent(account, first.params.listingId, extra ?? null);
  if (extra !== undefined) context.extras.take(extra);
  if (route === 'createListing' || (input.params && 'listingId' in input.params)) context.wrote(input.body);
  const unattended = request.unattended ? ('work' as const) : undefined;
  let hasLeft = false;
  const options = {
    waitMs: request.waitMs ?? 0,
    internal: request.internal ?? false,
    signal: request.signal,
    unattended,
    leaving: () => {
      checkLeaving(context, request, input, account);
      context.ownWrites.note(by, route, input);
      hasLeft = true;
    },
  };
  if (!options.internal) context.asked(by, route, input);
  const sent = context.throttle.send(by, route, input, options).catch((error: unknown) => {
    // 409 means that the listing is being generated already, possibly by this request after a lost answer. Aborting
    // does not undo a request that was already sent.
    const refused = error instanceof ServiceError ? error.effect !== 'unclear' && error.status !== 409 : !hasLeft;
    if (first && refused) context.generations.settled(account, first.params.listingId, false);
    if (extra !== undefined && refused) context.extras.giveBack(extra);
    if (route === 'readListing' && context.account() === account) context.onUnread(input, error);
    throw error;
  });
  const { status, headers, answer, text, source, ageMs } = await sent;
  if (!options.internal && context.account() === account) context.asked(by, route, input);
  // The answer belongs to another account, or the assistant may have lost its access while it was in flight.
  if (context.account() !== account) throw problem('ACCOUNT_CHANGED.sent');
  context.checkAccess(by);
  // An adaptation proves an earlier generation, too: another first generation uses another listing of the
  // allowance.
  if (writing) context.generations.settled(account, writing.params.listingId, true);
  if (by.kind === 'person' && pageOf(route) !== null) context.pageGiven();
  noteListings(context, request, input, { source, answer });
  const page = context.pages.note(route, input, { status, answer });
  if (page !== null) context.offers.put(by, page);
  const seen = visibleAnswer(context, request, input, answer);
  return { state: 'done', status, headers, answer: seen, text: seen === answer ? text : undefined, source, ageMs };
};

/** Stores the service's answer and notes the creators of new listings. */
const noteListings = (
  { keep, scope }: Context,
  { by, route }: Request,
  input: ParsedInput<RouteName>,
  { source, answer }: { source: string; answer: unknown },
): void => {
  const listings = source === 'service' || route === 'listListings' ? listingsIn(route, input, answer) : [];
  if (source === 'service') keep(route, answer, listings);
  for (const { listingId: made } of listings) scope.made(by, route, made);
};

/**
 * Removes from an answer what the asker may not see: for assistants, the person's pages, other listings and raw
 * upload slots.
 */
const visibleAnswer = (
  { scope, extras, openUploads }: Context,
  request: Request,
  input: ParsedInput<RouteName>,
  answer: unknown,
): unknown => {
  const { by, route, internal, reachedAt = '' } = request;
  if (by.kind === 'person') return answer;
  if (route === 'requestUploads' && !internal) {
    const { listingId, files } = inputOf('requestUploads', input).body;
    return openUploads(by, listingId, { files, slots: z.array(uploadSlot).parse(answer) }, reachedAt);
  }
  const seen = withoutPage(route, answer).answer;
  return visibleTo(scope, by, route === 'readStanding' ? ownStanding(seen, extras.of(by)) : seen);
};

/** Hides an extras approval in the standing unless it belongs to this assistant. */
const ownStanding = (answer: unknown, own: ReturnType<ExtrasOwners['of']>): unknown => {
  if (!isRecord(answer) || !isRecord(answer['allowance'])) return answer;
  const { extras } = answer['allowance'];
  if (!isRecord(extras) || !isRecord(extras['approval'])) return answer;
  if (own !== null && extras['approval']['approvalId'] === own.extrasApprovalId) return answer;
  return { ...answer, allowance: { ...answer['allowance'], extras: { ...extras, approval: null } } };
};

const neverAborted = new AbortController().signal;

/** Rejects unknown body fields of routes with a closed list of fields: a prompt could not describe them. */
const refuseUnnamed = (route: RouteName, body: unknown): void => {
  const { bodyFields } = routeOf(route);
  if (bodyFields === undefined || body === null || typeof body !== 'object') return;
  const field = Object.keys(body).find((name) => !bodyFields.includes(name));
  if (field !== undefined)
    throw problem('INVALID_REQUEST.unknownField', { field, values: { field: field.slice(0, 80) } });
};

/** Routes that return the listing they are about. The interface does not document the answers of edit and revert. */
const answersOwn: readonly RouteName[] = ['readListing', 'updateListing', 'revertListing'];
/** Routes that return a listing of another id. A relist's answer was already re-read at this point. */
const answersNew: readonly RouteName[] = ['createListing', 'relistListing'];

/** Parses the listings in an answer. Listings that the request is not about are ignored. */
const listingsIn = (route: RouteName, input: ParsedInput<RouteName>, answer: unknown): Listing[] => {
  if (route === 'listListings' && isRecord(answer) && Array.isArray(answer['listings']))
    return answer['listings'].flatMap((value: unknown) => oneListing(value));
  if (answersNew.includes(route)) return oneListing(answer);
  return answersOwn.includes(route)
    ? oneListing(answer).filter(({ listingId }) => listingId === listingIdOf(input))
    : [];
};

const oneListing = (value: unknown) => {
  const parsed = listingShape.safeParse(value);
  return parsed.success ? [parsed.data] : [];
};
