import { getDisplayDeadline } from '../base/storedAges.ts';
import type { ApprovalRow } from '../storage/tables/approvalsTable.ts';
import type { ApprovalsContext } from './approvalsContext.ts';

/** How long a decline stays in force, and how long a changed prompt counts toward the assistant's limit of changes. */
export const repeatWindowMs = 10 * 60_000;

/** Returns the storage key for the age of the person's decision. */
export const createDecisionAgeKey = ({ approval_id: id }: Pick<ApprovalRow, 'approval_id'>): string =>
  `decision on ${id}`;

/** Returns how long the person has left to answer, in ms; 0 or less after the deadline. */
export const getAnswerLeftMs = (
  { ages }: Pick<ApprovalsContext, 'ages'>,
  row: Pick<ApprovalRow, 'approval_id' | 'shown_at' | 'expires_at'>,
): number => row.expires_at - row.shown_at - ages.ageMs(row.approval_id, row.shown_at);

/** Returns when the time to answer and the undo window end, corrected for changes of the wall clock. */
export const getAnswerAndUndoDeadlines = (
  { ages, clock }: Pick<ApprovalsContext, 'ages' | 'clock'>,
  row: ApprovalRow,
): { expiresAt: number; heldUntil: number | null } => {
  const { state, decided_at: decidedAt, held_until: heldUntil } = row;
  const now = clock.now();
  return {
    expiresAt:
      state === 'pending' ? getDisplayDeadline(row.expires_at, getAnswerLeftMs({ ages }, row), now) : row.expires_at,
    heldUntil:
      state !== 'approved' || heldUntil === null || decidedAt === null
        ? null
        : getDisplayDeadline(heldUntil, heldUntil - decidedAt - ages.ageMs(createDecisionAgeKey(row), decidedAt), now),
  };
};
