import type { BatchView } from '../core/approvals/batches.ts';
import type { BatchRequest } from '../core/approvals/checks/batchRequests.ts';
import { sanitizeAssistantText } from '../core/assistants/assistantName.ts';
import type { Clock } from '../core/base/ports.ts';
import { Problem } from '../core/base/problem.ts';
import type { AssistantAsker, Outcome, OutcomeSummary } from '../core/base/request.ts';
import type { Companion } from '../core/companion/createCompanion.ts';
import { toPlainSentence } from '../core/service/personPages.ts';
import { isFinalState } from '../core/storage/tables/approvalRecord.ts';
import type { ApprovalRow } from '../core/storage/tables/approvalsTable.ts';
import {
  toApprovalRecord,
  toWarningRecords,
  type ApprovalRecord,
  type BatchRecord,
  type BatchRowRecord,
} from './assistantRecords.ts';
import { listUnknownHosts, type ClassifyLink } from './liveLinks.ts';

/**
 * The maximum number of waiting requests per assistant. Each request occupies a connection, and all assistants share
 * the connections.
 */
const maxWaiting = 32;

/**
 * Runs `work` and passes it the time that it may wait for a change. That time is `wantedMs`, or 0 if too many requests
 * of this assistant are already waiting.
 */
export type LongPoll = <T>(by: AssistantAsker, wantedMs: number, work: (waitMs: number) => Promise<T>) => Promise<T>;

/** Creates the limiter of waiting requests. */
export const createLongPollLimiter = (): LongPoll => {
  const waiting = new Map<string, number>();
  const waitAsOneMore: LongPoll = async ({ assistantId }, wantedMs, work) => {
    waiting.set(assistantId, (waiting.get(assistantId) ?? 0) + 1);
    try {
      return await work(wantedMs);
    } finally {
      const left = (waiting.get(assistantId) ?? 1) - 1;
      if (left > 0) waiting.set(assistantId, left);
      else waiting.delete(assistantId);
    }
  };
  return (by, wantedMs, work) =>
    wantedMs === 0 || (waiting.get(by.assistantId) ?? 0) >= maxWaiting ? work(0) : waitAsOneMore(by, wantedMs, work);
};

export type AssistantAnswer =
  | {
      state: 'done';
      status: number;
      headers: Record<string, string>;
      body: unknown;
      /** The body exactly as the service sent it; undefined if the companion removed something from it. */
      text: string | undefined;
      source: 'service' | 'cache';
      ageS: number;
      /** The outcome as a sentence for the person; set only after an approval. */
      told?: OutcomeSummary | undefined;
      /** Hosts that the body links to but that the companion does not know yet. */
      unknownHosts: string[];
    }
  | { state: 'pending'; approval: ApprovalRecord };

/** `listings` is the number of approvals in the prompt. */
export type OpenRequest = {
  requestId: string;
  state: string;
  summary: string;
  listings: number;
  expiresAt: string;
};

/** What an assistant can do with its approvals. */
export type ApprovalCalls = {
  /**
   * Waits up to `waitMs` for the person's decision on an approval of this assistant. Then returns or throws what `call`
   * would return or throw.
   */
  decision: (by: AssistantAsker, approvalId: string, waitMs: number, signal?: AbortSignal) => Promise<AssistantAnswer>;
  /** Waits up to `waitMs` for the person's decision, then returns the approval. Throws `NOT_FOUND`. */
  approval: (by: AssistantAsker, id: string, waitMs: number, signal?: AbortSignal) => Promise<ApprovalRecord>;
  approvals: (by: AssistantAsker) => ApprovalRecord[];
  /** Returns the requests that are not settled, newest first. A batch is one request. */
  openRequests: (by: AssistantAsker) => OpenRequest[];
  /** Withdraws a pending approval. Throws `NOT_FOUND` or `WRONG_STATE`. */
  withdraw: (by: AssistantAsker, id: string) => ApprovalRecord;
  /** Withdraws the pending approvals of a batch, then returns the batch. Throws `NOT_FOUND`. */
  withdrawBatch: (by: AssistantAsker, batchId: string) => Promise<BatchRecord>;
  /**
   * Requests several approvals in one prompt per kind of act. If the companion refuses a request, the row of that
   * request contains the reason.
   */
  askTogether: (by: AssistantAsker, requests: BatchRequest[], reason?: string) => Promise<BatchRecord[]>;
  /** Waits up to `waitMs` until no row is undecided or in flight, then returns the batch. Throws `NOT_FOUND`. */
  batch: (by: AssistantAsker, batchId: string, waitMs: number, signal?: AbortSignal) => Promise<BatchRecord>;
};

