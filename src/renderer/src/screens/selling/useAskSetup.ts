import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { InputOf, RouteName } from '../../../../contract/index.ts';
import { perform } from '../../api/call.ts';
import { usePrompts } from '../approvals/usePrompts.ts';

/** Routes of the setup that ask. */
type Asked = Extract<
  RouteName,
  | 'disconnectMarket'
  | 'acknowledgeReadiness'
  | 'bootstrapPolicies'
  | 'updateSellerDefaults'
  | 'createTemplate'
  | 'updateTemplate'
  | 'deleteTemplate'
  | 'deleteConnection'
>;

type Request = { [N in Asked]: { route: N; input: InputOf<N> } }[Asked];

/** Asks for a change of the setup: its question opens. Answers the id of the question, or null when it is done already. */
export const useAskSetup = () => {
  const { show } = usePrompts();
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ route, input }: Request) => perform(route, input),
    onSuccess: async (performed) => {
      await client.invalidateQueries({ queryKey: ['approvals'] });
      if (performed.state === 'pending') show(performed.approvalId);
      else await client.invalidateQueries({ queryKey: ['setup'] });
    },
  });
};
