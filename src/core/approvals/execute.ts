import { parseInput, rawInput, type ParsedInput, type RouteName } from '../../contract/index.ts';
import { Problem, problem, problemView, problemText } from '../base/problem.ts';
import { bodyOf } from '../base/json.ts';
import { message } from '../../i18n/message.ts';
import { formatEnglish } from '../../i18n/english.ts';
import { ServiceError } from '../service/serviceError.ts';
import type { ServiceAnswer } from '../service/serviceClient.ts';
import type { ApprovalRow, StoredAnswer } from '../storage/tables/approvalsTable.ts';
import type { ApprovalsContext } from './approvalsContext.ts';
import type { Hold } from './listingLocks.ts';
import { createReadingRounds } from './readingRounds.ts';
import { liveCheck } from './liveCheck.ts';
import { deniedAnswer, deniesItself } from './outcomes.ts';
import {
  failApproval,
  moveApproval,
  settleAnswered,
  resumeReadings,
  settleApproval,
  settleInterrupted,
  settleRefused,
  type SettleContext,
} from './settle.ts';
import type { FirstRequest } from './subject.ts';

/** A request that is about to be sent, with the requests that precede it. */
export type Transmission = {
  row: ApprovalRow;
  /** The requests that the same approval covers; they are sent first. */
  first: readonly FirstRequest[];
  /** The lock on its listing, which the sender must own. */
  hold: Hold;
  /**
   * Checks the subject again after the preceding requests. Returns how to supersede the prompt if something changed, else
   * null. Throws if this cannot be determined.
   */
  recheckSubject: () => Promise<Supersede | null>;
};

/** A request that was sent, answered or not; `settled` resolves once its outcome is known and stored. */
export type Sent = { settled: Promise<void> };

/** Supersedes the prompt. `inWords` describes what was already done, for the old prompt and if no new one can be created. */
export type Supersede = (inWords: (error: unknown) => Problem) => void;

/** Sends each approved request once and finds out its outcome. */
export type Executor = {
  /** Claims an approved request without preceding requests: only the caller that gets true may send it. */
  begin: (row: ApprovalRow) => boolean;
  /**
   * Sends a request; reads of its outcome follow. With preceding requests it stays approved until they are done, because it
   * has not been sent yet. If the process ends before, it is requested again.
   */
  transmit: (transmission: Transmission) => Promise<Sent>;
  /** Whether this process is sending it, so that others must not look up its outcome. */
  isUnderWay: (approvalId: string) => boolean;
  /** Stores an outcome that could not be stored before, because the disk was full. */
  endAgain: (row: ApprovalRow) => Promise<void>;
  /** Settles a request that may have been sent, without an answer, by reading only. */
  interrupted: (row: ApprovalRow) => Promise<void>;
  settle: (row: ApprovalRow) => Promise<void>;
  /** Repeats ended lookups of a listing that could be read again. */
  resumeReadings: (listingId: string) => Promise<void>;
  /** Ends the automatic lookups, after the person unlocked the listing. */
  endReadings: (approvalId: string) => void;
  /** Checks live listings that could not be read when they went live. */
  checkAgain: () => Promise<void>;
};

/** The context of settling, and the requests that are being sent in this run. */
type ExecuteContext = SettleContext & {
  underWay: Set<string>;
  /** Known outcomes that are not stored yet. */
  ends: Map<string, () => Promise<void>>;
};

export const createExecutor = (engine: ApprovalsContext): Executor => {
  const context: ExecuteContext = {
    ...engine,
    check: liveCheck(engine),
    underWay: new Set(),
    ends: new Map(),
    settling: new Map(),
    rounds: createReadingRounds(engine.clock),
  };
  return {
    begin: (row) => beginSending(context, row),
    transmit: (transmission) => transmit(context, transmission),
    isUnderWay: (approvalId) => context.underWay.has(approvalId),
    endAgain: async (row) => {
      const how = context.ends.get(row.approval_id);
      if (how && !context.underWay.has(row.approval_id)) await end(context, row, how);
    },
    interrupted: (row) => settleInterrupted(context, row),
    settle: (row) => settleApproval(context, row),
    resumeReadings: (listingId) => resumeReadings(context, listingId),
    endReadings: context.rounds.endRounds,
    checkAgain: context.check.again,
  };
};

/** Marks the request as sent and starts the time for its answer. Returns false if it must not be sent any more. */
const beginSending = (context: ExecuteContext, row: ApprovalRow): boolean => {
  const isBegun = moveApproval(context, row, 'send', {});
  if (isBegun) context.lostAnswers.sent(row.approval_id);
  return isBegun;
};

/**
 * Sends a stored request unchanged, with the key that it was approved for. A listing is never written to without its lock.
 */
