import { mapConcurrently } from '../base/semaphore.ts';
import type { RouteName } from '../../contract/index.ts';
import type { NameLikeness } from '../base/similarNames.ts';
import type { ApprovalView } from '../storage/tables/approvalRecord.ts';
import { person, toAskerId, type Asker } from '../base/request.ts';
import type { Message } from '../../i18n/message.ts';
import { randomUUID } from 'node:crypto';
import type { ListingWarning, ReadListingWarnings } from '../listings/warningReader.ts';
import type { Throttle } from '../service/throttle/throttle.ts';
import type { ListingsTable } from '../storage/tables/listings/listingsTable.ts';
import type { Db } from '../storage/database.ts';
import { createProblem } from '../base/problem.ts';
import type { Changed, Clock, Notify } from '../base/ports.ts';
import {
  createBatchesTable,
  type Batch,
  type BatchesTable,
  type StoredBatchRow,
} from '../storage/tables/batchesTable.ts';
import { createBatchNotice } from './approvalNotice.ts';
import { addBatchWarnings } from './batchWarnings.ts';
import {
  createSameBatchCheck,
  digestBatchRequest,
  getRequestedListingId,
  refuseInvalidBatch,
  toRowProblem,
  type BatchRequest,
} from './checks/batchRequests.ts';
import type { GivenYes } from './decision.ts';
import type { ChosenPrompt } from './undoWindow.ts';
import { getBatchRowTitle } from './prompts/renderPromptContent.ts';
import type { ApprovalEngine } from './approvals.ts';

export type BatchRow = {
  listingId: string;
  route: RouteName;
  title: string;
  titleSays?: Message | undefined;
  approval: ApprovalView | null;
  /** Why the request of this row could not be created or sent. */
  problem: StoredBatchRow['problem'];
  /** Why the listing is weak. Only a publish that waits for the person has warnings. */
  warnings: readonly ListingWarning[];
};

/** Several requests of one asker in one prompt. In an assistant's batch, all requests have the same route. */
export type BatchView = {
  batchId: string;
  by: Asker;
  /** The assistant wrote this text, so the window must mark it as foreign. */
  reason: string | null;
  nameLike: NameLikeness | null;
  rows: BatchRow[];
  /** `held` means that the rows are approved and can be taken back until `heldUntil`. */
  state: 'waiting' | 'held' | 'sending' | 'stopping' | 'over';
  /** The number of rows that were approved but not sent when the companion quit. The person must approve them again. */
  interrupted: number;
  heldUntil: number | null;
  /** The position of the batch's first row in the list of prompts. */
  placeSeq: number;
  askedAt: number;
  shownAt: number;
};

export type BatchesContext = {
  db: Db;
  clock: Clock;
  changed: Changed;
  notify: Notify;
  account: () => string;
  approvals: ApprovalEngine;
  throttle: Pick<Throttle, 'admitApprovalRequest' | 'noteFailedRequest'>;
  listings: ListingsTable;
  nameLike: (by: Asker) => NameLikeness | null;
  readWarnings: ReadListingWarnings;
  requestInBatch: (
    request: BatchRequest & { by: Asker; reason?: string | undefined },
    batchId: string,
  ) => Promise<string>;
};

type BatchRun = { stopping: boolean };

type BatchesState = BatchesContext & {
  table: BatchesTable;
  running: Map<string, BatchRun>;
  failures: Map<string, BatchRow['problem']>;
};

/** Distinguishes the id of a batch from the id of an approval. */
export const batchIdPrefix = 'ba_';
/** Limits parallel reads, so that 200 listings neither take minutes nor flood the service. */
const maxParallelReads = 4;

export type BatchAnswer = { chosen: readonly ChosenPrompt[]; others?: readonly ChosenPrompt[] };

