import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import { perform, sentenceOf, type Performed, type ApprovalView } from '../../../api/call.ts';
import { readListingAgain } from '../../../api/queries.ts';
import { usePrompts } from '../../approvals/useQuestions.ts';
import { notifications } from '@mantine/notifications';
import { useEffect, useRef } from 'react';

/** Requests the approval to publish a single listing. */
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

export type AskMutation = UseMutationResult<Performed<Asked>, Error, Asked>;

/**
 * Runs a request about a listing; opens the prompt if it needs an approval. `onClosed` receives the state of the
 * approval when the prompt is closed.
 */
export const useAsk = (
  listingId: string,
  onClosed?: (route: Asked, state: ApprovalView['state']) => void,
): AskMutation => {
  const { show } = usePrompts();
  // A prompt may stay open for long: call the latest callback when it is closed.
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
      // A refused publish is shown beside its button.
      if (route !== 'publishListing') notifications.show({ message: sentenceOf(error), color: 'amber' });
    },
  });
};
