import { routeOf, type ParsedInput, type RouteName } from '../../contract/index.ts';
import { diskProblem, Problem, problem, problemView, problemText, type ProblemText } from '../base/problem.ts';
import { isPassing } from '../service/serviceError.ts';
import type { ApprovalView, DeclineReason } from '../storage/tables/approvalRecord.ts';
import type { ApprovalRow } from '../storage/tables/approvalsTable.ts';
import type { Asking, Read } from './request.ts';
import type { ApprovalsContext } from './context.ts';
import type { Hold } from './listingLocks.ts';
import type { Sending } from './execute.ts';

/** How long an act that cannot be undone is held back after the yes. */
export const heldMs = 5_000;

/** What cannot be undone besides what the interface calls irreversible: who is disconnected has to connect anew. */
const disconnects: readonly RouteName[] = [
  'disconnectMarket',
  'deleteConnection',
  'revokeCurrentKey',
  'deleteFromChannels',
];

/** Ends, deletes, disconnects and revokes can be taken back for a few seconds. */
export const isHeld = (route: RouteName): boolean => routeOf(route).reversible === false || disconnects.includes(route);

/** The person's answers. Only a yes to what is shown now, given in time, leads to a sending. */
export const createDeciding = (context: ApprovalsContext, asking: Asking, sender: Sending) => {
  const { db, table, clock, locks } = context;
  const { view, record, readAgain, stands, replace, drop } = asking;
  const deciding = new Map<string, Promise<ApprovalView>>();
  const ended = new AbortController();
  /** Yeses given in this run that wait for the end of their hold. */
  const heldHere = new Set<string>();

  /** The approval of that id. Throws when the connected account has none. */
  const need = (approvalId: string): ApprovalRow => {
    const row = table.read(approvalId);
    if (!row || row.account !== context.account()) throw problem('NOT_FOUND.approval');
    return row;
  };
  /** The approval itself, or the one that took its place, and so on. */
  const latest = (row: ApprovalRow): ApprovalRow => {
    const next = row.superseded_by === null ? null : table.read(row.superseded_by);
    return next ? latest(next) : row;
  };

  /** Its listing; an act that is about none takes the whole account, as others may depend on what it does. */
  const acquire = (row: ApprovalRow): Promise<Hold> => locks.acquire(row.listing_id, row.approval_id);

  const isSameAccount = (row: ApprovalRow): boolean => row.account === context.account();

  const keyOf = ({ subject }: ApprovalRow): string => (subject.version === 2 ? subject.key : '');

  /** Another account is connected by now: what was asked for the one is never done to the other. */
  const leave = (row: ApprovalRow): null => {
    end(
      row,
      row.state === 'pending' ? 'withdraw' : 'takeBack',
      { code: 'ACCOUNT_CHANGED' },
      problemText('ACCOUNT_CHANGED'),
    );
    return null;
  };

  /** Reads everything shown again; null when it may not be sent any more, which is then on disk and shown. */
  const confirm = async (row: ApprovalRow): Promise<Read | null> => {
    let fresh: Read;
    try {
      if (!isSameAccount(row)) return leave(row);
      fresh = await readAgain(row, context.readsAtYes);
    } catch (error) {
      // Not being able to look is no reason to take the prompt away; the yes can be given again.
      if (isPassing(error) || !(error instanceof Problem)) throw error;
      drop(row, error);
      return null;
    }
    // Read with one key, it is nothing that another may say.
    if (!isSameAccount(row) || fresh.subject.key !== context.keyPrint()) return leave(row);
    if (!stands(row, fresh)) {
      replace(row, fresh);
      return null;
    }
    try {
      context.checkAsker(row.asker, row.route, row.subject.request.input);
      context.checkBudget(row.asker, row.route, row.prompt.money, row.approval_id);
    } catch (error) {
      drop(row, error);
      return null;
    }
    return fresh;
  };

  /** Whether all of it still is as it was said yes to; throws where that cannot be told. */
  const holds = async (row: ApprovalRow): Promise<boolean> => {
    const fresh = await readAgain(row, context.readsAfterNotice);
    if (!isSameAccount(row) || fresh.subject.key !== keyOf(row)) throw problem('ACCOUNT_CHANGED');
    context.checkAsker(row.asker, row.route, row.subject.request.input);
    return stands(row, fresh);
  };

  const decide = async (row: ApprovalRow): Promise<ApprovalView> => {
    const hold = await acquire(row);
    try {
      const fresh = await confirm(row);
      if (fresh === null || expired(row)) return view(row);
      if (isHeld(row.route)) return keepBack(row);
      // Together: a yes that finds no room on the disk is none, and can be given again.
      const begun = db.transaction(() => {
        const moved = table.move(row.approval_id, 'approve', { at: clock.now() });
        if (moved) record(row.approval_id, 'approval.approve', { digest: row.digest });
        return moved && sender.begin(row);
      })();
      if (begun) await sender.transmit(row, fresh.subject.first, hold, () => holds(row));
      return view(row);
    } finally {
      settleHold(row, hold);
    }
  };

  /** Lets go of the listing, unless it is held back, or left and nobody knows what became of it. */
  const settleHold = (row: ApprovalRow, hold: Hold): void => {
    const state = table.read(row.approval_id)?.state;
    if (state === 'approved') return;
    if (state === 'sending' || state === 'unconfirmed') hold.rest();
    else hold.release();
  };

  /** The yes is on disk with the end of its five seconds; from there it is taken back or sent. */
  const keepBack = (row: ApprovalRow): ApprovalView => {
    if (approveHeld([row])) sendHeld([row]).catch(notSent);
    return view(row);
  };

  /** What is not sent and not dropped either is as it was, and is settled by the upkeep. */
  const notSent = (error: unknown): void =>
    context.log('error', 'what was held back could not be sent', { code: problemView(error).code });

  /** Writes the yes to acts that are held back, all with one end. */
  const approveHeld = (all: readonly ApprovalRow[]): boolean => {
    const heldUntil = clock.now() + heldMs;
    const held = db.transaction(() =>
      all.filter((row) => {
        const moved = table.move(row.approval_id, 'approve', { at: clock.now(), heldUntil });
        if (moved) record(row.approval_id, 'approval.approve', { digest: row.digest, heldUntil });
        return moved;
      }),
    )();
    for (const row of held) heldHere.add(row.approval_id);
    context.changed('approvals');
    return held.length > 0;
  };

  /** Sends what was held back and not taken back, one after the other, each read again in its turn. */
  const sendHeld = async (all: readonly ApprovalRow[], isStopped: () => boolean = () => false): Promise<void> => {
    try {
      await clock.sleep(heldMs, ended.signal);
    } catch {
      // What is held when the companion stops is asked again at the next start.
      return;
    }
    for (const row of all) {
      if (isStopped()) takeBack(row.approval_id);
      else await sendOne(row).catch((error: unknown) => dropUnsent(row, error));
      heldHere.delete(row.approval_id);
    }
  };

  const sendOne = async (row: ApprovalRow): Promise<void> => {
    if (table.read(row.approval_id)?.state !== 'approved') return;
    const hold = await acquire(row);
    try {
      const fresh = await confirm(row);
      if (fresh === null || !sender.begin(row)) return;
      await sender.transmit(row, fresh.subject.first, hold, () => holds(row));
    } finally {
      settleHold(row, hold);
      if (table.read(row.approval_id)?.state === 'approved') hold.release();
    }
  };

  /** It could not even be looked at: nothing was sent, and the person is told. */
  const dropUnsent = (row: ApprovalRow, error: unknown): void => {
    try {
      drop(row, error);
    } catch (unwritten) {
      // Still approved on disk: it is asked again at the next start.
      if (diskProblem(unwritten) === null) context.log('error', 'a held act could not be ended');
    }
    locks.release(row.listing_id, row.approval_id);
  };

  /** Takes an act back while it is held. False when it has left already. */
  const takeBack = (approvalId: string): boolean => {
    const row = need(approvalId);
    const done = db.transaction(() => {
      const outcome = { ...problemText('TAKEN_BACK'), url: null };
      const moved = table.move(approvalId, 'takeBack', { at: clock.now(), outcome });
      if (moved) record(approvalId, 'approval.takeBack');
      return moved;
    })();
    if (done) locks.release(row.listing_id, approvalId);
    context.changed('approvals');
    return done;
  };

  /** Throws when a yes or another answer is not for what was shown. */
  const needShown = (approvalId: string, digest: string): ApprovalRow => {
    const row = need(approvalId);
    if (row.digest === digest) return row;
    record(approvalId, 'approval.wrong_digest');
    throw problem('NOT_WHAT_WAS_SHOWN');
  };

  /**
   * The person's yes to exactly what was shown. Everything shown is read again first; when it differs, the answer is the
   * prompt that took its place and nothing is sent. Saying yes twice is harmless.
   */
  const approve = async (approvalId: string, digest: string): Promise<ApprovalView> => {
    const row = needShown(approvalId, digest);
    if (row.state !== 'pending' || expired(row)) return view(latest(row));
    const running = deciding.get(approvalId) ?? decide(row).finally(() => deciding.delete(approvalId));
    deciding.set(approvalId, running);
    await running;
    return view(latest(need(approvalId)));
  };

  /**
   * The person's yes to several acts that are held back together. Answers once it is on disk, with the sending that goes
   * on after it; `isStopped` takes back what is not sent yet. A listing that is being decided elsewhere stays as it was.
   */
  const approveTogether = async (
    chosen: { approvalId: string; digest: string }[],
    isStopped: () => boolean,
  ): Promise<{ sent: Promise<void> }> => {
    const all = chosen
      .map(({ approvalId, digest }) => needShown(approvalId, digest))
      .filter((row) => row.state === 'pending' && !expired(row));
    const taken = await Promise.all(
      all.map((row) =>
        acquire(row)
          .then(() => [row])
          .catch(() => []),
      ),
    );
    const rows = taken.flat();
    try {
      return { sent: approveHeld(rows) ? sendHeld(rows, isStopped) : Promise.resolve() };
    } finally {
      for (const row of rows)
        if (table.read(row.approval_id)?.state !== 'approved') locks.release(row.listing_id, row.approval_id);
    }
  };

  /** Fewer extras than were asked for: a fresh prompt for the smaller number, which needs a yes of its own. */
  const lower = async (approvalId: string, digest: string, count: number): Promise<ApprovalView> => {
    const row = needShown(approvalId, digest);
    if (row.route !== 'approveExtras') throw problem('NOT_A_COUNT');
    if (row.state !== 'pending') return view(latest(row));
    const input = row.subject.request.input as ParsedInput<'approveExtras'>;
    if (count >= input.body.count) throw problem('NOT_LOWER', { field: 'count' });
    const fewer = { ...input, body: { ...input.body, count } };
    return replace(row, await asking.read({ by: row.asker, route: row.route, input: fewer }), fewer);
  };

  const end = (
    row: ApprovalRow,
    event: 'decline' | 'withdraw' | 'expire' | 'takeBack',
    facts: Record<string, unknown>,
    reason?: ProblemText,
  ): ApprovalView => {
    const outcome = reason ? { outcome: { ...reason, url: null } } : {};
    db.transaction(() => {
      if (table.move(row.approval_id, event, { at: clock.now(), ...outcome }))
        record(row.approval_id, `approval.${event}`, facts);
    })();
    context.changed('approvals');
    return view(row);
  };

  const expired = (row: ApprovalRow): boolean => {
    if (clock.now() < row.expires_at) return false;
    end(row, 'expire', {});
    return true;
  };

  /** Withdraws what waits or is held back, of one asker or of all, and wakes whoever waits for it. */
  const withdrawAll = (account: string, askerId: string | null, reason: ProblemText): void => {
    for (const row of table.inState(account, 'pending', 'approved')) {
      if (askerId !== null && row.asker_id !== askerId) continue;
      end(row, row.state === 'pending' ? 'withdraw' : 'takeBack', { code: reason.code }, reason);
      locks.release(row.listing_id, row.approval_id);
    }
  };

  return {
    need,
    latest: (approvalId: string): ApprovalRow => latest(need(approvalId)),
    approve,
    approveTogether,
    lower,
    takeBack,
    withdrawAll,
    /** Its yes was given in this run and will be acted on: nobody has to take it up. */
    isHeldHere: (approvalId: string): boolean => heldHere.has(approvalId),
    decline: (approvalId: string, why: DeclineReason): ApprovalView => end(need(approvalId), 'decline', { why }),
    withdraw: (approvalId: string): ApprovalView => end(need(approvalId), 'withdraw', {}),
    /** Ends every question whose time is over; on a disk that takes nothing, later. */
    expireDue: (): void => {
      try {
        for (const row of table.inState(context.account(), 'pending')) expired(row);
      } catch (error) {
        if (diskProblem(error) === null) throw error;
      }
    },
    stop: (): void => ended.abort(),
  };
};
