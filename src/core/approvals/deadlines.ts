import { shownDeadline } from '../base/storedAges.ts';
import type { ApprovalRow } from '../storage/tables/approvalsTable.ts';
import type { ApprovalsContext } from './approvalsContext.ts';

/** How long a no stands, and how long an assistant's change of its own prompt is counted. */
export const repeatWindowMs = 10 * 60_000;

/** What the person's answer to an approval is named among the ages of stored times. */
export const decisionOf = ({ approval_id: id }: Pick<ApprovalRow, 'approval_id'>): string => `decision on ${id}`;

/** How long the person has to answer, in ms; 0 or less once that is over. */
export const leftMs = (
  { ages }: Pick<ApprovalsContext, 'ages'>,
  row: Pick<ApprovalRow, 'approval_id' | 'shown_at' | 'expires_at'>,
): number => row.expires_at - row.shown_at - ages.ageMs(row.approval_id, row.shown_at);

/** Until when an approval is answered or held, as people read it. */
export const deadlinesOf = (
  { ages, clock }: Pick<ApprovalsContext, 'ages' | 'clock'>,
  row: ApprovalRow,
): { expiresAt: number; heldUntil: number | null } => {
  const { state, decided_at: decidedAt, held_until: heldUntil } = row;
  const now = clock.now();
  return {
    expiresAt: state === 'pending' ? shownDeadline(row.expires_at, leftMs({ ages }, row), now) : row.expires_at,
    heldUntil:
      state !== 'approved' || heldUntil === null || decidedAt === null
        ? null
        : shownDeadline(heldUntil, heldUntil - decidedAt - ages.ageMs(decisionOf(row), decidedAt), now),
  };
};
