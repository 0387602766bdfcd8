import { problemText, problemView, type Problem } from '../base/problem.ts';
import { isTransient } from '../service/serviceError.ts';
import type { ApprovalView } from '../storage/tables/approvalRecord.ts';
import type { ApprovalRow } from '../storage/tables/approvalsTable.ts';
import type { ApprovalsContext, Ask } from './approvalsContext.ts';
import { deadlinesOf, leftMs } from './deadlines.ts';
import { checkBatches, declinedForS } from './checks/repeats.ts';
import { failureOf } from './decision.ts';
import { createDecider, type Decider } from './decide.ts';
import { createExecutor, type Executor } from './execute.ts';
import { isLetGo } from './outcomes.ts';
import { dropOfGone, dropUndoable, learnAct, learnAnswer } from './dropUndoable.ts';
import type { Asker } from '../base/request.ts';
import type { Listing, RouteName } from '../../contract/index.ts';
import { isConnectedAs } from './ownReadings.ts';
import { createRequester, type Requester } from './request.ts';

/** The approvals engine: keeps what was asked, shows it once, and sends what the person said yes to, once. */
export type Approvals = Omit<Decider, 'takeBack'> & {
  ask: (request: Ask) => Promise<ApprovalView>;
  /** Throws TOO_MANY_WAITING where an assistant took away as many batches as it may within ten minutes. */
  checkBatches: (by: Asker) => void;
  /**
   * After a start, at once or some time later, when people may have decided already: what left is looked up, what was
   * only approved, held or shown before it is drawn afresh and asked again.
   */
  recover: () => Promise<void>;
  /** Looks again at what is still unconfirmed, and writes down what there was no room for. */
  settle: () => Promise<void>;
  /** The person lets go of a listing of which nobody could find out what became of it. */
  unlock: (approvalId: string) => ApprovalView;
  /** What may be under way at the service keeps its listing from everybody, also after a start. */
  lockUnsettled: () => void;
  viewOf: (row: ApprovalRow) => ApprovalView;
  /** A listing was read: prompts that it leaves nothing to do for are dropped. */
  learnListing: (listing: Listing) => void;
  /** A listing is gone at the service, and so are the prompts about it. */
  learnGone: (listingId: string) => void;
  /** A route was answered: prompts that it leaves nothing to do for are dropped, those that it makes untrue are drawn afresh. */
  learnAnswer: (route: RouteName, answer: unknown) => void;
  takeBack: (approvalId: string) => ApprovalView;
  /** The approval of that id as it is now, for a window. */
  view: (approvalId: string) => ApprovalView;
  /** What waits for the person in prompts of its own, oldest first. */
  waiting: () => ApprovalView[];
  /** What has its yes and not its end yet, and what is live otherwise than it was approved. */
  unsettled: () => ApprovalView[];
  history: (count: number) => ApprovalView[];
  /** With the deadlines by the wall clock as it is now. */
  ofAsker: (askerId: string) => ApprovalRow[];
  /** Why an approval that is over came to nothing. */
  failureOf: (row: ApprovalRow) => Problem;
  /** How long the no to this approval still stands, in seconds; null where it was not declined. */
  declinedForS: (row: ApprovalRow) => number | null;
  /** Until when one is to be answered, by the wall clock as it is now; how long that is, in ms, while it waits. */
  expiryOf: (row: ApprovalRow) => { expiresAt: number; leftMs: number };
};

type EngineContext = ApprovalsContext & {
  executor: Executor;
  requester: Requester;
  decider: Decider;
  /** The batches that were asked for in this run; one of them may not be stored yet. */
  batchesOfRun: Set<string>;
};

