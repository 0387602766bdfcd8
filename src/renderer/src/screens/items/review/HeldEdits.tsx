import { useMemo, useSyncExternalStore, useCallback, useEffect, useRef, useState } from 'react';
import type { ListingChanges } from '../../../../../contract/index.ts';
import { createStore, withEntry } from '../../../api/createStore.ts';
import { CallError, sentenceOf, perform, type Listing } from '../../../api/call.ts';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { keptListingKey, readListingAgain, useApprovals, questionsKey, type Questions } from '../../../api/queries.ts';
import { lockIn, savedAfterText } from '../../approvals/approvalText.ts';
import { usePrompts } from '../../approvals/useQuestions.ts';

/** Fields that are edited without a question. */
export type Edits = Omit<ListingChanges, 'bestOffer'>;

type Waiting = { resolve: () => void; reject: (error: unknown) => void };
/** Edits of one listing, the later ones over the earlier, and who waits to hear what becomes of them. */
type Held = { changes: Edits; waiting: Waiting[] };

// Kept apart from the screens: what was typed is sent also when its screen was left.
const all = createStore<ReadonlyMap<string, Held>>(new Map());
const set = (listingId: string, held: Held | null): void => all.set(withEntry(all.get(), listingId, held));

/** Whether a listing takes no edit just now, and will again. */
const isHeldBack = (error: unknown): error is CallError =>
  error instanceof CallError && ['BEING_DECIDED', 'PHOTOS_UPLOADING'].includes(error.code);

/** The listings of which an edit is on its way: what comes meanwhile is sent after it. */
const saving = new Set<string>();

/** Edits that came while their listing was being decided or saved: kept here until it is free. */
const heldEdits = {
  has: (listingId: string): boolean => all.get().has(listingId),
  isSaving: (listingId: string): boolean => saving.has(listingId),
  /** Saves an edit; those that come before it is through are held. */
  saving: async <T,>(listingId: string, save: () => Promise<T>): Promise<T> => {
    saving.add(listingId);
    try {
      return await save();
    } finally {
      saving.delete(listingId);
      // Told again, so that what was held is sent now.
      set(listingId, all.get().get(listingId) ?? null);
    }
  },
  /** Keeps edits; settles when they were sent, or refused. */
  hold: (listingId: string, changes: Edits): Promise<void> =>
    new Promise((resolve, reject) => {
      const before = all.get().get(listingId);
      set(listingId, {
        changes: { ...before?.changes, ...changes },
        waiting: [...(before?.waiting ?? []), { resolve, reject }],
      });
    }),
  /** Takes what is held of a listing, to send it. */
  take: (listingId: string): Held | null => {
    const held = all.get().get(listingId) ?? null;
    if (held) set(listingId, null);
    return held;
  },
  /** Puts back what could not be sent yet, under what came since. */
  putBack: (listingId: string, held: Held): void => {
    const since = all.get().get(listingId);
    set(listingId, {
      changes: { ...held.changes, ...since?.changes },
      waiting: [...held.waiting, ...(since?.waiting ?? [])],
    });
  },
};

/** The listings of which edits are held. */
const useHeldListings = (): readonly string[] => {
  const held = useSyncExternalStore(all.subscribe, all.get);
  return useMemo(() => [...held.keys()], [held]);
};

/** The edits of a listing that wait to be sent; null when there are none. */
export const useHeldEdits = (listingId: string): Edits | null =>
  useSyncExternalStore(all.subscribe, all.get).get(listingId)?.changes ?? null;

/** A listing with the edits that wait to be sent, as its fields show it. */
export const withHeldEdits = (listing: Listing): Listing => ({
  ...listing,
  ...all.get().get(listing.listingId)?.changes,
});

/** Waits until no edit of a listing is held or on its way. */
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

/** An edit; of a listing that went live meanwhile a change of what is live, which is asked about. */
const sendEdits = async (listingId: string, body: Edits) => {
  const input = { params: { listingId }, body };
  try {
    return await perform('updateListing', input);
  } catch (error) {
    if (!(error instanceof CallError) || error.code !== 'WRONG_STATE') throw error;
    return perform('reviseListing', input);
  }
};

/** Sends what is held of a listing; answers in how many seconds to try again, or null when it is settled. */
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
        // Its field says so too, where it is still open.
        notifications.show({ message: sentenceOf(error), color: 'amber' });
        for (const { reject } of held.waiting) reject(error);
      }
      await Promise.all([client.invalidateQueries({ queryKey: ['listings'] }), readListingAgain(client, listingId)]);
      return null;
    },
    [client, show],
  );
};

/** Sends edits that came while their listing was being decided or saved, as soon as it is free. Draws nothing. */
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

/** Hears when an edit has to wait, with what becomes of it: "Saved as soon as it is published". */
export type OnHeld = (words: string) => void;
/** Saves edits of a listing; rejects with a `CallError` where the service refuses them. */
export type Save = (changes: Edits, onHeld?: OnHeld) => Promise<void>;

/**
 * Edits a listing: shown at once, taken back when the service refuses (the field keeps what was typed). While the listing
 * is being decided, or another edit of it is on its way, the edit is kept, and settles when it was sent after that.
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
    // What came before is sent before.
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
