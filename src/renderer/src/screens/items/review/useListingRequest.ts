import { notifyError } from '../../../api/useCall.ts';
import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import { performRequest, type RouteOutcome, type ApprovalView } from '../../../api/call.ts';
import { refetchListing } from '../../../api/queries.ts';
import { usePromptControls, useOpenPendingPrompt } from '../../approvals/usePrompts.ts';
import { useEffect, useRef } from 'react';

export const usePublishRequest = () =>
  useMutation({
    mutationFn: (listingId: string) => performRequest('publishListing', { params: { listingId } }),
    onSuccess: useOpenPendingPrompt(),
  });

type ListingRequestRoute =
  'generateListing' | 'publishListing' | 'endListing' | 'deleteListing' | 'relistListing' | 'revertListing';

export type ListingRequest = UseMutationResult<RouteOutcome<ListingRequestRoute>, Error, ListingRequestRoute>;

/** `onClosed` receives the state of the approval when the prompt closes. */
export const useListingRequest = (
  listingId: string,
  onClosed?: (route: ListingRequestRoute, state: ApprovalView['state']) => void,
): ListingRequest => {
  const { show } = usePromptControls();
  // The prompt can stay open for a long time, so the latest callback is called.
  const latest = useRef(onClosed);
  useEffect(() => {
    latest.current = onClosed;
  });
  const client = useQueryClient();
  return useMutation({
    mutationFn: (route: ListingRequestRoute) => performRequest(route, { params: { listingId } }),
    onSuccess: async (performed, route) => {
      if (performed.state === 'done') return refetchListing(client, listingId);
      await client.invalidateQueries({ queryKey: ['approvals'] });
      show(performed.approvalId, (approvalId) => {
        const shown = client.getQueryData<ApprovalView>(['approvals', 'one', approvalId]);
        if (shown) latest.current?.(route, shown.state);
      });
    },
    onError: (error, route) => {
      if (route !== 'publishListing') notifyError(error);
    },
  });
};
