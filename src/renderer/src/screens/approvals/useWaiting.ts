import { useMemo } from 'react';
import { useApprovals, useBatchList } from '../../api/queries.ts';
import type { ApprovalView, BatchView } from '../../api/types.ts';
import { questionsIn, type Question } from './questions.ts';

const noApprovals: readonly ApprovalView[] = [];
const noBatches: readonly BatchView[] = [];

/** What waits for the person, first come first served; a batch counts once. */
export const useWaiting = (): readonly Question[] => {
  const approvals = useApprovals().data ?? noApprovals;
  const batches = useBatchList().data ?? noBatches;
  return useMemo(() => questionsIn(approvals, batches), [approvals, batches]);
};
