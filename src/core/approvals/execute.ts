import { parseRouteInput, rawInput, type ParsedInput, type RouteName } from '../../contract/index.ts';
import { Problem, createProblem, toProblemView, createProblemText } from '../base/problem.ts';
import { getRequestBody } from '../base/json.ts';
import { createMessage } from '../../i18n/message.ts';
import { formatEnglishMessage } from '../../i18n/english.ts';
import { ServiceError } from '../service/serviceError.ts';
import type { ServiceAnswer } from '../service/serviceClient.ts';
import type { ApprovalRow, StoredAnswer } from '../storage/tables/approvalsTable.ts';
import type { ApprovalsContext } from './approvalsContext.ts';
import type { ListingLock } from './listingLocks.ts';
import { createLookupScheduler } from './outcomes/lookupRounds.ts';
import { createLiveCheck } from './outcomes/liveCheck.ts';
import { createDeniedAnswerError, isDeniedInBody } from './outcomes/outcomes.ts';
import {
  failUnsentApproval,
  applyApprovalEvent,
  settleAnsweredRequest,
  resumeEndedLookups,
  settleByReading,
  settleInterruptedRequest,
  settleRefusedRequest,
  type SettleContext,
} from './outcomes/settle.ts';
import type { PrecedingRequest } from './subject.ts';

export type Transmission = {
  row: ApprovalRow;
  /** The approval also covers these requests, which are sent first. */
  first: readonly PrecedingRequest[];
  lock: ListingLock;
  /** Reads the subject again. If something changed, returns a function that supersedes the prompt; otherwise null. */
  recheckSubject: () => Promise<SupersedePrompt | null>;
};

/** `settled` resolves after the outcome of the request is stored. */
export type SentRequest = { settled: Promise<void> };

/** Supersedes a prompt. `inWords` puts the reason into a problem that tells the person what was already done. */
export type SupersedePrompt = (inWords: (error: unknown) => Problem) => void;

/** Sends each approved request once and finds out its outcome. */
export type Executor = {
  /** Marks a request without preceding requests as being sent. Only the caller that gets true may send it. */
  beginSending: (row: ApprovalRow) => boolean;
  /** Sends the preceding requests and then the request, and looks up the outcome in the background. */
  sendTransmission: (transmission: Transmission) => Promise<SentRequest>;
  /** Returns whether this process is sending the request, so that its outcome must not be looked up. */
  isBeingSent: (approvalId: string) => boolean;
  /** Stores an outcome that could not be stored before because the disk was full. */
  storeKnownOutcome: (row: ApprovalRow) => Promise<void>;
  settleInterrupted: (row: ApprovalRow) => Promise<void>;
  settleApproval: (row: ApprovalRow) => Promise<void>;
  /** Repeats lookups that ended without a result. To be called when the listing has become readable. */
  resumeReadings: (listingId: string) => Promise<void>;
  endReadings: (approvalId: string) => void;
  /** Checks live listings that could not be read when they went live. */
  recheckLive: () => Promise<void>;
};

type ExecuteContext = SettleContext & {
  sendingIds: Set<string>;
  /** Known outcomes that are not stored yet, by approval id. */
  pendingOutcomes: Map<string, () => Promise<void>>;
};

export const createExecutor = (engine: ApprovalsContext): Executor => {
  const context: ExecuteContext = {
    ...engine,
    liveCheck: createLiveCheck(engine),
    sendingIds: new Set(),
    pendingOutcomes: new Map(),
    runningLookups: new Map(),
    rounds: createLookupScheduler(engine.clock),
  };
  return {
    beginSending: (row) => beginSendingRequest(context, row),
    sendTransmission: (transmission) => transmitRequest(context, transmission),
    isBeingSent: (approvalId) => context.sendingIds.has(approvalId),
    storeKnownOutcome: async (row) => {
      const how = context.pendingOutcomes.get(row.approval_id);
      if (how && !context.sendingIds.has(row.approval_id)) await storeOutcome(context, row, how);
    },
    settleInterrupted: (row) => settleInterruptedRequest(context, row),
    settleApproval: (row) => settleByReading(context, row),
    resumeReadings: (listingId) => resumeEndedLookups(context, listingId),
    endReadings: context.rounds.endRounds,
    recheckLive: context.liveCheck.checkMissed,
  };
};

/** Returns false if the request must not be sent any more. */
const beginSendingRequest = (context: ExecuteContext, row: ApprovalRow): boolean => {
  const isBegun = applyApprovalEvent(context, row, 'send', {});
  if (isBegun) context.lostAnswers.sent(row.approval_id);
  return isBegun;
};

