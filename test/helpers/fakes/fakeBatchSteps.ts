import type { ApprovalView } from '../../../src/core/storage/tables/approvalRecord.ts';
import type { BatchView } from '../../../src/core/approvals/batches.ts';
import { createChange, createQuote } from './fakePrompts.ts';

const refused = {
  sentence: 'This category does not take the condition “Used – good”.',
  code: 'CONDITION_NOT_ALLOWED',
  url: null,
};

const over = (approval: ApprovalView, at: number): ApprovalView => {
  const isPublish = approval.route === 'publishListing';
  if (isPublish && at % 10 === 4) return { ...approval, state: 'failed', decidedAt: Date.now(), outcome: refused };
  if (isPublish && at % 10 === 6 && approval.sinceShown.length === 0)
    return {
      ...approval,
      approvalId: `${approval.approvalId}x`,
      digest: `${approval.digest}x`,
      state: 'pending',
      shownAt: Date.now(),
      sinceShown: [createChange('Fee', 'US$0.35', 'US$0.50')],
      prompt: {
        ...approval.prompt,
        money: approval.prompt.money && {
          ...approval.prompt.money,
          ...createQuote(50, approval.prompt.money.currency ?? 'USD'),
        },
      },
    };
  const url = isPublish ? `https://market.example/listing/${at}` : null;
  const outcome = { sentence: isPublish ? 'It is live.' : 'Done.', code: null, url };
  return { ...approval, state: 'done', heldUntil: null, decidedAt: Date.now(), outcome };
};

/** Returns a batch after its next step: the row in flight is done, and the next row is sent. */
export const stepBatch = (batch: BatchView): BatchView => {
  const rows = batch.rows.map((row, at) =>
    row.approval?.state === 'sending' ? { ...row, approval: over(row.approval, at) } : row,
  );
  const next = batch.state === 'sending' ? rows.findIndex(({ approval }) => approval?.state === 'approved') : -1;
  const state = next === -1 ? 'over' : batch.state;
  return {
    ...batch,
    state,
    heldUntil: null,
    rows: rows.map((row, at) => {
      if (!row.approval || row.approval.state !== 'approved') return row;
      if (at === next) return { ...row, approval: { ...row.approval, state: 'sending', heldUntil: null } };
      return state === 'over' ? { ...row, approval: { ...row.approval, state: 'withdrawn' } } : row;
    }),
  };
};

/** Returns a batch after the approval of these rows: in its undo window if one is irreversible, else in flight. */
export const approveRows = (batch: BatchView, yes: ReadonlySet<string>, holdMs: number): BatchView => {
  const isYes = (approval: ApprovalView | null): approval is ApprovalView =>
    approval !== null && yes.has(approval.approvalId);
  const isFinal = batch.rows.some(({ approval }) => isYes(approval) && approval.prompt.final);
  const heldUntil = isFinal && holdMs > 0 ? Date.now() + holdMs : null;
  return {
    ...batch,
    state: heldUntil === null ? 'sending' : 'held',
    heldUntil,
    rows: batch.rows.map((row) =>
      isYes(row.approval)
        ? { ...row, approval: { ...row.approval, state: 'approved', decidedAt: Date.now(), heldUntil } }
        : row,
    ),
  };
};

/** Returns a batch after its undo window was used. */
export const takeBackRows = (batch: BatchView): BatchView => ({
  ...batch,
  state: 'over',
  heldUntil: null,
  rows: batch.rows.map((row) =>
    row.approval?.state === 'approved'
      ? {
          ...row,
          approval: {
            ...row.approval,
            state: 'withdrawn',
            heldUntil: null,
            outcome: { sentence: 'You took it back. Nothing was sent.', code: 'TAKEN_BACK', url: null },
          },
        }
      : row,
  ),
});
