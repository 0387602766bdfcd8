import { diskProblem, problem, problemText, type DeclineReason, type ProblemText, Problem } from '../base/problem.ts';
import type { ApprovalView } from '../storage/tables/approvalRecord.ts';
import type { ApprovalRow } from '../storage/tables/approvalsTable.ts';
import type { ApprovalsContext } from './approvalsContext.ts';
import { decisionOf, leftMs } from './deadlines.ts';
import type { Executor, Supersede } from './execute.ts';
import type { Hold } from './listingLocks.ts';
import { declinedProblem } from './checks/repeats.ts';
import type { Requester, Read } from './request.ts';
import { isTransient, secondsOf, ServiceError } from '../service/serviceError.ts';
import type { StoredAges } from '../base/storedAges.ts';
import type { Message } from '../../i18n/message.ts';

/** What the functions that decide work with: the engine's context, and what is being decided in this run. */
export type DecideContext = ApprovalsContext & {
  requester: Requester;
  executor: Executor;
  /** Yeses that are being acted on, by the id of the approval. */
  running: Map<string, Promise<ApprovalView>>;
  /** Approvals with a yes of this run that are held back, or wait for their turn in a batch. */
  heldHere: Set<string>;
  /** Aborted when the companion stops. */
  ended: AbortController;
};

/** The approval of that id. Throws when the connected account has none. */
export const need = (context: ApprovalsContext, approvalId: string): ApprovalRow => {
  const row = context.table.read(approvalId);
  if (!row || row.account !== context.account()) throw problem('NOT_FOUND.approval');
  return row;
};

/** Throws when a yes or another answer is not for what was shown. */
export const needShown = (context: DecideContext, approvalId: string, digest: string): ApprovalRow => {
  const row = need(context, approvalId);
  if (row.digest === digest) return row;
  context.requester.record(approvalId, 'approval.wrong_digest');
  throw problem('NOT_WHAT_WAS_SHOWN');
};

/** The approval itself, or the one that took its place, and so on. */
export const latest = (context: ApprovalsContext, row: ApprovalRow): ApprovalRow => {
  const next = row.superseded_by === null ? null : context.table.read(row.superseded_by);
  return next ? latest(context, next) : row;
};

/** The same, as far as that is for the same request: what else took its place is of no interest to whoever waits for it. */
export const latestOfRequest = (context: ApprovalsContext, row: ApprovalRow): ApprovalRow => {
  const next = row.superseded_by === null ? null : context.table.read(row.superseded_by);
  return next?.request_digest === row.request_digest ? latestOfRequest(context, next) : row;
};

const isSameAccount = (context: ApprovalsContext, row: ApprovalRow): boolean => row.account === context.account();

/** Its listing; an act that is about none takes the whole account, as others may depend on what it does. */
export const acquire = ({ locks }: ApprovalsContext, row: ApprovalRow): Promise<Hold> =>
  locks.acquire(row.listing_id, row.approval_id);

/** Lets go of the listing, unless it is held back, or left and nobody knows what became of it. */
export const settleHold = ({ table }: ApprovalsContext, row: ApprovalRow, hold: Hold): void => {
  const { state, held_until: heldUntil = null } = table.read(row.approval_id) ?? {};
  if (state === 'approved' && heldUntil !== null) return;
  if (state === 'sending' || state === 'unconfirmed') hold.rest();
  else hold.release();
};

export type End = {
  event: 'decline' | 'withdraw' | 'expire' | 'takeBack';
  /** What the ledger records with it. */
  facts: Record<string, unknown>;
  /** What is shown as the reason. */
  reason?: ProblemText;
  declinedBecause?: DeclineReason;
};

/** Ends a question, or a yes that is held back, without anything being sent. */
export const end = (
  context: DecideContext,
  row: ApprovalRow,
  { event, facts, reason, declinedBecause }: End,
): ApprovalView => {
  const { db, table, clock, ages, requester } = context;
  const marks = {
    ...(reason ? { outcome: { ...reason, url: null } } : {}),
    ...(declinedBecause ? { declinedBecause } : {}),
  };
  db.transaction(() => {
    if (!table.move(row.approval_id, event, { at: clock.now(), ...marks })) return;
    ages.note(decisionOf(row));
    requester.record(row.approval_id, `approval.${event}`, facts);
  })();
  context.changed('approvals');
  return requester.view(row);
};

/** Writes the yes to one approval, within the caller's transaction; false where it does not wait any more. */
export const storeYes = (
  { table, ages, requester }: DecideContext,
  row: ApprovalRow,
  times: { at: number; heldUntil?: number },
): boolean => {
  const { at, ...hold } = times;
  if (!table.move(row.approval_id, 'approve', { at, ...hold })) return false;
  ages.note(decisionOf(row));
  requester.record(row.approval_id, 'approval.approve', { digest: row.digest, ...hold });
  return true;
};

