import { useQueryClient, useMutation, skipToken, useQuery, type QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { companion, call, read, type ApprovalView, type BatchView, type Listing } from './call.ts';
import type { CallInput } from '../../../ipc/calls.ts';
import { limits } from '../../../contract/limits.ts';
import { readState, takeFirstChanges } from './firstState.ts';

const throttleMs = 150;

/** Acts on the first word at once and on those that follow quickly together: 200 rows that change are a few readings. */
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

/** Reads again what the core says has changed: a topic is the first part of its queries' keys. */
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

/** Holds back everything new with true, lets it go on with false. */
export const usePause = () => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (paused: boolean) => call('app.pause', { paused }),
    onSuccess: (state) => client.setQueryData(['app'], state),
  });
};

/** Keeps changed settings; what is not named stays. */
export const useSaveSettings = () => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (change: CallInput<'app.settings'>) => call('app.settings', change),
    onSuccess: (state) => client.setQueryData(['app'], state),
  });
};

export const stateQuery = { queryKey: ['app'], queryFn: readState };

/** The state around every screen. */
export const useAppState = () => useQuery(stateQuery);

/** Where a listing is kept as this machine knows it. */
export const keptListingKey = (listingId: string | null) => ['listings', 'kept', listingId] as const;

/** A listing as this machine knows it, without a word to the service; null for one that it does not know. */
export const useKeptListing = (listingId: string | null) =>
  useQuery({
    queryKey: keptListingKey(listingId),
    queryFn: listingId === null ? skipToken : () => call('listings.kept', { listingId }),
  });

/** The reading of one listing at the service. No topic makes it stale: what the core learns is kept on this machine. */
export const listingReading = (client: QueryClient, listingId: string) => ({
  queryKey: ['listing', listingId],
  queryFn: async (): Promise<Listing> => {
    const listing = await read('readListing', { params: { listingId } });
    client.setQueryData(keptListingKey(listingId), listing);
    return listing;
  },
  staleTime: limits.pollMs.least,
});

/** Has one listing read at the service again, where it is looked at: something was done to it. */
export const readListingAgain = (client: QueryClient, listingId: string): Promise<void> =>
  client.invalidateQueries({ queryKey: ['listing', listingId] });

/**
 * A listing that is looked at: read at the service when it is opened, and again while it is being written. What the core
 * learns of it meanwhile comes from this machine, so that a change of any other listing asks the service nothing.
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

/** Whether the service did not know a listing when it was last asked for it. */
export const useIsUnknown = (listingId: string): boolean =>
  useQuery({
    queryKey: ['listings', 'unknown', listingId],
    queryFn: () => call('listings.isUnknown', { listingId }),
  }).data === true;

/** A listing as it first came to be reviewed. */
export const useWritten = (listingId: string) =>
  useQuery({ queryKey: ['listings', 'written', listingId], queryFn: () => call('listings.written', { listingId }) });

/** Everything that waits for the person or is being carried out. */
export type Questions = { approvals: ApprovalView[]; batches: BatchView[] };

export const questionsKey = ['approvals'] as const;

/** The questions without those of batches that are gone: they are answered, also where the list does not say so yet. */
export const withoutGone = (before: readonly BatchView[], { approvals, batches }: Questions): Questions => {
  const gone = before.filter(({ batchId }) => !batches.some((one) => one.batchId === batchId));
  const ids = new Set(gone.flatMap(({ rows }) => rows.map(({ approval }) => approval?.approvalId)));
  return { approvals: approvals.filter(({ approvalId }) => !ids.has(approvalId)), batches };
};

/** Read together, the batches last: a question that belongs to one is never seen without it. */
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

/** The approvals that are not settled, those of batches included. */
export const useApprovals = () => useQuestions(approvalsOf);

/** The batches that are not closed, first come first served. */
export const useBatchList = () => useQuestions(batchesOf);

