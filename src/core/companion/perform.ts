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

/** What the one way to the service works with. */
export type PerformContext = {
  /** Sends what needs no yes, by the interface's rules. */
  throttle: Throttle;
  approvals: Approvals;
  clock: Clock;
  onChanged: (listener: (topic: Topic) => void) => () => void;
  /** Throws when this asker may not make this request now, or nobody may any more. */
  checkAsker: CheckAsker;
  /** Notes that a writing is about to be asked for, and what became of it. */
  generations: {
    sent: (account: string | null, listingId: string, extrasApproval: string | null) => void;
    settled: (account: string | null, listingId: string, started: boolean) => void;
  };
  /** Which listings an assistant may touch. */
  scope: Scope;
  /** Keeps what the service answered. */
  keep: (route: RouteName, answer: unknown, listings: Listing[]) => void;
  /** Upload slots as an assistant gets them: at addresses of the companion's own. */
  openUploads: PhotoUploads['open'];
  /** Counts a request for slots as photos on their way. */
  whileAskingSlots: PhotoUploads['asking'];
  extras: ExtrasOwners;
  freshStanding: (signal?: AbortSignal) => Promise<Standing>;
  /** Whether plan or credits pay one more writing. */
  allowance: Pick<Allowance, 'cover'>;
  /** Told what leaves and whoever asked for it, before and after. */
  asked: (by: Asker, route: RouteName, input: unknown) => void;
  onUnread: (input: ParsedInput<RouteName>, error: unknown) => void;
  /** Told who changes which listing without a yes. */
  ownWrites: Pick<OwnWrites, 'note'>;
  /** Told which fields somebody here wrote to a listing. */
  wrote: (body: unknown) => void;
  /** Throws when an assistant is paused or not let in any more. */
  checkAccess: (by: Asker) => void;
  /** Who is connected; null while nobody is. */
  account: () => string | null;
  /** The pages of the person that still work. */
  pages: OpenPages;
  /** Pages that assistants asked for and may not open; the check throws where the person dismissed such a page a moment ago. */
  offers: { put: (by: Asker, page: OpenPage) => void; checkDismissed: (by: Asker, key: string) => void };
  /** Told when the person was given a page of the service's. */
  pageGiven: () => void;
};

/** Refusals of a question for which nothing was read. */
const refusedUnread: readonly string[] = ['PHOTOS_UPLOADING', 'TOO_MANY_WAITING'];

/** Signing in mints a key: it has a way of its own inside the core, and no caller gets at its answers. */
const connectionRoutes: readonly RouteName[] = ['startSignIn', 'verifySignIn'];

/** The only way to the service. */
export type Performer = {
  /** Answers the service's answer, or `pending` with the id of the approval. Throws `Problem`. */
  perform: (request: Request) => Promise<Outcome>;
  /** How an approval stands after at most `waitMs`; throws what it failed with. */
  outcome: (approvalId: string, waitMs: number, signal?: AbortSignal) => Promise<Outcome>;
  /** Asks for one request of a batch: it waits in the batch's prompt. Throws `NEEDS_NO_YES` for one that may just be sent. */
  askInBatch: (request: Request, batchId: string) => Promise<string>;
  checkAsker: CheckAsker;
};

type Context = PerformContext & {
  /** Writings that were asked for one by one, one after the other. */
  writingTurn: Semaphore;
  /** Reads that come again are the same object, and mean the same by the same route. Writings never come again so. */
  parsedInputs: WeakMap<RawInput, { route: RouteName; parsed: ParsedInput<RouteName> }>;
};

/** A request that was parsed and judged. */
type Judged = { input: ParsedInput<RouteName>; asks: boolean };

/** A request is parsed once; exactly that object is judged, stored where a yes is needed, and sent. */
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

/** What a request is once it is parsed, and whether the person must be asked. Throws what the asker may not do. */
const judge = (context: Context, request: Request): Judged => {
  if (!isRouteName(request.route)) throw problem('UNKNOWN_ROUTE');
  if (connectionRoutes.includes(request.route)) throw problem('CONNECTION_IS_THE_PERSONS');
  const input = parsedOnce(context, request);
  refuseUnnamed(request.route, input.body);
  const facts = context.checkAsker(request.by, request.route, input);
  const asks = needsApproval(request.route, input.body, facts);
  // What the companion does on its own way was allowed when it was begun.
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
  // The companion's own way for the person has looked what is left before it came here.
  const isJudged = request.by.kind === 'person' && request.internal;
  if (usesListing(request.route, input) && !isJudged) return writeFor(context, request, input);
  return sendNow(context, request, input);
};

