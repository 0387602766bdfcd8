import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import { performRequest, readErrorSentence, type RouteOutcome, type ApprovalView } from '../../../api/call.ts';
import { readListingAgain } from '../../../api/queries.ts';
import { usePromptControls } from '../../approvals/usePrompts.ts';
import { notifications } from '@mantine/notifications';
import { useEffect, useRef } from 'react';

/** Requests the approval to publish a single listing. */
export const useRequestPublish = () => {
  const { show } = usePromptControls();
  return useMutation({
    mutationFn: (listingId: string) => performRequest('publishListing', { params: { listingId } }),
    onSuccess: (performed) => {
      if (performed.state === 'pending') show(performed.approvalId);
    },
  });
};

type ListingRequestRoute =
  'generateListing' | 'publishListing' | 'endListing' | 'deleteListing' | 'relistListing' | 'revertListing';

export type ListingRequest = UseMutationResult<RouteOutcome<ListingRequestRoute>, Error, ListingRequestRoute>;

/**
 * Runs a request about a listing; opens the prompt if it needs an approval. `onClosed` receives the state of the
 * approval when the prompt is closed.
 */
export const useListingRequest = (
  listingId: string,
  onClosed?: (route: ListingRequestRoute, state: ApprovalView['state']) => void,
): ListingRequest => {
  const { show } = usePromptControls();
  // A prompt may stay open for long: call the latest callback when it is closed.
  const latest = useRef(onClosed);
  useEffect(() => {
    latest.current = onClosed;
  });
  const client = useQueryClient();
  return useMutation({
    mutationFn: (route: ListingRequestRoute) => performRequest(route, { params: { listingId } }),
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
      if (route !== 'publishListing') notifications.show({ message: readErrorSentence(error), color: 'amber' });
    },
  });
};
