import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import type { CallInput } from '../../../../ipc/calls.ts';
import { call, type ApprovalView } from '../../api/call.ts';

/** Why the person says no, as the core records it. */
export type DeclineReason = NonNullable<CallInput<'approvals.decline'>['why']>;

type Decision = { act: 'yes' | 'takeBack' | 'unlock' } | { act: 'no'; why: DeclineReason };

/** The running answer to a question: an answer is sent with the approval that is shown. */
export type DecisionMutation = UseMutationResult<ApprovalView, Error, Decision & { approval: ApprovalView }>;

const send = ({ approvalId, digest }: ApprovalView, decision: Decision): Promise<ApprovalView> => {
  if (decision.act === 'yes') return call('approvals.approve', { approvalId, digest });
  if (decision.act === 'no') return call('approvals.decline', { approvalId, digest, why: decision.why });
  return call(decision.act === 'takeBack' ? 'approvals.takeBack' : 'approvals.unlock', { approvalId });
};

/** Gives the person's answer to exactly what is shown: an id and a digest, nothing else. Also takes a yes back, and unlocks. */
export const useDecision = (
  onAnswered: (answer: ApprovalView, askedId: string) => void = () => undefined,
): DecisionMutation => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ approval, ...decision }: Decision & { approval: ApprovalView }) => send(approval, decision),
    onSuccess: (answer, { approval }) => {
      client.setQueryData(['approvals', 'one', answer.approvalId], answer);
      onAnswered(answer, approval.approvalId);
    },
    // A yes changes the listing it is about, whichever topic the core names for it.
    onSettled: () =>
      Promise.all(['approvals', 'listings', 'account'].map((topic) => client.invalidateQueries({ queryKey: [topic] }))),
  });
};
