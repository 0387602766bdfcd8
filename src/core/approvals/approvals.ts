import { createProblemText, toProblemView, type Problem } from '../base/problem.ts';
import { isTransientError } from '../service/serviceError.ts';
import type { ApprovalView } from '../storage/tables/approvalRecord.ts';
import type { ApprovalRow } from '../storage/tables/approvalsTable.ts';
import type { ApprovalsContext, ApprovalRequest } from './approvalsContext.ts';
import { getAnswerAndUndoDeadlines, getAnswerLeftMs } from './deadlines.ts';
import { refuseTooManyWithdrawals, getDeclineLeftS } from './checks/repeats.ts';
import { getApprovalFailure } from './decision.ts';
import { createDecider, type Decider } from './decide.ts';
import { createExecutor, type Executor } from './execute.ts';
import { areLookupsEnded } from './outcomes/outcomes.ts';
import {
  dropPromptsOfChangingPhotos,
  dropPromptsOfDeletedListing,
  dropPointlessPrompts,
  updatePromptsAfterRequest,
  isKnownReadRoute,
  updatePromptsFromAnswer,
} from './dropStalePrompts.ts';
import type { Asker } from '../base/request.ts';
import type { Listing, RouteName } from '../../contract/index.ts';
import { isAccountConnectedWithKey } from './outcomes/outcomeReads.ts';
import { createRefusalRecorder, type RecordRefusal } from '../presence/presenceContext.ts';
import { createWindowSessions, type WindowSessions } from '../presence/windowSessions.ts';
import { createRequester, type Requester } from './request.ts';

/** Stores requests that need the person's approval, and sends each approved request exactly once. */
export type ApprovalEngine = Omit<Decider, 'takeBack'> & {
  windowSessions: WindowSessions;
  requestApproval: (request: ApprovalRequest) => Promise<ApprovalView>;
  /** Throws TOO_MANY_WAITING if the asker is an assistant that withdrew too many batches within ten minutes. */
  checkBatches: (by: Asker) => void;
  /** Looks up the outcomes of requests that a previous run sent, and checks unsent requests again. */
  recoverAfterStart: () => Promise<void>;
  /** Repeats the lookups of unconfirmed requests and stores outcomes that were not stored because the disk was full. */
  settleUnconfirmed: () => Promise<void>;
  /** Lets the person unlock the listing of a request whose outcome is still unknown. */
  unlockListing: (approvalId: string) => ApprovalView;
  /** Locks the listings whose requests the service might still be processing. */
  lockUnsettled: () => void;
  toView: (row: ApprovalRow) => ApprovalView;
  /** Drops the prompts that the current state of this listing makes pointless. */
  learnListing: (listing: Listing) => void;
  learnListingDeleted: (listingId: string) => void;
  /** Drops the prompts about a listing whose photos are being changed. */
  dropPromptsOfPhotos: (listingId: string) => void;
  /** Drops or replaces the prompts that an answer of the service makes pointless or stale. */
  learnAnswer: (route: RouteName, answer: unknown) => void;
  takeBack: (approvalId: string) => ApprovalView;
  readView: (approvalId: string) => ApprovalView;
  /** Returns the pending approvals outside batches, oldest first. */
  listPending: () => ApprovalView[];
  /** Returns the approved requests whose outcome is not known yet. */
  listUnsettled: () => ApprovalView[];
  listNewest: (count: number) => ApprovalView[];
  /** Returns the approvals that an asker requested. `expires_at` is corrected for changes of the wall clock. */
  listOfAsker: (askerId: string) => ApprovalRow[];
  /** Like `listOfAsker`, for one approval; null if the asker has no such approval. */
  findOfAsker: (askerId: string, approvalId: string) => ApprovalRow | null;
  readFailure: (row: ApprovalRow) => Problem;
  declineLeftS: (row: ApprovalRow) => number | null;
  /** Returns the deadline, corrected for clock changes. `leftMs` is Infinity unless the approval is pending. */
  readExpiry: (row: ApprovalRow) => { expiresAt: number; leftMs: number };
};

type EngineContext = ApprovalsContext & {
  executor: Executor;
  requester: Requester;
  decider: Decider;
  batchesOfRun: Set<string>;
};

/**
 * Creates the recorder of refused attempts. A program can repeat an attempt endlessly, so only some of the repeats get
 * a ledger row.
 */
