import { parseTrustedInput, rawInput } from '../../contract/index.ts';
import { createProblem, type DeclineReason, type ProblemText } from '../base/problem.ts';
import { toAskerId } from '../base/request.ts';
import type { ApprovalView } from '../storage/tables/approvalRecord.ts';
import type { ApprovalRow } from '../storage/tables/approvalsTable.ts';
import {
  rereadSubjectIfUnchanged,
  recheckBoundSubject,
  acquireListingLock,
  endUnsentApproval,
  expireIfDue,
  expireDueApprovals,
  readLatestApproval,
  readLatestApprovalOfRequest,
  requireApproval,
  requireProvenYes,
  readPromptsToProve,
  recordShownPrompts,
  requireShownApproval,
  releaseLockIfSettled,
  markApproved,
  withdrawUnsentApprovals,
  type DecideContext,
  type EndEvent,
  type GivenYes,
  type ProvenYes,
} from './decision.ts';
import type { DrawnPrompt, ShownPrompt } from '../presence/windowSessions.ts';
import type { PromptsToProve } from '../presence/ceremonies.ts';
import type { ApprovalsContext } from './approvalsContext.ts';
import {
  approveRowsTogether,
  returnApprovalToPending,
  hasUndoWindow,
  startUndoWindow,
  takeBackApproval,
  type BatchApproval,
  type ChosenPrompt,
} from './undoWindow.ts';
import { listLaterPrompts } from './checks/repeats.ts';

/** Applies the person's answers to approvals. Its functions throw `Problem`. */
export type Decider = {
  requireApproval: (approvalId: string) => ApprovalRow;
  readLatest: (approvalId: string) => ApprovalRow;
  /** Like `readLatest`, but stops before an approval of another request. */
  readLatestOfRequest: (approvalId: string) => ApprovalRow;
  /**
   * Notes that a window shows exactly these prompts from now on. Prompts that are no longer pending are ignored. Throws
   * PROMPT_NOT_SHOWN if the window session is not open.
   */
  recordShown: (windowSession: string, prompts: readonly DrawnPrompt[]) => void;
  /** Throws NOT_WHAT_WAS_SHOWN unless each approval is pending and has this digest. */
  readPromptsToProve: (prompts: readonly ShownPrompt[], windowSession: string | undefined) => PromptsToProve;
  /**
   * Throws PROMPT_NOT_SHOWN or SHOWN_TOO_BRIEFLY unless this window session has shown the prompt for long enough, and
   * PROOF_NEEDED if a proof is set up and this one does not cover exactly this approval.
   */
  approve: (approvalId: string, digest: string, windowSession?: string, proofId?: string) => Promise<ApprovalView>;
  approveTogether: (chosen: readonly ChosenPrompt[], batch: BatchApproval) => Promise<{ sent: Promise<void> }>;
  lowerExtras: (approvalId: string, digest: string, count: number) => Promise<ApprovalView>;
  takeBack: (approvalId: string) => boolean;
  withdrawAll: (account: string, askerId: string | null, reason: ProblemText) => void;
  withdrawUnanswerable: (row: ApprovalRow, reason: ProblemText) => void;
  returnToPending: (row: ApprovalRow) => void;
  /** Returns whether the request was approved in this run and will be sent. Recovery must skip such requests. */
  isApprovedHere: (approvalId: string) => boolean;
  /** Declines the prompt that was shown. A request by the person is withdrawn instead. */
  decline: (approvalId: string, digest: string, why: DeclineReason) => ApprovalView;
  withdraw: (approvalId: string) => ApprovalView;
  expireDue: () => void;
  stop: () => void;
};

/** Creates the decider. A request is sent only if the person approved its current prompt before the deadline. */
export const createDecider = (
  engine: ApprovalsContext,
  parts: Pick<DecideContext, 'requester' | 'executor' | 'windowSessions' | 'recordRefusal'>,
): Decider => {
  const ended = new AbortController();
  const approvedHere = new Set<string>();
  const context: DecideContext = { ...engine, ...parts, running: new Map(), approvedHere, ended };
  return {
    requireApproval: (approvalId) => requireApproval(context, approvalId),
    readLatest: (approvalId) => readLatestApproval(context, requireApproval(context, approvalId)),
    readLatestOfRequest: (approvalId) => readLatestApprovalOfRequest(context, requireApproval(context, approvalId)),
    recordShown: (windowSession, prompts) => recordShownPrompts(context, windowSession, prompts),
    readPromptsToProve: (prompts, windowSession) => readPromptsToProve(context, prompts, windowSession),
    approve: (approvalId, digest, windowSession, proofId) =>
      approveShownPrompt(context, { approvalId, digest }, { windowSession, proofId }),
    approveTogether: (chosen, batch) => approveRowsTogether(context, chosen, batch),
    lowerExtras: (approvalId, digest, count) => lowerRequestedExtras(context, approvalId, digest, count),
    takeBack: (approvalId) => takeBackApproval(context, approvalId),
    withdrawAll: (account, askerId, reason) => withdrawUnsentApprovals(context, account, askerId, reason),
    withdrawUnanswerable: (row, reason) =>
      void endUnsentApproval(context, row, { event: 'withdraw', facts: { code: reason.code }, reason }),
    returnToPending: (row) => returnApprovalToPending(context, row),
    isApprovedHere: (approvalId) => approvedHere.has(approvalId),
    decline: (approvalId, digest, why) =>
      declineWithLaterPrompts(context, requireShownApproval(context, approvalId, digest), why),
    withdraw: (approvalId) =>
      endUnsentApproval(context, requireApproval(context, approvalId), { event: 'withdraw', facts: {} }),
    expireDue: () => expireDueApprovals(context),
    stop: () => ended.abort(),
  };
};

