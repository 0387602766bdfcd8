import { useQueryClient, useMutation, skipToken, useQuery, type QueryClient } from '@tanstack/react-query';
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
import { limits } from '../../../contract/limits.ts';
import { readAppState, takeFirstChanges } from './firstState.ts';

const throttleMs = 150;

/** Throttles by topic: acts on the first change at once, and on all changes of the next 150 ms together. */
export const throttleByTopic = (act: (topic: string) => void) => {
  const waiting = new Map<string, { again: boolean; timer: ReturnType<typeof setTimeout> }>();
  const runAndThrottle = (topic: string): void => {
    act(topic);
    const timer = setTimeout(() => {
      const again = waiting.get(topic)?.again ?? false;
      waiting.delete(topic);
      if (again) runAndThrottle(topic);
    }, throttleMs);
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

/** Refetches the data that the core reports as changed: a topic is the first part of its query keys. */
export const useTopicInvalidation = (): void => {
  const client = useQueryClient();
  useEffect(() => {
    const beats = throttleByTopic((topic) => void client.invalidateQueries({ queryKey: [topic] }));
    const stop = getCompanionWindow().onChanged(beats.notify);
    takeFirstChanges().forEach(beats.notify);
    return () => {
      stop();
      beats.stop();
    };
  }, [client]);
};

/** Returns the mutation that pauses (true) or resumes (false) all new work. */
export const usePauseAll = () => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (paused: boolean) => callCore('app.pause', { paused }),
    onSuccess: (state) => client.setQueryData(['app'], state),
  });
};

/** Returns the mutation that saves changed settings; unnamed settings stay. */
export const useSaveSettings = () => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (change: CallInput<'app.settings'>) => callCore('app.settings', change),
    onSuccess: (state) => client.setQueryData(['app'], state),
  });
};

export const stateQuery = { queryKey: ['app'], queryFn: readAppState };

export const useAppState = () => useQuery(stateQuery);

export const createLocalListingKey = (listingId: string | null) => ['listings', 'kept', listingId] as const;

/** Returns the local copy of a listing without a request to the service, or null. */
export const useLocalListing = (listingId: string | null) =>
  useQuery({
    queryKey: createLocalListingKey(listingId),
    queryFn: listingId === null ? skipToken : () => callCore('listings.kept', { listingId }),
  });

/** Returns the query for a listing at the service. No topic invalidates it; updates arrive in the local copy. */
export const createListingQuery = (client: QueryClient, listingId: string) => ({
  queryKey: ['listing', listingId],
  queryFn: async (): Promise<Listing> => {
    const listing = await readServiceAnswer('readListing', { params: { listingId } });
    client.setQueryData(createLocalListingKey(listingId), listing);
    return listing;
  },
  staleTime: limits.pollMs.least,
});

/** Refetches a listing from the service after an act on it, if it is shown. */
export const readListingAgain = (client: QueryClient, listingId: string): Promise<void> =>
  client.invalidateQueries({ queryKey: ['listing', listingId] });

/**
 * Returns an open listing: fetched from the service when it is opened, and polled while the listing is being written.
 * Later updates come from the local copy, so that changes of other listings cause no requests.
 */
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

/** Whether the service did not know a listing at the last request. */
export const useIsListingUnknown = (listingId: string): boolean =>
  useQuery({
    queryKey: ['listings', 'unknown', listingId],
    queryFn: () => callCore('listings.isUnknown', { listingId }),
  }).data === true;

/** Returns a listing as it was when it first became ready for review. */
export const useWrittenListing = (listingId: string) =>
  useQuery({
    queryKey: ['listings', 'written', listingId],
    queryFn: () => callCore('listings.written', { listingId }),
  });

/** All approvals and batches that are pending or in flight. */
export type ApprovalLists = { approvals: ApprovalView[]; batches: BatchView[] };

export const approvalListsKey = ['approvals'] as const;

/** Removes the approvals of batches that have closed: they are settled, even if the list was read before that. */
export const withoutClosedBatches = (
  before: readonly BatchView[],
  { approvals, batches }: ApprovalLists,
): ApprovalLists => {
  const closed = before.filter(({ batchId }) => !batches.some((open) => open.batchId === batchId));
  const ids = new Set(closed.flatMap(({ rows }) => rows.map(({ approval }) => approval?.approvalId)));
  return { approvals: approvals.filter(({ approvalId }) => !ids.has(approvalId)), batches };
};

/** Reads the batches last, so that an approval of a batch never appears without it. */
const readApprovalLists = async (before: ApprovalLists | undefined): Promise<ApprovalLists> => {
  const approvals = await callCore('approvals.list', {});
  return withoutClosedBatches(before?.batches ?? [], { approvals, batches: await callCore('batch.list', {}) });
};

