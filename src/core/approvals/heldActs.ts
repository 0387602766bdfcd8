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
  sendHeld(context, approveAll(context, [row])).catch(notSent);
  return context.requester.view(row);
};

/** Writes the yes to all of them in one transaction, with what `store` writes; answers those that it was written for. */
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

/** What became of a row could not be written down. The upkeep writes it as soon as it can. */
const logUnwritten =
  ({ log }: DecideContext) =>
  (error: unknown): void =>
    log('error', 'what became of a request could not be written down', { code: problemView(error).code });

/** Sends what was held back and not taken back, one after the other, each read again in its turn. */
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
    // What is held when the companion stops is asked again at the next start.
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

/** Sends a row as soon as its listing is free. What became of it is read while the rows after it leave. */
const sendOne = async (context: DecideContext, row: ApprovalRow): Promise<Sent> => {
  const { table, executor } = context;
  const isApproved = (): boolean => table.read(row.approval_id)?.state === 'approved';
  if (!isApproved()) return nothingSent;
  const hold = await acquire(context, row);
  try {
    const fresh = await confirm(context, row);
    if (fresh === null) return nothingSent;
    const { first } = fresh.subject;
    // A row that others go before is begun after them: until then only its state tells that it was taken back.
    const mayLeave = first.length > 0 ? isApproved() : executor.begin(row);
    if (!mayLeave) return nothingSent;
    const sent = await executor.transmit({ row, first, hold, recheckSubject: () => recheckSubject(context, row) });
    const letGo = (): void => {
      // Once the companion has stopped there is nothing left to read, and no lock to let go of.
      if (!context.ended.signal.aborted) settleHold(context, row, hold);
    };
    return { settled: sent.settled.finally(letGo).catch(logUnwritten(context)) };
  } finally {
    settleHold(context, row, hold);
    if (isApproved()) hold.release();
  }
};

/** Sends what is not held back, one after the other, each read again in its turn. */
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
    // What was not sent when the companion stops is asked again at the next start.
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

/** It was not sent: the same prompt waits for another yes. */
export const askAgain = (context: DecideContext, row: ApprovalRow): void => {
  const { db, table, clock, requester } = context;
  db.transaction(() => {
    if (table.move(row.approval_id, 'askAgain', { at: clock.now() }))
      requester.record(row.approval_id, 'approval.askAgain');
  })();
  context.changed('approvals');
};

/** It could not even be looked at: nothing was sent, and the person is told. */
const dropUnsent = (context: DecideContext, row: ApprovalRow, error: unknown): Sent => {
  try {
    context.requester.drop(row, error);
  } catch (unwritten) {
    // Still approved on disk: it is asked again at the next start.
    if (diskProblem(unwritten) === null) context.log('error', 'a held act could not be ended');
  }
  context.locks.release(row.listing_id, row.approval_id);
  return nothingSent;
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

/** How the yes to a batch is carried out. */
export type BatchYes = {
  /** What is not sent yet is taken back where it is held, and asked again where it is not. */
  isStopped: () => boolean;
  /** Told why the yes to a row came to nothing: it waits again. */
  failed: (approvalId: string, error: unknown) => void;
  /** Writes what belongs to the yes, in its transaction. */
  store: () => void;
};

/**
 * The person's yes to several acts, on disk for all of them at once. Answers then, with the sending that follows; `sent`
 * rejects where the companion stopped before its end. A held act whose listing is being decided elsewhere stays as it was.
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

/** The rows whose listings could be locked. */
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
