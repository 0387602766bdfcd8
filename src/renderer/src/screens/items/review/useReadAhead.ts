import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { addressOf } from '../../../api/addressOf.ts';
import { read } from '../../../api/perform.ts';
import type { ItemView } from '../../../api/types.ts';

const isUsed = ({ state, fullUrl }: ItemView['photos'][number]): boolean => state === 'ready' && fullUrl !== null;

/** Reads the listing and the first photo of the item that is looked over next, so that it stands there at once. */
export const useReadAhead = (next: ItemView | null): void => {
  const client = useQueryClient();
  const listingId = next?.listingId ?? null;
  const photoUrl = next?.photos.find(isUsed)?.fullUrl ?? null;
  useEffect(() => {
    if (listingId !== null)
      void client.prefetchQuery({
        queryKey: ['listings', listingId],
        queryFn: () => read('readListing', { params: { listingId } }),
      });
    if (photoUrl !== null) new Image().src = addressOf(photoUrl);
  }, [client, listingId, photoUrl]);
};
