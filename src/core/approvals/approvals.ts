import { isPassing } from '../service/serviceError.ts';
import type { ApprovalView } from '../storage/tables/approvalRecord.ts';
import type { ApprovalRow } from '../storage/tables/approvalsTable.ts';
import type { ApprovalsContext, Ask } from './context.ts';
import { createDecider } from './decide.ts';
import { createExecutor } from './execute.ts';
import { createRequester } from './request.ts';

export type Approvals = ReturnType<typeof createApprovals>;

/** The approvals engine: keeps what was asked, shows it once, and sends what the person said yes to, once. */
export const createApprovals = (context: ApprovalsContext) => {
  const { table, locks } = context;
  const executor = createExecutor(context);
  const requester = createRequester(context);
  const decider = createDecider(context, requester, executor);

  const askAgain = async (row: ApprovalRow): Promise<void> => {
    const isHeldHere = (): boolean => decider.isHeldHere(row.approval_id);
    if (isHeldHere()) return;
    try {
      const fresh = await requester.readAgain(row);
      // The person said yes while it was read.
      if (isHeldHere()) return;
      // A prompt that still tells the truth stays; a yes that was given but not used must be given again.
      if (row.state === 'approved' || !requester.stands(row, fresh)) requester.replace(row, fresh);
    } catch (error) {
      if (!isPassing(error) && !isHeldHere()) requester.drop(row, error);
    }
  };

  /** What may be under way at the service keeps its listing from everybody, also after a start. */
  const lockUnsettled = (): void => {
    for (const row of table.inState(context.account(), 'sending', 'unconfirmed'))
      if (row.listing_id !== null && !executor.isUnderWay(row.approval_id))
        locks.restore(row.listing_id, row.approval_id);
  };

  /**
   * After a start, at once or some time later, when people may have decided already: what left is looked up, what was only
   * approved, held or shown before it is drawn afresh and asked again.
   */
  const recover = async (): Promise<void> => {
    decider.expireDue();
    const account = context.account();
    lockUnsettled();
    table.releaseRows(account);
    const interrupted = table.inState(account, 'sending').filter((row) => !executor.isUnderWay(row.approval_id));
    await Promise.all([
      ...interrupted.map(executor.interrupted),
      ...table.inState(account, 'unconfirmed').map(executor.settle),
      ...table.inState(account, 'approved', 'pending').map(askAgain),
    ]);
    await executor.checkAgain();
  };

  /** Looks again at what is still unconfirmed, and writes down what there was no room for. */
  const settle = async (): Promise<void> => {
    for (const row of table.inState(context.account(), 'sending')) await executor.endAgain(row);
    for (const row of table.inState(context.account(), 'unconfirmed')) await executor.settle(row);
    await executor.checkAgain();
  };

  /** The person lets go of a listing of which nobody could find out what became of it. */
  const unlock = (approvalId: string): ApprovalView => {
    const row = decider.need(approvalId);
    const view = requester.viewOf(row);
    if (!view.mayUnlock) return view;
    requester.record(approvalId, 'approval.unlocked');
    locks.release(row.listing_id, approvalId);
    context.changed('approvals');
    return view;
  };

  const single = (row: ApprovalRow): boolean => row.batch_id === null;
  return {
    ...decider,
    ask: (request: Ask) => {
      decider.expireDue();
      return requester.ask(request);
    },
    recover,
    settle,
    unlock,
    lockUnsettled,
    viewOf: requester.viewOf,
    takeBack: (approvalId: string): ApprovalView => {
      decider.takeBack(approvalId);
      return requester.viewOf(decider.latest(approvalId));
    },
    /** The approval of that id as it is now, for a window. */
    view: (approvalId: string) => requester.viewOf(decider.need(approvalId)),
    /** What waits for the person in prompts of its own, oldest first. */
    waiting: () => {
      decider.expireDue();
      return table.inState(context.account(), 'pending').filter(single).map(requester.viewOf);
    },
    /** What has its yes and not its end yet, and what is live otherwise than it was approved. */
    unsettled: () => table.inState(context.account(), 'approved', 'sending', 'unconfirmed').map(requester.viewOf),
    history: (count: number) => table.newest(context.account(), count).map(requester.viewOf),
    ofAsker: (askerId: string) => table.ofAsker(context.account(), askerId),
  };
};
