import { useQueryClient, useMutation, skipToken, useQuery, type QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { companion, call, read, type ApprovalView, type BatchView, type Listing } from './call.ts';
import type { CallInput } from '../../../ipc/calls.ts';
import { limits } from '../../../contract/limits.ts';
import { readState, takeFirstChanges } from './firstState.ts';

const throttleMs = 150;

/** Throttles by topic: acts on the first change at once, and on all changes of the next 150 ms together. */
export const throttleByTopic = (act: (topic: string) => void) => {
  const waiting = new Map<string, { again: boolean; timer: ReturnType<typeof setTimeout> }>();
  const beat = (topic: string): void => {
    act(topic);
    const timer = setTimeout(() => {
      const again = waiting.get(topic)?.again ?? false;
      waiting.delete(topic);
      if (again) beat(topic);
    }, throttleMs);
    waiting.set(topic, { again: false, timer });
  };
  return {
    notify: (topic: string): void => {
      const under = waiting.get(topic);
      if (under) under.again = true;
      else beat(topic);
    },
    stop: (): void => waiting.forEach(({ timer }) => clearTimeout(timer)),
  };
};

/** Refetches the data that the core reports as changed: a topic is the first part of its query keys. */
export const useTopics = (): void => {
  const client = useQueryClient();
  useEffect(() => {
    const beats = throttleByTopic((topic) => void client.invalidateQueries({ queryKey: [topic] }));
    const stop = companion().onChanged(beats.notify);
    takeFirstChanges().forEach(beats.notify);
    return () => {
      stop();
      beats.stop();
    };
  }, [client]);
};

/** Returns the mutation that pauses (true) or resumes (false) all new work. */
export const usePause = () => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (paused: boolean) => call('app.pause', { paused }),
    onSuccess: (state) => client.setQueryData(['app'], state),
  });
};

/** Returns the mutation that saves changed settings; unnamed settings stay. */
export const useSaveSettings = () => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (change: CallInput<'app.settings'>) => call('app.settings', change),
    onSuccess: (state) => client.setQueryData(['app'], state),
  });
};

export const stateQuery = { queryKey: ['app'], queryFn: readState };

export const useAppState = () => useQuery(stateQuery);

export const keptListingKey = (listingId: string | null) => ['listings', 'kept', listingId] as const;

/** Returns the local copy of a listing without a request to the service; null if there is none. */
export const useKeptListing = (listingId: string | null) =>
  useQuery({
    queryKey: keptListingKey(listingId),
    queryFn: listingId === null ? skipToken : () => call('listings.kept', { listingId }),
  });