/** Each row of a batch has a separate approval, which is bound to one listing and its fee. */
export type BatchService = {
  /** Requests the person's approval to publish these listings. */
  publishListings: (listingIds: string[]) => Promise<BatchView>;
  requestBatches: (by: Asker, requests: BatchRequest[], reason?: string) => Promise<BatchView[]>;
  /**
   * Approves the chosen rows and declines the other rows. Throws NOT_WHAT_WAS_SHOWN if a chosen row changed, and
   * PROMPT_NOT_SHOWN or SHOWN_TOO_BRIEFLY unless the window session has shown each chosen row for long enough. Throws
   * PROOF_NEEDED if a proof is set up and this one does not cover exactly the chosen rows.
   */
  approveRows: (batchId: string, answer: BatchAnswer, windowSession?: string, proofId?: string) => Promise<BatchView>;
  /** Returns the open batches, oldest first, without batches that their assistant withdrew. */
  listOpen: () => BatchView[];
  readBatch: (batchId: string) => BatchView;
  /** Returns a batch of this asker with all its rows. Throws NOT_FOUND. */
  readOfAsker: (by: Asker, batchId: string) => BatchView;
  /** Takes back the rows in the undo window and stops sending. */
  takeBack: (batchId: string) => BatchView;
  /** Stops sending; requests in flight still finish. */
  stopSending: (batchId: string) => BatchView;
  /** Declines the shown rows. If a prompt that was not shown is still pending, the batch stays open. */
  closeBatch: (batchId: string, shown: readonly ChosenPrompt[]) => void;
};

export const createBatchService = (batchesContext: BatchesContext): BatchService => {
  const context: BatchesState = {
    ...batchesContext,
    table: createBatchesTable(batchesContext.db),
    running: new Map(),
    failures: new Map(),
  };
  return {
    publishListings: (listingIds) => createBatch(context, person, [...new Set(listingIds)].map(createPublishRequest)),
    requestBatches: (by, requests, reason) => createBatchesByRoute(context, by, requests, reason),
    approveRows: (batchId, answer, windowSession, proofId) =>
      approveChosenRows(context, batchId, answer, { windowSession, proofId }),
    listOpen: () =>
      listStoredBatches(context)
        .filter((batch) => !isWithdrawnByAsker(batch))
        .map((batch) => addBatchWarnings(context, batch)),
    readBatch: (batchId) => toBatchView(context, requireBatch(context, batchId)),
    readOfAsker: (by, batchId) => {
      const found = requireBatch(context, batchId);
      if (toAskerId(found.asker) !== toAskerId(by)) throw createProblem('NOT_FOUND.batch');
      return toBatchView(context, found, found.rows);
    },
    takeBack: (batchId) => takeBackBatch(context, batchId),
    stopSending: (batchId) => {
      stopSendingBatch(context, batchId);
      return toBatchView(context, requireBatch(context, batchId));
    },
    closeBatch: (batchId, shown) => closeBatch(context, batchId, shown),
  };
};

const createPublishRequest = (listingId: string): BatchRequest => ({
  route: 'publishListing',
  input: { params: { listingId }, body: {} },
});

const requireBatch = ({ table, account }: BatchesState, batchId: string): Batch => {
  const found = table.read(batchId);
  if (!found || found.account !== account()) throw createProblem('NOT_FOUND.batch');
  return found;
};

type UnwarnedRow = Omit<BatchRow, 'warnings'>;
type UnwarnedBatch = Omit<BatchView, 'rows'> & { rows: UnwarnedRow[] };

const toRowView = ({ approvals, failures }: BatchesState, row: StoredBatchRow): UnwarnedRow => {
  const { listingId, route, title, approvalId } = row;
  const approval = approvalId === null ? null : approvals.toView(approvals.readLatest(approvalId));
  const problem = approval?.state === 'pending' ? (failures.get(approval.approvalId) ?? null) : row.problem;
  return { listingId, route, ...getBatchRowTitle(approval, title), approval, problem };
};

const isRowUnsent = ({ approval }: UnwarnedRow): boolean =>
  approval?.state === 'pending' || approval?.state === 'approved';

const getBatchState = ({ running }: BatchesState, batchId: string, rows: UnwarnedRow[]): BatchView['state'] => {
  const run = running.get(batchId);
  if (rows.some(({ approval }) => approval?.heldUntil !== null && approval?.state === 'approved')) return 'held';
  if (run) return run.stopping ? 'stopping' : 'sending';
  return rows.some(isRowUnsent) ? 'waiting' : 'over';
};

/** The person does not see rows with these problems, because the rows were just declined or requested too often. */
const unshownCodes: readonly string[] = ['PERSON_DECLINED', 'TOO_MANY_WAITING'];
const listShownRows = ({ rows }: Batch): StoredBatchRow[] =>
  rows.filter(({ problem }) => !unshownCodes.includes(problem?.code ?? ''));

