import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { sentenceOf } from '../../../api/callError.ts';
import { perform } from '../../../api/perform.ts';
import { usePrompts } from '../../approvals/usePrompts.ts';

type Asked = 'publishListing' | 'endListing' | 'deleteListing' | 'relistListing';

/** Asks for something about a listing: the question opens as a prompt; what needs no question is done at once. */
export const useAsk = (listingId: string) => {
  const { show } = usePrompts();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (route: Asked) => perform(route, { params: { listingId } }),
    onSuccess: async (performed) => {
      await client.invalidateQueries({ queryKey: ['approvals'] });
      if (performed.state === 'pending') show(performed.approvalId);
    },
    onError: (error, route) => {
      // A refused publish is said beside its button.
      if (route !== 'publishListing') notifications.show({ message: sentenceOf(error), color: 'amber' });
    },
  });
};
