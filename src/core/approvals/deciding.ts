import type { ParsedInput } from '../../contract/index.ts';
import { diskProblem, Problem, problem } from '../problem.ts';
import { isPassing } from '../service/serviceError.ts';
import type { ApprovalView, DeclineReason } from './approval.ts';
import type { ApprovalRow } from './approvalsTable.ts';
import type { Asking } from './asking.ts';
import type { ApprovalsContext } from './context.ts';
import { covers } from './digests.ts';
import { drawPrompt } from './prompts/index.ts';
import type { Drawn } from './prompts/prompt.ts';
import type { Sending } from './sending.ts';

/** The person's answers. Only a yes to what is shown now, given in time, leads to a sending. */
export const createDeciding = (context: ApprovalsContext, asking: Asking, sender: Sending) => {
  const { db, table, clock, reads } = context;
  const { view, record, replace, drop } = asking;
  const deciding = new Map<string, Promise<ApprovalView>>();

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

  const decide = async (row: ApprovalRow): Promise<ApprovalView> => {
    let drawn: Drawn;
    try {
      drawn = await drawPrompt(row.route, row.input, reads);
    } catch (error) {
      // Not being able to look is no reason to take the prompt away; the yes can be given again.
      if (isPassing(error) || !(error instanceof Problem)) throw error;
      return drop(row, error);
    }
    if (!covers(row, drawn)) return replace(row, drawn);
    if (expired(row)) return view(row);
    // Together: a yes that finds no room on the disk is none, and can be given again.
    const begun = db.transaction(() => {
      const moved = table.move(row.approval_id, 'approve', { at: clock.now() });
      if (moved) record(row.approval_id, 'approval.approve', { digest: row.digest });
      return moved && sender.begin(row);
    })();
    // A notice that was agreed to meanwhile is not confirmed twice.
    if (begun) await sender.transmit({ ...row, first: drawn.first });
    return view(row);
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
    return running;
  };

  /** Fewer extras than were asked for: a fresh prompt for the smaller number, which needs a yes of its own. */
  const lower = async (approvalId: string, digest: string, count: number): Promise<ApprovalView> => {
    const row = needShown(approvalId, digest);
    if (row.route !== 'approveExtras') throw problem('NOT_A_COUNT');
    if (row.state !== 'pending') return view(latest(row));
    const input = row.input as ParsedInput<'approveExtras'>;
    if (count >= input.body.count) throw problem('NOT_LOWER', { field: 'count' });
    const fewer = { ...input, body: { ...input.body, count } };
    return replace(row, await drawPrompt(row.route, fewer, reads), fewer);
  };

  const end = (
    row: ApprovalRow,
    event: 'decline' | 'withdraw' | 'expire',
    facts: Record<string, unknown>,
  ): ApprovalView => {
    db.transaction(() => {
      if (table.move(row.approval_id, event, { at: clock.now() })) record(row.approval_id, `approval.${event}`, facts);
    })();
    context.changed('approvals');
    return view(row);
  };

  const expired = (row: ApprovalRow): boolean => {
    if (clock.now() < row.expires_at) return false;
    end(row, 'expire', {});
    return true;
  };

  return {
    need,
    latest: (approvalId: string): ApprovalRow => latest(need(approvalId)),
    approve,
    lower,
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
  };
};
