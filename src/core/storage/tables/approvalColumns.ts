import type { ApprovalState } from './approvalRecord.ts';

/** The columns in which states note their position in the ledger. */
export const seqColumns: readonly (readonly [string, readonly ApprovalState[]])[] = [
  ['answered_seq', ['approved', 'declined', 'expired', 'withdrawn', 'superseded']],
  ['settled_seq', ['done', 'failed']],
];

/** The column in which a state notes when it was reached. */
export const stamps: Partial<Record<ApprovalState, string>> = {
  pending: 'shown_at',
  approved: 'decided_at',
  declined: 'decided_at',
  sending: 'sent_at',
};