/** The latest approvals of the account, however they stand. */
export const useApprovalHistory = () =>
  useQuery({ queryKey: ['approvals', 'history'], queryFn: () => call('approvals.history', {}) });

/** One approval; while another takes its place, the one before stays to be looked at (and `isPlaceholderData` says so). */
export const useApproval = (approvalId: string | null) =>
  useQuery({
    queryKey: ['approvals', 'one', approvalId],
    queryFn: approvalId === null ? skipToken : () => call('approvals.get', { approvalId }),
    placeholderData: (before) => before,
  });

export const standingKey = ['account', 'standing'] as const;

/** Where the person stands: allowance, extras, upgrade offer. Paying happens elsewhere: whoever comes back sees it. */
export const useStanding = () =>
  useQuery({
    queryKey: standingKey,
    queryFn: () => read('readStanding', {}),
    staleTime: 60_000,
    refetchOnWindowFocus: true,
  });

/** What the service told the person, as the core last read it. */
export const useNotifications = () =>
  useQuery({ queryKey: ['notifications'], queryFn: () => call('notifications.list', {}) });

/** The shipping, payment and return policies of a site. */
export const usePolicies = (marketplaceId: string | null) =>
  useQuery({
    queryKey: ['setup', 'policies', marketplaceId],
    queryFn: () => read('listPolicies', { query: { marketplaceId: marketplaceId ?? undefined } }),
  });

/** What assistants did lately, newest first; of one of them, or of all. */
export const useActivity = (assistantId: string | null) =>
  useQuery({
    queryKey: ['assistants', 'activity', assistantId],
    queryFn: () => call('assistants.activity', assistantId === null ? {} : { assistantId }),
    placeholderData: (before) => before,
  });

/** Pages that an assistant asked for and only the person may open. */
export const useOffers = () => useQuery({ queryKey: ['assistants', 'offers'], queryFn: () => call('offers.list', {}) });

/** The assistants that have access, and those that ask for it. */
/** Who asks to be let in has some minutes, and nobody says when they are over: it is looked at then. */
const nextEnd = (pairings: readonly { expiresAt: number }[] = []): number | false =>
  pairings.length > 0 && Math.max(1_000, Math.min(...pairings.map(({ expiresAt }) => expiresAt)) - Date.now());

export const useAssistants = () =>
  useQuery({
    queryKey: ['assistants'],
    queryFn: () => call('assistants.list', {}),
    refetchInterval: ({ state: { data } }) => nextEnd(data?.pairings),
    refetchIntervalInBackground: true,
  });

export const clientsKey = ['assistants', 'clients'] as const;

/** The known clients that are installed here. Their own settings change outside of this window: whoever comes back sees it. */
export const useClients = () =>
  useQuery({ queryKey: clientsKey, queryFn: () => call('clients.list', {}), refetchOnWindowFocus: true });

/** The texts for each client at that address. They stay while they are looked at, and another look gets other identities. */
export const useClientSnippets = (bridgeUrl: string) =>
  useQuery({
    queryKey: ['clients', 'snippets', bridgeUrl],
    queryFn: () => call('clients.snippets', {}),
    staleTime: Infinity,
    gcTime: 0,
  });

/** The conditions that a category of a site accepts; taxonomy has a daily budget, so an answer is kept. */
export const useConditions = (categoryId: string | null, marketplaceId: string | null) =>
  useQuery({
    queryKey: ['taxonomy', 'conditions', categoryId, marketplaceId],
    queryFn:
      categoryId === null
        ? skipToken
        : () => read('listCategoryConditions', { query: { categoryId, marketplaceId: marketplaceId ?? undefined } }),
  });

/** Categories of a site that match what was typed. */
export const useCategories = (text: string, marketplaceId: string | null) =>
  useQuery({
    queryKey: ['taxonomy', 'categories', text, marketplaceId],
    queryFn:
      text.trim().length < 2
        ? skipToken
        : () => read('searchCategories', { query: { q: text.trim(), marketplaceId: marketplaceId ?? undefined } }),
  });