export type ApprovalCallsContext = Pick<Companion, 'approvals' | 'batches' | 'outcome' | 'readWarnings'> & {
  clock: Clock;
  longPoll: LongPoll;
  classifyLink: ClassifyLink;
};

/** Converts an outcome to the answer for an assistant. */
export const toAssistantAnswer = (
  context: ApprovalCallsContext,
  by: AssistantAsker,
  outcome: Outcome,
): AssistantAnswer => {
  if (outcome.state === 'pending')
    return {
      state: 'pending',
      approval: toVisibleApprovalRecord(context, by, requireOwnApproval(context, by, outcome.approvalId)),
    };
  const { status, headers, answer: body, text, source, ageMs, told } = outcome;
  const unknownHosts = listUnknownHosts(body, context.classifyLink);
  return { state: 'done', status, headers, body, text, source, ageS: Math.floor(ageMs / 1_000), told, unknownHosts };
};

const requireOwnApproval = (
  { approvals }: ApprovalCallsContext,
  { assistantId }: AssistantAsker,
  id: string,
): ApprovalRow => {
  const row = approvals.findOfAsker(assistantId, id);
  if (!row) throw new Problem('NOT_FOUND', 'There is no such approval of yours.');
  return row;
};

const isWaitingPublish = ({ route, state }: ApprovalRow): boolean => route === 'publishListing' && state === 'pending';

/** Reads the warnings of all waiting publishes at once. */
const createApprovalConverter = (
  { approvals, classifyLink: judgeLink, readWarnings }: ApprovalCallsContext,
  by: AssistantAsker,
  rows: readonly ApprovalRow[],
): ((row: ApprovalRow) => ApprovalRecord) => {
  const waiting = rows.filter(isWaitingPublish);
  const fees = new Map(
    waiting.flatMap(({ listing_id: id, prompt: { money } }) => (id !== null && money ? [[id, money]] : [])),
  );
  const listingIds = waiting.flatMap(({ listing_id: id }) => id ?? []);
  const warnings = listingIds.length === 0 ? null : readWarnings(by, listingIds, fees);
  return (row) => ({
    ...toApprovalRecord(row, approvals.declineLeftS(row), judgeLink),
    ...(isWaitingPublish(row) && { warnings: toWarningRecords(warnings?.get(row.listing_id ?? '')) }),
  });
};

const listOpenRequests = (
  { approvals, classifyLink }: ApprovalCallsContext,
  { assistantId }: AssistantAsker,
): OpenRequest[] => {
  approvals.expireDue();
  const rows = approvals.listOfAsker(assistantId).filter(({ state }) => !isFinalState(state));
  return [...Map.groupBy(rows, (row) => row.batch_id ?? row.approval_id)].flatMap(([requestId, group]) => {
    const [first] = group;
    if (!first) return [];
    const { state, summary, expiresAt } = toApprovalRecord(first, null, classifyLink);
    return [{ requestId, state, summary, listings: group.length, expiresAt }];
  });
};

const toVisibleApprovalRecord = (context: ApprovalCallsContext, by: AssistantAsker, row: ApprovalRow): ApprovalRecord =>
  createApprovalConverter(context, by, [row])(row);