export const createLedgerRefusalRecorder = ({
  ledger,
  clock,
}: Pick<ApprovalsContext, 'ledger' | 'clock'>): RecordRefusal =>
  createRefusalRecorder({ clock, record: (kind, facts) => ledger.append(clock.now(), kind, facts) });

/**
 * A program can open a window too, so each opening is recorded. A window that opens while another is open also raises a
 * notification.
 */
const recordWindows = (
  { log, dataCheck }: ApprovalsContext,
  sessions: WindowSessions,
  recordOften: RecordRefusal,
): WindowSessions => {
  const recordWindow = (...row: Parameters<RecordRefusal>): void => {
    try {
      recordOften(...row);
    } catch (error) {
      // The window must open even if the disk is full.
      log('error', 'a window could not be recorded', { code: toProblemView(error).code });
    }
  };
  return {
    ...sessions,
    open: (kind) => {
      const rowKind = sessions.isWindowOpen() ? 'window.opened' : 'window.opened_alone';
      const windowSession = sessions.open(kind);
      const record = (): void => recordWindow(rowKind, '', { windowSession });
      if (kind === 'window' && dataCheck.findProblem() === null) record();
      else if (kind === 'window') void dataCheck.passed.then(record);
      return windowSession;
    },
  };
};

const createPromptDroppers = (context: ApprovalsContext, requester: Requester) => ({
  learnListingDeleted: (listingId: string) => dropPromptsOfDeletedListing(context, requester, listingId),
  dropPromptsOfPhotos: (listingId: string) => dropPromptsOfChangingPhotos(context, requester, listingId),
});

const createDropFailureLogger =
  ({ log }: ApprovalsContext) =>
  (work: Promise<void>): void =>
    void work.catch((error: unknown) =>
      log('warn', 'stale prompt could not be dropped', { code: toProblemView(error).code }),
    );

const createAskerReads = (context: ApprovalsContext): Pick<ApprovalEngine, 'listOfAsker' | 'findOfAsker'> => {
  const { table, account } = context;
  const correctExpiry = (row: ApprovalRow): ApprovalRow => ({
    ...row,
    expires_at: getAnswerAndUndoDeadlines(context, row).expiresAt,
  });
  return {
    listOfAsker: (askerId) => table.ofAsker(account(), askerId).map(correctExpiry),
    findOfAsker: (askerId, approvalId) => {
      const row = table.read(approvalId);
      return row?.account === account() && row.asker_id === askerId ? correctExpiry(row) : null;
    },
  };
};

export const createApprovalEngine = (parts: ApprovalsContext): ApprovalEngine => {
  const requester = createRequester(parts);
  const logDropFailure = createDropFailureLogger(parts);
  const onAnswered: ApprovalsContext['onAnswered'] = (row, answer) => {
    parts.onAnswered(row, answer);
    if (isAccountConnectedWithKey(parts, row.account))
      logDropFailure(updatePromptsAfterRequest(parts, requester, row.route));
  };
  const engine = { ...parts, onAnswered };
  const executor = createExecutor(engine);
  const windowSessions = createWindowSessions(engine.clock);
  const recordRefusal = createLedgerRefusalRecorder(engine);
  const decider = createDecider(engine, { requester, executor, windowSessions, recordRefusal });
  const context: EngineContext = { ...engine, executor, requester, decider, batchesOfRun: new Set() };
  const { table, account } = engine;
  const { toView } = requester;
  return {
    ...decider,
    windowSessions: recordWindows(engine, windowSessions, recordRefusal),
    requestApproval: (request) => {
      if (request.batchId !== undefined) context.batchesOfRun.add(request.batchId);
      decider.expireDue();
      return requester.requestApproval(request);
    },
    checkBatches: (by) => refuseTooManyWithdrawals(engine, by),
    recoverAfterStart: () => recoverAfterStart(context),
    settleUnconfirmed: () => settleUnconfirmed(context),
    unlockListing: (approvalId) => unlockListing(context, approvalId),
    lockUnsettled: () => lockUnsettledListings(context),
    toView,
    learnListing: (listing) => {
      logDropFailure(dropPointlessPrompts(context, requester, listing));
      logDropFailure(executor.resumeReadings(listing.listingId));
    },
    learnAnswer: (route, answer) => {
      if (isKnownReadRoute(route)) logDropFailure(updatePromptsFromAnswer(context, requester, route, answer));
    },
    ...createPromptDroppers(context, requester),
    takeBack: (approvalId) => {
      decider.takeBack(approvalId);
      return toView(decider.readLatest(approvalId));
    },
    readView: (approvalId) => toView(decider.requireApproval(approvalId)),
    listPending: () => {
      decider.expireDue();
      const isOutsideBatch = (row: ApprovalRow): boolean => row.batch_id === null;
      return table.inState(account(), 'pending').filter(isOutsideBatch).map(toView);
    },
    listUnsettled: () => table.inState(account(), 'approved', 'sending', 'unconfirmed').map(toView),
    listNewest: (count) => table.newest(account(), count).map(toView),
    ...createAskerReads(engine),
    readFailure: (row) => getApprovalFailure(engine.ages, row),
    declineLeftS: (row) => getDeclineLeftS(engine.ages, row),
    readExpiry: (row) => ({
      expiresAt: getAnswerAndUndoDeadlines(engine, row).expiresAt,
      leftMs: row.state === 'pending' ? getAnswerLeftMs(engine, row) : Infinity,
    }),
  };
};

