import { findRouteAct, findRouteByName, type RouteName } from '../../contract/index.ts';
import { findDiskProblem, createProblemText, toProblemView } from '../base/problem.ts';
import type { ApprovalView } from '../storage/tables/approvalRecord.ts';
import type { ApprovalRow } from '../storage/tables/approvalsTable.ts';
import {
  confirmUnchanged,
  recheckBoundSubject,
  acquireListingLock,
  expireIfDue,
  requireApproval,
  requireShownApproval,
  settleListingLock,
  storePersonApproval,
  type DecideContext,
} from './decision.ts';
import type { SentRequest } from './execute.ts';

/** The length of the undo window of an irreversible act. */
const undoWindowMs = 5_000;

/** Whether an act has an undo window: all irreversible acts, and those after which the person would have to connect again. */
export const hasUndoWindow = (route: RouteName): boolean =>
  findRouteByName(route).reversible === false || findRouteAct(route) === 'disconnect' || route === 'deleteFromChannels';

/** Stores the approval with the end of its undo window. After the window it is sent unless it was taken back. */
export const startUndoWindow = (context: DecideContext, row: ApprovalRow): ApprovalView => {
  // An act that was neither sent nor dropped is unchanged; the upkeep settles it.
  const logUnsentAct = (error: unknown): void =>
    context.log('error', 'act could not be sent after its undo window', { code: toProblemView(error).code });
  sendAfterUndoWindow(context, storeApprovals(context, [row])).catch(logUnsentAct);
  return context.requester.readView(row);
};

/** Stores all approvals, and what `store` writes, in one transaction; returns the rows that were still pending. */
const storeApprovals = (
  context: DecideContext,
  rows: readonly ApprovalRow[],
  store: () => void = () => undefined,
): ApprovalRow[] => {
  const at = context.clock.now();
  const approved = context.db.transaction(() => {
    store();
    return rows.filter((row) =>
      storePersonApproval(context, row, { at, ...(hasUndoWindow(row.route) ? { heldUntil: at + undoWindowMs } : {}) }),
    );
  })();
  for (const row of approved) context.approvedHere.add(row.approval_id);
  context.changed('approvals');
  return approved;
};

const nothingSent: SentRequest = { settled: Promise.resolve() };

/** The outcome of a row could not be stored. The upkeep stores it as soon as possible. */
const logUnstoredOutcome =
  ({ log }: DecideContext) =>
  (error: unknown): void =>
    log('error', 'outcome of a request could not be stored', { code: toProblemView(error).code });

/** Sends the acts that were not taken back in their undo window one after another; each is read again before it is sent. */
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
    // Acts in the undo window when the companion quits are requested again at the next start.
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

/** Sends a row as soon as its listing is unlocked. Its outcome is read while the following rows are sent. */
const sendApprovedRow = async (context: DecideContext, row: ApprovalRow): Promise<SentRequest> => {
  const { table, executor } = context;
  const isStillApproved = (): boolean => table.read(row.approval_id)?.state === 'approved';
  if (!isStillApproved()) return nothingSent;
  const lock = await acquireListingLock(context, row);
  try {
    const fresh = await confirmUnchanged(context, row);
    if (fresh === null) return nothingSent;
    const { first } = fresh.subject;
    // A row with preceding requests begins after them: until then only its state shows whether it was taken back.
    const mayLeave = first.length > 0 ? isStillApproved() : executor.beginSending(row);
    if (!mayLeave) return nothingSent;
    const sent = await executor.sendTransmission({
      row,
      first,
      lock,
      recheckSubject: () => recheckBoundSubject(context, row),
    });
    const settleLockAfterSending = (): void => {
      // After the companion stopped there is nothing left to read or to unlock.
      if (!context.ended.signal.aborted) settleListingLock(context, row, lock);
    };
    return { settled: sent.settled.finally(settleLockAfterSending).catch(logUnstoredOutcome(context)) };
  } finally {
    settleListingLock(context, row, lock);
    if (isStillApproved()) lock.release();
  }
};

