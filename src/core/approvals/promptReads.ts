import type { Listing } from '../../contract/index.ts';
import type { CoreParts } from '../openParts.ts';
import type { Reads } from './prompts/prompt.ts';

const noInput = { params: undefined, query: {}, headers: undefined, body: undefined } as never;
const only = { query: undefined, headers: undefined, body: undefined };

/** Fresh reads for prompts. They go to the service past every cache, and what they read is kept. */
export const promptReads = (parts: CoreParts, keep: (listing: Listing) => void): Reads => {
  const { client, connection, itemsTable: items } = parts;
  return {
    listing: async (listingId) => {
      const { answer } = await client.send('readListing', { ...only, params: { listingId } });
      keep(answer);
      return answer;
    },
    fees: async (listingId, body) => {
      const input = { ...only, params: { listingId }, body: { ...body, action: 'quote' as const } };
      return (await client.send('quoteFees', input)).answer;
    },
    plain: async (route) => (await client.send(route, noInput)).answer,
    photoUrl: (listing) => {
      const item = items.ofListing(connection.account(), listing.listingId);
      const photo = item && items.photos(item.item_id).find((one) => one.thumb_path !== null && one.state === 'ready');
      if (photo) return `/photos/${photo.photo_id}/thumb`;
      const there = (listing.imageUrls ?? []).length > 0;
      return there ? `/listing-photos/${encodeURIComponent(listing.listingId)}/0` : null;
    },
    now: parts.clock.now,
  };
};