const useApprovalLists = <T>(select: (questions: ApprovalLists) => T) =>
  useQuery({
    queryKey: approvalListsKey,
    queryFn: ({ client }) => readApprovalLists(client.getQueryData<ApprovalLists>(approvalListsKey)),
    select,
  });

const selectApprovals = ({ approvals }: ApprovalLists): ApprovalView[] => approvals;
const selectBatches = ({ batches }: ApprovalLists): BatchView[] => batches;

/** Returns the approvals that are not settled, including those of batches. */
export const useOpenApprovals = () => useApprovalLists(selectApprovals);

/** Returns the open batches, the oldest first. */
export const useBatchList = () => useApprovalLists(selectBatches);

export const useApprovalHistory = () =>
  useQuery({ queryKey: ['approvals', 'history'], queryFn: () => callCore('approvals.history', {}) });

/** Returns one approval; while another one loads, the previous one stays (`isPlaceholderData`). */
export const useApprovalById = (approvalId: string | null) =>
  useQuery({
    queryKey: ['approvals', 'one', approvalId],
    queryFn: approvalId === null ? skipToken : () => callCore('approvals.get', { approvalId }),
    placeholderData: (before) => before,
  });

export const standingKey = ['account', 'standing'] as const;

/** Returns allowance, extras and upgrade offer. Refetched on focus, because payment happens in a browser. */
export const useAccountStanding = () =>
  useQuery({
    queryKey: standingKey,
    queryFn: () => readServiceAnswer('readStanding', {}),
    staleTime: 60_000,
    refetchOnWindowFocus: true,
  });

/** Returns the service's notifications, as the core last read them. */
export const useServiceNotifications = () =>
  useQuery({ queryKey: ['notifications'], queryFn: () => callCore('notifications.list', {}) });

export const useSitePolicies = (marketplaceId: string | null) =>
  useQuery({
    queryKey: ['setup', 'policies', marketplaceId],
    queryFn: () => readServiceAnswer('listPolicies', { query: { marketplaceId: marketplaceId ?? undefined } }),
  });

/** Returns the recent activity of one assistant or of all, the newest first. */
export const useAssistantActivity = (assistantId: string | null) =>
  useQuery({
    queryKey: ['assistants', 'activity', assistantId],
    queryFn: () => callCore('assistants.activity', assistantId === null ? {} : { assistantId }),
    placeholderData: (before) => before,
  });

export const usePageOffers = () =>
  useQuery({ queryKey: ['assistants', 'offers'], queryFn: () => callCore('offers.list', {}) });

/** Returns the ms until the next pairing request expires, which no event reports; the list is refetched then. */
const computeNextPairingEnd = (pairings: readonly { expiresAt: number }[] = []): number | false =>
  pairings.length > 0 && Math.max(1_000, Math.min(...pairings.map(({ expiresAt }) => expiresAt)) - Date.now());

/** Returns the assistants that have access, and the pending pairing requests. */
export const useAssistantList = () =>
  useQuery({
    queryKey: ['assistants'],
    queryFn: () => callCore('assistants.list', {}),
    refetchInterval: ({ state: { data } }) => computeNextPairingEnd(data?.pairings),
    refetchIntervalInBackground: true,
  });

export const clientsKey = ['assistants', 'clients'] as const;

/** Returns the known clients on this machine. Refetched on focus, because their settings change elsewhere. */
export const useInstalledClients = () =>
  useQuery({ queryKey: clientsKey, queryFn: () => callCore('clients.list', {}), refetchOnWindowFocus: true });

/** Returns the setup texts per client, stable while shown; the next visit gets new identities. */
export const useClientSnippets = (bridgeUrl: string) =>
  useQuery({
    queryKey: ['clients', 'snippets', bridgeUrl],
    queryFn: () => callCore('clients.snippets', {}),
    staleTime: Infinity,
    gcTime: 0,
  });

/** Returns the conditions of a category. Cached, because taxonomy requests have a daily budget. */
export const useCategoryConditions = (categoryId: string | null, marketplaceId: string | null) =>
  useQuery({
    queryKey: ['taxonomy', 'conditions', categoryId, marketplaceId],
    queryFn:
      categoryId === null
        ? skipToken
        : () =>
            readServiceAnswer('listCategoryConditions', {
              query: { categoryId, marketplaceId: marketplaceId ?? undefined },
            }),
  });

export const useCategorySearch = (text: string, marketplaceId: string | null) =>
  useQuery({
    queryKey: ['taxonomy', 'categories', text, marketplaceId],
    queryFn:
      text.trim().length < 2
        ? skipToken
        : () =>
            readServiceAnswer('searchCategories', {
              query: { q: text.trim(), marketplaceId: marketplaceId ?? undefined },
            }),
  });
