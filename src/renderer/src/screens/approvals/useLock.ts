import { useApprovals } from '../../api/queries.ts';
import { lockIn, type Lock } from './locks.ts';

/** The lock of a listing, as it stands. */
export const useLock = (listingId: string | null): Lock | null => {
  const approvals = useApprovals().data;
  return approvals && listingId !== null ? lockIn(approvals, listingId) : null;
};
