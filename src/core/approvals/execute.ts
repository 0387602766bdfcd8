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

/** A request that was begun, or that others go before. */
export type Transmission = {
  row: ApprovalRow;
  /** The requests that the same yes also covers, which go first. */
  first: readonly FirstRequest[];
  /** The lock on its listing, which whoever sends it must have. */
  hold: Hold;
  /**
   * Looks again, after the requests that go first: what puts a fresh question in the place of this one where not all is
   * as it was said yes to, and null where it is. Throws where that cannot be told.
   */
  recheckSubject: () => Promise<Supersede | null>;
};

/** A request that left and was answered, or not; `settled` ends once what became of it is known and on disk. */
export type Sent = { settled: Promise<void> };

/** Asks anew; `inWords` tells what was done already, of the old question and where no new one can be asked. */
export type Supersede = (inWords: (error: unknown) => Problem) => void;

/** Sends what was approved, once, and finds out what became of it. */
export type Executor = {
  /** Takes an approved request that nothing goes before: whoever gets true sends it, and nobody else does. */
  begin: (row: ApprovalRow) => boolean;
  /**
   * Sends a request; readings that tell what became of it follow. One that others go before stays approved until
   * they are through, as it has not left: it is begun here, and asked again where the process ends before.
   */
  transmit: (transmission: Transmission) => Promise<Sent>;
  /** Whether this process is sending it; nobody else looks up what became of it. */
  isUnderWay: (approvalId: string) => boolean;
  /** Writes down an end that could not be written when it was known, for want of room. */
  endAgain: (row: ApprovalRow) => Promise<void>;
  /** It may have left, and no answer came: looked up by reading only. */
  interrupted: (row: ApprovalRow) => Promise<void>;
  settle: (row: ApprovalRow) => Promise<void>;
  /** A listing could be read: what is not read by itself any more is looked up once more. */
  resumeReadings: (listingId: string) => Promise<void>;
  /** The person let go of its listing: nothing is read of it by itself any more. */
  endReadings: (approvalId: string) => void;
  /** Holds against what is live what could not be read when it went live. */
  checkAgain: () => Promise<void>;
};

/** What the functions that send work with: those that settle, and what is being sent in this run. */
type ExecuteContext = SettleContext & {
  /** What this process is sending. */
  underWay: Set<string>;
  /** Ends that are known and not on disk yet. */
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

/** The request leaves now, and the time that its answer may take begins. False where it is not to be sent any more. */
const beginSending = (context: ExecuteContext, row: ApprovalRow): boolean => {
  const isBegun = moveApproval(context, row, 'send', {});
  if (isBegun) context.lostAnswers.sent(row.approval_id);
  return isBegun;
};

/**
 * Sends a stored request as it is stored, with the very key that the yes was given for. A listing that nobody holds is
 * never written to.
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

/** Sends a request. A notice that was agreed to in the meantime is not confirmed twice. */
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

/** Sends what goes first and begins what was asked for; answers how it ends where that may not follow, else null. */
const goFirst = async (context: ExecuteContext, transmission: Transmission): Promise<(() => Promise<void>) | null> => {
  try {
    await sendFirst(context, transmission);
    const supersede = await followNotice(context, transmission);
    return supersede && (async () => supersede(noticeAgreed));
  } catch (error) {
    // What was asked for has not left yet, so whatever failed here, it did not happen; what goes first may have.
    return async () => failApproval(context, transmission.row, error);
  }
};

/** Sends the notice that goes first. Throws where that failed, with what became of the notice. */
const sendFirst = async (context: ExecuteContext, { row, first, hold }: Transmission): Promise<void> => {
  const { ledger, clock } = context;
  for (const one of first) {
    // On disk before it leaves: an end of the process in between does not hide it.
    ledger.append(clock.now(), 'approval.first_sent', { approvalId: row.approval_id, route: one.route });
    await call(context, { row, hold }, one).catch((error: unknown) => {
      throw error instanceof ServiceError && error.effect === 'unclear' ? afterNotice('noticeUnsure', error) : error;
    });
  }
};

/** Begins what was asked for, now that the notice is agreed to; answers how it is asked anew where something differs. */
const followNotice = async (
  context: ExecuteContext,
  { row, recheckSubject }: Transmission,
): Promise<Supersede | null> => {
  try {
    // That took its time: somebody elsewhere may have changed something meanwhile.
    const supersede = await recheckSubject();
    if (supersede === null && !beginSending(context, row)) throw problem('SUPERSEDED');
    return supersede;
  } catch (error) {
    throw noticeAgreed(error);
  }
};

const noticeAgreed = (error: unknown): Problem => afterNotice('noticeAgreed', error);

/** Why nothing followed a notice, and what became of the notice. */
const afterNotice = (name: 'noticeAgreed' | 'noticeUnsure', error: unknown): Problem => {
  const { code, sentence, says } = problemView(error);
  const whole = message(`outcomes.${name}`, { why: says ?? sentence });
  return new Problem(code, formatEnglish(whole), { says: whole, cause: error });
};

/** Sends what was asked for; answers what is to be written down then. */
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

/** What the service answered with a refusal; null where the request was refused here. */
const answerIn = ({ status, headers, body }: ServiceError): StoredAnswer | null =>
  status >= 400 ? { status, headers, body: body ?? null } : null;

const notSent = () => new ServiceError({ ...problemText('ACCOUNT_CHANGED'), effect: 'refused', status: 0 });