/** Sends a stored request unchanged, and only with the key that it was approved for. */
const sendStoredRequest = async (
  context: ExecuteContext,
  { row, lock }: { row: ApprovalRow; lock: ListingLock },
  { route, input }: PrecedingRequest,
  once = false,
): Promise<ServiceAnswer<RouteName>> => {
  const parsed = parseRouteInput(route, rawInput.parse(input));
  if (!parsed.ok) throw new Error(`A stored request no longer fits its route: ${parsed.problem.field}`);
  const { key } = row.subject.version === 2 ? row.subject : { key: '' };
  if (row.account !== context.account()) throw createNotSentError();
  const options = { once, keyPrint: key };
  const stored = input as ParsedInput<typeof route>;
  if (row.listing_id !== null) context.volatileFields.noteWritten(row.account, getRequestBody(input));
  return context.sendApproved(lock, route, stored, options);
};

const storeOutcome = async (
  { pendingOutcomes }: ExecuteContext,
  row: ApprovalRow,
  store: () => Promise<void>,
): Promise<void> => {
  pendingOutcomes.set(row.approval_id, store);
  await store();
  pendingOutcomes.delete(row.approval_id);
};

const transmitRequest = async (context: ExecuteContext, transmission: Transmission): Promise<SentRequest> => {
  const { sendingIds } = context;
  const { row } = transmission;
  sendingIds.add(row.approval_id);
  const endSending = (): void => void sendingIds.delete(row.approval_id);
  try {
    const how = await sendAndFindOutcome(context, transmission);
    return { settled: storeOutcome(context, row, how).finally(endSending) };
  } catch (error) {
    endSending();
    throw error;
  }
};

const sendAndFindOutcome = async (
  context: ExecuteContext,
  transmission: Transmission,
): Promise<() => Promise<void>> => {
  const { row, first, lock } = transmission;
  const stopped = first.length > 0 ? await prepareMainRequest(context, transmission) : null;
  return stopped ?? sendMainRequest(context, row, lock);
};

/** If the main request must not follow, returns a function that ends the approval; otherwise returns null. */
const prepareMainRequest = async (
  context: ExecuteContext,
  transmission: Transmission,
): Promise<(() => Promise<void>) | null> => {
  try {
    await sendPrecedingRequests(context, transmission);
    const supersede = await recheckAndBeginSending(context, transmission);
    return supersede && (async () => supersede(toNoticeAgreedProblem));
  } catch (error) {
    // The main request was certainly not sent, so the approval fails, even if preceding requests were sent.
    return async () => failUnsentApproval(context, transmission.row, error);
  }
};

const sendPrecedingRequests = async (context: ExecuteContext, { row, first, lock }: Transmission): Promise<void> => {
  const { ledger, clock } = context;
  for (const request of first) {
    // The ledger records the request before it is sent, so that a crash does not hide it.
    ledger.append(clock.now(), 'approval.first_sent', { approvalId: row.approval_id, route: request.route });
    await sendStoredRequest(context, { row, lock }, request).catch((error: unknown) => {
      throw error instanceof ServiceError && error.effect === 'unclear'
        ? createNoticeProblem('noticeUnsure', error)
        : error;
    });
  }
};

const recheckAndBeginSending = async (
  context: ExecuteContext,
  { row, recheckSubject }: Transmission,
): Promise<SupersedePrompt | null> => {
  try {
    // The subject might have changed while the fee notice was sent.
    const supersede = await recheckSubject();
    if (supersede === null && !beginSendingRequest(context, row)) throw createProblem('SUPERSEDED');
    return supersede;
  } catch (error) {
    throw toNoticeAgreedProblem(error);
  }
};

const toNoticeAgreedProblem = (error: unknown): Problem => createNoticeProblem('noticeAgreed', error);

const createNoticeProblem = (name: 'noticeAgreed' | 'noticeUnsure', error: unknown): Problem => {
  const { code, sentence, says } = toProblemView(error);
  const whole = createMessage(`outcomes.${name}`, { why: says ?? sentence });
  return new Problem(code, formatEnglishMessage(whole), { says: whole, cause: error });
};

/** Sends the main request and returns a function that stores its outcome. */
const sendMainRequest = async (
  context: ExecuteContext,
  row: ApprovalRow,
  lock: ListingLock,
): Promise<() => Promise<void>> => {
  try {
    const { status, headers, answer } = await sendStoredRequest(context, { row, lock }, row.subject.request, true);
    if (isDeniedInBody(row.route, answer)) throw createDeniedAnswerError(status, answer);
    return () => settleAnsweredRequest(context, row, { status, headers, body: answer });
  } catch (error) {
    if (error instanceof ServiceError && error.effect !== 'unclear')
      return () => settleRefusedRequest(context, row, error, getRefusalAnswer(error));
    context.lostAnswers.note(row.approval_id, error);
    return () => settleInterruptedRequest(context, row, error);
  }
};

/** Returns the service's answer; null if the companion, not the service, refused the request. */
const getRefusalAnswer = ({ status, headers, body }: ServiceError): StoredAnswer | null =>
  status >= 400 ? { status, headers, body: body ?? null } : null;

const createNotSentError = () =>
  new ServiceError({ ...createProblemText('ACCOUNT_CHANGED'), effect: 'refused', status: 0 });
