import type { ParsedInput } from '../../../contract/index.ts';
import type { SendOptions, ServiceAnswer, ServiceClient } from '../serviceClient.ts';
import type { ResponseCache } from './responseCache.ts';

/** A listing and where it was read; `ageMs` is 0 when the service gave it now. */
export type ListingRead = ServiceAnswer<'readListing'> & { source: 'service' | 'cache'; ageMs: number };

/** Reads a listing. */
export type ReadListing = (input: ParsedInput<'readListing'>, options: SendOptions) => Promise<ListingRead>;

/**
 * The one reader of listings for windows, items, assistants and the companion's own watching: while a listing is being
 * written it is read every five seconds at the most, however many poll it. What must be known afresh is not read here.
 */
export const createListingReader =
  ({ polled }: Pick<ResponseCache, 'polled'>, shared: ServiceClient): ReadListing =>
  async (input, options) => {
    const known = polled('readListing', input);
    if (known) return { ...known.answer, source: 'cache', ageMs: known.ageMs };
    return { ...(await shared.send('readListing', input, options)), source: 'service', ageMs: 0 };
  };