const refreshUnsentApproval = async (
  { decider, requester, executor }: EngineContext,
  row: ApprovalRow,
): Promise<void> => {
  const isInProgressHere = (): boolean =>
    decider.isApprovedHere(row.approval_id) || executor.isBeingSent(row.approval_id);
  if (isInProgressHere()) return;
  try {
    const fresh = await requester.rereadSubject(row);
    // The person might have approved the request while its subject was read.
    if (isInProgressHere()) return;
    // Keeps a prompt that is still accurate. A request that was approved but not sent needs a new approval.
    if (row.state === 'approved' || !requester.isCurrent(row, fresh)) requester.supersedePrompt(row, fresh);
  } catch (error) {
    if (isInProgressHere()) return;
    if (!isTransientError(error)) requester.dropPrompt(row, error);
    // A transient error keeps the prompt, because the subject is read again when the person approves.
    else if (row.state === 'approved') decider.returnToPending(row);
  }
};

const lockUnsettledListings = ({ table, account, executor, locks }: EngineContext): void => {
  for (const row of table.inState(account(), 'sending', 'unconfirmed'))
    if (row.listing_id !== null && !executor.isBeingSent(row.approval_id) && !areLookupsEnded(row))
      locks.restore(row.listing_id, row.approval_id);
};

/** Withdraws the prompts of incomplete batches. Their askers got no answer and will request these batches again. */
const dropPartialBatches = ({ table, account, decider, batchesOfRun }: EngineContext): void => {
  for (const row of table.waitingWithoutBatch(account()))
    if (row.batch_id !== null && !batchesOfRun.has(row.batch_id))
      decider.withdrawUnanswerable(row, createProblemText('APPROVAL_WITHDRAWN.batch'));
};

const recoverAfterStart = async (context: EngineContext): Promise<void> => {
  const { table, decider, executor } = context;
  decider.expireDue();
  const account = context.account();
  lockUnsettledListings(context);
  dropPartialBatches(context);
  const interrupted = table.inState(account, 'sending').filter((row) => !executor.isBeingSent(row.approval_id));
  await Promise.all([
    ...interrupted.map(executor.settleInterrupted),
    ...table.inState(account, 'unconfirmed').map(executor.settleApproval),
    ...table.inState(account, 'approved', 'pending').map((row) => refreshUnsentApproval(context, row)),
  ]);
  await executor.recheckLive();
};

const settleUnconfirmed = async ({ table, account, executor }: EngineContext): Promise<void> => {
  await Promise.all(table.inState(account(), 'approved', 'sending').map(executor.storeKnownOutcome));
  // Each lookup waits between its reads, so running the lookups one after another could take minutes.
  await Promise.all(table.inState(account(), 'unconfirmed').map(executor.settleApproval));
  await executor.recheckLive();
};

const unlockListing = (context: EngineContext, approvalId: string): ApprovalView => {
  const { decider, requester, locks, executor } = context;
  const row = decider.requireApproval(approvalId);
  const view = requester.toView(row);
  if (!view.mayUnlock) return view;
  requester.recordEvent(approvalId, 'approval.unlocked');
  locks.release(row.listing_id, approvalId);
  executor.endReadings(approvalId);
  context.changed('approvals');
  return view;
};
