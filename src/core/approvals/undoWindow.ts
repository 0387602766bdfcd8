import { findRouteAct, getRouteByName, type RouteName } from '../../contract/index.ts';
import { findDiskProblem, createProblem, createProblemText, toProblemView } from '../base/problem.ts';
import type { ApprovalView } from '../storage/tables/approvalRecord.ts';
import type { ApprovalRow } from '../storage/tables/approvalsTable.ts';
import {
  rereadSubjectIfUnchanged,
  recheckBoundSubject,
  acquireListingLock,
  expireIfDue,
  requireApproval,
  requireProvenYes,
  requireShownApproval,
  releaseLockIfSettled,
  markApproved,
  type DecideContext,
  type GivenYes,
  type ProvenYes,
} from './decision.ts';
import type { ShownPrompt } from '../presence/windowSessions.ts';
import type { SentRequest } from './execute.ts';

const undoWindowMs = 5_000;

/** Returns whether a request has an undo window, because it is irreversible or hard to revert. */
export const hasUndoWindow = (route: RouteName): boolean =>
  getRouteByName(route).reversible === false || findRouteAct(route) === 'disconnect' || route === 'deleteFromChannels';

/** Stores the approval. The request is sent after the undo window unless the person takes it back. */
export const startUndoWindow = (context: DecideContext, row: ApprovalRow, yes: ProvenYes): ApprovalView => {
  // Logging is enough, because a later check settles a request that was neither sent nor dropped.
  const logUnsentRequest = (error: unknown): void =>
    context.log('error', 'act could not be sent after its undo window', { code: toProblemView(error).code });
  sendAfterUndoWindow(context, markRowsApproved(context, [row], yes)).catch(logUnsentRequest);
  return context.requester.readView(row);
};

/**
 * Stores the approvals, uses up the proof and runs `store` in one transaction. Returns the rows that were still pending.
 */
const markRowsApproved = (
  context: DecideContext,
  rows: readonly ApprovalRow[],
  yes: ProvenYes,
  store: () => void = () => undefined,
): ApprovalRow[] => {
  const at = context.clock.now();
  const approved = context.db.transaction(() => {
    store();
    const marked = rows.filter((row) => {
      const undoTimes = hasUndoWindow(row.route) ? { heldUntil: at + undoWindowMs } : {};
      return markApproved(context, row, { at, yes, ...undoTimes });
    });
    if (marked.length > 0) context.proofs.use(yes.given);
    return marked;
  })();
  for (const row of approved) context.approvedHere.add(row.approval_id);
  context.changed('approvals');
  return approved;
};

const nothingSent: SentRequest = { settled: Promise.resolve() };

const logUnstoredOutcome =
  ({ log }: DecideContext) =>
  (error: unknown): void =>
    log('error', 'outcome of a request could not be stored', { code: toProblemView(error).code });

/** Sends the rows one after another unless they were taken back. */
const sendAfterUndoWindow = async (
  context: DecideContext,
  rows: readonly ApprovalRow[],
  isStopped: () => boolean = () => false,
): Promise<void> => {
  const { clock, ended, approvedHere } = context;
  if (rows.length === 0) return;
  try {
    await clock.sleep(undoWindowMs, ended.signal);
  } catch {
    // If the companion quits during the undo window, the person is asked again after the next start.
    return;
  }
  const readings: Promise<void>[] = [];
  for (const row of rows) {
    if (isStopped()) takeBackApproval(context, row.approval_id);
    else {
      const sent = await sendApprovedRow(context, row).catch((error: unknown) =>
        dropUnsentApproval(context, row, error),
      );
      readings.push(sent.settled);
    }
    approvedHere.delete(row.approval_id);
  }
  await Promise.all(readings);
};

/** Does not wait for the outcome, so that the next row can be sent. */
const sendApprovedRow = async (context: DecideContext, row: ApprovalRow): Promise<SentRequest> => {
  const { table, executor } = context;
  const isStillApproved = (): boolean => table.read(row.approval_id)?.state === 'approved';
  if (!isStillApproved()) return nothingSent;
  const lock = await acquireListingLock(context, row);
  try {
    const fresh = await rereadSubjectIfUnchanged(context, row);
    if (fresh === null) return nothingSent;
    const { first } = fresh.subject;
    // If there are preceding requests, `beginSending` is called after them. Until then, the stored state shows whether
    // the row was taken back.
    const mayLeave = first.length > 0 ? isStillApproved() : executor.beginSending(row);
    if (!mayLeave) return nothingSent;
    const sent = await executor.sendTransmission({
      row,
      first,
      lock,
      recheckSubject: () => recheckBoundSubject(context, row),
    });
    const releaseLockAfterSending = (): void => {
      // After the companion stops, nothing needs to be unlocked.
      if (!context.ended.signal.aborted) releaseLockIfSettled(context, row, lock);
    };
    return { settled: sent.settled.finally(releaseLockAfterSending).catch(logUnstoredOutcome(context)) };
  } finally {
    releaseLockIfSettled(context, row, lock);
    if (isStillApproved()) lock.release();
  }
};

