import { actOf, routeOf, type RouteName } from '../../contract/index.ts';
import { diskProblem, problemText, problemView } from '../base/problem.ts';
import type { ApprovalView } from '../storage/tables/approvalRecord.ts';
import { decisionOf } from './deadlines.ts';
import type { ApprovalRow } from '../storage/tables/approvalsTable.ts';
import {
  confirm,
  recheckSubject,
  acquire,
  expired,
  need,
  needShown,
  settleHold,
  type DecideContext,
} from './decision.ts';

/** How long an act that cannot be undone is held back after the yes. */
const heldMs = 5_000;

/**
 * Ends, deletes, disconnects and revokes can be taken back for a few seconds: besides what the interface calls irreversible,
 * who is disconnected has to connect anew.
 */
export const isHeld = (route: RouteName): boolean =>
  routeOf(route).reversible === false || actOf(route) === 'disconnect' || route === 'deleteFromChannels';

/** The yes is on disk with the end of its five seconds; from there it is taken back or sent. */
export const holdApproved = (context: DecideContext, row: ApprovalRow): ApprovalView => {
  // What is not sent and not dropped either is as it was, and is settled by the upkeep.
  const notSent = (error: unknown): void =>
    context.log('error', 'what was held back could not be sent', { code: problemView(error).code });
  if (approveHeld(context, [row])) sendHeld(context, [row]).catch(notSent);
  return context.requester.view(row);
};

/** Writes the yes to acts that are held back, all with one end. */
const approveHeld = (context: DecideContext, all: readonly ApprovalRow[]): boolean => {
  const { db, table, clock, ages, requester } = context;
  const heldUntil = clock.now() + heldMs;
  const held = db.transaction(() =>
    all.filter((row) => {
      const moved = table.move(row.approval_id, 'approve', { at: clock.now(), heldUntil });
      if (moved) {
        ages.note(decisionOf(row));
        requester.record(row.approval_id, 'approval.approve', { digest: row.digest, heldUntil });
      }
      return moved;
    }),
  )();
  for (const row of held) context.heldHere.add(row.approval_id);
  context.changed('approvals');
  return held.length > 0;
};

/** Sends what was held back and not taken back, one after the other, each read again in its turn. */
const sendHeld = async (
  context: DecideContext,
  all: readonly ApprovalRow[],
  isStopped: () => boolean = () => false,
): Promise<void> => {
  const { clock, ended, heldHere } = context;
  try {
    await clock.sleep(heldMs, ended.signal);
  } catch {
    // What is held when the companion stops is asked again at the next start.
    return;
  }
  for (const row of all) {
    if (isStopped()) takeBack(context, row.approval_id);
    else await sendOne(context, row).catch((error: unknown) => dropUnsent(context, row, error));
    heldHere.delete(row.approval_id);
  }
};

const sendOne = async (context: DecideContext, row: ApprovalRow): Promise<void> => {
  const { table, executor } = context;
  if (table.read(row.approval_id)?.state !== 'approved') return;
  const hold = await acquire(context, row);
  try {
    const fresh = await confirm(context, row);
    if (fresh === null || !executor.begin(row)) return;
    await executor.transmit({
      row,
      first: fresh.subject.first,
      hold,
      recheckSubject: () => recheckSubject(context, row),
    });
  } finally {
    settleHold(context, row, hold);
    if (table.read(row.approval_id)?.state === 'approved') hold.release();
  }
};

/** It could not even be looked at: nothing was sent, and the person is told. */
const dropUnsent = (context: DecideContext, row: ApprovalRow, error: unknown): void => {
  try {
    context.requester.drop(row, error);
  } catch (unwritten) {
    // Still approved on disk: it is asked again at the next start.
    if (diskProblem(unwritten) === null) context.log('error', 'a held act could not be ended');
  }
  context.locks.release(row.listing_id, row.approval_id);
};

/** Takes an act back while it is held. False when it has left already. */
export const takeBack = (context: DecideContext, approvalId: string): boolean => {
  const { db, table, clock, locks } = context;
  const row = need(context, approvalId);
  // What goes before it has left: it is not held back any more.
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

/** An answer to what was shown with this digest. */
export type Chosen = { approvalId: string; digest: string };

/**
 * The person's yes to several acts that are held back together. Answers once it is on disk, with the sending that goes
 * on after it; `isStopped` takes back what is not sent yet. One whose listing is being decided elsewhere stays as it was,
 * and `failed` is told why.
 */
export const approveTogether = async (
  context: DecideContext,
  chosen: readonly Chosen[],
  isStopped: () => boolean,
  failed: (approvalId: string, error: unknown) => void,
): Promise<{ sent: Promise<void> }> => {
  const { table, locks } = context;
  const all = chosen
    .map(({ approvalId, digest }) => needShown(context, approvalId, digest))
    .filter((row) => row.state === 'pending' && !expired(context, row));
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
  const rows = taken.flat();
  try {
    return { sent: approveHeld(context, rows) ? sendHeld(context, rows, isStopped) : Promise.resolve() };
  } finally {
    for (const row of rows)
      if (table.read(row.approval_id)?.state !== 'approved') locks.release(row.listing_id, row.approval_id);
  }
};
