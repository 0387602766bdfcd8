import type { ApprovalView } from '../../../src/core/storage/tables/approvalRecord.ts';
import type { BatchView } from '../../../src/core/approvals/batches.ts';
import { createChange, createQuote } from './fakePrompts.ts';

/** Returns a batch with its approvals changed by this function. */
export const mapApprovals = (
  batch: BatchView,
  change: (approval: ApprovalView, at: number) => ApprovalView,
): BatchView => ({
  ...batch,
  rows: batch.rows.map((row, at) => (row.approval ? { ...row, approval: change(row.approval, at) } : row)),
});

const sentence = 'This category does not take the condition “Used – good”.';
const refused = { sentence, code: 'CONDITION_NOT_ALLOWED', url: null };

/** Returns an approval that was sent: some publishes are refused, and some have another fee. */
const finish = (approval: ApprovalView, at: number): ApprovalView => {
  const { approvalId, digest, prompt, route, sinceShown } = approval;
  const isPublish = route === 'publishListing';
  if (isPublish && at % 10 === 4) return { ...approval, state: 'failed', decidedAt: Date.now(), outcome: refused };
  if (isPublish && at % 10 === 6 && sinceShown.length === 0) {
    const money = prompt.money && { ...prompt.money, ...createQuote(50, prompt.money.currency ?? 'USD') };
    return {
      ...{ ...approval, approvalId: `${approvalId}x`, digest: `${digest}x`, state: 'pending', shownAt: Date.now() },
      ...{ sinceShown: [createChange('Fee', 'US$0.35', 'US$0.50')], prompt: { ...prompt, money } },
    };
  }
  const url = isPublish ? `https://market.example/listing/${at}` : null;
  const outcome = { sentence: isPublish ? 'It is live.' : 'Done.', code: null, url };
  return { ...approval, state: 'done', heldUntil: null, decidedAt: Date.now(), outcome };
};

/** Returns an approval after its undo window was used. */
export const takeBackApproval = (approval: ApprovalView): ApprovalView => ({
  ...{ ...approval, state: 'withdrawn', heldUntil: null },
  outcome: { sentence: 'You took it back. Nothing was sent.', code: 'TAKEN_BACK', url: null },
});

/** Returns a batch after its next step: the row in flight is done, and the next row is sent. */
export const stepBatch = (before: BatchView): BatchView => {
  const batch = mapApprovals(before, (approval, at) =>
    approval.state === 'sending' ? finish(approval, at) : approval,
  );
  const isNext = batch.rows.map(({ approval }) => approval?.state === 'approved');
  const next = batch.state === 'sending' ? isNext.indexOf(true) : -1;
  const send = (approval: ApprovalView, at: number): ApprovalView => {
    if (approval.state !== 'approved' || (next !== -1 && at !== next)) return approval;
    return next === -1 ? { ...approval, state: 'withdrawn' } : { ...approval, state: 'sending', heldUntil: null };
  };
  return { ...mapApprovals(batch, send), state: next === -1 ? 'over' : batch.state, heldUntil: null };
};

/** Returns a batch after the approval of these rows: in its undo window if one is irreversible, else in flight. */
export const approveRows = (
  batch: BatchView,
  yes: ReadonlySet<string>,
  { holdMs, confirmedBy }: { holdMs: number; confirmedBy: ApprovalView['confirmedBy'] },
): BatchView => {
  const isYes = ({ approvalId }: ApprovalView): boolean => yes.has(approvalId);
  const isFinal = batch.rows.some(({ approval }) => approval && isYes(approval) && approval.prompt.final);
  const heldUntil = isFinal && holdMs > 0 ? Date.now() + holdMs : null;
  const approved = { state: 'approved', decidedAt: Date.now(), heldUntil, confirmedBy } as const;
  return {
    ...mapApprovals(batch, (approval) => (isYes(approval) ? { ...approval, ...approved } : approval)),
    ...{ state: heldUntil === null ? 'sending' : 'held', heldUntil },
  };
};

/** Returns a batch after its undo window was used. */
export const takeBackRows = (batch: BatchView): BatchView => ({
  ...mapApprovals(batch, (approval) => (approval.state === 'approved' ? takeBackApproval(approval) : approval)),
  ...{ state: 'over', heldUntil: null },
});
