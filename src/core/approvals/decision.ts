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

/** The engine's context, and the decisions of this run. */
export type DecideContext = ApprovalsContext & {
  requester: Requester;
  executor: Executor;
  /** Approved requests that are being processed, by approval id. */
  running: Map<string, Promise<ApprovalView>>;
  /** Approvals of this run that are in the undo window, or wait for earlier rows of their batch. */
  heldHere: Set<string>;
  /** Aborted when the companion stops. */
  ended: AbortController;
};

/** Returns the approval with that id. Throws if the connected account has none. */
export const need = (context: ApprovalsContext, approvalId: string): ApprovalRow => {
  const row = context.table.read(approvalId);
  if (!row || row.account !== context.account()) throw problem('NOT_FOUND.approval');
  return row;
};

/** Returns the approval; throws if the digest is not that of the shown prompt. */
export const needShown = (context: DecideContext, approvalId: string, digest: string): ApprovalRow => {
  const row = need(context, approvalId);
  if (row.digest === digest) return row;
  context.requester.record(approvalId, 'approval.wrong_digest');
  throw problem('NOT_WHAT_WAS_SHOWN');
};

/** Returns the approval, or the latest one that supersedes it. */
export const latest = (context: ApprovalsContext, row: ApprovalRow): ApprovalRow => {
  const next = row.superseded_by === null ? null : context.table.read(row.superseded_by);
  return next ? latest(context, next) : row;
};

/** The same, but only while the superseding approval is for the same request: a caller waits for its own request only. */
export const latestOfRequest = (context: ApprovalsContext, row: ApprovalRow): ApprovalRow => {
  const next = row.superseded_by === null ? null : context.table.read(row.superseded_by);
  return next?.request_digest === row.request_digest ? latestOfRequest(context, next) : row;
};

const isSameAccount = (context: ApprovalsContext, row: ApprovalRow): boolean => row.account === context.account();

/** Locks the listing, or the account for an act without a listing, because other acts may depend on it. */
export const acquire = ({ locks }: ApprovalsContext, row: ApprovalRow): Promise<Hold> =>
  locks.acquire(row.listing_id, row.approval_id);

/** Unlocks the listing, unless the approval is in the undo window, or was sent with an unknown outcome. */
export const settleHold = ({ table }: ApprovalsContext, row: ApprovalRow, hold: Hold): void => {
  const { state, held_until: heldUntil = null } = table.read(row.approval_id) ?? {};
  if (state === 'approved' && heldUntil !== null) return;
  if (state === 'sending' || state === 'unconfirmed') hold.rest();
  else hold.release();
};

export type End = {
  event: 'decline' | 'withdraw' | 'expire' | 'takeBack';
  facts: Record<string, unknown>;
  reason?: ProblemText;
  declinedBecause?: DeclineReason;
};

/** Ends an approval that is pending or in the undo window, without sending anything. */
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

/** Stores the approval within the caller's transaction; returns false if it is no longer pending. */
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

/** Whether the deadline has passed; ends the approval if so. */
export const expired = (context: DecideContext, row: ApprovalRow): boolean => {
  if (leftMs(context, row) > 0) return false;
  end(context, row, { event: 'expire', facts: {} });
  return true;
};

/** Ends all approvals past their deadline. If the disk is full or failing, a later call ends them. */
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

/** Another account is connected: a request for one account is never sent to another. */
const leave = (context: DecideContext, row: ApprovalRow): null => {
  end(context, row, withdrawn(row, problemText('ACCOUNT_CHANGED')));
  return null;
};

/** Withdraws pending approvals and those in the undo window, of one asker or of all, and wakes their waiters. */
export const withdrawAll = (
  context: DecideContext,
  account: string,
  askerId: string | null,
  reason: ProblemText,
): void => {
  for (const row of context.table.inState(account, 'pending', 'approved')) {
    if (askerId !== null && row.asker_id !== askerId) continue;
    // A preceding request is in flight: its sender checks again and reports the outcome of both.
    if (context.executor.isUnderWay(row.approval_id)) continue;
    end(context, row, withdrawn(row, reason));
    context.locks.release(row.listing_id, row.approval_id);
  }
};

/** Reads everything shown again; returns null if it must not be sent, which is then already stored and shown. */
export const confirm = async (context: DecideContext, row: ApprovalRow): Promise<Read | null> => {
  const { readAgain, stands, replace, drop } = context.requester;
  let fresh: Read;
  try {
    if (!isSameAccount(context, row)) return leave(context, row);
    fresh = await readAgain(row, context.readsAtYes);
  } catch (error) {
    // A failed read is no reason to drop the prompt; the person can approve again.
    if (isTransient(error) || !(error instanceof Problem)) throw error;
    drop(row, error);
    return null;
  }
  // Data read with one key must not be sent with another.
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

/**
 * Returns how to supersede the prompt if something changed since the approval, else null. Throws if this cannot be
 * determined.
 */
export const recheckSubject = async (context: DecideContext, row: ApprovalRow): Promise<Supersede | null> => {
  const { readAgain, stands, replace } = context.requester;
  const fresh = await readAgain(row, context.readsAfterNotice);
  if (!isSameAccount(context, row) || fresh.subject.key !== keyOf(row)) throw problem('ACCOUNT_CHANGED');
  context.checkAsker(row.asker, row.route, row.subject.request.input);
  return stands(row, fresh) ? null : (inWords) => void replace(row, fresh, { inWords });
};

/** Whether a text consists only of the companion's own words: a string value is foreign text. */
const isOurs = (says: Message | undefined): boolean =>
  says !== undefined &&
  Object.values(says.values ?? {}).every((one) =>
    typeof one === 'object' && 'key' in one ? isOurs(one) : typeof one !== 'string',
  );

/**
 * Returns why an approval did not succeed. If the reason contains words of the service it is a `ServiceError`, even if they
 * came from a read, so that they are not taken for the companion's own.
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
