import {
  feeAnswer,
  inputOf,
  listing as listingShape,
  routeOf,
  routesOfActs,
  type FeeAnswer,
  type ParsedInput,
  type RawInput,
  type RouteName,
  type AnswerOf,
  type Listing,
} from '../../contract/index.ts';
import { writes } from '../service/throttle/floors.ts';
import { listingIdOf, digestOf } from '../base/json.ts';
import { createBoundedMap } from '../base/boundedMap.ts';
import type { Clock } from '../base/ports.ts';
import { type ServiceClient } from '../service/serviceClient.ts';
import { boundListing } from '../listings/listings.ts';
import type { BoundPhotos } from '../photos/boundPhotos.ts';
import type { ApprovalsTable } from '../storage/tables/approvalsTable.ts';
import type { WrittenTable } from '../storage/tables/listingsTable.ts';
import type { Connection } from '../service/connection.ts';
import type { ResponseCache } from '../service/throttle/responseCache.ts';
import { isTransient, ServiceError } from '../service/serviceError.ts';
import { ofOneAccount } from './ofOneAccount.ts';
import { problem, problemText } from '../base/problem.ts';
import type { ExtrasOwners } from './extrasOwners.ts';
import type { PlainRead, Reads } from './prompts/prompt.ts';

/** A fee quote and the time when the service returned it. */
export type Quoted = { answer: FeeAnswer; quotedAt: number };
/** `atMs` is when it was received, in elapsed time. */
type Kept = Quoted & { atMs: number; account: string; listingId: string; listing: string };

/** How long a quote may be shown again. */
const quoteStandsMs = 10 * 60_000;
const mostKept = 500;

export type Quotes = ReturnType<typeof createQuotes>;

/**
 * Shares fee quotes, because the interface wants one per publish. Prompts reuse a quote of the last ten minutes if nothing
 * was written to the listing and it is unchanged. `client` wraps the service client to observe its answers.
 */
export const createQuotes = (service: ServiceClient, clock: Clock, account: () => string | null) => {
  const kept = createBoundedMap<string, Kept>(mostKept);
  /** The digest of each listing when it was last read; a quote applies to that version only. */
  const seen = createBoundedMap<string, string>(mostKept);
  /** The sites with an accepted fee notice per account, from the last answer. */
  const agreed = createBoundedMap<string | null, readonly string[]>(mostKept);
  const listingKey = (listingId: string): string => `${account()} ${listingId}`;
  const keyOf = (listingId: string, body: object): string => digestOf([account(), listingId, body]);

  const noteQuote = ({ params, body }: ParsedInput<'quoteFees'>, answer: FeeAnswer, listing: string | undefined) => {
    const { listingId } = params;
    // A quote that was unavailable is requested again.
    if (listing === undefined || (answer.quote?.state !== 'fee' && answer.quote?.state !== 'free')) return;
    const times = { quotedAt: clock.now(), atMs: clock.elapsedMs() };
    kept.set(keyOf(listingId, body), { answer, ...times, account: account() ?? '', listingId, listing });
  };

  /** Accepting a site's fee notice applies to every listing. */
  const noteConfirmed = ({ feeNotice }: FeeAnswer): void => {
    for (const [key, one] of [...kept.entries()])
      if (one.account === account()) kept.set(key, { ...one, answer: { ...one.answer, feeNotice } });
  };

  /** Forgets quotes after a write to the listing, or to policies, defaults and templates, which every fee may depend on. */
  const forget = (route: RouteName, listingId: string | null): void => {
    if (listingId !== null) return seen.delete(listingKey(listingId));
    if (routeOf(route).group !== 'Marketplace account, publishing and catalogue') return;
    for (const [key] of [...kept.entries()]) kept.delete(key);
  };

  const client: ServiceClient = {
    send: async (route, input, options) => {
      const owner = account();
      const listingId = listingIdOf(input);
      const before = listingId === null ? undefined : seen.get(listingKey(listingId));
      try {
        const answered = await service.send(route, input, options);
        // An answer for one account does not apply to another.
        if (account() === owner) note(route, input, answered.answer, before);
        return answered;
      } finally {
        if (writes(route)) forget(route, listingId);
      }
    },
  };

  const note = (route: RouteName, input: RawInput, answer: unknown, before: string | undefined): void => {
    if (route === 'readListing') {
      const listing = listingShape.parse(answer);
      seen.set(listingKey(listing.listingId), digestOf(boundListing(listing)));
    }
    if (route !== 'quoteFees') return;
    const asked = inputOf(route, input);
    const quoted = feeAnswer.parse(answer);
    agreed.set(account(), quoted.feeNotice?.confirmedSites ?? []);
    if (asked.body.action === 'confirm') noteConfirmed(quoted);
    else noteQuote(asked, quoted, before);
  };

  return {
    client,
    /** Returns the sites with an accepted fee notice, as far as quotes have shown. */
    confirmedSites: (): readonly string[] => agreed.get(account()) ?? [],
    /** Returns the quote of the last `mostMs` for the current version of the listing; null if there is none. */
    shown: ({ params, body }: ParsedInput<'quoteFees'>, mostMs = quoteStandsMs): Quoted | null => {
      const found = kept.get(keyOf(params.listingId, body));
      const isOld = !found || clock.elapsedMs() - found.atMs >= mostMs;
      return isOld || seen.get(listingKey(params.listingId)) !== found.listing ? null : found;
    },
  };
};

