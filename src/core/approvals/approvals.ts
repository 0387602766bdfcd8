import { isPassing } from '../service/serviceError.ts';
import type { ApprovalView } from '../storage/tables/approvalRecord.ts';
import type { ApprovalRow } from '../storage/tables/approvalsTable.ts';
import { createAsking, type Ask } from './request.ts';
import type { ApprovalsContext } from './context.ts';
import { createDeciding } from './decide.ts';
import { sending } from './execute.ts';

export type Approvals = ReturnType<typeof createApprovals>;

/** The approvals engine: keeps what was asked, shows it once, and sends what the person said yes to, once. */
export const createApprovals = (context: ApprovalsContext) => {
  const { table, locks } = context;
  const sender = sending(context);
  const asking = createAsking(context);
  const deciding = createDeciding(context, asking, sender);

  const askAgain = async (row: ApprovalRow): Promise<void> => {
    const isHeldHere = (): boolean => deciding.isHeldHere(row.approval_id);
    if (isHeldHere()) return;
    try {
      const fresh = await asking.readAgain(row);
      // The person said yes while it was read.
      if (isHeldHere()) return;
      // A prompt that still tells the truth stays; a yes that was given but not used must be given again.
      if (row.state === 'approved' || !asking.stands(row, fresh)) asking.replace(row, fresh);
    } catch (error) {
      if (!isPassing(error) && !isHeldHere()) asking.drop(row, error);
    }
  };

  /** What may be under way at the service keeps its listing from everybody, also after a start. */
  const lockUnsettled = (): void => {
    for (const row of table.inState(context.account(), 'sending', 'unconfirmed'))
      if (row.listing_id !== null && !sender.isUnderWay(row.approval_id))
        locks.restore(row.listing_id, row.approval_id);
  };

  /**
   * After a start, at once or some time later, when people may have decided already: what left is looked up, what was only
   * approved, held or shown before it is drawn afresh and asked again.
   */
  const recover = async (): Promise<void> => {
    deciding.expireDue();
    const account = context.account();
    lockUnsettled();
    table.releaseRows(account);
    const interrupted = table.inState(account, 'sending').filter((row) => !sender.isUnderWay(row.approval_id));
    await Promise.all([
      ...interrupted.map(sender.interrupted),
      ...table.inState(account, 'unconfirmed').map(sender.settle),
      ...table.inState(account, 'approved', 'pending').map(askAgain),
    ]);
    await sender.checkAgain();
  };

  /** Looks again at what is still unconfirmed, and writes down what there was no room for. */
  const settle = async (): Promise<void> => {
    for (const row of table.inState(context.account(), 'sending')) await sender.endAgain(row);
    for (const row of table.inState(context.account(), 'unconfirmed')) await sender.settle(row);
    await sender.checkAgain();
  };

  /** The person lets go of a listing of which nobody could find out what became of it. */
  const unlock = (approvalId: string): ApprovalView => {
    const row = deciding.need(approvalId);
    const view = asking.viewOf(row);
    if (!view.mayUnlock) return view;
    asking.record(approvalId, 'approval.unlocked');
    locks.release(row.listing_id, approvalId);
    context.changed('approvals');
    return view;
  };

  const single = (row: ApprovalRow): boolean => row.batch_id === null;
  return {
    ...deciding,
    ask: (request: Ask) => {
      deciding.expireDue();
      return asking.ask(request);
    },
    recover,
    settle,
    unlock,
    lockUnsettled,
    viewOf: asking.viewOf,
    takeBack: (approvalId: string): ApprovalView => {
      deciding.takeBack(approvalId);
      return asking.viewOf(deciding.latest(approvalId));
    },
    /** The approval of that id as it is now, for a window. */
    view: (approvalId: string) => asking.viewOf(deciding.need(approvalId)),
    /** What waits for the person in prompts of its own, oldest first. */
    waiting: () => {
      deciding.expireDue();
      return table.inState(context.account(), 'pending').filter(single).map(asking.viewOf);
    },
    /** What has its yes and not its end yet, and what is live otherwise than it was approved. */
    unsettled: () => table.inState(context.account(), 'approved', 'sending', 'unconfirmed').map(asking.viewOf),
    history: (count: number) => table.newest(context.account(), count).map(asking.viewOf),
    ofAsker: (askerId: string) => table.ofAsker(context.account(), askerId),
  };
};