/** Returns a batch without its warnings, which only the person's prompt and an answer need. */
const readUnwarnedBatch = (context: BatchesState, found: Batch, stored = listShownRows(found)): UnwarnedBatch => {
  const rows = stored.map((row) => toRowView(context, row));
  const state = getBatchState(context, found.batch_id, rows);
  const held = rows.flatMap(({ approval }) => approval?.heldUntil ?? []);
  return {
    batchId: found.batch_id,
    by: found.asker,
    reason: found.reason,
    nameLike: context.nameLike(found.asker),
    rows,
    state,
    interrupted: context.running.has(found.batch_id)
      ? 0
      : rows.filter((row, at) => stored[at]?.hasYes && isRowUnsent(row)).length,
    heldUntil: state === 'held' ? Math.max(...held) : null,
    placeSeq: Math.min(...rows.map(({ approval }) => approval?.placeSeq ?? Number.MAX_SAFE_INTEGER)),
    askedAt: found.asked_at,
    shownAt: Math.max(found.asked_at, ...rows.map(({ approval }) => approval?.shownAt ?? 0)),
  };
};

const toBatchView = (context: BatchesState, found: Batch, rows?: StoredBatchRow[]): BatchView =>
  addBatchWarnings(context, readUnwarnedBatch(context, found, rows));

const isWithdrawnByAsker = ({ by, state, rows }: UnwarnedBatch): boolean =>
  by.kind === 'assistant' && state === 'over' && rows.every(({ approval }) => (approval?.decidedAt ?? null) === null);

const listStoredBatches = (context: BatchesState): UnwarnedBatch[] =>
  context.table.open(context.account()).map((found) => readUnwarnedBatch(context, found));

const closeWithdrawnBatches = (context: BatchesState): void => {
  for (const batch of listStoredBatches(context))
    if (isWithdrawnByAsker(batch)) context.table.close(batch.batchId, context.clock.now());
};

const requestRowApproval = async (
  { listings, account, requestInBatch }: BatchesState,
  request: BatchRequest,
  { by, reason, batchId }: { by: Asker; reason: string | undefined; batchId: string },
): Promise<StoredBatchRow> => {
  const listingId = getRequestedListingId(request);
  const title = listings.read(account(), listingId)?.title ?? '';
  const row = { listingId, route: request.route, title, requestDigest: digestBatchRequest(request) };
  try {
    const approvalId = await requestInBatch({ ...request, by, reason }, batchId);
    return { ...row, approvalId, problem: null };
  } catch (error) {
    return { ...row, approvalId: null, problem: toRowProblem(error) };
  }
};

/** A row that cannot be requested gets a problem and does not stop the other rows. */
const createBatch = async (
  context: BatchesState,
  by: Asker,
  requests: BatchRequest[],
  reason?: string,
): Promise<BatchView> => {
  const { table, clock, account } = context;
  const owner = account();
  const batchId = `${batchIdPrefix}${randomUUID()}`;
  const rows = await mapConcurrently(requests, maxParallelReads, (request) =>
    requestRowApproval(context, request, { by, reason, batchId }),
  );
  // The account might have changed during the reads.
  if (account() !== owner) throw createProblem('ACCOUNT_CHANGED');
  closeWithdrawnBatches(context);
  table.add({ batchId, account: owner, by, reason: reason ?? null, askedAt: clock.now() }, rows);
  const stored = requireBatch(context, batchId);
  const made = readUnwarnedBatch(context, stored);
  if (by.kind === 'assistant' && made.state === 'over') {
    // No row could be requested, so the person must not see an empty prompt.
    table.close(batchId, clock.now());
    context.throttle.noteFailedRequest(by.assistantId);
  } else if (by.kind === 'assistant') context.notify({ ...createBatchNotice(by.name, made.rows), batchId });
  context.changed('approvals');
  return toBatchView(context, stored, stored.rows);
};

/** Returns the open batch of the same requests, so that a repeated call does not ask the person twice. */
const findOpenBatch = (context: BatchesState, by: Asker, requests: readonly BatchRequest[]): BatchView | null => {
  const found = context.table.open(context.account()).findLast(createSameBatchCheck(by, requests));
  return found && readUnwarnedBatch(context, found).state !== 'over' ? toBatchView(context, found, found.rows) : null;
};

const createBatchesByRoute = async (
  context: BatchesState,
  by: Asker,
  requests: BatchRequest[],
  reason?: string,
): Promise<BatchView[]> => {
  refuseInvalidBatch(requests);
  context.approvals.expireDue();
  const kinds = by.kind === 'person' ? [requests] : [...Map.groupBy(requests, ({ route }) => route).values()];
  const open = kinds.map((kind) => findOpenBatch(context, by, kind));
  if (open.includes(null)) {
    if (by.kind === 'assistant') context.throttle.admitApprovalRequest(by.assistantId);
    context.approvals.checkBatches(by);
  }
  const asked: BatchView[] = [];
  for (const [at, kind] of kinds.entries()) asked.push(open[at] ?? (await createBatch(context, by, kind, reason)));
  return asked;
};