/** The page that an assistant asks for again: a new link would end the one that the person has. */
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
  // An assistant that hangs up finds its question again when it asks the same once more.
  const asked = { by, route, input, reason, signal: by.kind === 'person' ? signal : undefined };
  const approval = await approvals.ask(asked).catch((error: unknown) => {
    const code = error instanceof Problem ? error.code : '';
    if (by.kind === 'assistant' && !refusedUnread.includes(code)) throttle.askedInVain(by.assistantId);
    throw error;
  });
  return approvalOutcome(context, approval.approvalId, waitMs, signal);
};

/** What the person set aside for one asker, no assistant spends for another, however it asks. */
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
 * A writing that somebody wants: one that an extra pays spends money, so it names an approval of its own or the person is
 * asked. One after the other, as each looks at what is left.
 */
const writeFor = async (context: Context, request: Request, input: ParsedInput<RouteName>): Promise<Outcome> => {
  const leave = await context.writingTurn.take('writing', request.signal ?? neverAborted);
  try {
    // Once more in its turn: the one before may have used the last of them.
    refuseOthersExtras(context, request, input);
    const given = inputOf('generateListing', input).body.extrasApprovalId;
    const kind = given === undefined ? (await context.freshStanding(request.signal)).allowance.nextListing?.kind : null;
    const isExtra = kind === 'extra' || kind === 'extras_approval_required';
    if (isExtra && request.internal) throw problem('EXTRAS_APPROVAL_REQUIRED');
    // The one before may also have been for this very listing, and so may one of the person's.
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
  // An adaptation is no first writing: that it is refused says nothing about whether there was one.
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
    // 409 means that it is being written already: by the very request whose answer was lost, as far as anybody knows.
    // Who hangs up does not take back what has left.
    const refused = error instanceof ServiceError ? error.effect !== 'unclear' && error.status !== 409 : !hasLeft;
    if (first && refused) context.generations.settled(account, first.params.listingId, false);
    if (extra !== undefined && refused) context.extras.giveBack(extra);
    if (route === 'readListing' && context.account() === account) context.onUnread(input, error);
    throw error;
  });
  const { status, headers, answer, text, source, ageMs } = await sent;
  if (!options.internal && context.account() === account) context.asked(by, route, input);
  // What was on its way while another account was connected is not that one's, and nobody is told who left meanwhile.
  if (context.account() !== account) throw problem('ACCOUNT_CHANGED.sent');
  context.checkAccess(by);
  // An adaptation, too, shows that it has been written once: another first writing then uses another listing.
  if (writing) context.generations.settled(account, writing.params.listingId, true);
  if (by.kind === 'person' && pageOf(route) !== null) context.pageGiven();
  noteListings(context, request, input, { source, answer });
  const page = context.pages.note(route, input, { status, answer });
  if (page !== null) context.offers.put(by, page);
  const seen = visibleAnswer(context, request, input, answer);
  return { state: 'done', status, headers, answer: seen, text: seen === answer ? text : undefined, source, ageMs };
};

/** Keeps what the service answered, and notes whose listings are in it. */
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

/** The answer as the asker may see it: an assistant gets no pages that are the person's, no listings of others, and no slot. */
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

/** The standing as an assistant may read it: the extras that are set aside only where they are its own. */
const ownStanding = (answer: unknown, own: ReturnType<ExtrasOwners['of']>): unknown => {
  if (!isRecord(answer) || !isRecord(answer['allowance'])) return answer;
  const { extras } = answer['allowance'];
  if (!isRecord(extras) || !isRecord(extras['approval'])) return answer;
  if (own !== null && extras['approval']['approvalId'] === own.extrasApprovalId) return answer;
  return { ...answer, allowance: { ...answer['allowance'], extras: { ...extras, approval: null } } };
};

const neverAborted = new AbortController().signal;

/** Where the interface names every field of a body, another one is a mistake that nobody could be shown in words. */
const refuseUnnamed = (route: RouteName, body: unknown): void => {
  const { bodyFields } = routeOf(route);
  if (bodyFields === undefined || body === null || typeof body !== 'object') return;
  const field = Object.keys(body).find((name) => !bodyFields.includes(name));
  if (field !== undefined)
    throw problem('INVALID_REQUEST.unknownField', { field, values: { field: field.slice(0, 80) } });
};

/** Routes that answer the listing they are about; the interface does not show what an edit and a revert answer. */
const answersOwn: readonly RouteName[] = ['readListing', 'updateListing', 'revertListing'];
/** Routes that answer a listing of another id. A relist comes here as it was read after it. */
const answersNew: readonly RouteName[] = ['createListing', 'relistListing'];

/** The listings in an answer of the service, by the route that gave it. An answer tells nothing of a listing that it is not about. */
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
