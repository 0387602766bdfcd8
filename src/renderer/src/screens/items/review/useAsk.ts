import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import { perform, sentenceOf, type Performed, type ApprovalView } from '../../../api/call.ts';
import { readListingAgain } from '../../../api/queries.ts';
import { usePrompts } from '../../approvals/useQuestions.ts';
import { notifications } from '@mantine/notifications';
import { useEffect, useRef } from 'react';

/** Asks to publish a single chosen listing: the ordinary prompt. */
export const useAskPublish = () => {
  const { show } = usePrompts();
  return useMutation({
    mutationFn: (listingId: string) => perform('publishListing', { params: { listingId } }),
    onSuccess: (performed) => {
      if (performed.state === 'pending') show(performed.approvalId);
    },
  });
};

type Asked = 'generateListing' | 'publishListing' | 'endListing' | 'deleteListing' | 'relistListing' | 'revertListing';

/** The running request about a listing. */
export type AskMutation = UseMutationResult<Performed<Asked>, Error, Asked>;

/**
 * Asks for something about a listing: the question opens as a prompt; what needs no question is done at once. `onClosed`
 * hears how the question stood when its prompt was closed.
 */
export const useAsk = (
  listingId: string,
  onClosed?: (route: Asked, state: ApprovalView['state']) => void,
): AskMutation => {
  const { show } = usePrompts();
  // A prompt may stay open for long: what is to follow is decided when it is closed.
  const latest = useRef(onClosed);
  useEffect(() => {
    latest.current = onClosed;
  });
  const client = useQueryClient();
  return useMutation({
    mutationFn: (route: Asked) => perform(route, { params: { listingId } }),
    onSuccess: async (performed, route) => {
      if (performed.state === 'done') return readListingAgain(client, listingId);
      await client.invalidateQueries({ queryKey: ['approvals'] });
      show(performed.approvalId, (approvalId) => {
        const shown = client.getQueryData<ApprovalView>(['approvals', 'one', approvalId]);
        if (shown) latest.current?.(route, shown.state);
      });
    },
    onError: (error, route) => {
      // A refused publish is said beside its button.
      if (route !== 'publishListing') notifications.show({ message: sentenceOf(error), color: 'amber' });
    },
  });
};