const toBatchRecord = (context: ApprovalCallsContext, by: AssistantAsker, batch: BatchView): BatchRecord => {
  const rowsById = new Map(
    batch.rows.flatMap(({ approval }) =>
      approval === null ? [] : [[approval.approvalId, requireOwnApproval(context, by, approval.approvalId)]],
    ),
  );
  const toRecord = createApprovalConverter(context, by, [...rowsById.values()]);
  const toRowRecord = ({ listingId, approval, problem }: BatchView['rows'][number]): BatchRowRecord => {
    const row = rowsById.get(approval?.approvalId ?? '');
    return {
      listingId,
      ...(row && { approval: toRecord(row) }),
      ...(problem && toRowProblem(problem)),
    };
  };
  return { batchId: batch.batchId, rows: batch.rows.map(toRowRecord) };
};

const toRowProblem = ({
  sentence,
  code,
  declinedBecause,
  retryAfterS,
}: NonNullable<BatchView['rows'][number]['problem']>): Omit<BatchRowRecord, 'listingId'> => ({
  error: toPlainSentence(sentence),
  code,
  ...(declinedBecause === undefined ? {} : { declinedBecause }),
  ...(retryAfterS === undefined ? {} : { retryAfterS }),
});

/** Waits for one approval after another, so that a batch of 200 rows reads only one approval at each change. */
const awaitOutcomes = async (
  { clock, outcome }: ApprovalCallsContext,
  approvalIds: readonly string[],
  waitMs: number,
  signal?: AbortSignal,
): Promise<void> => {
  const until = clock.elapsedMs() + waitMs;
  for (const approvalId of approvalIds) {
    const leftMs = until - clock.elapsedMs();
    if (leftMs <= 0) return;
    // Ignore a rejection, because the approval record contains the outcome.
    await outcome(approvalId, leftMs, signal).catch(() => undefined);
    signal?.throwIfAborted();
  }
};

/** Creates the calls with which assistants request, read and withdraw approvals. */
export const createApprovalCalls = (context: ApprovalCallsContext): ApprovalCalls => {
  const { approvals, batches, longPoll, outcome } = context;
  return {
    decision: async (by, id, waitMs, signal) => {
      const row = requireOwnApproval(context, by, id);
      return toAssistantAnswer(context, by, await longPoll(by, waitMs, (ms) => outcome(row.approval_id, ms, signal)));
    },
    approval: async (by, id, waitMs, signal) => {
      const row = requireOwnApproval(context, by, id);
      // Ignore a rejection, because the approval record contains the outcome.
      await longPoll(by, waitMs, (ms) => outcome(row.approval_id, ms, signal)).catch(() => undefined);
      return toVisibleApprovalRecord(context, by, requireOwnApproval(context, by, id));
    },
    approvals: (by) => {
      approvals.expireDue();
      const rows = approvals.listOfAsker(by.assistantId);
      return rows.map(createApprovalConverter(context, by, rows));
    },
    withdraw: (by, id) => {
      const row = requireOwnApproval(context, by, id);
      if (row.state !== 'pending')
        throw new Problem('WRONG_STATE', 'This has already been decided and cannot be withdrawn.');
      approvals.withdraw(row.approval_id);
      return toVisibleApprovalRecord(context, by, requireOwnApproval(context, by, id));
    },
    openRequests: (by) => listOpenRequests(context, by),
    withdrawBatch: async (by, batchId) => {
      const { rows } = batches.readOfAsker(by, batchId);
      approvals.withdrawTogether(rows.flatMap(({ approval }) => approval?.approvalId ?? []));
      return toBatchRecord(context, by, batches.readOfAsker(by, batchId));
    },
    askTogether: async (by, requests, reason) => {
      const asked = await batches.requestBatches(by, requests, sanitizeAssistantText(reason));
      return asked.map((batch) => toBatchRecord(context, by, batch));
    },
    batch: async (by, batchId, waitMs, signal) => {
      const { rows } = batches.readOfAsker(by, batchId);
      const ids = rows.flatMap(({ approval }) => approval?.approvalId ?? []);
      await longPoll(by, waitMs, (ms) => awaitOutcomes(context, ids, ms, signal));
      approvals.expireDue();
      return toBatchRecord(context, by, batches.readOfAsker(by, batchId));
    },
  };
};