/** Sends acts without an undo window one after another; each is read again before it is sent. */
const sendRowsWithoutUndo = async (
  context: DecideContext,
  rows: readonly ApprovalRow[],
  batch: BatchApproval,
): Promise<void> => {
  const { ended, approvedHere } = context;
  const returnFailedToPending = (row: ApprovalRow, error: unknown): SentRequest => {
    if (ended.signal.aborted) return nothingSent;
    batch.onRowFailed(row.approval_id, error);
    returnApprovalToPending(context, row);
    return nothingSent;
  };
  const readings: Promise<void>[] = [];
  for (const row of rows) {
    // Rows that were not sent when the companion quits are requested again at the next start.
    if (ended.signal.aborted) return;
    if (batch.isStopped()) returnApprovalToPending(context, row);
    else {
      const sent = await sendApprovedRow(context, row).catch((error: unknown) => returnFailedToPending(row, error));
      readings.push(sent.settled);
    }
    approvedHere.delete(row.approval_id);
  }
  await Promise.all(readings);
};

/** Makes an unsent approval pending again, with the same prompt. */
export const returnApprovalToPending = (context: DecideContext, row: ApprovalRow): void => {
  const { db, table, clock, requester } = context;
  db.transaction(() => {
    if (table.move(row.approval_id, 'askAgain', { at: clock.now() }))
      requester.recordEvent(row.approval_id, 'approval.askAgain');
  })();
  context.changed('approvals');
};

/** Drops an approval whose subject could not be read: nothing was sent, and the person is told. */
const dropUnsentApproval = (context: DecideContext, row: ApprovalRow, error: unknown): SentRequest => {
  try {
    context.requester.dropPrompt(row, error);
  } catch (unwritten) {
    // Still stored as approved: it is requested again at the next start.
    if (findDiskProblem(unwritten) === null) context.log('error', 'act in its undo window could not be dropped');
  }
  context.locks.release(row.listing_id, row.approval_id);
  return nothingSent;
};

/** Takes an act back in its undo window. Returns false if it was already sent. */
export const takeBackApproval = (context: DecideContext, approvalId: string): boolean => {
  const { db, table, clock, locks } = context;
  const row = requireApproval(context, approvalId);
  // Its preceding requests were sent, so the undo window is over.
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

/** An answer to the prompt with this digest. */
export type ChosenPrompt = { approvalId: string; digest: string };

export type BatchApproval = {
  /** If true, unsent rows are taken back in their undo window, and otherwise made pending again. */
  isStopped: () => boolean;
  /** Called with the reason why an approved row was not sent; the row is pending again. */
  onRowFailed: (approvalId: string, error: unknown) => void;
  /** Stores what belongs to the approval, in its transaction. */
  storeWithApproval: () => void;
};

/**
 * Approves several acts in one transaction. Returns after that; sending follows, and `sent` rejects if the companion stops
 * before it ends. An irreversible act whose listing is locked by another approval stays pending.
 */
export const approveRowsTogether = async (
  context: DecideContext,
  chosen: readonly ChosenPrompt[],
  batch: BatchApproval,
): Promise<{ sent: Promise<void> }> => {
  const { table, locks, ended } = context;
  const pendingRows = chosen
    .map(({ approvalId, digest }) => requireShownApproval(context, approvalId, digest))
    .filter((row) => row.state === 'pending' && !expireIfDue(context, row));
  const atOnce = pendingRows.filter((row) => !hasUndoWindow(row.route));
  const undoableRows = await acquireRowLocks(
    context,
    pendingRows.filter((row) => hasUndoWindow(row.route)),
    batch,
  );
  try {
    const approved = new Set(storeApprovals(context, [...undoableRows, ...atOnce], batch.storeWithApproval));
    const sent = Promise.all([
      sendAfterUndoWindow(
        context,
        undoableRows.filter((row) => approved.has(row)),
        batch.isStopped,
      ),
      sendRowsWithoutUndo(
        context,
        atOnce.filter((row) => approved.has(row)),
        batch,
      ),
    ]);
    return { sent: sent.then(() => ended.signal.throwIfAborted()) };
  } finally {
    for (const row of undoableRows)
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
