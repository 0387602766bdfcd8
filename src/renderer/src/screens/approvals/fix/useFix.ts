import { useMutation, useQueryClient } from '@tanstack/react-query';
import { perform } from '../../../api/call.ts';
import { routesOfActs } from '../../../../../contract/index.ts';
import { useLastAnswer, usePrompts } from '../useQuestions.ts';

export const publishes = routesOfActs('publish');

/** The listing that each fix approval should help to publish; when it is approved, the publish is offered again. */
const listings = new Map<string, string>();

const rememberFix = (approvalId: string, listingId: string): void => void listings.set(approvalId, listingId);

/** Returns the listing that this approval should help to publish; null if it is not a fix. */
export const fixedFor = (approvalId: string): string | null => listings.get(approvalId) ?? null;

/** Carries the target listing over to the approval that superseded this one. */
export const carryFix = (from: string, to: string): void => {
  const listingId = listings.get(from);
  if (listingId !== undefined) listings.set(to, listingId);
};

type Asked = 'publishListing' | 'publishChannels' | 'bootstrapPolicies' | 'updateSellerDefaults';

const isPublish = (route: Asked): route is 'publishListing' | 'publishChannels' =>
  route === 'publishListing' || route === 'publishChannels';

/** Returns the body of the refused publish without `fix`: a repair must be requested explicitly each time. */
const withoutRepair = (body: Record<string, unknown> = {}): Record<string, unknown> =>
  Object.fromEntries(Object.entries(body).filter(([field]) => field !== 'fix'));

/** The fixes that can be requested, each with its own approval, and the state of the last request. */
export type Fix = {
  ask: (route: Asked, body?: Record<string, unknown>) => void;
  /** Requests the refused publish again with the given changes. */
  publish: (body?: Record<string, unknown>) => void;
  busy: boolean;
  error: Error | null;
};

/**
 * Requests a fix for a refused publish and opens its prompt. Remembers the listing, so that the publish is offered
 * again afterwards.
 */
export const useFix = (listingId: string): Fix => {
  const { show } = usePrompts();
  const client = useQueryClient();
  const last = useLastAnswer(listingId, publishes);
  const refused = last?.state === 'failed' ? last : null;
  const again = refused?.route === 'publishChannels' ? 'publishChannels' : 'publishListing';
  const ask = useMutation({
    mutationFn: ({ route, body }: { route: Asked; body: Record<string, unknown> }) =>
      isPublish(route) ? perform(route, { params: { listingId }, body }) : perform(route, { body }),
    onSuccess: async (performed, { route }) => {
      if (performed.state === 'pending') {
        if (!isPublish(route)) rememberFix(performed.approvalId, listingId);
        show(performed.approvalId);
      }
      await Promise.all(['approvals', 'setup'].map((topic) => client.invalidateQueries({ queryKey: [topic] })));
    },
  });
  return {
    ask: (route: Asked, body: Record<string, unknown> = {}) => ask.mutate({ route, body }),
    publish: (body: Record<string, unknown> = {}) =>
      ask.mutate({ route: again, body: { ...withoutRepair(refused?.body), ...body } }),
    busy: ask.isPending,
    error: ask.error,
  };
};