export const createApprovals = (parts: ApprovalsContext): Approvals => {
  const requester = createRequester(parts);
  const learn = (work: Promise<void>): void =>
    void work.catch((error: unknown) =>
      parts.log('warn', 'a prompt that cannot be done any more stays', { code: problemView(error).code }),
    );
  const answered: ApprovalsContext['answered'] = (row, answer) => {
    parts.answered(row, answer);
    if (isConnectedAs(parts, row.account)) learn(learnAct(parts, requester, row.route));
  };
  const engine = { ...parts, answered };
  const executor = createExecutor(engine);
  const decider = createDecider(engine, requester, executor);
  const context: EngineContext = { ...engine, executor, requester, decider, batchesOfRun: new Set() };
  const { table, account } = engine;
  const { viewOf } = requester;
  return {
    ...decider,
    ask: (request) => {
      if (request.batchId !== undefined) context.batchesOfRun.add(request.batchId);
      decider.expireDue();
      return requester.ask(request);
    },
    checkBatches: (by) => checkBatches(engine, by),
    recover: () => recover(context),
    settle: () => settle(context),
    unlock: (approvalId) => unlock(context, approvalId),
    lockUnsettled: () => lockUnsettled(context),
    viewOf,
    learnListing: (listing) => {
      learn(dropUndoable(context, requester, listing));
      learn(executor.resumeReadings(listing.listingId));
    },
    learnAnswer: (route, answer) => learn(learnAnswer(context, requester, route, answer)),
    learnGone: (listingId) => dropOfGone(context, requester, listingId),
    takeBack: (approvalId) => {
      decider.takeBack(approvalId);
      return viewOf(decider.latest(approvalId));
    },
    view: (approvalId) => viewOf(decider.need(approvalId)),
    waiting: () => {
      decider.expireDue();
      const single = (row: ApprovalRow): boolean => row.batch_id === null;
      return table.inState(account(), 'pending').filter(single).map(viewOf);
    },
    unsettled: () => table.inState(account(), 'approved', 'sending', 'unconfirmed').map(viewOf),
    history: (count) => table.newest(account(), count).map(viewOf),
    ofAsker: (askerId) =>
      table.ofAsker(account(), askerId).map((row) => ({ ...row, expires_at: deadlinesOf(engine, row).expiresAt })),
    failureOf: (row) => failureOf(engine.ages, row),
    declinedForS: (row) => declinedForS(engine.ages, row),
    expiryOf: (row) => ({
      expiresAt: deadlinesOf(engine, row).expiresAt,
      leftMs: row.state === 'pending' ? leftMs(engine, row) : Infinity,
    }),
  };
};

const askAgain = async ({ decider, requester, executor }: EngineContext, row: ApprovalRow): Promise<void> => {
  const isHeldHere = (): boolean => decider.isHeldHere(row.approval_id) || executor.isUnderWay(row.approval_id);
  if (isHeldHere()) return;
  try {
    const fresh = await requester.readAgain(row);
    // The person said yes while it was read.
    if (isHeldHere()) return;
    // A prompt that still tells the truth stays; a yes that was given but not used must be given again.
    if (row.state === 'approved' || !requester.stands(row, fresh)) requester.replace(row, fresh);
  } catch (error) {
    if (isHeldHere()) return;
    if (!isTransient(error)) requester.drop(row, error);
    // Everything is read again at the next yes, too.
    else if (row.state === 'approved') decider.askAgain(row);
  }
};

const lockUnsettled = ({ table, account, executor, locks }: EngineContext): void => {
  for (const row of table.inState(account(), 'sending', 'unconfirmed'))
    // A listing that was read to the last reading is free, whatever it showed.
    if (row.listing_id !== null && !executor.isUnderWay(row.approval_id) && !isLetGo(row))
      locks.restore(row.listing_id, row.approval_id);
};

/** The process ended while a batch was being asked for: the asker has no answer, and asks for all of it again. */
const dropPartialBatches = ({ table, account, decider, batchesOfRun }: EngineContext): void => {
  for (const row of table.waitingWithoutBatch(account()))
    if (row.batch_id !== null && !batchesOfRun.has(row.batch_id))
      decider.withdrawFor(row, problemText('APPROVAL_WITHDRAWN.batch'));
};

const recover = async (context: EngineContext): Promise<void> => {
  const { table, decider, executor } = context;
  decider.expireDue();
  const account = context.account();
  lockUnsettled(context);
  dropPartialBatches(context);
  const interrupted = table.inState(account, 'sending').filter((row) => !executor.isUnderWay(row.approval_id));
  await Promise.all([
    ...interrupted.map(executor.interrupted),
    ...table.inState(account, 'unconfirmed').map(executor.settle),
    ...table.inState(account, 'approved', 'pending').map((row) => askAgain(context, row)),
  ]);
  await executor.checkAgain();
};

const settle = async ({ table, account, executor }: EngineContext): Promise<void> => {
  await Promise.all(table.inState(account(), 'approved', 'sending').map(executor.endAgain));
  // Each lookup waits between its readings, so many of them one after another would take minutes.
  await Promise.all(table.inState(account(), 'unconfirmed').map(executor.settle));
  await executor.checkAgain();
};

const unlock = (context: EngineContext, approvalId: string): ApprovalView => {
  const { decider, requester, locks, executor } = context;
  const row = decider.need(approvalId);
  const view = requester.viewOf(row);
  if (!view.mayUnlock) return view;
  requester.record(approvalId, 'approval.unlocked');
  locks.release(row.listing_id, approvalId);
  executor.endReadings(approvalId);
  context.changed('approvals');
  return view;
};
