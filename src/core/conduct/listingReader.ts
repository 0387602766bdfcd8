import type { ParsedInput } from '../../contract/index.ts';
import type { ServiceAnswer } from '../service/serviceClient.ts';
import type { Answers } from './answers.ts';

/** A listing and where it was read; `ageMs` is 0 when the service gave it now. */
export type ListingRead = ServiceAnswer<'readListing'> & { source: 'service' | 'cache'; ageMs: number };

/** Reads a listing. */
export type ReadListing = (input: ParsedInput<'readListing'>, signal: AbortSignal | undefined) => Promise<ListingRead>;

/**
 * The one reader of listings for windows, items, assistants and the companion's own watching: while a listing is being
 * written it is read every five seconds at the most, however many poll it. What must be known afresh is not read here.
 */
export const createListingReader =
  ({ polled, together, client }: Answers): ReadListing =>
  async (input, signal) => {
    const known = polled('readListing', input);
    if (known) return { ...known.answer, source: 'cache', ageMs: known.ageMs };
    const read = together('readListing', input, signal) ?? client.send('readListing', input, { signal });
    return { ...(await read), source: 'service', ageMs: 0 };
  };
