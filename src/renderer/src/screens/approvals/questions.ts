import type { ApprovalView, BatchView } from '../../api/types.ts';
import { t } from '../../i18n/t.ts';
import { actOf, type Act, isUnderway, isWaiting } from './approvalWords.ts';

/** What is going on with a listing that takes no changes just now: the act, or that nobody knows what became of it. */
export type Lock = Act | 'unknown';

const isLocking = ({ state }: ApprovalView): boolean => isUnderway(state) || state === 'unconfirmed';

/** The lock of a listing; null while it is free. */
export const lockIn = (approvals: readonly ApprovalView[], listingId: string): Lock | null => {
  const locking = approvals.find((one) => isLocking(one) && one.prompt.target?.listingId === listingId);
  if (!locking) return null;
  return locking.state === 'unconfirmed' ? 'unknown' : actOf(locking.route);
};

/** "Being published". */
export const lockWords = (lock: Lock): string => t(`approvals.lock.${lock}`);

/** What becomes of an edit that waits for the listing to be free: "Saved as soon as it is published". */
export const savedAfterWords = (lock: Lock | null): string =>
  t(`approvals.savedAfter.${lock === null || lock === 'unknown' ? 'other' : lock}`);

/** Something that the person is asked: one approval, or several in one prompt. */
export type Question =
  { kind: 'one'; id: string; approval: ApprovalView } | { kind: 'batch'; id: string; batch: BatchView };

type Asked = { askedAt: number; by: ApprovalView['by'] };

/** When it was asked, and who asks. */
export const askedOf = (question: Question): Asked => (question.kind === 'one' ? question.approval : question.batch);

/** The approvals of batches, which are asked by their batch alone. */
export const idsInBatches = (batches: readonly BatchView[]): ReadonlySet<string> =>
  new Set(batches.flatMap(({ rows }) => rows.flatMap(({ approval }) => (approval ? [approval.approvalId] : []))));

/** Whether a batch waits for an answer: one whose rows all fail has nothing to be said yes to, and still wants to be seen. */
export const batchWaits = ({ state, rows }: BatchView): boolean =>
  state === 'waiting' || (state === 'over' && rows.some(({ approval }) => approval?.state === 'pending'));

/** All that waits for an answer, first come first served; a batch counts once. */
export const questionsIn = (approvals: readonly ApprovalView[], batches: readonly BatchView[]): Question[] => {
  const together = idsInBatches(batches);
  const alone = approvals.filter((one) => isWaiting(one) && !together.has(one.approvalId));
  const questions: Question[] = [
    ...alone.map((approval) => ({ kind: 'one' as const, id: approval.approvalId, approval })),
    ...batches.filter(batchWaits).map((batch) => ({ kind: 'batch' as const, id: batch.batchId, batch })),
  ];
  return questions.sort((a, b) => askedOf(a).askedAt - askedOf(b).askedAt);
};
