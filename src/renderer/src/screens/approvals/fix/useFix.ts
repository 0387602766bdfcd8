import { useMutation, useQueryClient } from '@tanstack/react-query';
import { perform } from '../../../api/perform.ts';
import { usePrompts } from '../usePrompts.ts';
import { rememberFix } from './fixedFor.ts';

type Asked = 'publishListing' | 'bootstrapPolicies' | 'updateSellerDefaults';

/** Asks for a step out of a refusal: its question opens. A step before the publish leads back to it. */
export const useFix = (listingId: string) => {
  const { show } = usePrompts();
  const client = useQueryClient();
  const ask = useMutation({
    mutationFn: ({ route, body }: { route: Asked; body: Record<string, unknown> }) =>
      route === 'publishListing' ? perform(route, { params: { listingId }, body }) : perform(route, { body }),
    onSuccess: async (performed, { route }) => {
      if (performed.state === 'pending') {
        if (route !== 'publishListing') rememberFix(performed.approvalId, listingId);
        show(performed.approvalId);
      }
      await Promise.all(['approvals', 'setup'].map((topic) => client.invalidateQueries({ queryKey: [topic] })));
    },
  });
  return {
    ask: (route: Asked, body: Record<string, unknown> = {}) => ask.mutate({ route, body }),
    publish: (body: Record<string, unknown> = {}) => ask.mutate({ route: 'publishListing', body }),
    busy: ask.isPending,
    error: ask.error,
  };
};

export type Fix = ReturnType<typeof useFix>;
