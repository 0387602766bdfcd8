import { useQueryClient } from '@tanstack/react-query';
import type { ListingChanges } from '../../../../../contract/index.ts';
import type { Listing } from '../../../api/types.ts';
import { perform } from '../../../api/perform.ts';
import { usePrompts } from '../../approvals/usePrompts.ts';

/** Fields that are edited without a question. */
export type Edits = Omit<ListingChanges, 'bestOffer'>;
export type Save = (changes: Edits) => Promise<void>;

/** Edits a listing: shown at once, taken back when the service refuses (the field keeps what was typed). */
export const useSaveListing = (listingId: string): Save => {
  const client = useQueryClient();
  const { show } = usePrompts();
  return async (changes) => {
    const queryKey = ['listings', listingId];
    await client.cancelQueries({ queryKey });
    const before = client.getQueryData<Listing>(queryKey);
    client.setQueryData(queryKey, { ...before, ...changes });
    try {
      const performed = await perform('updateListing', { params: { listingId }, body: changes });
      if (performed.state === 'done') client.setQueryData(queryKey, performed.answer);
      else show(performed.approvalId);
    } catch (error) {
      client.setQueryData(queryKey, before);
      throw error;
    }
  };
};