const call = async (
  context: ExecuteContext,
  { row, hold }: { row: ApprovalRow; hold: Hold },
  { route, input }: FirstRequest,
  once = false,
): Promise<ServiceAnswer<RouteName>> => {
  const parsed = parseInput(route, rawInput.parse(input));
  if (!parsed.ok) throw new Error(`A stored request no longer fits its route: ${parsed.problem.field}`);
  const { key } = row.subject.version === 2 ? row.subject : { key: '' };
  if (row.account !== context.account()) throw notSent();
  const options = { once, keyPrint: key };
  const stored = input as ParsedInput<typeof route>;
  if (row.listing_id !== null) context.moving.written(row.account, bodyOf(input));
  return context.sendApproved(hold, route, stored, options);
};

const end = async ({ ends }: ExecuteContext, row: ApprovalRow, how: () => Promise<void>): Promise<void> => {
  ends.set(row.approval_id, how);
  await how();
  ends.delete(row.approval_id);
};

/** Sends a request. A fee notice that was accepted in the meantime is not confirmed twice. */
const transmit = async (context: ExecuteContext, transmission: Transmission): Promise<Sent> => {
  const { underWay } = context;
  const { row } = transmission;
  underWay.add(row.approval_id);
  const leave = (): void => void underWay.delete(row.approval_id);
  try {
    const how = await findEnd(context, transmission);
    return { settled: end(context, row, how).finally(leave) };
  } catch (error) {
    leave();
    throw error;
  }
};

const findEnd = async (context: ExecuteContext, transmission: Transmission): Promise<() => Promise<void>> => {
  const { row, first, hold } = transmission;
  const stopped = first.length > 0 ? await goFirst(context, transmission) : null;
  return stopped ?? sent(context, row, hold);
};

/** Sends the preceding requests and begins the main request; returns how to end if it must not follow, else null. */
const goFirst = async (context: ExecuteContext, transmission: Transmission): Promise<(() => Promise<void>) | null> => {
  try {
    await sendFirst(context, transmission);
    const supersede = await followNotice(context, transmission);
    return supersede && (async () => supersede(noticeAgreed));
  } catch (error) {
    // The main request has not been sent, so it did not happen, whatever failed here. The preceding requests may have.
    return async () => failApproval(context, transmission.row, error);
  }
};

/** Sends the preceding fee notice. If that fails, throws with the outcome of the notice. */
const sendFirst = async (context: ExecuteContext, { row, first, hold }: Transmission): Promise<void> => {
  const { ledger, clock } = context;
  for (const one of first) {
    // Stored before it is sent, so that a crash in between does not hide it.
    ledger.append(clock.now(), 'approval.first_sent', { approvalId: row.approval_id, route: one.route });
    await call(context, { row, hold }, one).catch((error: unknown) => {
      throw error instanceof ServiceError && error.effect === 'unclear' ? afterNotice('noticeUnsure', error) : error;
    });
  }
};

/** Begins the main request after the fee notice; returns how to supersede the prompt if something changed. */
const followNotice = async (
  context: ExecuteContext,
  { row, recheckSubject }: Transmission,
): Promise<Supersede | null> => {
  try {
    // The notice took time: the subject may have changed in the meantime.
    const supersede = await recheckSubject();
    if (supersede === null && !beginSending(context, row)) throw problem('SUPERSEDED');
    return supersede;
  } catch (error) {
    throw noticeAgreed(error);
  }
};

const noticeAgreed = (error: unknown): Problem => afterNotice('noticeAgreed', error);

/** Describes why nothing followed a fee notice, and the outcome of the notice. */
const afterNotice = (name: 'noticeAgreed' | 'noticeUnsure', error: unknown): Problem => {
  const { code, sentence, says } = problemView(error);
  const whole = message(`outcomes.${name}`, { why: says ?? sentence });
  return new Problem(code, formatEnglish(whole), { says: whole, cause: error });
};

/** Sends the main request; returns what must be stored then. */
const sent = async (context: ExecuteContext, row: ApprovalRow, hold: Hold): Promise<() => Promise<void>> => {
  try {
    const { status, headers, answer } = await call(context, { row, hold }, row.subject.request, true);
    if (deniesItself(row.route, answer)) throw deniedAnswer(status, answer);
    return () => settleAnswered(context, row, { status, headers, body: answer });
  } catch (error) {
    if (error instanceof ServiceError && error.effect !== 'unclear')
      return () => settleRefused(context, row, error, answerIn(error));
    context.lostAnswers.note(row.approval_id, error);
    return () => settleInterrupted(context, row, error);
  }
};

/** Returns the service's answer to a refused request; null if the request was refused locally. */
const answerIn = ({ status, headers, body }: ServiceError): StoredAnswer | null =>
  status >= 400 ? { status, headers, body: body ?? null } : null;

const notSent = () => new ServiceError({ ...problemText('ACCOUNT_CHANGED'), effect: 'refused', status: 0 });
