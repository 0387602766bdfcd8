import { useMutation } from '@tanstack/react-query';
import { perform } from '../../../api/call.ts';
import { usePrompts } from '../../approvals/usePrompts.ts';

/** Asks to publish a single chosen listing: the ordinary prompt. */
export const useAskOne = () => {
  const { show } = usePrompts();
  return useMutation({
    mutationFn: (listingId: string) => perform('publishListing', { params: { listingId } }),
    onSuccess: (performed) => {
      if (performed.state === 'pending') show(performed.approvalId);
    },
  });
};
