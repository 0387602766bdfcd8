import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { addressOf } from '../../../api/addressOf.ts';
import { itemQuery } from '../../../api/itemQueries.ts';
import { read } from '../../../api/perform.ts';
import type { ItemView } from '../../../api/types.ts';

const isUsed = ({ state, fullUrl }: ItemView['photos'][number]): boolean => state === 'ready' && fullUrl !== null;

/** Reads the item that is looked over next, its listing and its first photo, so that it stands there at once. */
export const useReadAhead = (itemId: string | null): void => {
  const client = useQueryClient();
  useEffect(() => {
    if (itemId === null) return;
    const ahead = async (): Promise<void> => {
      const { listingId, photos } = await client.fetchQuery(itemQuery(itemId));
      const photoUrl = photos.find(isUsed)?.fullUrl ?? null;
      if (photoUrl !== null) new Image().src = addressOf(photoUrl);
      if (listingId !== null)
        await client.prefetchQuery({
          queryKey: ['listings', listingId],
          queryFn: () => read('readListing', { params: { listingId } }),
        });
    };
    ahead().catch(() => undefined);
  }, [client, itemId]);
};
