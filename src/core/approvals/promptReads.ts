import { inputOf, type Listing } from '../../contract/index.ts';
import type { Clock } from '../base/ports.ts';
import type { BoundPhotos } from '../photos/boundPhotos.ts';
import type { Connection } from '../service/connection.ts';
import type { ServiceClient } from '../service/serviceClient.ts';
import type { ResponseCache } from '../service/throttle/responseCache.ts';
import type { Quotes } from './quotes.ts';
import { isPassing, ServiceError } from '../service/serviceError.ts';
import { problemText } from '../base/problem.ts';
import { digestOf } from '../base/canonicalJson.ts';
import type { ExtrasBooks } from './extrasBooks.ts';
import type { Reads } from './prompts/prompt.ts';

const only = { query: undefined, headers: undefined, body: undefined };

/**
 * What subjects are made of: `shown` for prompts, `atYes` for what a yes is held against, and `afterNotice` for the look
 * between the agreement to a site's fees and the publish, which takes the quote of the yes where that is seconds old.
 */
export type PromptReads = { shown: Reads; atYes: Reads; afterNotice: Reads };

type ReadsContext = {
  client: ServiceClient;
  connection: Connection;
  boundPhotos: BoundPhotos;
  clock: Clock;
  quotes: Quotes;
  answers: ResponseCache;
};

/**
 * Fresh reads for subjects. They go to the service past every cache, and what they read is kept. Only a fee quote, of
 * which the interface wants one a publish, is shared by all that is shown before the yes; the yes takes a fresh one, as
 * a higher fee is never paid.
 */
export const promptReads = (
  context: ReadsContext,
  books: ExtrasBooks,
  keep: (listing: Listing) => void,
): PromptReads => {
  const { client, connection, boundPhotos, clock, quotes, answers } = context;
  const self = () => ({ ...only, params: { userId: connection.who()?.userId ?? '' } });
  const listPolicies = shownAgain(context, async (site: string) => {
    const input = inputOf('listPolicies', { query: { marketplaceId: site } });
    return (await client.send('listPolicies', input)).answer;
  });
  const quoteOf = (listingId: string, body: Record<string, string>) =>
    inputOf('quoteFees', { params: { listingId }, body: { ...body, action: 'quote' } });
  const quote: Reads['fees'] = async (listingId, body) => ({
    answer: (await client.send('quoteFees', quoteOf(listingId, body))).answer,
    quotedAt: clock.now(),
  });
  const atYes: Reads = {
    listing: async (listingId) => {
      const { answer } = await client.send('readListing', { ...only, params: { listingId } });
      // What somebody says yes to is the listing that was asked for, whatever the service answers.
      if (answer.listingId !== listingId) throw otherListing();
      keep(answer);
      return answer;
    },
    photos: async (listing, needed) => {
      try {
        return await boundPhotos.read(listing);
      } catch (error) {
        // Where nothing of them is sent, photos that are gone keep nobody from ending or deleting their listing.
        if (needed || isPassing(error)) throw error;
        return [];
      }
    },
    fees: quote,
    confirmedSites: quotes.confirmedSites,
    policies: (site) => listPolicies(site).catch(nullWhenSpent),
    user: async () => (await client.send('readUser', self())).answer,
    emailPreferences: async () => (await client.send('readUserNotificationPreferences', self())).answer,
    plain: async (route) => (await client.send(route, inputOf(route, {}))).answer,
    extras: books.left,
    now: clock.now,
  };
  const quotedWithin =
    (mostMs?: number): Reads['fees'] =>
    async (listingId, body) =>
      quotes.shown(quoteOf(listingId, body), mostMs) ?? quote(listingId, body);
  const listing: Reads['listing'] = async (listingId) => {
    // One in writing is refused from what is known: asking about it is no way to read it more often.
    const known = answers.polled('readListing', { ...only, params: { listingId } });
    return known ? known.answer.answer : atYes.listing(listingId);
  };
  return {
    shown: { ...atYes, listing, fees: quotedWithin() },
    atYes,
    afterNotice: { ...atYes, fees: quotedWithin(stillFreshMs) },
  };
};

const stillFreshMs = 5_000;

const otherListing = () =>
  new ServiceError({ ...problemText('UNEXPECTED_ANSWER.strange'), effect: 'unclear', status: 200 });

const isSpent = (error: unknown): boolean => error instanceof ServiceError && error.status === 429;

const nullWhenSpent = (error: unknown): null => {
  if (isSpent(error)) return null;
  throw error;
};

/** How long an answer that was shown may stand in for one that the service will not give again today. */
const standsMs = 10 * 60_000;

/**
 * A fresh answer each time. Where the day's budget for it is spent between what was shown and the yes, the one that was
 * shown stands for a few minutes, and everything else is still read afresh.
 */
const shownAgain = <Given extends unknown[], T>(
  { clock, connection }: Pick<ReadsContext, 'clock' | 'connection'>,
  read: (...given: Given) => Promise<T>,
): ((...given: Given) => Promise<T>) => {
  const shown = new Map<string, { answer: T; at: number }>();
  return async (...given) => {
    const key = digestOf([connection.who()?.account ?? null, given]);
    try {
      const answer = await read(...given);
      shown.set(key, { answer, at: clock.now() });
      return answer;
    } catch (error) {
      const last = shown.get(key);
      if (isSpent(error) && last && clock.now() - last.at < standsMs) return last.answer;
      throw error;
    }
  };
};
