import { inputOf, rawInput } from '../../contract/index.ts';
import { problem, type DeclineReason, type ProblemText } from '../base/problem.ts';
import { askerIdOf } from '../base/request.ts';
import type { ApprovalView } from '../storage/tables/approvalRecord.ts';
import type { ApprovalRow } from '../storage/tables/approvalsTable.ts';
import {
  confirm,
  recheckSubject,
  acquire,
  end,
  expired,
  expireDue,
  latest,
  latestOfRequest,
  need,
  needShown,
  settleHold,
  storeYes,
  withdrawAll,
  type DecideContext,
  type End,
} from './decision.ts';
import type { ApprovalsContext } from './approvalsContext.ts';
import type { Executor } from './execute.ts';
import { approveTogether, askAgain, isHeld, holdApproved, takeBack, type BatchYes, type Chosen } from './heldActs.ts';
import { laterPrompts } from './checks/repeats.ts';
import type { Requester } from './request.ts';

/** The person's answers to approvals. Its functions throw `Problem`. */
export type Decider = {
  /** Returns the approval with that id. Throws if the connected account has none. */
  need: (approvalId: string) => ApprovalRow;
  /** Returns the approval with that id, or the latest that supersedes it. */
  latest: (approvalId: string) => ApprovalRow;
  /** The same, but only while the superseding approval is for the same request. */
  latestOfRequest: (approvalId: string) => ApprovalRow;
  approve: (approvalId: string, digest: string) => Promise<ApprovalView>;
  approveTogether: (chosen: readonly Chosen[], batch: BatchYes) => Promise<{ sent: Promise<void> }>;
  lower: (approvalId: string, digest: string, count: number) => Promise<ApprovalView>;
  takeBack: (approvalId: string) => boolean;
  withdrawAll: (account: string, askerId: string | null, reason: ProblemText) => void;
  /** Withdraws an approval that can no longer be answered. */
  withdrawFor: (row: ApprovalRow, reason: ProblemText) => void;
  /** Makes an approved but unsent approval pending again, with the same prompt. */
  askAgain: (row: ApprovalRow) => void;
  /** Whether it was approved in this run and will be sent, so that recovery must skip it. */
  isHeldHere: (approvalId: string) => boolean;
  /** Declines exactly what was shown. The person's own request is withdrawn instead, because that is no decline. */
  decline: (approvalId: string, digest: string, why: DeclineReason) => ApprovalView;
  withdraw: (approvalId: string) => ApprovalView;
  expireDue: () => void;
  stop: () => void;
};

/**
 * Creates the handling of the person's answers. A request is sent only if the current prompt was approved before its
 * deadline.
 */
export const createDecider = (engine: ApprovalsContext, requester: Requester, executor: Executor): Decider => {
  const ended = new AbortController();
  const heldHere = new Set<string>();
  const context: DecideContext = { ...engine, requester, executor, running: new Map(), heldHere, ended };
  return {
    need: (approvalId) => need(context, approvalId),
    latest: (approvalId) => latest(context, need(context, approvalId)),
    latestOfRequest: (approvalId) => latestOfRequest(context, need(context, approvalId)),
    approve: (approvalId, digest) => approve(context, approvalId, digest),
    approveTogether: (chosen, batch) => approveTogether(context, chosen, batch),
    lower: (approvalId, digest, count) => lower(context, approvalId, digest, count),
    takeBack: (approvalId) => takeBack(context, approvalId),
    withdrawAll: (account, askerId, reason) => withdrawAll(context, account, askerId, reason),
    withdrawFor: (row, reason) => void end(context, row, { event: 'withdraw', facts: { code: reason.code }, reason }),
    askAgain: (row) => askAgain(context, row),
    isHeldHere: (approvalId) => heldHere.has(approvalId),
    decline: (approvalId, digest, why) => decline(context, needShown(context, approvalId, digest), why),
    withdraw: (approvalId) => end(context, need(context, approvalId), { event: 'withdraw', facts: {} }),
    expireDue: () => expireDue(context),
    stop: () => ended.abort(),
  };
};

/** Declines what was shown, and the prompts about the same thing that the assistant requested since. */
const decline = (context: DecideContext, row: ApprovalRow, why: DeclineReason): ApprovalView => {
  if (row.asker.kind === 'person')
    return end(context, row, { event: 'withdraw', facts: { by: askerIdOf(row.asker), why } });
  const no: End = { event: 'decline', facts: { why }, declinedBecause: why };
  const next = latest(context, row);
  for (const later of [next, ...laterPrompts(context, row)]) if (later.state === 'pending') end(context, later, no);
  return end(context, row, no);
};

/**
 * Approves exactly what was shown. Everything shown is read again first: if it differs, nothing is sent and the superseding
 * prompt is returned. Approving twice is harmless.
 */
const approve = async (context: DecideContext, approvalId: string, digest: string): Promise<ApprovalView> => {
  const { running } = context;
  const { view } = context.requester;
  const row = needShown(context, approvalId, digest);
  if (row.state !== 'pending' || expired(context, row)) return view(latest(context, row));
  const decided = running.get(approvalId) ?? decide(context, row).finally(() => running.delete(approvalId));
  running.set(approvalId, decided);
  await decided;
  return view(latest(context, need(context, approvalId)));
};

const decide = async (context: DecideContext, row: ApprovalRow): Promise<ApprovalView> => {
  const { db, clock, requester, executor } = context;
  const hold = await acquire(context, row);
  try {
    const fresh = await confirm(context, row);
    if (fresh === null || expired(context, row)) return requester.view(row);
    if (isHeld(row.route)) return holdApproved(context, row);
    const { first } = fresh.subject;
    // One transaction: an approval that cannot be stored does not count and can be given again.
    const begun = db.transaction(
      () => storeYes(context, row, { at: clock.now() }) && (first.length > 0 || executor.begin(row)),
    )();
    context.changed('approvals');
    if (!begun) return requester.view(row);
    const sent = await executor.transmit({ row, first, hold, recheckSubject: () => recheckSubject(context, row) });
    await sent.settled;
    return requester.view(row);
  } finally {
    settleHold(context, row, hold);
  }
};

/** Replaces the prompt with one for fewer extras, which the person must approve separately. */
const lower = async (
  context: DecideContext,
  approvalId: string,
  digest: string,
  count: number,
): Promise<ApprovalView> => {
  const { requester } = context;
  const row = needShown(context, approvalId, digest);
  if (row.route !== 'approveExtras') throw problem('NOT_A_COUNT');
  if (row.state !== 'pending' || expired(context, row)) return requester.view(latest(context, row));
  const input = inputOf(row.route, rawInput.parse(row.subject.request.input));
  if (count >= input.body.count) throw problem('NOT_LOWER', { field: 'count' });
  const fewer = { ...input, body: { ...input.body, count } };
  const fresh = await requester.read({ by: row.asker, route: row.route, input: fewer });
  if (expired(context, row)) return requester.view(row);
  try {
    context.checkAsker(row.asker, row.route, fewer);
  } catch (error) {
    return requester.drop(row, error);
  }
  return requester.replace(row, fresh, { input: fewer });
};
