import { notifyError } from '../../../api/useCall.ts';
import { useMemo, useSyncExternalStore, useCallback, useEffect, useRef, useState } from 'react';
import type { ListingChanges } from '../../../../../contract/index.ts';
import { createStore, withMapEntry } from '../../../api/createStore.ts';
import { CallError, performRequest, type Listing } from '../../../api/call.ts';
import { useQueryClient } from '@tanstack/react-query';
import { createLocalListingKey, refetchListing, approvalListsKey, type ApprovalLists } from '../../../api/queries.ts';
import { findListingLocks, formatSavedAfter } from '../../approvals/approvalText.ts';
import { useListingLocks, usePromptControls } from '../../approvals/usePrompts.ts';

/** Excludes `bestOffer`, because a change of it always needs an approval. */
export type ListingEdits = Omit<ListingChanges, 'bestOffer'>;

type EditPromiseCallbacks = { resolve: () => void; reject: (error: unknown) => void };
/** The queued edits of one listing. Later edits override earlier ones. */
type EditQueueEntry = { changes: ListingEdits; waiting: EditPromiseCallbacks[] };

const queueStore = createStore<ReadonlyMap<string, EditQueueEntry>>(new Map());
const setQueueEntry = (listingId: string, held: EditQueueEntry | null): void =>
  queueStore.set(withMapEntry(queueStore.get(), listingId, held));

/** Returns whether the listing rejects edits now but accepts them later. */
const isListingBusyError = (error: unknown): error is CallError =>
  error instanceof CallError && ['BEING_DECIDED', 'PHOTOS_UPLOADING'].includes(error.code);

/** The listings that are being saved. Other edits of these listings are queued. */
const savingListingIds = new Set<string>();

/** Queues edits while an approval or another edit of the listing is in progress. */
const editQueue = {
  has: (listingId: string): boolean => queueStore.get().has(listingId),
  isSaving: (listingId: string): boolean => savingListingIds.has(listingId),
  /** Queues other edits until the save ends. */
  whileSaving: async <T,>(listingId: string, save: () => Promise<T>): Promise<T> => {
    savingListingIds.add(listingId);
    try {
      return await save();
    } finally {
      savingListingIds.delete(listingId);
      setQueueEntry(listingId, queueStore.get().get(listingId) ?? null);
    }
  },
  enqueue: (listingId: string, changes: ListingEdits): Promise<void> =>
    new Promise((resolve, reject) => {
      const before = queueStore.get().get(listingId);
      setQueueEntry(listingId, {
        changes: { ...before?.changes, ...changes },
        waiting: [...(before?.waiting ?? []), { resolve, reject }],
      });
    }),
  take: (listingId: string): EditQueueEntry | null => {
    const held = queueStore.get().get(listingId) ?? null;
    if (held) setQueueEntry(listingId, null);
    return held;
  },
  /** Newer edits override the edits in `held`. */
  putBack: (listingId: string, held: EditQueueEntry): void => {
    const since = queueStore.get().get(listingId);
    setQueueEntry(listingId, {
      changes: { ...held.changes, ...since?.changes },
      waiting: [...held.waiting, ...(since?.waiting ?? [])],
    });
  },
};

const useQueuedListingIds = (): readonly string[] => {
  const held = useSyncExternalStore(queueStore.subscribe, queueStore.get);
  return useMemo(() => [...held.keys()], [held]);
};

export const useQueuedEdits = (listingId: string): ListingEdits | null =>
  useSyncExternalStore(queueStore.subscribe, queueStore.get).get(listingId)?.changes ?? null;

export const applyQueuedEdits = (listing: Listing): Listing => ({
  ...listing,
  ...queueStore.get().get(listing.listingId)?.changes,
});

export const waitForSentEdits = (listingId: string): Promise<void> =>
  new Promise((resolve) => {
    const resolveWhenSent = (): void => {
      if (editQueue.has(listingId) || editQueue.isSaving(listingId)) return;
      unsubscribe();
      resolve();
    };
    const unsubscribe = queueStore.subscribe(resolveWhenSent);
    resolveWhenSent();
  });

