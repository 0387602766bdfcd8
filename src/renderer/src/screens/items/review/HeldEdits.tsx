import { useMemo, useSyncExternalStore, useCallback, useEffect, useRef, useState } from 'react';
import type { ListingChanges } from '../../../../../contract/index.ts';
import { createStore, withEntry } from '../../../api/createStore.ts';
import { CallError, sentenceOf, perform, type Listing } from '../../../api/call.ts';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { keptListingKey, readListingAgain, useApprovals, questionsKey, type Questions } from '../../../api/queries.ts';
import { lockIn, savedAfterText } from '../../approvals/approvalText.ts';
import { usePrompts } from '../../approvals/useQuestions.ts';

/** Fields that can be edited without an approval. */
export type Edits = Omit<ListingChanges, 'bestOffer'>;

type Waiting = { resolve: () => void; reject: (error: unknown) => void };
/** Queued edits of one listing (later edits override earlier ones), and the callers that await them. */
type Held = { changes: Edits; waiting: Waiting[] };

// Module state, so that edits are still sent after the screen has closed.
const all = createStore<ReadonlyMap<string, Held>>(new Map());
const set = (listingId: string, held: Held | null): void => all.set(withEntry(all.get(), listingId, held));

/** Whether the listing accepts no edits at the moment but will again later. */
const isHeldBack = (error: unknown): error is CallError =>
  error instanceof CallError && ['BEING_DECIDED', 'PHOTOS_UPLOADING'].includes(error.code);

/** The listings with an edit in flight; further edits are queued. */
const saving = new Set<string>();

/** Edits that wait while their listing is being decided or another edit is in flight. */
const heldEdits = {
  has: (listingId: string): boolean => all.get().has(listingId),
  isSaving: (listingId: string): boolean => saving.has(listingId),
  /** Runs a save and marks the listing as saving, so that further edits are queued. */
  saving: async <T,>(listingId: string, save: () => Promise<T>): Promise<T> => {
    saving.add(listingId);
    try {
      return await save();
    } finally {
      saving.delete(listingId);
      // Notify subscribers, so that queued edits are sent now.
      set(listingId, all.get().get(listingId) ?? null);
    }
  },
  /** Queues edits; settles when they are sent or refused. */
  hold: (listingId: string, changes: Edits): Promise<void> =>
    new Promise((resolve, reject) => {
      const before = all.get().get(listingId);
      set(listingId, {
        changes: { ...before?.changes, ...changes },
        waiting: [...(before?.waiting ?? []), { resolve, reject }],
      });
    }),
  take: (listingId: string): Held | null => {
    const held = all.get().get(listingId) ?? null;
    if (held) set(listingId, null);
    return held;
  },
  /** Puts an entry back that could not be sent; newer edits override it. */
  putBack: (listingId: string, held: Held): void => {
    const since = all.get().get(listingId);
    set(listingId, {
      changes: { ...held.changes, ...since?.changes },
      waiting: [...held.waiting, ...(since?.waiting ?? [])],
    });
  },
};

const useHeldListings = (): readonly string[] => {
  const held = useSyncExternalStore(all.subscribe, all.get);
  return useMemo(() => [...held.keys()], [held]);
};

/** The queued edits of a listing; null if there are none. */
export const useHeldEdits = (listingId: string): Edits | null =>
  useSyncExternalStore(all.subscribe, all.get).get(listingId)?.changes ?? null;

/** Returns the listing with its queued edits applied, as the fields show it. */
export const withHeldEdits = (listing: Listing): Listing => ({
  ...listing,
  ...all.get().get(listing.listingId)?.changes,
});

export const editsSent = (listingId: string): Promise<void> =>
  new Promise((resolve) => {
    const look = (): void => {
      if (heldEdits.has(listingId) || heldEdits.isSaving(listingId)) return;
      stop();
      resolve();
    };
    const stop = all.subscribe(look);
    look();
  });

const retryS = 3;

