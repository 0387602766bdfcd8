import { useMemo, useSyncExternalStore, useCallback, useEffect, useRef, useState } from 'react';
import type { ListingChanges } from '../../../../../contract/index.ts';
import { createStore, withMapEntry } from '../../../api/createStore.ts';
import { CallError, readErrorSentence, performRequest, type Listing } from '../../../api/call.ts';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import {
  createLocalListingKey,
  readListingAgain,
  useOpenApprovals,
  approvalListsKey,
  type ApprovalLists,
} from '../../../api/queries.ts';
import { findListingLock, formatSavedAfter } from '../../approvals/approvalText.ts';
import { usePromptControls } from '../../approvals/usePrompts.ts';

/** Fields that can be edited without an approval. */
export type ListingEdits = Omit<ListingChanges, 'bestOffer'>;

type EditWaiter = { resolve: () => void; reject: (error: unknown) => void };
/** Queued edits of one listing (later edits override earlier ones), and the callers that await them. */
type EditQueueEntry = { changes: ListingEdits; waiting: EditWaiter[] };

// Module state, so that edits are still sent after the screen has closed.
const queueStore = createStore<ReadonlyMap<string, EditQueueEntry>>(new Map());
const setQueueEntry = (listingId: string, held: EditQueueEntry | null): void =>
  queueStore.set(withMapEntry(queueStore.get(), listingId, held));

/** Whether the listing accepts no edits at the moment but will again later. */
const isListingBusyError = (error: unknown): error is CallError =>
  error instanceof CallError && ['BEING_DECIDED', 'PHOTOS_UPLOADING'].includes(error.code);

/** The listings with an edit in flight; further edits are queued. */
const savingListingIds = new Set<string>();

/** Edits that wait while their listing is being decided or another edit is in flight. */
const editQueue = {
  has: (listingId: string): boolean => queueStore.get().has(listingId),
  isSaving: (listingId: string): boolean => savingListingIds.has(listingId),
  /** Runs a save and marks the listing as saving, so that further edits are queued. */
  whileSaving: async <T,>(listingId: string, save: () => Promise<T>): Promise<T> => {
    savingListingIds.add(listingId);
    try {
      return await save();
    } finally {
      savingListingIds.delete(listingId);
      // Notify subscribers, so that queued edits are sent now.
      setQueueEntry(listingId, queueStore.get().get(listingId) ?? null);
    }
  },
  /** Queues edits; settles when they are sent or refused. */
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
  /** Puts an entry back that could not be sent; newer edits override it. */
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

/** The queued edits of a listing, or null. */
export const useQueuedEdits = (listingId: string): ListingEdits | null =>
  useSyncExternalStore(queueStore.subscribe, queueStore.get).get(listingId)?.changes ?? null;

/** Returns the listing with its queued edits applied, as the fields show it. */
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

const retryS = 3;

/** Sends an edit. If the listing went live in the meantime, requests a revision instead, which needs an approval. */
const sendListingEdits = async (listingId: string, body: ListingEdits) => {
  const input = { params: { listingId }, body };
  try {
    return await performRequest('updateListing', input);
  } catch (error) {
    if (!(error instanceof CallError) || error.code !== 'WRONG_STATE') throw error;
    return performRequest('reviseListing', input);
  }
};

/** Sends the queued edits of a listing. Returns the seconds until the next attempt, or null if settled. */
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
          return error.retryAfterS ?? retryS;
        }
        // The field shows the error as well, if it is still open.
        notifications.show({ message: readErrorSentence(error), color: 'amber' });
        for (const { reject } of held.waiting) reject(error);
      }
      await Promise.all([client.invalidateQueries({ queryKey: ['listings'] }), readListingAgain(client, listingId)]);
      return null;
    },
    [client, show],
  );
};

/** Sends queued edits as soon as their listing accepts edits. Renders nothing. */
export const QueuedEdits = () => {
  const approvals = useOpenApprovals().data;
  const listings = useQueuedListingIds();
  const send = useSendQueuedEdits();
  const sending = useRef(new Set<string>());
  const [beat, setBeat] = useState(0);
  useEffect(() => {
    for (const listingId of listings) {
      const isBusy = sending.current.has(listingId) || editQueue.isSaving(listingId);
      if (isBusy || findListingLock(approvals ?? [], listingId) !== null) continue;
      sending.current.add(listingId);
      void send(listingId).then((againS) => {
        const allowResend = (): void => {
          sending.current.delete(listingId);
          setBeat((before) => before + 1);
        };
        setTimeout(allowResend, (againS ?? 0) * 1_000);
      });
    }
  }, [approvals, listings, beat, send]);
  return null;
};

/** Called when an edit is queued, with a sentence that says when it will be saved. */
export type OnQueued = (words: string) => void;
/** Saves edits of a listing; rejects with a `CallError` if the service refuses them. */
export type SaveListing = (changes: ListingEdits, onHeld?: OnQueued) => Promise<void>;

/**
 * Edits a listing optimistically; reverts if the service refuses. While the listing is being decided or another edit is
 * in flight, the edit is queued and settles after it is sent.
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
      onHeld?.(formatSavedAfter(editQueue.isSaving(listingId) ? 'edit' : findListingLock(approvals, listingId)));
      return editQueue.enqueue(listingId, changes);
    };
    // Keep the order: earlier edits are sent first.
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