const retryDelaySeconds = 3;

/** If the listing is live by now, requests a revision, which needs an approval. */
const sendListingEdits = async (listingId: string, body: ListingEdits) => {
  const input = { params: { listingId }, body };
  try {
    return await performRequest('updateListing', input);
  } catch (error) {
    if (!(error instanceof CallError) || error.code !== 'WRONG_STATE') throw error;
    return performRequest('reviseListing', input);
  }
};

const useSendQueuedEdits = () => {
  const client = useQueryClient();
  const { show } = usePromptControls();
  return useCallback(
    async (listingId: string): Promise<number | null> => {
      const held = editQueue.take(listingId);
      if (!held) return null;
      try {
        const performed = await editQueue.whileSaving(listingId, () => sendListingEdits(listingId, held.changes));
        if (performed.state === 'pending') show(performed.approvalId);
        for (const { resolve } of held.waiting) resolve();
      } catch (error) {
        if (isListingBusyError(error)) {
          editQueue.putBack(listingId, held);
          return error.retryAfterS ?? retryDelaySeconds;
        }
        notifyError(error);
        for (const { reject } of held.waiting) reject(error);
      }
      await Promise.all([client.invalidateQueries({ queryKey: ['listings'] }), refetchListing(client, listingId)]);
      return null;
    },
    [client, show],
  );
};

export const QueuedEdits = () => {
  const locks = useListingLocks();
  const listings = useQueuedListingIds();
  const send = useSendQueuedEdits();
  const sending = useRef(new Set<string>());
  const [beat, setBeat] = useState(0);
  useEffect(() => {
    for (const listingId of listings) {
      const isBusy = sending.current.has(listingId) || editQueue.isSaving(listingId);
      if (isBusy || locks.has(listingId)) continue;
      sending.current.add(listingId);
      void send(listingId).then((againS) => {
        const allowResend = (): void => {
          sending.current.delete(listingId);
          setBeat((before) => before + 1);
        };
        setTimeout(allowResend, (againS ?? 0) * 1_000);
      });
    }
  }, [locks, listings, beat, send]);
  return null;
};

/** Receives a sentence that explains when the queued edit will be saved. */
export type OnQueued = (words: string) => void;
/** Rejects with a `CallError` if the service refuses the edits. */
export type SaveListing = (changes: ListingEdits, onHeld?: OnQueued) => Promise<void>;

/**
 * Shows an edit at once and reverts it if the service refuses it. The promise of a queued edit settles after the edit
 * is sent.
 */
export const useSaveListing = (listingId: string): SaveListing => {
  const client = useQueryClient();
  const { show } = usePromptControls();
  return async (changes, onHeld) => {
    const queryKey = createLocalListingKey(listingId);
    await client.cancelQueries({ queryKey });
    const before = client.getQueryData<Listing>(queryKey);
    client.setQueryData(queryKey, { ...before, ...changes });
    const queueEdits = (): Promise<void> => {
      const { approvals = [] } = client.getQueryData<ApprovalLists>(approvalListsKey) ?? {};
      const lock = findListingLocks(approvals).get(listingId) ?? null;
      onHeld?.(formatSavedAfter(editQueue.isSaving(listingId) ? 'edit' : lock));
      return editQueue.enqueue(listingId, changes);
    };
    // Earlier edits must be sent first.
    if (editQueue.has(listingId) || editQueue.isSaving(listingId)) return queueEdits();
    try {
      const performed = await editQueue.whileSaving(listingId, () =>
        performRequest('updateListing', { params: { listingId }, body: changes }),
      );
      if (performed.state === 'done') client.setQueryData(queryKey, performed.answer);
      else show(performed.approvalId);
    } catch (error) {
      if (isListingBusyError(error)) return queueEdits();
      client.setQueryData(queryKey, before);
      throw error;
    }
  };
};