const refuseChangedRows = (context: BatchesState, found: Batch, chosen: readonly ChosenPrompt[]): void => {
  const approvalsById = new Map(
    readUnwarnedBatch(context, found).rows.flatMap(({ approval }) =>
      approval ? [[approval.approvalId, approval]] : [],
    ),
  );
  for (const choice of chosen) {
    const approval = approvalsById.get(choice.approvalId);
    if (!approval || approval.digest !== choice.digest) throw createProblem('NOT_WHAT_WAS_SHOWN');
  }
};

const listPromptsOfRow = (
  { approvals }: Pick<BatchesState, 'approvals'>,
  approvalId: string | null,
): ApprovalView[] => {
  if (approvalId === null) return [];
  const own = approvals.readView(approvalId);
  return [own, ...listPromptsOfRow({ approvals }, own.supersededBy)];
};

/** Declines shown prompts even if they were superseded, so that requesting other values does not avoid a decline. */
const declineShownPrompts = (context: BatchesState, found: Batch, shown: readonly ChosenPrompt[]): void => {
  const digests = new Map(shown.map(({ approvalId, digest }) => [approvalId, digest]));
  for (const { approvalId: firstId } of found.rows)
    for (const { approvalId, digest } of listPromptsOfRow(context, firstId))
      if (digests.get(approvalId) === digest) context.approvals.decline(approvalId, digest, 'no');
};

/** Stores the approvals and the declines in one transaction. The requests are sent after this function returns. */
const approveChosenRows = async (
  context: BatchesState,
  batchId: string,
  { chosen, others = [] }: BatchAnswer,
  given: GivenYes,
): Promise<BatchView> => {
  const { running, approvals, table } = context;
  const found = requireBatch(context, batchId);
  refuseChangedRows(context, found, chosen);
  if (running.has(batchId)) return toBatchView(context, found);
  const run = { stopping: false };
  running.set(batchId, run);
  const ticked = new Set(chosen.map(({ approvalId }) => approvalId));
  for (const approvalId of ticked) context.failures.delete(approvalId);
  const isChosenRow = ({ approvalId }: StoredBatchRow): boolean =>
    approvalId !== null && ticked.has(approvals.readLatest(approvalId).approval_id);
  const unticked = others.filter(({ approvalId }) => !ticked.has(approvalId));
  const { sent } = await approvals
    .approveTogether(chosen, {
      given,
      isStopped: () => run.stopping,
      onRowFailed: (approvalId, error) => void context.failures.set(approvalId, toRowProblem(error)),
      storeWithApproval: () => {
        table.noteYes(found, isChosenRow);
        declineShownPrompts(context, found, unticked);
      },
    })
    .catch((error: unknown) => {
      running.delete(batchId);
      throw error;
    });
  void finishSendingBatch(context, found, sent);
  context.changed('approvals');
  return toBatchView(context, found);
};

const finishSendingBatch = async (
  { table, running, changed }: BatchesState,
  found: Batch,
  sent: Promise<void>,
): Promise<void> => {
  try {
    await sent;
    table.noteYes(found, () => false);
  } catch {
    // The companion quit or the disk failed. The next start asks the person again about unsent rows.
  } finally {
    running.delete(found.batch_id);
    changed('approvals');
  }
};

const stopSendingBatch = ({ running, changed }: BatchesState, batchId: string): void => {
  const run = running.get(batchId);
  if (run) run.stopping = true;
  changed('approvals');
};

const takeBackBatch = (context: BatchesState, batchId: string): BatchView => {
  const { approvals } = context;
  stopSendingBatch(context, batchId);
  for (const { approval } of readUnwarnedBatch(context, requireBatch(context, batchId)).rows)
    if (approval?.state === 'approved' && approval.heldUntil !== null) approvals.takeBack(approval.approvalId);
  return toBatchView(context, requireBatch(context, batchId));
};

const closeBatch = (context: BatchesState, batchId: string, shown: readonly ChosenPrompt[]): void => {
  const { table, clock } = context;
  const found = requireBatch(context, batchId);
  stopSendingBatch(context, batchId);
  declineShownPrompts(context, found, shown);
  const isWaiting = readUnwarnedBatch(context, found).rows.some(({ approval }) => approval?.state === 'pending');
  if (!isWaiting) table.close(batchId, clock.now());
  context.changed('approvals');
};
