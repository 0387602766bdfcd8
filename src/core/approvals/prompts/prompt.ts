import type { AnswerOf, FeeAnswer, Listing, ParsedInput, RouteName } from '../../../contract/index.ts';
import type { Prompt } from '../approval.ts';

/** A request that the same yes also covers and that is sent before the one asked for. */
export type FirstRequest = { route: RouteName; input: unknown };

/** A prompt as it is drawn from fresh reads: what is shown, and by label everything that the yes is bound to. */
export type Drawn = { prompt: Prompt; bound: Record<string, string>; first: FirstRequest[] };

/** Routes that prompts read besides listings and fees. None of them takes parameters, asks, spends or changes anything. */
export type PlainRead =
  'readStanding' | 'readSellerDefaults' | 'listTemplates' | 'listConnections' | 'listPlans' | 'readMarketStatus';

/** Fresh reads of the service that prompts are drawn from. */
export type Reads = {
  listing: (listingId: string) => Promise<Listing>;
  fees: (listingId: string, body: Record<string, string>) => Promise<{ answer: FeeAnswer; quotedAt: number }>;
  plain: <N extends PlainRead>(route: N) => Promise<AnswerOf<N>>;
  /** A picture of the listing that the window can show, or null. */
  photoUrl: (listing: Listing) => string | null;
  now: () => number;
};

/** Draws the prompt of one route. Throws a `Problem` when the service would refuse the request anyway. */
export type Draw<N extends RouteName> = (input: ParsedInput<N>, reads: Reads) => Promise<Drawn>;
