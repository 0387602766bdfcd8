import {
  feeAnswer,
  parseTrustedInput,
  listing as listingShape,
  getRouteByName,
  listRoutesByAct,
  type FeeAnswer,
  type ParsedInput,
  type RawInput,
  type RouteName,
  type AnswerOf,
  type Listing,
} from '../../../contract/index.ts';
import { isWriteRoute } from '../../service/throttle/floors.ts';
import { findListingId, hashCanonicalJson } from '../../base/json.ts';
import { createBoundedMap } from '../../base/boundedMap.ts';
import type { Clock } from '../../base/ports.ts';
import { type ServiceClient } from '../../service/serviceClient.ts';
import { toBoundListing } from '../../listings/listings.ts';
import type { BoundPhotos } from '../../photos/boundPhotos.ts';
import type { ApprovalsTable } from '../../storage/tables/approvalsTable.ts';
import type { FirstReviewedTable } from '../../storage/tables/listings/listingsTable.ts';
import type { Connection } from '../../service/connection.ts';
import type { ResponseCache } from '../../service/throttle/responseCache.ts';
import { isTransientError, ServiceError } from '../../service/serviceError.ts';
import { createAccountBoundClient } from './accountBoundClient.ts';
import { createProblem, createProblemText } from '../../base/problem.ts';
import type { ExtrasTracker } from '../extrasOwners.ts';
import type { ParameterlessRoute, Reads } from './promptDefinition.ts';

export type TimedQuote = { answer: FeeAnswer; quotedAt: number };
/** `atMs` is when the quote was received, in ms on the monotonic clock. `listing` is the digest of the listing. */
type CachedQuote = TimedQuote & { atMs: number; account: string; listingId: string; listing: string };

/** How long prompts reuse a quote. */
const maxQuoteAgeMs = 10 * 60_000;
const maxKept = 500;

export type Quotes = ReturnType<typeof createQuoteCache>;

/** Caches fee quotes, because the service expects one quote per publish. The returned `client` fills the cache. */
export const createQuoteCache = (service: ServiceClient, clock: Clock, account: () => string | null) => {
  const cachedQuotes = createBoundedMap<string, CachedQuote>(maxKept);
  /** The digest of each listing when it was last read. A quote is valid only for this version. */
  const listingDigests = createBoundedMap<string, string>(maxKept);
  const agreedSites = createBoundedMap<string | null, readonly string[]>(maxKept);
  const createListingKey = (listingId: string): string => `${account()} ${listingId}`;
  const createQuoteKey = (listingId: string, body: object): string => hashCanonicalJson([account(), listingId, body]);

  const cacheQuote = ({ params, body }: ParsedInput<'quoteFees'>, answer: FeeAnswer, listing: string | undefined) => {
    const { listingId } = params;
    // An unavailable quote is not cached, so that it is requested again.
    if (listing === undefined || (answer.quote?.state !== 'fee' && answer.quote?.state !== 'free')) return;
    const times = { quotedAt: clock.now(), atMs: clock.elapsedMs() };
    const cached = { answer, ...times, account: account() ?? '', listingId, listing };
    cachedQuotes.set(createQuoteKey(listingId, body), cached);
  };

  /** An accepted fee notice applies to every listing of the account, so all cached quotes get it. */
  const updateCachedFeeNotices = ({ feeNotice }: FeeAnswer): void => {
    for (const [key, cached] of [...cachedQuotes.entries()])
      if (cached.account === account()) cachedQuotes.set(key, { ...cached, answer: { ...cached.answer, feeNotice } });
  };

  /** Every fee can depend on policies, defaults and templates, so a change of one of them makes all quotes stale. */
  const forgetStaleQuotes = (route: RouteName, listingId: string | null): void => {
    if (listingId !== null) return listingDigests.delete(createListingKey(listingId));
    if (getRouteByName(route).group !== 'Marketplace account, publishing and catalogue') return;
    for (const [key] of [...cachedQuotes.entries()]) cachedQuotes.delete(key);
  };

  const client: ServiceClient = {
    send: async (route, input, options) => {
      const owner = account();
      const listingId = findListingId(input);
      const before = listingId === null ? undefined : listingDigests.get(createListingKey(listingId));
      try {
        const answered = await service.send(route, input, options);
        // An answer for one account does not apply to another account.
        if (account() === owner) cacheAnswerFacts(route, input, answered.answer, before);
        return answered;
      } finally {
        if (isWriteRoute(route)) forgetStaleQuotes(route, listingId);
      }
    },
  };

  const cacheAnswerFacts = (route: RouteName, input: RawInput, answer: unknown, before: string | undefined): void => {
    if (route === 'readListing') {
      const listing = listingShape.parse(answer);
      listingDigests.set(createListingKey(listing.listingId), hashCanonicalJson(toBoundListing(listing)));
    }
    if (route !== 'quoteFees') return;
    const asked = parseTrustedInput(route, input);
    const quoted = feeAnswer.parse(answer);
    agreedSites.set(account(), quoted.feeNotice?.confirmedSites ?? []);
    if (asked.body.action === 'confirm') updateCachedFeeNotices(quoted);
    else cacheQuote(asked, quoted, before);
  };

  return {
    client,
    /** Returns the sites whose fee notice is known to be accepted. */
    confirmedSites: (): readonly string[] => agreedSites.get(account()) ?? [],
    /** Returns a quote that is younger than `maxMs` and fits the current version of the listing; otherwise null. */
    findReusableQuote: ({ params, body }: ParsedInput<'quoteFees'>, maxMs = maxQuoteAgeMs): TimedQuote | null => {
      const found = cachedQuotes.get(createQuoteKey(params.listingId, body));
      const isOld = !found || clock.elapsedMs() - found.atMs >= maxMs;
      return isOld || listingDigests.get(createListingKey(params.listingId)) !== found.listing ? null : found;
    },
  };
};

