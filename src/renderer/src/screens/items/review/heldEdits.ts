import { useMemo, useSyncExternalStore } from 'react';
import type { ListingChanges } from '../../../../../contract/index.ts';
import { CallError } from '../../../api/callError.ts';

/** Fields that are edited without a question. */
export type Edits = Omit<ListingChanges, 'bestOffer'>;

type Waiting = { resolve: () => void; reject: (error: unknown) => void };
/** Edits of one listing, the later ones over the earlier, and who waits to hear what becomes of them. */
type Held = { changes: Edits; waiting: Waiting[] };

// Kept apart from the screens: what was typed is sent also when its screen was left.
let all: ReadonlyMap<string, Held> = new Map();
const listeners = new Set<() => void>();
const set = (listingId: string, held: Held | null): void => {
  const next = new Map(all);
  if (held) next.set(listingId, held);
  else next.delete(listingId);
  all = next;
  for (const listener of listeners) listener();
};
const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Whether a listing takes no edit just now, and will again. */
export const isHeldBack = (error: unknown): error is CallError =>
  error instanceof CallError && ['BEING_DECIDED', 'PHOTOS_UPLOADING'].includes(error.code);

/** Edits that came while their listing was being decided: kept here until it is free. */
export const heldEdits = {
  has: (listingId: string): boolean => all.has(listingId),
  /** Keeps edits; settles when they were sent, or refused. */
  hold: (listingId: string, changes: Edits): Promise<void> =>
    new Promise((resolve, reject) => {
      const before = all.get(listingId);
      set(listingId, {
        changes: { ...before?.changes, ...changes },
        waiting: [...(before?.waiting ?? []), { resolve, reject }],
      });
    }),
  /** Takes what is held of a listing, to send it. */
  take: (listingId: string): Held | null => {
    const held = all.get(listingId) ?? null;
    if (held) set(listingId, null);
    return held;
  },
  /** Puts back what could not be sent yet, under what came since. */
  putBack: (listingId: string, held: Held): void => {
    const since = all.get(listingId);
    set(listingId, {
      changes: { ...held.changes, ...since?.changes },
      waiting: [...held.waiting, ...(since?.waiting ?? [])],
    });
  },
};

const now = (): ReadonlyMap<string, Held> => all;

/** The listings of which edits are held. */
export const useHeldListings = (): readonly string[] => {
  const held = useSyncExternalStore(subscribe, now);
  return useMemo(() => [...held.keys()], [held]);
};

/** The edits of a listing that wait to be sent; null when there are none. */
export const useHeldEdits = (listingId: string): Edits | null =>
  useSyncExternalStore(subscribe, now).get(listingId)?.changes ?? null;
