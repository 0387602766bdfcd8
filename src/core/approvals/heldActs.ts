import { actOf, routeOf, type RouteName } from '../../contract/index.ts';
import { diskProblem, problemText, problemView } from '../base/problem.ts';
import type { ApprovalView } from '../storage/tables/approvalRecord.ts';
import type { ApprovalRow } from '../storage/tables/approvalsTable.ts';
import {
  confirm,
  recheckSubject,
  acquire,
  expired,
  need,
  needShown,
  settleHold,
  storeYes,
  type DecideContext,
} from './decision.ts';
import type { Sent } from './execute.ts';

/** The length of the undo window of an irreversible act. */
const heldMs = 5_000;

/** Whether an act has an undo window: all irreversible acts, and those after which the person would have to connect again. */
export const isHeld = (route: RouteName): boolean =>
  routeOf(route).reversible === false || actOf(route) === 'disconnect' || route === 'deleteFromChannels';

/** Stores the approval with the end of its undo window. After the window it is sent unless it was taken back. */
export const holdApproved = (context: DecideContext, row: ApprovalRow): ApprovalView => {
  // An act that was neither sent nor dropped is unchanged; the upkeep settles it.
  const notSent = (error: unknown): void =>
    context.log('error', 'act could not be sent after its undo window', { code: problemView(error).code });
  sendHeld(context, approveAll(context, [row])).catch(notSent);
  return context.requester.view(row);
};

/** Stores all approvals, and what `store` writes, in one transaction; returns the rows that were still pending. */
const approveAll = (
  context: DecideContext,
  all: readonly ApprovalRow[],
  store: () => void = () => undefined,
): ApprovalRow[] => {
  const at = context.clock.now();
  const approved = context.db.transaction(() => {
    store();
    return all.filter((row) =>
      storeYes(context, row, { at, ...(isHeld(row.route) ? { heldUntil: at + heldMs } : {}) }),
    );
  })();
  for (const row of approved) context.heldHere.add(row.approval_id);
  context.changed('approvals');
  return approved;
};

const nothingSent: Sent = { settled: Promise.resolve() };

/** The outcome of a row could not be stored. The upkeep stores it as soon as possible. */
const logUnwritten =
  ({ log }: DecideContext) =>
  (error: unknown): void =>
    log('error', 'outcome of a request could not be stored', { code: problemView(error).code });

/** Sends the acts that were not taken back in their undo window one after another; each is read again before it is sent. */
const sendHeld = async (
  context: DecideContext,
  all: readonly ApprovalRow[],
  isStopped: () => boolean = () => false,
): Promise<void> => {
  const { clock, ended, heldHere } = context;
  if (all.length === 0) return;
  try {
    await clock.sleep(heldMs, ended.signal);
  } catch {
    // Acts in the undo window when the companion quits are requested again at the next start.
    return;
  }
  const readings: Promise<void>[] = [];
  for (const row of all) {
    if (isStopped()) takeBack(context, row.approval_id);
    else {
      const sent = await sendOne(context, row).catch((error: unknown) => dropUnsent(context, row, error));
      readings.push(sent.settled);
    }
    heldHere.delete(row.approval_id);
  }
  await Promise.all(readings);
};

/** Sends a row as soon as its listing is unlocked. Its outcome is read while the following rows are sent. */
const sendOne = async (context: DecideContext, row: ApprovalRow): Promise<Sent> => {
  const { table, executor } = context;
  const isApproved = (): boolean => table.read(row.approval_id)?.state === 'approved';
  if (!isApproved()) return nothingSent;
  const hold = await acquire(context, row);
  try {
    const fresh = await confirm(context, row);
    if (fresh === null) return nothingSent;
    const { first } = fresh.subject;
    // A row with preceding requests begins after them: until then only its state shows whether it was taken back.
    const mayLeave = first.length > 0 ? isApproved() : executor.begin(row);
    if (!mayLeave) return nothingSent;
    const sent = await executor.transmit({ row, first, hold, recheckSubject: () => recheckSubject(context, row) });
    const letGo = (): void => {
      // After the companion stopped there is nothing left to read or to unlock.
      if (!context.ended.signal.aborted) settleHold(context, row, hold);
    };
    return { settled: sent.settled.finally(letGo).catch(logUnwritten(context)) };
  } finally {
    settleHold(context, row, hold);
    if (isApproved()) hold.release();
  }
};