/** `shown`: for prompts. `atApproval`: for the check after the yes. `afterNotice`: for the check after a fee notice. */
export type PromptReads = { shown: Reads; atApproval: Reads; afterNotice: Reads };

type ReadsContext = {
  client: ServiceClient;
  connection: Connection;
  boundPhotos: BoundPhotos;
  clock: Clock;
  quotes: Quotes;
  answers: ResponseCache;
  written: FirstReviewedTable;
  approvalsTable: ApprovalsTable;
};

const createQuoteInput = (listingId: string, body: Record<string, string>): ParsedInput<'quoteFees'> =>
  parseTrustedInput('quoteFees', { params: { listingId }, body: { ...body, action: 'quote' } });

const createOwnUserParams = (connection: Pick<Connection, 'who'>): { params: { userId: string } } => {
  const userId = connection.who()?.userId;
  if (userId === undefined) throw createProblem('NOT_CONNECTED');
  return { params: { userId } };
};

const createWentLiveCheck =
  ({ connection, written }: Pick<ReadsContext, 'connection' | 'written'>): Reads['wentLive'] =>
  (listingId) => {
    const account = connection.who()?.account;
    return account !== undefined && written.read(account, listingId)?.wentLive === true;
  };

const publishRoutes = listRoutesByAct('publish');

const createLastRefusalReader =
  ({ connection, approvalsTable }: Pick<ReadsContext, 'connection' | 'approvalsTable'>): Reads['lastRefusal'] =>
  (listingId) => {
    const account = connection.who()?.account;
    const last = account === undefined ? null : approvalsTable.lastSettled(account, listingId, publishRoutes);
    const { code = null, sentence = '' } = last?.state === 'failed' ? (last.outcome ?? {}) : {};
    return code === null ? null : { code, sentence };
  };

/** Prompts share fee quotes, but the check after the person approves requests a fresh quote. */
export const createPromptReads = (
  context: ReadsContext,
  extrasOwners: ExtrasTracker,
  keep: (listing: Listing) => void,
): PromptReads => {
  const { connection, boundPhotos, clock, quotes, answers } = context;
  const client = createAccountBoundClient(context.client, () => connection.who()?.account ?? null);
  const listPolicies = reuseWhenBudgetSpent(context, async (site: string | null) => {
    const query = site === null ? {} : { query: { marketplaceId: site } };
    return (await client.send('listPolicies', parseTrustedInput('listPolicies', query))).answer;
  });
  const plain = createReadsByRoute(client);
  const readFreshQuote: Reads['fees'] = async (listingId, body) => ({
    answer: (await client.send('quoteFees', createQuoteInput(listingId, body))).answer,
    quotedAt: clock.now(),
  });
  const atApproval: Reads = {
    listing: async (listingId) => {
      const { answer } = await client.send('readListing', parseTrustedInput('readListing', { params: { listingId } }));
      // The approval must be bound to the requested listing, even if the service returns another listing.
      if (answer.listingId !== listingId) throw createOtherListingError();
      keep(answer);
      return answer;
    },
    wentLive: createWentLiveCheck(context),
    photos: async (listing, needed) => {
      try {
        return await boundPhotos.read(listing);
      } catch (error) {
        // Missing photos must not prevent the person from ending or deleting the listing.
        if (needed || isTransientError(error)) throw error;
        return [];
      }
    },
    channels: createChannelsReader(client),
    lastRefusal: createLastRefusalReader(context),
    fees: readFreshQuote,
    confirmedSites: quotes.confirmedSites,
    policies: (site) => listPolicies(site).catch(returnNullIfBudgetSpent),
    category: createCategoryReader(context, client),
    ...createUserReads(client, connection),
    plain: createRouteReader(plain),
    extras: extrasOwners.listLeft,
    now: clock.now,
  };
  const createSharedQuoteReader =
    (maxMs?: number): Reads['fees'] =>
    async (listingId, body) =>
      quotes.findReusableQuote(createQuoteInput(listingId, body), maxMs) ?? readFreshQuote(listingId, body);
  const readShownRoute = createRouteReader(reuseCachedChannels(plain, answers));
  const listing: Reads['listing'] = async (listingId) => {
    // While a listing is being generated, the cached answer is used, so that refused requests do not cause more reads.
    const known = answers.polledAnswer('readListing', parseTrustedInput('readListing', { params: { listingId } }));
    return known ? known.answer.answer : atApproval.listing(listingId);
  };
  return {
    shown: { ...atApproval, listing, fees: createSharedQuoteReader(), plain: readShownRoute },
    atApproval,
    afterNotice: { ...atApproval, fees: createSharedQuoteReader(recentQuoteMs) },
  };
};

