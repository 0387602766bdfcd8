import { isPassing } from '../service/serviceError.ts';
import { approvalView, type ApprovalRow } from './approvalsTable.ts';
import { createAsking, type Ask } from './asking.ts';
import type { ApprovalsContext } from './context.ts';
import { createDeciding } from './deciding.ts';
import { covers } from './digests.ts';
import { drawPrompt } from './prompts/index.ts';
import { sending } from './sending.ts';

export type Approvals = ReturnType<typeof createApprovals>;

/** The approvals engine: keeps what was asked, shows it once, and sends what the person said yes to, once. */
export const createApprovals = (context: ApprovalsContext) => {
  const { table, reads } = context;
  const sender = sending(context);
  const asking = createAsking(context);
  const deciding = createDeciding(context, asking, sender);

  const askAgain = async (row: ApprovalRow): Promise<void> => {
    try {
      const drawn = await drawPrompt(row.route, row.input, reads);
      // A prompt that still tells the truth stays; a yes that was given but not used must be given again.
      if (row.state === 'approved' || !covers(row, drawn)) asking.replace(row, drawn);
    } catch (error) {
      if (!isPassing(error)) asking.drop(row, error);
    }
  };

  /** After a start: what was being sent is looked up, what was only approved or shown is drawn afresh and asked again. */
  const recover = async (): Promise<void> => {
    deciding.expireDue();
    const account = context.account();
    const interrupted = table.inState(account, 'sending');
    await Promise.all([
      ...interrupted.map(sender.interrupted),
      ...table.inState(account, 'approved', 'pending').map(askAgain),
    ]);
  };

  /** Looks again at what is still unconfirmed, and writes down what there was no room for. */
  const settle = async (): Promise<void> => {
    for (const row of table.inState(context.account(), 'sending')) await sender.endAgain(row);
    for (const row of table.inState(context.account(), 'unconfirmed')) await sender.settle(row);
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
    /** The approval of that id as it is now, for a window. */
    view: (approvalId: string) => approvalView(deciding.need(approvalId)),
    /** What waits for the person in prompts of its own, oldest first. */
    waiting: () => {
      deciding.expireDue();
      return table.inState(context.account(), 'pending').filter(single).map(approvalView);
    },
    unsettled: () =>
      table.inState(context.account(), 'approved', 'sending', 'unconfirmed').filter(single).map(approvalView),
    history: (count: number) => table.newest(context.account(), count).map(approvalView),
    ofAsker: (askerId: string) => table.ofAsker(context.account(), askerId),
  };
};
