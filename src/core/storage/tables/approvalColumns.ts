import type { ApprovalState } from './approvalRecord.ts';

/** The columns that store the ledger position at which an approval reaches one of the states. */
export const ledgerPositionColumns: readonly (readonly [string, readonly ApprovalState[]])[] = [
  ['answered_seq', ['approved', 'declined', 'expired', 'withdrawn', 'superseded']],
  ['settled_seq', ['done', 'failed']],
];

/** The columns that store the time at which an approval reaches a state. */
export const timeColumns: Partial<Record<ApprovalState, string>> = {
  pending: 'shown_at',
  approved: 'decided_at',
  declined: 'decided_at',
  sending: 'sent_at',
};
