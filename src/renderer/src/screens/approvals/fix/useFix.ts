import { useMutation, useQueryClient } from '@tanstack/react-query';
import { perform } from '../../../api/call.ts';
import { routesOfActs } from '../../../../../contract/index.ts';
import { useLastAnswer, usePrompts } from '../useQuestions.ts';

/** Every way to publish. */
export const publishes = routesOfActs('publish');

/** Which listing a question was asked for as a step towards its publish: after its yes, the publish is offered again. */
const listings = new Map<string, string>();

/** Keeps for which refused listing a step was asked. */
const rememberFix = (approvalId: string, listingId: string): void => void listings.set(approvalId, listingId);

/** The listing for which this step was asked; null when it was asked for itself. */
export const fixedFor = (approvalId: string): string | null => listings.get(approvalId) ?? null;

/** The question was replaced by another: what it was asked for stays. */
export const carryFix = (from: string, to: string): void => {
  const listingId = listings.get(from);
  if (listingId !== undefined) listings.set(to, listingId);
};

type Asked = 'publishListing' | 'publishChannels' | 'bootstrapPolicies' | 'updateSellerDefaults';

const isPublish = (route: Asked): route is 'publishListing' | 'publishChannels' =>
  route === 'publishListing' || route === 'publishChannels';

/** What the refused publish named, its channels and policies among it; a repair is wanted anew each time. */
const withoutRepair = (body: Record<string, unknown> = {}): Record<string, unknown> =>
  Object.fromEntries(Object.entries(body).filter(([field]) => field !== 'fix'));

/** The steps that can be asked for, each by a question of its own, and how the last of them went. */
export type Fix = {
  ask: (route: Asked, body?: Record<string, unknown>) => void;
  /** Asks for the publish that was refused once more, with what is changed of it. */
  publish: (body?: Record<string, unknown>) => void;
  busy: boolean;
  error: Error | null;
};

/** Asks for a step out of a refusal: its question opens. A step before the publish leads back to it. */
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
