import type { Listing, ParsedInput, RouteName } from '../../contract/index.ts';
import type { ServiceClient } from '../service/serviceClient.ts';
import { ServiceError } from '../service/serviceError.ts';
import { canonical } from './canonical.ts';

/** What reading the service tells of a request whose answer was lost. */
export type Verdict = { done: boolean; body: unknown } | null;

type Loose = { params: Record<string, string>; body: Record<string, unknown> };
type Look = (input: Loose, client: ServiceClient) => Promise<Verdict>;

const read = async (input: Loose, client: ServiceClient): Promise<Listing | null> => {
  try {
    const params = { listingId: input.params['listingId'] ?? '' };
    return (await client.send('readListing', { params } as ParsedInput<'readListing'>)).answer;
  } catch (error) {
    if (error instanceof ServiceError && error.status === 404) return null;
    throw error;
  }
};

/** By status: which prove that it happened, and which that it did not. */
const byStatus =
  (yes: Listing['status'][], no: Listing['status'][], bodyOf: (listing: Listing) => unknown): Look =>
  async (input, client) => {
    const listing = await read(input, client);
    if (!listing) return null;
    if (yes.includes(listing.status)) return { done: true, body: bodyOf(listing) };
    return no.includes(listing.status) ? { done: false, body: null } : null;
  };

const live: Look = byStatus(['published', 'sold'], ['pending_review', 'draft', 'failed'], (listing) => ({
  success: true,
  marketListingId: listing.marketListingId ?? null,
  marketListingUrl: listing.marketListingUrl ?? null,
}));
const ended: Look = byStatus(['ended', 'sold'], ['published'], (listing) => listing);
const written: Look = byStatus(['processing', 'pending_review'], ['draft', 'failed'], (listing) => listing);

const carries: Look = async (input, client) => {
  const listing = await read(input, client);
  if (!listing) return null;
  const same = Object.entries(input.body).every(([field, value]) => canonical(listing[field]) === canonical(value));
  return { done: same, body: listing };
};

const gone: Look = async (input, client) => ({ done: (await read(input, client)) === null, body: {} });

/** How the outcome of each request can be told by reading alone. A route that is not here is left for the person to look at. */
export const evidence: Partial<Record<RouteName, Look>> = {
  publishListing: live,
  publishChannels: live,
  endListing: ended,
  endChannels: ended,
  reviseListing: carries,
  updateListing: carries,
  deleteListing: gone,
  generateListing: written,
};