const declineWithLaterPrompts = (context: DecideContext, row: ApprovalRow, why: DeclineReason): ApprovalView => {
  if (row.asker.kind === 'person')
    return endUnsentApproval(context, row, { event: 'withdraw', facts: { by: toAskerId(row.asker), why } });
  const no: EndEvent = { event: 'decline', facts: { why }, declinedBecause: why };
  const next = readLatestApproval(context, row);
  for (const later of [next, ...listLaterPrompts(context, row)])
    if (later.state === 'pending') endUnsentApproval(context, later, no);
  return endUnsentApproval(context, row, no);
};

/** Reads the subject again before approving. If something changed, a new prompt replaces the old prompt. */
const approveShownPrompt = async (
  context: DecideContext,
  { approvalId, digest }: ShownPrompt,
  given: GivenYes,
): Promise<ApprovalView> => {
  const { running } = context;
  const { readView } = context.requester;
  const row = requireShownApproval(context, approvalId, digest);
  if (row.state !== 'pending' || expireIfDue(context, row)) return readView(readLatestApproval(context, row));
  const yes = requireProvenYes(context, [row], given);
  const decided =
    running.get(approvalId) ?? approveAndSendRequest(context, row, yes).finally(() => running.delete(approvalId));
  running.set(approvalId, decided);
  await decided;
  return readView(readLatestApproval(context, requireApproval(context, approvalId)));
};

const approveAndSendRequest = async (
  context: DecideContext,
  row: ApprovalRow,
  yes: ProvenYes,
): Promise<ApprovalView> => {
  const { db, clock, requester, executor } = context;
  const lock = await acquireListingLock(context, row);
  try {
    const fresh = await rereadSubjectIfUnchanged(context, row);
    if (fresh === null || expireIfDue(context, row)) return requester.readView(row);
    if (hasUndoWindow(row.route)) return startUndoWindow(context, row, yes);
    const { first } = fresh.subject;
    // If the disk is full, neither the approval nor the start of sending is stored, so the person can approve again.
    const begun = db.transaction(() => {
      const isMarked = markApproved(context, row, { at: clock.now(), yes });
      if (isMarked) context.proofs.use(yes.given);
      return isMarked && (first.length > 0 || executor.beginSending(row));
    })();
    context.changed('approvals');
    if (!begun) return requester.readView(row);
    const sent = await executor.sendTransmission({
      row,
      first,
      lock,
      recheckSubject: () => recheckBoundSubject(context, row),
    });
    await sent.settled;
    return requester.readView(row);
  } finally {
    releaseLockIfSettled(context, row, lock);
  }
};

/** Lowering the count does not approve the request: the person must still approve the new prompt. */
const lowerRequestedExtras = async (
  context: DecideContext,
  approvalId: string,
  digest: string,
  count: number,
): Promise<ApprovalView> => {
  const { requester } = context;
  const row = requireShownApproval(context, approvalId, digest);
  if (row.route !== 'approveExtras') throw createProblem('NOT_A_COUNT');
  if (row.state !== 'pending' || expireIfDue(context, row)) return requester.readView(readLatestApproval(context, row));
  const input = parseTrustedInput(row.route, rawInput.parse(row.subject.request.input));
  if (count >= input.body.count) throw createProblem('NOT_LOWER', { field: 'count' });
  const fewer = { ...input, body: { ...input.body, count } };
  const fresh = await requester.readSubject({ by: row.asker, route: row.route, input: fewer });
  if (expireIfDue(context, row)) return requester.readView(row);
  try {
    context.checkAsker(row.asker, row.route, fewer);
  } catch (error) {
    return requester.dropPrompt(row, error);
  }
  return requester.supersedePrompt(row, fresh, { input: fewer });
};
