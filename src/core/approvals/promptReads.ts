import type { FeeAnswer, Listing } from '../../contract/index.ts';
import type { CoreParts } from '../openParts.ts';
import { ServiceError } from '../service/serviceError.ts';
import { digestOf } from './canonical.ts';
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
    fees: quoting(parts),
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

/** How long a quote that was shown may stand in for one that the service will not give again today. */
const quoteStandsMs = 10 * 60_000;

/**
 * A fresh quote each time. Quotes are capped by the day: when the cap is reached between what was shown and the yes, the
 * quote that was shown stands for a few minutes, and everything else is still read afresh.
 */
const quoting = ({ client, clock }: CoreParts): Reads['fees'] => {
  const shown = new Map<string, { answer: FeeAnswer; quotedAt: number }>();
  return async (listingId, body) => {
    const key = digestOf([listingId, body]);
    const input = { ...only, params: { listingId }, body: { ...body, action: 'quote' as const } };
    try {
      const quote = { answer: (await client.send('quoteFees', input)).answer, quotedAt: clock.now() };
      shown.set(key, quote);
      return quote;
    } catch (error) {
      const last = shown.get(key);
      const capped = error instanceof ServiceError && error.status === 429;
      if (capped && last && clock.now() - last.quotedAt < quoteStandsMs) return last;
      throw error;
    }
  };
};