/** Sends acts without an undo window one after another; each is read again before it is sent. */
const sendInTurn = async (context: DecideContext, all: readonly ApprovalRow[], batch: BatchYes): Promise<void> => {
  const { ended, heldHere } = context;
  const askOnceMore = (row: ApprovalRow, error: unknown): Sent => {
    if (ended.signal.aborted) return nothingSent;
    batch.failed(row.approval_id, error);
    askAgain(context, row);
    return nothingSent;
  };
  const readings: Promise<void>[] = [];
  for (const row of all) {
    // Rows that were not sent when the companion quits are requested again at the next start.
    if (ended.signal.aborted) return;
    if (batch.isStopped()) askAgain(context, row);
    else {
      const sent = await sendOne(context, row).catch((error: unknown) => askOnceMore(row, error));
      readings.push(sent.settled);
    }
    heldHere.delete(row.approval_id);
  }
  await Promise.all(readings);
};

/** Makes an unsent approval pending again, with the same prompt. */
export const askAgain = (context: DecideContext, row: ApprovalRow): void => {
  const { db, table, clock, requester } = context;
  db.transaction(() => {
    if (table.move(row.approval_id, 'askAgain', { at: clock.now() }))
      requester.record(row.approval_id, 'approval.askAgain');
  })();
  context.changed('approvals');
};

/** Drops an approval whose subject could not be read: nothing was sent, and the person is told. */
const dropUnsent = (context: DecideContext, row: ApprovalRow, error: unknown): Sent => {
  try {
    context.requester.drop(row, error);
  } catch (unwritten) {
    // Still stored as approved: it is requested again at the next start.
    if (diskProblem(unwritten) === null) context.log('error', 'act in its undo window could not be dropped');
  }
  context.locks.release(row.listing_id, row.approval_id);
  return nothingSent;
};

/** Takes an act back in its undo window. Returns false if it was already sent. */
export const takeBack = (context: DecideContext, approvalId: string): boolean => {
  const { db, table, clock, locks } = context;
  const row = need(context, approvalId);
  // Its preceding requests were sent, so the undo window is over.
  if (context.executor.isUnderWay(approvalId)) return false;
  const done = db.transaction(() => {
    const outcome = { ...problemText('TAKEN_BACK'), url: null };
    const moved = table.move(approvalId, 'takeBack', { at: clock.now(), outcome });
    if (moved) context.requester.record(approvalId, 'approval.takeBack');
    return moved;
  })();
  if (done) locks.release(row.listing_id, approvalId);
  context.changed('approvals');
  return done;
};

/** An answer to the prompt with this digest. */
export type Chosen = { approvalId: string; digest: string };

export type BatchYes = {
  /** If true, unsent rows are taken back in their undo window, and otherwise made pending again. */
  isStopped: () => boolean;
  /** Called with the reason why an approved row was not sent; the row is pending again. */
  failed: (approvalId: string, error: unknown) => void;
  /** Stores what belongs to the approval, in its transaction. */
  store: () => void;
};

/**
 * Approves several acts in one transaction. Returns after that; sending follows, and `sent` rejects if the companion stops
 * before it ends. An irreversible act whose listing is locked by another approval stays pending.
 */
export const approveTogether = async (
  context: DecideContext,
  chosen: readonly Chosen[],
  batch: BatchYes,
): Promise<{ sent: Promise<void> }> => {
  const { table, locks, ended } = context;
  const all = chosen
    .map(({ approvalId, digest }) => needShown(context, approvalId, digest))
    .filter((row) => row.state === 'pending' && !expired(context, row));
  const atOnce = all.filter((row) => !isHeld(row.route));
  const held = await acquireAll(
    context,
    all.filter((row) => isHeld(row.route)),
    batch,
  );
  try {
    const approved = new Set(approveAll(context, [...held, ...atOnce], batch.store));
    const sent = Promise.all([
      sendHeld(
        context,
        held.filter((row) => approved.has(row)),
        batch.isStopped,
      ),
      sendInTurn(
        context,
        atOnce.filter((row) => approved.has(row)),
        batch,
      ),
    ]);
    return { sent: sent.then(() => ended.signal.throwIfAborted()) };
  } finally {
    for (const row of held)
      if (table.read(row.approval_id)?.state !== 'approved') locks.release(row.listing_id, row.approval_id);
  }
};

const acquireAll = async (
  context: DecideContext,
  all: readonly ApprovalRow[],
  { failed }: BatchYes,
): Promise<ApprovalRow[]> => {
  const taken = await Promise.all(
    all.map((row) =>
      acquire(context, row)
        .then(() => [row])
        .catch((error: unknown) => {
          failed(row.approval_id, error);
          return [];
        }),
    ),
  );
  return taken.flat();
};
