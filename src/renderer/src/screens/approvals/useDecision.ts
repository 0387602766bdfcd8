import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import type { ApprovalView } from '../../api/types.ts';
import type { Why } from './Decide.tsx';

type Decision = { yes: true } | { yes: false; why: Why };

/** Gives the person's answer to exactly what is shown: an id and a digest, nothing else. */
export const useDecision = (approval: ApprovalView | undefined, onAnswered: (answer: ApprovalView) => void) => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (decision: Decision) => {
      const { approvalId, digest } = approval as ApprovalView;
      return decision.yes
        ? call('approvals.approve', { approvalId, digest })
        : call('approvals.decline', { approvalId, digest, why: decision.why });
    },
    onSuccess: (answer) => {
      client.setQueryData(['approvals', 'one', answer.approvalId], answer);
      onAnswered(answer);
    },
    // A yes changes the listing it is about, whichever topic the core names for it.
    onSettled: () =>
      Promise.all(['approvals', 'listings', 'account'].map((topic) => client.invalidateQueries({ queryKey: [topic] }))),
  });
};
