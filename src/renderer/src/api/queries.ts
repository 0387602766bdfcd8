import { useCoreQuery, useServiceQuery, useAppStateMutation } from './useCall.ts';
import { useQueryClient, skipToken, useQuery, type QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import {
  getCompanionWindow,
  callCore,
  readServiceAnswer,
  type ApprovalView,
  type BatchView,
  type Listing,
} from './call.ts';
import type { CallInput } from '../../../ipc/calls.ts';
import { findListingCurrency } from '../../../contract/currency.ts';
import { limits } from '../../../contract/limits.ts';
import { readAppState, takeFirstChanges } from './firstState.ts';

const minWaitMs = 150;
const maxWaitMs = 1_000;

/**
 * Reports the first change of a topic at once, and further changes within 150 ms together. While changes continue, the wait
 * doubles until it is a second, because each report reads every query of the topic again.
 */
export const createTopicThrottle = (act: (topic: string) => void) => {
  const waiting = new Map<string, { again: boolean; timer: ReturnType<typeof setTimeout> }>();
  const runAndThrottle = (topic: string, waitMs = minWaitMs): void => {
    act(topic);
    const timer = setTimeout(() => {
      const again = waiting.get(topic)?.again ?? false;
      waiting.delete(topic);
      if (again) runAndThrottle(topic, Math.min(2 * waitMs, maxWaitMs));
    }, waitMs);
    waiting.set(topic, { again: false, timer });
  };
  return {
    notify: (topic: string): void => {
      const under = waiting.get(topic);
      if (under) under.again = true;
      else runAndThrottle(topic);
    },
    stop: (): void => waiting.forEach(({ timer }) => clearTimeout(timer)),
  };
};

/**
 * Refetches the queries of the topic, the first part of their keys. A first read that is under way continues, because the
 * library does not cancel it. It can miss the change, so its query is read once more afterwards.
 */
export const invalidateTopic = async (client: QueryClient, topic: string): Promise<void> => {
  const firstReads = client
    .getQueryCache()
    .findAll({ queryKey: [topic], fetchStatus: 'fetching', predicate: ({ state }) => state.data === undefined });
  await client.invalidateQueries({ queryKey: [topic] });
  await Promise.all(firstReads.map(({ queryKey }) => client.invalidateQueries({ queryKey, exact: true })));
};

export const useTopicInvalidation = (): void => {
  const client = useQueryClient();
  useEffect(() => {
    const beats = createTopicThrottle((topic) => void invalidateTopic(client, topic));
    const stop = getCompanionWindow().onChanged(beats.notify);
    takeFirstChanges().forEach(beats.notify);
    return () => {
      stop();
      beats.stop();
    };
  }, [client]);
};

export const usePauseAll = () => useAppStateMutation((paused: boolean) => callCore('app.pause', { paused }));

export const useSaveSettings = () =>
  useAppStateMutation((change: CallInput<'app.settings'>) => callCore('app.settings', change));

export const stateQuery = { queryKey: ['app'], queryFn: readAppState };

export const useAppState = () => useQuery(stateQuery);

/** The currency of amounts that belong to no listing: that of the site in the settings. */
export const useUsualCurrency = (): string =>
  findListingCurrency({ marketplaceId: useAppState().data?.settings.marketplaceId }) ?? 'USD';

export const createLocalListingKey = (listingId: string | null) => ['listings', 'kept', listingId] as const;

export const useLocalListing = (listingId: string | null) =>
  useCoreQuery(createLocalListingKey(listingId), 'listings.kept', listingId === null ? null : { listingId });

/** No topic invalidates this query, because later changes arrive in the local copy. */
export const createListingQuery = (client: QueryClient, listingId: string) => ({
  queryKey: ['listing', listingId],
  queryFn: async (): Promise<Listing> => {
    const listing = await readServiceAnswer('readListing', { params: { listingId } });
    client.setQueryData(createLocalListingKey(listingId), listing);
    return listing;
  },
  staleTime: limits.pollMs.least,
});

/** Refetches the listing only if the window shows it. */
export const refetchListing = (client: QueryClient, listingId: string): Promise<void> =>
  client.invalidateQueries({ queryKey: ['listing', listingId] });

/** Later changes come from the local copy, so that changes of other listings cause no requests. */
export const useListingById = (listingId: string | null): { data: Listing | undefined; error: Error | null } => {
  const client = useQueryClient();
  const localCopy = useLocalListing(listingId).data;
  const reading = useQuery({
    ...(listingId === null
      ? { queryKey: ['listing', null], queryFn: skipToken }
      : createListingQuery(client, listingId)),
    refetchInterval: localCopy?.status === 'processing' ? limits.pollMs.usual : false,
  });
  return { data: localCopy ?? reading.data, error: reading.error };
};

export const useIsListingUnknown = (listingId: string): boolean =>
  useCoreQuery(['listings', 'unknown', listingId], 'listings.isUnknown', { listingId }).data === true;

export const useListingWarnings = (listingId: string) =>
  useCoreQuery(['listings', 'warnings', listingId], 'listings.warnings', { listingId });

export const useLiveDuplicates = (own: CallInput<'listings.duplicates'>) =>
  useCoreQuery(['listings', 'duplicates', own], 'listings.duplicates', own);

/** Returns the first version of the listing that was ready for review. */
export const useOriginalListing = (listingId: string) =>
  useCoreQuery(['listings', 'written', listingId], 'listings.written', { listingId });

export type ApprovalLists = { approvals: ApprovalView[]; batches: BatchView[] };

export const approvalListsKey = ['approvals'] as const;

/**
 * Removes the approvals of closed batches. These approvals are settled, even if a list that was read earlier contains
 * them.
 */
export const removeClosedBatches = (
  before: readonly BatchView[],
  { approvals, batches }: ApprovalLists,
): ApprovalLists => {
  const closed = before.filter(({ batchId }) => !batches.some((open) => open.batchId === batchId));
  const ids = new Set(closed.flatMap(({ rows }) => rows.map(({ approval }) => approval?.approvalId)));
  return { approvals: approvals.filter(({ approvalId }) => !ids.has(approvalId)), batches };
};

/** Reads the batches last, so that the list never contains an approval without its batch. */
const readApprovalLists = async (before: ApprovalLists | undefined): Promise<ApprovalLists> => {
  const approvals = await callCore('approvals.list', {});
  return removeClosedBatches(before?.batches ?? [], { approvals, batches: await callCore('batch.list', {}) });
};

const useApprovalLists = <T>(select: (questions: ApprovalLists) => T) =>
  useQuery({
    queryKey: approvalListsKey,
    queryFn: ({ client }) => readApprovalLists(client.getQueryData<ApprovalLists>(approvalListsKey)),
    select,
  });

const selectApprovals = ({ approvals }: ApprovalLists): ApprovalView[] => approvals;
const selectBatches = ({ batches }: ApprovalLists): BatchView[] => batches;

export const useOpenApprovals = () => useApprovalLists(selectApprovals);

export const useBatchList = () => useApprovalLists(selectBatches);

export const useApprovalHistory = () => useCoreQuery(['approvals', 'history'], 'approvals.history', {});

/** Returns the previous approval while another approval loads (`isPlaceholderData`). */
export const useApprovalById = (approvalId: string | null) =>
  useCoreQuery(['approvals', 'one', approvalId], 'approvals.get', approvalId === null ? null : { approvalId }, {
    placeholderData: (before) => before,
  });

export const standingKey = ['account', 'standing'] as const;

/** The person pays in a browser, so the data are refetched on focus. */
export const useAccountStanding = () =>
  useServiceQuery(standingKey, 'readStanding', {}, { staleTime: 60_000, refetchOnWindowFocus: true });

export const useServiceNotifications = () => useCoreQuery(['notifications'], 'notifications.list', {});

export const useSitePolicies = (marketplaceId: string | null) =>
  useServiceQuery(['setup', 'policies', marketplaceId], 'listPolicies', {
    query: { marketplaceId: marketplaceId ?? undefined },
  });

export const useAssistantActivity = (assistantId: string | null) =>
  useCoreQuery(
    ['assistants', 'activity', assistantId],
    'assistants.activity',
    assistantId === null ? {} : { assistantId },
    { placeholderData: (before) => before },
  );

export const usePageOffers = () => useCoreQuery(['assistants', 'offers'], 'offers.list', {});

/** No event reports that a pairing request has expired, so the list is refetched after this time in ms. */
const computeMsUntilPairingExpiry = (pairings: readonly { expiresAt: number }[] = []): number | false =>
  pairings.length > 0 && Math.max(1_000, Math.min(...pairings.map(({ expiresAt }) => expiresAt)) - Date.now());

export const useAssistantList = () =>
  useCoreQuery(
    ['assistants'],
    'assistants.list',
    {},
    {
      refetchInterval: ({ state: { data } }) => computeMsUntilPairingExpiry(data?.pairings),
      refetchIntervalInBackground: true,
    },
  );

export const clientsKey = ['assistants', 'clients'] as const;

/** Other programs change the settings of the clients, so the data are refetched on focus. */
export const useInstalledClients = () => useCoreQuery(clientsKey, 'clients.list', {}, { refetchOnWindowFocus: true });

/** Every read creates snippets with new identities, so visible snippets must not be read again. */
export const useClientSnippets = (bridgeUrl: string) =>
  useCoreQuery(['clients', 'snippets', bridgeUrl], 'clients.snippets', {}, { staleTime: Infinity, gcTime: 0 });

/** Taxonomy requests have a daily budget, so the conditions are cached. */
export const useCategoryConditions = (categoryId: string | null, marketplaceId: string | null) =>
  useServiceQuery(
    ['taxonomy', 'conditions', categoryId, marketplaceId],
    'listCategoryConditions',
    categoryId === null
      ? null
      : {
          query: { categoryId, marketplaceId: marketplaceId ?? undefined },
        },
  );

export const useCategorySearch = (text: string, marketplaceId: string | null) =>
  useServiceQuery(
    ['taxonomy', 'categories', text, marketplaceId],
    'searchCategories',
    text.trim().length < 2
      ? null
      : {
          query: { q: text.trim(), marketplaceId: marketplaceId ?? undefined },
        },
  );