const sendRowsWithoutUndo = async (
  context: DecideContext,
  rows: readonly ApprovalRow[],
  batch: BatchApproval,
): Promise<void> => {
  const { ended, approvedHere } = context;
  const returnFailedRowToPending = (row: ApprovalRow, error: unknown): SentRequest => {
    if (ended.signal.aborted) return nothingSent;
    batch.onRowFailed(row.approval_id, error);
    returnApprovalToPending(context, row);
    return nothingSent;
  };
  const readings: Promise<void>[] = [];
  for (const row of rows) {
    // If the companion quits, the next start asks the person again about unsent rows.
    if (ended.signal.aborted) return;
    if (batch.isStopped()) returnApprovalToPending(context, row);
    else {
      const sent = await sendApprovedRow(context, row).catch((error: unknown) => returnFailedRowToPending(row, error));
      readings.push(sent.settled);
    }
    approvedHere.delete(row.approval_id);
  }
  await Promise.all(readings);
};

/** Makes an unsent approval pending again. */
export const returnApprovalToPending = (context: DecideContext, row: ApprovalRow): void => {
  const { db, table, clock, requester } = context;
  db.transaction(() => {
    if (table.move(row.approval_id, 'askAgain', { at: clock.now() }))
      requester.recordEvent(row.approval_id, 'approval.askAgain');
  })();
  context.changed('approvals');
};

const dropUnsentApproval = (context: DecideContext, row: ApprovalRow, error: unknown): SentRequest => {
  try {
    context.requester.dropPrompt(row, error);
  } catch (unwritten) {
    // The approval is still stored as approved, so the person is asked again at the next start.
    if (findDiskProblem(unwritten) === null) context.log('error', 'act in its undo window could not be dropped');
  }
  context.locks.release(row.listing_id, row.approval_id);
  return nothingSent;
};

/** Takes a request back during its undo window. Returns false if the request was already sent. */
export const takeBackApproval = (context: DecideContext, approvalId: string): boolean => {
  const { db, table, clock, locks } = context;
  const row = requireApproval(context, approvalId);
  // If a request that precedes the approved one, such as a fee confirmation, was sent, the undo window is over.
  if (context.executor.isBeingSent(approvalId)) return false;
  const done = db.transaction(() => {
    const outcome = { ...createProblemText('TAKEN_BACK'), url: null };
    const moved = table.move(approvalId, 'takeBack', { at: clock.now(), outcome });
    if (moved) context.requester.recordEvent(approvalId, 'approval.takeBack');
    return moved;
  })();
  if (done) locks.release(row.listing_id, approvalId);
  context.changed('approvals');
  return done;
};

export type ChosenPrompt = ShownPrompt;

export type BatchApproval = {
  given: GivenYes;
  /** Returns whether the person stopped the batch. Unsent rows are then taken back or become pending again. */
  isStopped: () => boolean;
  /** Called if a row could not be sent. The row is pending afterwards. */
  onRowFailed: (approvalId: string, error: unknown) => void;
  /** Runs in the transaction that stores the approval. */
  storeWithApproval: () => void;
};

/** The yes to rows that have all ended already. */
const noYes: ProvenYes = {
  given: null,
  findEvidence: () => {
    throw createProblem('PROMPT_NOT_SHOWN');
  },
};

/** Approves the rows in one transaction and sends them later. `sent` rejects if the companion stops first. */
export const approveRowsTogether = async (
  context: DecideContext,
  chosen: readonly ChosenPrompt[],
  batch: BatchApproval,
): Promise<{ sent: Promise<void> }> => {
  const { table, locks, ended } = context;
  const rows = chosen.map(({ approvalId, digest }) => requireShownApproval(context, approvalId, digest));
  const pending = rows.filter((row) => row.state === 'pending' && !expireIfDue(context, row));
  // The proof covers all ticked rows, even if one of them has ended since.
  const yes = pending.length > 0 ? requireProvenYes(context, rows, batch.given) : noYes;
  const atOnce = pending.filter(({ route }) => !hasUndoWindow(route));
  const undoable = await acquireRowLocks(
    context,
    pending.filter(({ route }) => hasUndoWindow(route)),
    batch,
  );
  try {
    const approved = new Set(markRowsApproved(context, [...undoable, ...atOnce], yes, batch.storeWithApproval));
    const listApproved = (asked: readonly ApprovalRow[]): ApprovalRow[] => asked.filter((row) => approved.has(row));
    const sent = Promise.all([
      sendAfterUndoWindow(context, listApproved(undoable), batch.isStopped),
      sendRowsWithoutUndo(context, listApproved(atOnce), batch),
    ]);
    return { sent: sent.then(() => ended.signal.throwIfAborted()) };
  } finally {
    for (const row of undoable)
      if (table.read(row.approval_id)?.state !== 'approved') locks.release(row.listing_id, row.approval_id);
  }
};

const acquireRowLocks = async (
  context: DecideContext,
  rows: readonly ApprovalRow[],
  { onRowFailed }: BatchApproval,
): Promise<ApprovalRow[]> => {
  const taken = await Promise.all(
    rows.map((row) =>
      acquireListingLock(context, row)
        .then(() => [row])
        .catch((error: unknown) => {
          onRowFailed(row.approval_id, error);
          return [];
        }),
    ),
  );
  return taken.flat();
};
