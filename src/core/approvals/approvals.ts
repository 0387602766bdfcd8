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

/** The approvals engine: stores requests, shows each once, and sends each approved request once. */
export type Approvals = Omit<Decider, 'takeBack'> & {
  ask: (request: Ask) => Promise<ApprovalView>;
  /** Throws TOO_MANY_WAITING if an assistant withdrew as many batches as allowed within ten minutes. */
  checkBatches: (by: Asker) => void;
  /**
   * Runs after a start, perhaps after the person has already decided. It looks up requests that were sent, and re-reads
   * those that were only approved, in the undo window or pending.
   */
  recover: () => Promise<void>;
  /** Looks up unconfirmed requests again, and stores outcomes that could not be stored before. */
  settle: () => Promise<void>;
  /** Unlocks a listing whose outcome could not be determined, at the person's request. */
  unlock: (approvalId: string) => ApprovalView;
  /** Locks the listings whose requests may still be in flight at the service, also after a start. */
  lockUnsettled: () => void;
  viewOf: (row: ApprovalRow) => ApprovalView;
  /** Drops prompts that became pointless because of the listing that was read. */
  learnListing: (listing: Listing) => void;
  /** Drops prompts about a listing that was deleted at the service. */
  learnGone: (listingId: string) => void;
  /** Drops prompts that an answer made pointless, and redraws prompts that it made stale. */
  learnAnswer: (route: RouteName, answer: unknown) => void;
  takeBack: (approvalId: string) => ApprovalView;
  /** Returns the current view of an approval for a window. */
  view: (approvalId: string) => ApprovalView;
  /** Returns the pending approvals outside batches, oldest first. */
  waiting: () => ApprovalView[];
  /**
   * Returns approvals that were approved but are not settled, and those whose live listing differs from what was approved.
   */
  unsettled: () => ApprovalView[];
  history: (count: number) => ApprovalView[];
  /** Returns the approvals of an asker, with deadlines on the current wall clock. */
  ofAsker: (askerId: string) => ApprovalRow[];
  /** Returns why an approval did not succeed. */
  failureOf: (row: ApprovalRow) => Problem;
  /** Returns how long the decline of this approval is still in force, in seconds; null if it was not declined. */
  declinedForS: (row: ApprovalRow) => number | null;
  /** Returns the deadline on the current wall clock, and the ms left while it is pending. */
  expiryOf: (row: ApprovalRow) => { expiresAt: number; leftMs: number };
};

type EngineContext = ApprovalsContext & {
  executor: Executor;
  requester: Requester;
  decider: Decider;
  /** The batches that were requested in this run; a batch may not be stored yet. */
  batchesOfRun: Set<string>;
};

export const createApprovals = (parts: ApprovalsContext): Approvals => {
  const requester = createRequester(parts);
  const learn = (work: Promise<void>): void =>
    void work.catch((error: unknown) =>
      parts.log('warn', 'stale prompt could not be dropped', { code: problemView(error).code }),
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
    // The person approved it while it was read.
    if (isHeldHere()) return;
    // A prompt that is still accurate stays. An approved request that was not sent must be approved again.
    if (row.state === 'approved' || !requester.stands(row, fresh)) requester.replace(row, fresh);
  } catch (error) {
    if (isHeldHere()) return;
    if (!isTransient(error)) requester.drop(row, error);
    // The next approval reads everything again anyway.
    else if (row.state === 'approved') decider.askAgain(row);
  }
};

const lockUnsettled = ({ table, account, executor, locks }: EngineContext): void => {
  for (const row of table.inState(account(), 'sending', 'unconfirmed'))
    // A listing whose lookups have ended is unlocked, whatever they showed.
    if (row.listing_id !== null && !executor.isUnderWay(row.approval_id) && !isLetGo(row))
      locks.restore(row.listing_id, row.approval_id);
};

/** The process ended while a batch was being requested. The asker got no answer and will request the whole batch again. */
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
  // Each lookup waits between its reads, so running them one after another could take minutes.
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
