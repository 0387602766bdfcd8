import { useQueryClient } from '@tanstack/react-query';
import { perform } from '../../../api/call.ts';
import { questionsKey, type Questions } from '../../../api/queries.ts';
import type { Listing } from '../../../api/types.ts';
import { lockIn, savedAfterWords } from '../../approvals/questions.ts';
import { usePrompts } from '../../approvals/usePrompts.ts';
import { heldEdits, isHeldBack, type Edits } from './HeldEdits.tsx';

/** Hears when an edit has to wait, with what becomes of it: "Saved as soon as it is published". */
export type OnHeld = (words: string) => void;
/** Saves edits of a listing; rejects with a `CallError` where the service refuses them. */
export type Save = (changes: Edits, onHeld?: OnHeld) => Promise<void>;

/**
 * Edits a listing: shown at once, taken back when the service refuses (the field keeps what was typed). While the listing
 * is being decided the edit is kept, and settles when it was sent after that.
 */
export const useSaveListing = (listingId: string): Save => {
  const client = useQueryClient();
  const { show } = usePrompts();
  return async (changes, onHeld) => {
    const queryKey = ['listings', listingId];
    await client.cancelQueries({ queryKey });
    const before = client.getQueryData<Listing>(queryKey);
    client.setQueryData(queryKey, { ...before, ...changes });
    const hold = (): Promise<void> => {
      const { approvals = [] } = client.getQueryData<Questions>(questionsKey) ?? {};
      onHeld?.(savedAfterWords(lockIn(approvals, listingId)));
      return heldEdits.hold(listingId, changes);
    };
    // What came before is sent before.
    if (heldEdits.has(listingId)) return hold();
    try {
      const performed = await perform('updateListing', { params: { listingId }, body: changes });
      if (performed.state === 'done') client.setQueryData(queryKey, performed.answer);
      else show(performed.approvalId);
    } catch (error) {
      if (isHeldBack(error)) return hold();
      client.setQueryData(queryKey, before);
      throw error;
    }
  };
};