/** Sends an edit. If the listing went live in the meantime, requests a revision instead, which needs an approval. */
const sendEdits = async (listingId: string, body: Edits) => {
  const input = { params: { listingId }, body };
  try {
    return await perform('updateListing', input);
  } catch (error) {
    if (!(error instanceof CallError) || error.code !== 'WRONG_STATE') throw error;
    return perform('reviseListing', input);
  }
};

/** Sends the queued edits of a listing. Returns the seconds until the next attempt, or null if settled. */
const useSend = () => {
  const client = useQueryClient();
  const { show } = usePrompts();
  return useCallback(
    async (listingId: string): Promise<number | null> => {
      const held = heldEdits.take(listingId);
      if (!held) return null;
      try {
        const performed = await heldEdits.saving(listingId, () => sendEdits(listingId, held.changes));
        if (performed.state === 'pending') show(performed.approvalId);
        for (const { resolve } of held.waiting) resolve();
      } catch (error) {
        if (isHeldBack(error)) {
          heldEdits.putBack(listingId, held);
          return error.retryAfterS ?? retryS;
        }
        // The field shows the error as well, if it is still open.
        notifications.show({ message: sentenceOf(error), color: 'amber' });
        for (const { reject } of held.waiting) reject(error);
      }
      await Promise.all([client.invalidateQueries({ queryKey: ['listings'] }), readListingAgain(client, listingId)]);
      return null;
    },
    [client, show],
  );
};

/** Sends queued edits as soon as their listing accepts edits. Renders nothing. */
export const HeldEdits = () => {
  const approvals = useApprovals().data;
  const listings = useHeldListings();
  const send = useSend();
  const sending = useRef(new Set<string>());
  const [beat, setBeat] = useState(0);
  useEffect(() => {
    for (const listingId of listings) {
      const isBusy = sending.current.has(listingId) || heldEdits.isSaving(listingId);
      if (isBusy || lockIn(approvals ?? [], listingId) !== null) continue;
      sending.current.add(listingId);
      void send(listingId).then((againS) => {
        const again = (): void => {
          sending.current.delete(listingId);
          setBeat((before) => before + 1);
        };
        setTimeout(again, (againS ?? 0) * 1_000);
      });
    }
  }, [approvals, listings, beat, send]);
  return null;
};

/** Called when an edit is queued, with a sentence that says when it will be saved. */
export type OnHeld = (words: string) => void;
/** Saves edits of a listing; rejects with a `CallError` if the service refuses them. */
export type Save = (changes: Edits, onHeld?: OnHeld) => Promise<void>;

/**
 * Edits a listing optimistically; reverts if the service refuses. While the listing is being decided or another edit is
 * in flight, the edit is queued and settles after it is sent.
 */
export const useSaveListing = (listingId: string): Save => {
  const client = useQueryClient();
  const { show } = usePrompts();
  return async (changes, onHeld) => {
    const queryKey = keptListingKey(listingId);
    await client.cancelQueries({ queryKey });
    const before = client.getQueryData<Listing>(queryKey);
    client.setQueryData(queryKey, { ...before, ...changes });
    const hold = (): Promise<void> => {
      const { approvals = [] } = client.getQueryData<Questions>(questionsKey) ?? {};
      onHeld?.(savedAfterText(heldEdits.isSaving(listingId) ? 'edit' : lockIn(approvals, listingId)));
      return heldEdits.hold(listingId, changes);
    };
    // Keep the order: earlier edits are sent first.
    if (heldEdits.has(listingId) || heldEdits.isSaving(listingId)) return hold();
    try {
      const performed = await heldEdits.saving(listingId, () =>
        perform('updateListing', { params: { listingId }, body: changes }),
      );
      if (performed.state === 'done') client.setQueryData(queryKey, performed.answer);
      else show(performed.approvalId);
    } catch (error) {
      if (isHeldBack(error)) return hold();
      client.setQueryData(queryKey, before);
      throw error;
    }
  };
};