const createUserReads = (
  client: ServiceClient,
  connection: ReadsContext['connection'],
): Pick<Reads, 'user' | 'emailPreferences'> => ({
  user: async () =>
    (await client.send('readUser', parseTrustedInput('readUser', createOwnUserParams(connection)))).answer,
  emailPreferences: async () => {
    const route = 'readUserNotificationPreferences';
    return (await client.send(route, parseTrustedInput(route, createOwnUserParams(connection)))).answer;
  },
});

const createCategoryReader = (context: ReadsContext, client: ServiceClient): Reads['category'] => {
  const readCategory = reuseWhenBudgetSpent(context, async (categoryId: string, site: string | null) => {
    const query = { categoryId, ...(site === null ? {} : { marketplaceId: site }) };
    return (await client.send('searchCategories', parseTrustedInput('searchCategories', { query }))).answer;
  });
  return (categoryId, site) => readCategory(categoryId, site).catch(returnNullIfBudgetSpent);
};

const createChannelsReader =
  (client: ServiceClient): Reads['channels'] =>
  async (listingId) =>
    (await client.send('readListingChannels', parseTrustedInput('readListingChannels', { params: { listingId } })))
      .answer;

/** Uses the cached list of channels, because the service wants few reads of this list. */
const reuseCachedChannels = (plain: ReadsByRoute, answers: ResponseCache): ReadsByRoute => ({
  ...plain,
  listChannels: async () =>
    answers.cachedAnswer('listChannels', parseTrustedInput('listChannels', {}))?.answer.answer ?? plain.listChannels(),
});

const createRouteReader =
  (plain: ReadsByRoute): Reads['plain'] =>
  async (route) =>
    plain[route]();

type ReadsByRoute = { [N in ParameterlessRoute]: () => Promise<AnswerOf<N>> };

const createReadsByRoute = (client: ServiceClient): ReadsByRoute => ({
  readStanding: async () => (await client.send('readStanding', parseTrustedInput('readStanding', {}))).answer,
  readSellerDefaults: async () =>
    (await client.send('readSellerDefaults', parseTrustedInput('readSellerDefaults', {}))).answer,
  listTemplates: async () => (await client.send('listTemplates', parseTrustedInput('listTemplates', {}))).answer,
  listChannels: async () => (await client.send('listChannels', parseTrustedInput('listChannels', {}))).answer,
  listConnections: async () => (await client.send('listConnections', parseTrustedInput('listConnections', {}))).answer,
  listMarketAccounts: async () =>
    (await client.send('listMarketAccounts', parseTrustedInput('listMarketAccounts', {}))).answer,
  listPlans: async () => (await client.send('listPlans', parseTrustedInput('listPlans', {}))).answer,
  readMarketStatus: async () =>
    (await client.send('readMarketStatus', parseTrustedInput('readMarketStatus', {}))).answer,
  readPushPreferences: async () =>
    (await client.send('readPushPreferences', parseTrustedInput('readPushPreferences', {}))).answer,
});

const recentQuoteMs = 5_000;

const createOtherListingError = () =>
  new ServiceError({ ...createProblemText('UNEXPECTED_ANSWER.strange'), effect: 'unclear', status: 200 });

const isBudgetSpent = (error: unknown): boolean => error instanceof ServiceError && error.status === 429;

const returnNullIfBudgetSpent = (error: unknown): null => {
  if (isBudgetSpent(error)) return null;
  throw error;
};

/** The maximum age of an answer that replaces a read when today's budget is spent. */
const maxShownAgeMs = 10 * 60_000;

const reuseWhenBudgetSpent = <Given extends unknown[], T>(
  { clock, connection }: Pick<ReadsContext, 'clock' | 'connection'>,
  read: (...given: Given) => Promise<T>,
): ((...given: Given) => Promise<T>) => {
  const shown = new Map<string, { answer: T; atMs: number }>();
  return async (...given) => {
    const key = hashCanonicalJson([connection.who()?.account ?? null, given]);
    try {
      const answer = await read(...given);
      shown.set(key, { answer, atMs: clock.elapsedMs() });
      return answer;
    } catch (error) {
      const last = shown.get(key);
      if (isBudgetSpent(error) && last && clock.elapsedMs() - last.atMs < maxShownAgeMs) return last.answer;
      throw error;
    }
  };
};