/**
 * Reads for subjects: `shown` for prompts, `atApproval` for the check after the person approves, and `afterNotice` for the
 * check between the fee notice and the publish, which reuses a quote that is seconds old.
 */
export type PromptReads = { shown: Reads; atYes: Reads; afterNotice: Reads };

type ReadsContext = {
  client: ServiceClient;
  connection: Connection;
  boundPhotos: BoundPhotos;
  clock: Clock;
  quotes: Quotes;
  answers: ResponseCache;
  written: WrittenTable;
  approvalsTable: ApprovalsTable;
};

const quoteOf = (listingId: string, body: Record<string, string>): ParsedInput<'quoteFees'> =>
  inputOf('quoteFees', { params: { listingId }, body: { ...body, action: 'quote' } });

const selfOf = (connection: Pick<Connection, 'who'>): { params: { userId: string } } => {
  const userId = connection.who()?.userId;
  if (userId === undefined) throw problem('NOT_CONNECTED');
  return { params: { userId } };
};

const wentLiveOf =
  ({ connection, written }: Pick<ReadsContext, 'connection' | 'written'>): Reads['wentLive'] =>
  (listingId) => {
    const account = connection.who()?.account;
    return account !== undefined && written.read(account, listingId)?.wentLive === true;
  };

const publishes = routesOfActs('publish');

const lastRefusalOf =
  ({ connection, approvalsTable }: Pick<ReadsContext, 'connection' | 'approvalsTable'>): Reads['lastRefusal'] =>
  (listingId) => {
    const account = connection.who()?.account;
    const last = account === undefined ? null : approvalsTable.lastSettled(account, listingId, publishes);
    const { code = null, sentence = '' } = last?.state === 'failed' ? (last.outcome ?? {}) : {};
    return code === null ? null : { code, sentence };
  };

/**
 * Creates fresh reads for subjects. They bypass every cache, and their results are cached. Only the fee quote is shared
 * between prompts, because the interface wants one per publish. The check after the person approves takes a fresh quote,
 * so that no higher fee is paid.
 */
export const promptReads = (
  context: ReadsContext,
  books: ExtrasOwners,
  keep: (listing: Listing) => void,
): PromptReads => {
  const { connection, boundPhotos, clock, quotes, answers } = context;
  const client = ofOneAccount(context.client, () => connection.who()?.account ?? null);
  const listPolicies = shownAgain(context, async (site: string | null) => {
    const query = site === null ? {} : { query: { marketplaceId: site } };
    return (await client.send('listPolicies', inputOf('listPolicies', query))).answer;
  });
  const plain = plainReads(client);
  const quote: Reads['fees'] = async (listingId, body) => ({
    answer: (await client.send('quoteFees', quoteOf(listingId, body))).answer,
    quotedAt: clock.now(),
  });
  const atYes: Reads = {
    listing: async (listingId) => {
      const { answer } = await client.send('readListing', inputOf('readListing', { params: { listingId } }));
      // The approval must be bound to the requested listing, whatever the service returns.
      if (answer.listingId !== listingId) throw otherListing();
      keep(answer);
      return answer;
    },
    wentLive: wentLiveOf(context),
    photos: async (listing, needed) => {
      try {
        return await boundPhotos.read(listing);
      } catch (error) {
        // If no photos are sent, missing photos must not prevent ending or deleting the listing.
        if (needed || isTransient(error)) throw error;
        return [];
      }
    },
    channels: channelsWith(client),
    lastRefusal: lastRefusalOf(context),
    fees: quote,
    confirmedSites: quotes.confirmedSites,
    policies: (site) => listPolicies(site).catch(nullWhenSpent),
    category: categoryWith(context, client),
    ...personReads(client, connection),
    plain: plainOf(plain),
    extras: books.left,
    now: clock.now,
  };
  const quotedWithin =
    (mostMs?: number): Reads['fees'] =>
    async (listingId, body) =>
      quotes.shown(quoteOf(listingId, body), mostMs) ?? quote(listingId, body);
  const listing: Reads['listing'] = async (listingId) => {
    // A listing that is being generated is refused from the cache, so that requests cannot make the service read it more
    // often.
    const known = answers.polled('readListing', inputOf('readListing', { params: { listingId } }));
    return known ? known.answer.answer : atYes.listing(listingId);
  };
  return {
    shown: { ...atYes, listing, fees: quotedWithin(), plain: plainOf(withKeptChannels(plain, answers)) },
    atYes,
    afterNotice: { ...atYes, fees: quotedWithin(stillFreshMs) },
  };
};

