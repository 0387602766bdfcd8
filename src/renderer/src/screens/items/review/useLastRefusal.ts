import { publishFixOf } from '../../../../../contract/index.ts';
import { useApprovalHistory, useApprovals } from '../../../api/queries.ts';
import type { ApprovalView } from '../../../api/types.ts';

const publishes: readonly ApprovalView['route'][] = ['publishListing', 'publishChannels'];

/** The last answer to a publish of this listing, when it was a refusal that has a way out. */
export const useLastRefusal = (listingId: string): ApprovalView | null => {
  const open = useApprovals().data ?? [];
  const decided = useApprovalHistory().data ?? [];
  const own = [...open, ...decided].filter(
    ({ route, prompt }) => publishes.includes(route) && prompt.target?.listingId === listingId,
  );
  const last = own.sort((a, b) => (b.decidedAt ?? b.askedAt) - (a.decidedAt ?? a.askedAt))[0];
  return last?.state === 'failed' && publishFixOf(last.outcome?.code) ? last : null;
};
