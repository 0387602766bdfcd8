import type { ApprovalView } from '../../api/types.ts';
import { t } from '../../i18n/t.ts';
import { actOf, type Act } from './acts.ts';
import { isUnderway } from './stateWords.ts';

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
