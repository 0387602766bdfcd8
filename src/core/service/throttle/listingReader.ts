import type { ParsedInput, RouteName } from '../../../contract/index.ts';
import type { SendOptions, ServiceAnswer, ServiceClient } from '../serviceClient.ts';
import type { ResponseCache } from './responseCache.ts';

/** An answer and where it is from; `ageMs` is 0 for one that the service gave now. */
export type Throttled<N extends RouteName> = ServiceAnswer<N> & { source: 'service' | 'cache'; ageMs: number };

/** Reads what everybody may poll: a listing, by `readListing`. */
export type ReadListing = <N extends RouteName>(
  route: N,
  input: ParsedInput<N>,
  options: SendOptions,
) => Promise<Throttled<N>>;

/**
 * The one reader of listings for windows, items, assistants and the companion's own watching: while a listing is being
 * written it is read every five seconds at the most, however many poll it. What must be known afresh is not read here.
 */
export const createListingReader =
  ({ polled }: Pick<ResponseCache, 'polled'>, shared: ServiceClient): ReadListing =>
  async (route, input, options) => {
    const known = polled(route, input);
    if (known) return { ...known.answer, source: 'cache', ageMs: known.ageMs };
    return { ...(await shared.send(route, input, options)), source: 'service', ageMs: 0 };
  };