/** Whether the time to answer is over; the question is ended then. */
export const expired = (context: DecideContext, row: ApprovalRow): boolean => {
  if (leftMs(context, row) > 0) return false;
  end(context, row, { event: 'expire', facts: {} });
  return true;
};

/** Ends every question whose time is over; on a disk that takes nothing, later. */
export const expireDue = (context: DecideContext): void => {
  try {
    for (const row of context.table.pendingTimes(context.account()).filter((one) => leftMs(context, one) <= 0))
      expired(context, need(context, row.approval_id));
  } catch (error) {
    if (diskProblem(error) === null) throw error;
  }
};

const withdrawn = (row: ApprovalRow, reason: ProblemText): End => ({
  event: row.state === 'pending' ? 'withdraw' : 'takeBack',
  facts: { code: reason.code },
  reason,
});

/** Another account is connected by now: what was asked for the one is never done to the other. */
const leave = (context: DecideContext, row: ApprovalRow): null => {
  end(context, row, withdrawn(row, problemText('ACCOUNT_CHANGED')));
  return null;
};

/** Withdraws what waits or is held back, of one asker or of all, and wakes whoever waits for it. */
export const withdrawAll = (
  context: DecideContext,
  account: string,
  askerId: string | null,
  reason: ProblemText,
): void => {
  for (const row of context.table.inState(account, 'pending', 'approved')) {
    if (askerId !== null && row.asker_id !== askerId) continue;
    // What its yes also covers is on its way: whoever sends that looks again, and tells what became of both.
    if (context.executor.isUnderWay(row.approval_id)) continue;
    end(context, row, withdrawn(row, reason));
    context.locks.release(row.listing_id, row.approval_id);
  }
};

/** Reads everything shown again; null when it may not be sent any more, which is then on disk and shown. */
export const confirm = async (context: DecideContext, row: ApprovalRow): Promise<Read | null> => {
  const { readAgain, stands, replace, drop } = context.requester;
  let fresh: Read;
  try {
    if (!isSameAccount(context, row)) return leave(context, row);
    fresh = await readAgain(row, context.readsAtYes);
  } catch (error) {
    // Not being able to look is no reason to take the prompt away; the yes can be given again.
    if (isTransient(error) || !(error instanceof Problem)) throw error;
    drop(row, error);
    return null;
  }
  // Read with one key, it is nothing that another may say.
  if (!isSameAccount(context, row) || fresh.subject.key !== context.keyPrint()) return leave(context, row);
  if (!stands(row, fresh)) {
    replace(row, fresh);
    return null;
  }
  try {
    context.checkAsker(row.asker, row.route, row.subject.request.input);
    context.checkBudget(row.asker, row.route, row.prompt.money, [row.approval_id]);
  } catch (error) {
    drop(row, error);
    return null;
  }
  return fresh;
};

const keyOf = ({ subject }: ApprovalRow): string => (subject.version === 2 ? subject.key : '');

/** What asks anew where not all of it is as it was said yes to, null where it is; throws where that cannot be told. */
export const recheckSubject = async (context: DecideContext, row: ApprovalRow): Promise<Supersede | null> => {
  const { readAgain, stands, replace } = context.requester;
  const fresh = await readAgain(row, context.readsAfterNotice);
  if (!isSameAccount(context, row) || fresh.subject.key !== keyOf(row)) throw problem('ACCOUNT_CHANGED');
  context.checkAsker(row.asker, row.route, row.subject.request.input);
  return stands(row, fresh) ? null : (inWords) => void replace(row, fresh, { inWords });
};

/** Whether a text is ours alone: words at one of its places are of whoever wrote them. */
const isOurs = (says: Message | undefined): boolean =>
  says !== undefined &&
  Object.values(says.values ?? {}).every((one) =>
    typeof one === 'object' && 'key' in one ? isOurs(one) : typeof one !== 'string',
  );

/**
 * Why an approval that is over came to nothing. Where the reason holds words of the service it is a `ServiceError`, also
 * where they came with a read and not with the answer to what was asked for: nobody takes them for ours.
 */
export const failureOf = (ages: StoredAges, row: ApprovalRow): Problem => {
  const { state, answer, outcome } = row;
  if (state === 'declined') return declinedProblem(ages, row);
  if (state === 'expired') return problem('APPROVAL_EXPIRED');
  if (state === 'withdrawn' && !outcome) return problem('APPROVAL_WITHDRAWN');
  const { sentence, says, code } = outcome ?? problemText('SUPERSEDED');
  if (!answer && isOurs(says)) return new Problem(code ?? 'SUPERSEDED', sentence, { says });
  const { status, headers, body } = answer ?? { status: 409, headers: {}, body: { error: sentence } };
  return new ServiceError({
    ...{ code: code ?? (answer ? 'REFUSED' : 'SUPERSEDED'), sentence, says, effect: 'refused' },
    ...{ status, headers, body },
    retryAfterS: secondsOf(headers['retry-after']),
  });
};
