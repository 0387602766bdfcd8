import { useMemo } from 'react';
import { useApprovals, useBatchNow } from '../../api/queries.ts';
import type { ApprovalView } from '../../api/types.ts';
import { inLine } from './stateWords.ts';

const none: readonly ApprovalView[] = [];

/** The questions that wait for the person one by one, first come first served; those of a batch are asked by its receipt. */
export const useWaiting = (): readonly ApprovalView[] => {
  const approvals = useApprovals().data ?? none;
  const batch = useBatchNow().data;
  return useMemo(() => {
    const together = new Set(batch?.rows.map(({ approval }) => approval?.approvalId));
    return inLine(approvals).filter(({ approvalId }) => !together.has(approvalId));
  }, [approvals, batch]);
};
