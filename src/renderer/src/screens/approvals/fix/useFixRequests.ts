import { useMutation, useQueryClient } from '@tanstack/react-query';
import { performRequest } from '../../../api/call.ts';
import { listRoutesByAct } from '../../../../../contract/index.ts';
import { useLastListingApproval, usePromptControls } from '../usePrompts.ts';

export const publishRoutes = listRoutesByAct('publish');

/** Maps the approval of each fix to the listing that is published again after the fix. */
const listingsToPublish = new Map<string, string>();

const storeFixTarget = (approvalId: string, listingId: string): void =>
  void listingsToPublish.set(approvalId, listingId);

export const findFixTarget = (approvalId: string): string | null => listingsToPublish.get(approvalId) ?? null;

export const copyFixTarget = (from: string, to: string): void => {
  const listingId = listingsToPublish.get(from);
  if (listingId !== undefined) listingsToPublish.set(to, listingId);
};

type FixRoute = 'publishListing' | 'publishChannels' | 'bootstrapPolicies' | 'updateSellerDefaults';

const isPublishFixRoute = (route: FixRoute): route is 'publishListing' | 'publishChannels' =>
  route === 'publishListing' || route === 'publishChannels';

/** Removes `fix`, because the person must request each repair. */
const omitFixField = (body: Record<string, unknown> = {}): Record<string, unknown> =>
  Object.fromEntries(Object.entries(body).filter(([field]) => field !== 'fix'));

export type FixRequests = {
  ask: (route: FixRoute, body?: Record<string, unknown>) => void;
  publish: (body?: Record<string, unknown>) => void;
  busy: boolean;
  error: Error | null;
};

/** Remembers the listing, so that the publish is offered again after the fix. */
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
        if (!isPublishFixRoute(route)) storeFixTarget(performed.approvalId, listingId);
        show(performed.approvalId);
      }
      await Promise.all(['approvals', 'setup'].map((topic) => client.invalidateQueries({ queryKey: [topic] })));
    },
  });
  return {
    ask: (route: FixRoute, body: Record<string, unknown> = {}) => ask.mutate({ route, body }),
    publish: (body: Record<string, unknown> = {}) =>
      ask.mutate({ route: again, body: { ...omitFixField(refused?.body), ...body } }),
    busy: ask.isPending,
    error: ask.error,
  };
};
