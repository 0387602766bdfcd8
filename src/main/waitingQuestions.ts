import type { ApprovalView } from '../core/storage/tables/approvalRecord.ts';
import type { BatchView } from '../core/approvals/batches.ts';

/** What waits for the person: single approvals, and batches, each of which counts once. */
export type WaitingQuestions = { approvals: readonly ApprovalView[]; batches: readonly BatchView[] };

const idsOf = ({ rows }: BatchView): string[] => rows.flatMap(({ approval }) => approval?.approvalId ?? []);

/** The waiting approvals apart from those that a batch asks for. */
export const waitingQuestions = (waiting: readonly ApprovalView[], batches: readonly BatchView[]): WaitingQuestions => {
  const together = new Set(batches.flatMap(idsOf));
  return {
    approvals: waiting.filter(({ approvalId }) => !together.has(approvalId)),
    batches: batches.filter(({ state }) => state === 'waiting'),
  };
};

export const countOf = ({ approvals, batches }: WaitingQuestions): number => approvals.length + batches.length;