/** Returns the query for a listing at the service. No topic invalidates it; updates arrive in the local copy. */
export const listingReading = (client: QueryClient, listingId: string) => ({
  queryKey: ['listing', listingId],
  queryFn: async (): Promise<Listing> => {
    const listing = await read('readListing', { params: { listingId } });
    client.setQueryData(keptListingKey(listingId), listing);
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
export const useListing = (listingId: string | null): { data: Listing | undefined; error: Error | null } => {
  const client = useQueryClient();
  const kept = useKeptListing(listingId).data;
  const reading = useQuery({
    ...(listingId === null ? { queryKey: ['listing', null], queryFn: skipToken } : listingReading(client, listingId)),
    refetchInterval: kept?.status === 'processing' ? limits.pollMs.usual : false,
  });
  return { data: kept ?? reading.data, error: reading.error };
};

/** Whether the service did not know a listing at the last request. */
export const useIsUnknown = (listingId: string): boolean =>
  useQuery({
    queryKey: ['listings', 'unknown', listingId],
    queryFn: () => call('listings.isUnknown', { listingId }),
  }).data === true;

/** Returns a listing as it was when it first became ready for review. */
export const useWritten = (listingId: string) =>
  useQuery({ queryKey: ['listings', 'written', listingId], queryFn: () => call('listings.written', { listingId }) });

/** All approvals and batches that are pending or in flight. */
export type Questions = { approvals: ApprovalView[]; batches: BatchView[] };

export const questionsKey = ['approvals'] as const;

/** Removes the approvals of batches that have closed: they are settled, even if the list was read before that. */
export const withoutGone = (before: readonly BatchView[], { approvals, batches }: Questions): Questions => {
  const gone = before.filter(({ batchId }) => !batches.some((one) => one.batchId === batchId));
  const ids = new Set(gone.flatMap(({ rows }) => rows.map(({ approval }) => approval?.approvalId)));
  return { approvals: approvals.filter(({ approvalId }) => !ids.has(approvalId)), batches };
};

/** Reads the batches last, so that an approval of a batch never appears without it. */
const readQuestions = async (before: Questions | undefined): Promise<Questions> => {
  const approvals = await call('approvals.list', {});
  return withoutGone(before?.batches ?? [], { approvals, batches: await call('batch.list', {}) });
};

const useQuestions = <T>(select: (questions: Questions) => T) =>
  useQuery({
    queryKey: questionsKey,
    queryFn: ({ client }) => readQuestions(client.getQueryData<Questions>(questionsKey)),
    select,
  });

const approvalsOf = ({ approvals }: Questions): ApprovalView[] => approvals;
const batchesOf = ({ batches }: Questions): BatchView[] => batches;

/** Returns the approvals that are not settled, including those of batches. */
export const useApprovals = () => useQuestions(approvalsOf);

/** Returns the open batches, the oldest first. */
export const useBatchList = () => useQuestions(batchesOf);

export const useApprovalHistory = () =>
  useQuery({ queryKey: ['approvals', 'history'], queryFn: () => call('approvals.history', {}) });

/** Returns one approval; while another one loads, the previous one stays (`isPlaceholderData`). */
export const useApproval = (approvalId: string | null) =>
  useQuery({
    queryKey: ['approvals', 'one', approvalId],
    queryFn: approvalId === null ? skipToken : () => call('approvals.get', { approvalId }),
    placeholderData: (before) => before,
  });

export const standingKey = ['account', 'standing'] as const;

/** Returns allowance, extras and upgrade offer. Refetched on focus, because payment happens in a browser. */
export const useStanding = () =>
  useQuery({
    queryKey: standingKey,
    queryFn: () => read('readStanding', {}),
    staleTime: 60_000,
    refetchOnWindowFocus: true,
  });

/** Returns the service's notifications, as the core last read them. */
export const useNotifications = () =>
  useQuery({ queryKey: ['notifications'], queryFn: () => call('notifications.list', {}) });

export const usePolicies = (marketplaceId: string | null) =>
  useQuery({
    queryKey: ['setup', 'policies', marketplaceId],
    queryFn: () => read('listPolicies', { query: { marketplaceId: marketplaceId ?? undefined } }),
  });

/** Returns the recent activity of one assistant or of all, the newest first. */
export const useActivity = (assistantId: string | null) =>
  useQuery({
    queryKey: ['assistants', 'activity', assistantId],
    queryFn: () => call('assistants.activity', assistantId === null ? {} : { assistantId }),
    placeholderData: (before) => before,
  });

export const useOffers = () => useQuery({ queryKey: ['assistants', 'offers'], queryFn: () => call('offers.list', {}) });

/** Returns the ms until the next pairing request expires, which no event reports; the list is refetched then. */
const nextEnd = (pairings: readonly { expiresAt: number }[] = []): number | false =>
  pairings.length > 0 && Math.max(1_000, Math.min(...pairings.map(({ expiresAt }) => expiresAt)) - Date.now());

/** Returns the assistants that have access, and the pending pairing requests. */
export const useAssistants = () =>
  useQuery({
    queryKey: ['assistants'],
    queryFn: () => call('assistants.list', {}),
    refetchInterval: ({ state: { data } }) => nextEnd(data?.pairings),
    refetchIntervalInBackground: true,
  });

export const clientsKey = ['assistants', 'clients'] as const;

/** Returns the known clients on this machine. Refetched on focus, because their settings change elsewhere. */
export const useClients = () =>
  useQuery({ queryKey: clientsKey, queryFn: () => call('clients.list', {}), refetchOnWindowFocus: true });

/** Returns the setup texts per client, stable while shown; the next visit gets new identities. */
export const useClientSnippets = (bridgeUrl: string) =>
  useQuery({
    queryKey: ['clients', 'snippets', bridgeUrl],
    queryFn: () => call('clients.snippets', {}),
    staleTime: Infinity,
    gcTime: 0,
  });

/** Returns the conditions of a category. Cached, because taxonomy requests have a daily budget. */
export const useConditions = (categoryId: string | null, marketplaceId: string | null) =>
  useQuery({
    queryKey: ['taxonomy', 'conditions', categoryId, marketplaceId],
    queryFn:
      categoryId === null
        ? skipToken
        : () => read('listCategoryConditions', { query: { categoryId, marketplaceId: marketplaceId ?? undefined } }),
  });

export const useCategories = (text: string, marketplaceId: string | null) =>
  useQuery({
    queryKey: ['taxonomy', 'categories', text, marketplaceId],
    queryFn:
      text.trim().length < 2
        ? skipToken
        : () => read('searchCategories', { query: { q: text.trim(), marketplaceId: marketplaceId ?? undefined } }),
  });
