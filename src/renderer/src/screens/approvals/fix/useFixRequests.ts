import { useMutation, useQueryClient } from '@tanstack/react-query';
import { performRequest } from '../../../api/call.ts';
import { listRoutesOfActs } from '../../../../../contract/index.ts';
import { useLastListingApproval, usePromptControls } from '../usePrompts.ts';

export const publishRoutes = listRoutesOfActs('publish');

/** The listing that each fix approval should help to publish; when it is approved, the publish is offered again. */
const listingsToPublish = new Map<string, string>();

const rememberFixTarget = (approvalId: string, listingId: string): void =>
  void listingsToPublish.set(approvalId, listingId);

/** Returns the listing that this approval should help to publish; null if it is not a fix. */
export const readFixTarget = (approvalId: string): string | null => listingsToPublish.get(approvalId) ?? null;

/** Carries the target listing over to the approval that superseded this one. */
export const carryFixTarget = (from: string, to: string): void => {
  const listingId = listingsToPublish.get(from);
  if (listingId !== undefined) listingsToPublish.set(to, listingId);
};

type FixRoute = 'publishListing' | 'publishChannels' | 'bootstrapPolicies' | 'updateSellerDefaults';

const isPublishFixRoute = (route: FixRoute): route is 'publishListing' | 'publishChannels' =>
  route === 'publishListing' || route === 'publishChannels';

/** Returns the body of the refused publish without `fix`: a repair must be requested explicitly each time. */
const omitRepairField = (body: Record<string, unknown> = {}): Record<string, unknown> =>
  Object.fromEntries(Object.entries(body).filter(([field]) => field !== 'fix'));

/** The fixes that can be requested, each with its own approval, and the state of the last request. */
export type FixRequests = {
  ask: (route: FixRoute, body?: Record<string, unknown>) => void;
  /** Requests the refused publish again with the given changes. */
  publish: (body?: Record<string, unknown>) => void;
  busy: boolean;
  error: Error | null;
};

/**
 * Requests a fix for a refused publish and opens its prompt. Remembers the listing, so that the publish is offered
 * again afterwards.
 */
export const useFixRequests = (listingId: string): FixRequests => {
  const { show } = usePromptControls();
  const client = useQueryClient();
  const last = useLastListingApproval(listingId, publishRoutes);
  const refused = last?.state === 'failed' ? last : null;
  const again = refused?.route === 'publishChannels' ? 'publishChannels' : 'publishListing';
  const ask = useMutation({
    mutationFn: ({ route, body }: { route: FixRoute; body: Record<string, unknown> }) =>
      isPublishFixRoute(route)
        ? performRequest(route, { params: { listingId }, body })
        : performRequest(route, { body }),
    onSuccess: async (performed, { route }) => {
      if (performed.state === 'pending') {
        if (!isPublishFixRoute(route)) rememberFixTarget(performed.approvalId, listingId);
        show(performed.approvalId);
      }
      await Promise.all(['approvals', 'setup'].map((topic) => client.invalidateQueries({ queryKey: [topic] })));
    },
  });
  return {
    ask: (route: FixRoute, body: Record<string, unknown> = {}) => ask.mutate({ route, body }),
    publish: (body: Record<string, unknown> = {}) =>
      ask.mutate({ route: again, body: { ...omitRepairField(refused?.body), ...body } }),
    busy: ask.isPending,
    error: ask.error,
  };
};