const personReads = (
  client: ServiceClient,
  connection: ReadsContext['connection'],
): Pick<Reads, 'user' | 'emailPreferences'> => ({
  user: async () => (await client.send('readUser', inputOf('readUser', selfOf(connection)))).answer,
  emailPreferences: async () => {
    const route = 'readUserNotificationPreferences';
    return (await client.send(route, inputOf(route, selfOf(connection)))).answer;
  },
});

const categoryWith = (context: ReadsContext, client: ServiceClient): Reads['category'] => {
  const readCategory = shownAgain(context, async (categoryId: string, site: string | null) => {
    const query = { categoryId, ...(site === null ? {} : { marketplaceId: site }) };
    return (await client.send('searchCategories', inputOf('searchCategories', { query }))).answer;
  });
  return (categoryId, site) => readCategory(categoryId, site).catch(nullWhenSpent);
};

const channelsWith =
  (client: ServiceClient): Reads['channels'] =>
  async (listingId) =>
    (await client.send('readListingChannels', inputOf('readListingChannels', { params: { listingId } }))).answer;

/** The interface wants the list of channels read rarely; refused requests must not read it more often. */
const withKeptChannels = (plain: PlainReads, answers: ResponseCache): PlainReads => ({
  ...plain,
  listChannels: async () =>
    answers.cachedAnswer('listChannels', inputOf('listChannels', {}))?.answer.answer ?? plain.listChannels(),
});

const plainOf =
  (plain: PlainReads): Reads['plain'] =>
  async (route) =>
    plain[route]();

type PlainReads = { [N in PlainRead]: () => Promise<AnswerOf<N>> };

const plainReads = (client: ServiceClient): PlainReads => ({
  readStanding: async () => (await client.send('readStanding', inputOf('readStanding', {}))).answer,
  readSellerDefaults: async () => (await client.send('readSellerDefaults', inputOf('readSellerDefaults', {}))).answer,
  listTemplates: async () => (await client.send('listTemplates', inputOf('listTemplates', {}))).answer,
  listChannels: async () => (await client.send('listChannels', inputOf('listChannels', {}))).answer,
  listConnections: async () => (await client.send('listConnections', inputOf('listConnections', {}))).answer,
  listMarketAccounts: async () => (await client.send('listMarketAccounts', inputOf('listMarketAccounts', {}))).answer,
  listPlans: async () => (await client.send('listPlans', inputOf('listPlans', {}))).answer,
  readMarketStatus: async () => (await client.send('readMarketStatus', inputOf('readMarketStatus', {}))).answer,
  readPushPreferences: async () =>
    (await client.send('readPushPreferences', inputOf('readPushPreferences', {}))).answer,
});

const stillFreshMs = 5_000;

const otherListing = () =>
  new ServiceError({ ...problemText('UNEXPECTED_ANSWER.strange'), effect: 'unclear', status: 200 });

const isSpent = (error: unknown): boolean => error instanceof ServiceError && error.status === 429;

const nullWhenSpent = (error: unknown): null => {
  if (isSpent(error)) return null;
  throw error;
};

/** How long a shown answer may replace one that the service refuses because today's budget is spent. */
const standsMs = 10 * 60_000;

/**
 * Reads afresh each time. If the daily budget ran out after the prompt was shown, the shown answer is reused for a few
 * minutes.
 */
const shownAgain = <Given extends unknown[], T>(
  { clock, connection }: Pick<ReadsContext, 'clock' | 'connection'>,
  read: (...given: Given) => Promise<T>,
): ((...given: Given) => Promise<T>) => {
  const shown = new Map<string, { answer: T; atMs: number }>();
  return async (...given) => {
    const key = digestOf([connection.who()?.account ?? null, given]);
    try {
      const answer = await read(...given);
      shown.set(key, { answer, atMs: clock.elapsedMs() });
      return answer;
    } catch (error) {
      const last = shown.get(key);
      if (isSpent(error) && last && clock.elapsedMs() - last.atMs < standsMs) return last.answer;
      throw error;
    }
  };
};
