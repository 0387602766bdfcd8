import * as z from 'zod';
import {
  type ChannelState,
  parseChannelList,
  readNamedChannels,
  requireRouteInput,
  isWithoutMarketplace,
  marketChannel,
  parseRouteInput,
  filterStatesOfChannel,
  type Listing,
  type ListingStatus,
  type RouteName,
} from '../../contract/index.ts';
import { type ServiceClient } from '../service/serviceClient.ts';
import { ServiceError } from '../service/serviceError.ts';
import { createProblemText } from '../base/problem.ts';
import type { ApprovalRow } from '../storage/tables/approvalsTable.ts';
import { toRecordOrEmpty } from '../base/json.ts';
import {
  compareRecordFields,
  combineEvidence,
  type PreviousState,
  type Evidence,
  type ChangeEvidence,
} from './fieldEvidence.ts';
import { findOwnEntry } from '../../contract/untrusted.ts';
import { findRecordById } from './prompts/setup.ts';

/**
 * What a read shows of a request: done, not done, something else (in part, or another state), or nothing if the service
 * does not return the deciding fields. `listing` is the listing that was read, if any; `unseen` are changed fields that
 * could not be checked.
 */
export type Verdict = { shows: Evidence; body: unknown; listing?: Listing | undefined; unseen?: readonly string[] };

/** The shape of a stored request that all lookups share; only the route's schema knows more. */
const storedInput = z.object({
  params: z.record(z.string(), z.string()).catch({}),
  body: z.record(z.string(), z.unknown()).catch({}),
});
type StoredInput = z.infer<typeof storedInput> & { before: KnownBefore };
type Lookup = (input: StoredInput, client: ServiceClient) => Promise<Verdict>;

/** What was known of the listing and its channels before the act. */
export type KnownBefore = PreviousState & { channels?: Readonly<Record<string, Record<string, unknown>>> };

const goneStatuses: readonly number[] = [404, 410];

/** Reads the listing of the request; null if it is gone. Throws for an answer about another listing. */
const readRequestedListing = async (input: StoredInput, client: ServiceClient): Promise<Listing | null> => {
  const { listingId = '' } = input.params;
  try {
    const { answer } = await client.send('readListing', requireRouteInput('readListing', { params: { listingId } }));
    if (answer.listingId !== listingId)
      throw new ServiceError({ ...createProblemText('UNEXPECTED_ANSWER.strange'), effect: 'unclear', status: 200 });
    return answer;
  } catch (error) {
    if (error instanceof ServiceError && goneStatuses.includes(error.status)) return null;
    throw error;
  }
};

const goneVerdict: Verdict = { shows: 'other', body: null };

/** Creates a lookup by status: `doneStatuses` prove that it happened, `undoneStatuses` that it did not. */
const createStatusLookup =
  (
    doneStatuses: ListingStatus[],
    undoneStatuses: ListingStatus[],
    bodyOf: (listing: Listing) => unknown = (listing) => listing,
  ): Lookup =>
  async (input, client) => {
    const listing = await readRequestedListing(input, client);
    if (!listing) return goneVerdict;
    if (doneStatuses.includes(listing.status)) return { shows: 'done', body: bodyOf(listing), listing };
    return { shows: undoneStatuses.includes(listing.status) ? 'undone' : 'other', body: null, listing };
  };

const lookUpPublished = createStatusLookup(['published', 'sold'], ['pending_review', 'draft', 'failed'], (listing) => ({
  success: true,
  marketListingId: listing.marketListingId ?? null,
  marketListingUrl: listing.marketListingUrl ?? null,
}));
const lookUpEnded = createStatusLookup(['ended', 'sold'], ['published']);
const lookUpRelisted = createStatusLookup(['pending_review'], ['ended', 'sold']);
const lookUpGenerated = createStatusLookup(['processing', 'pending_review'], ['draft', 'failed']);

/** Checks whether a listing has every field as requested. */
const lookUpChangedFields: Lookup = async (input, client) => {
  const listing = await readRequestedListing(input, client);
  if (!listing) return goneVerdict;
  return { ...compareRecordFields(listing, input.body, input.before), body: listing, listing };
};

const lookUpDeleted: Lookup = async (input, client) => {
  const listing = await readRequestedListing(input, client);
  return listing ? { shows: 'undone', body: null, listing } : { shows: 'done', body: {} };
};

const readListingChannels = async ({ params }: StoredInput, client: ServiceClient) => {
  const input = requireRouteInput('readListingChannels', { params: { listingId: params['listingId'] ?? '' } });
  return parseChannelList((await client.send('readListingChannels', input)).answer);
};

/** Entries that may belong to one channel, and those with exactly its id. */
type ChannelEntries = { candidates: readonly ChannelState[]; exact: readonly ChannelState[] };

/**
 * Creates a lookup by the listing's state on the named channels, and on the marketplace if that or none is named.
 * A channel that is missing from an answer that cannot be fully parsed proves nothing.
 */
const createChannelLookup =
  (
    showsOf: (entries: ChannelEntries, input: StoredInput, channelId: string) => Evidence | ChangeEvidence,
    ofMarket: Lookup,
  ): Lookup =>
  async (input, client) => {
    const named = readNamedChannels(input.body) ?? [marketChannel];
    const others = named.filter((channelId) => channelId !== marketChannel);
    const market = isWithoutMarketplace(input.body) ? null : await ofMarket(input, client);
    if (others.length === 0 && market) return market;
    const { states, isWhole } = await readListingChannels(input, client);
    const shown = others.map((id) => {
      const all = filterStatesOfChannel(states, id);
      const own = all.filter(({ channelId }) => channelId === id);
      return toShownChange(
        all.length === 0 && !isWhole ? 'nothing' : showsOf({ candidates: all, exact: own }, input, id),
      );
    });
    const all = [...shown, ...(market ? [market] : [])];
    return {
      shows: combineEvidence(all.map(({ shows }) => shows)),
      unseen: [...new Set(all.flatMap(({ unseen }) => unseen ?? []))],
      body: { ...toRecordOrEmpty(market?.body), channels: states.map(({ fields }) => fields) },
      listing: market?.listing,
    };
  };

const toShownChange = (shown: Evidence | ChangeEvidence): ChangeEvidence =>
  typeof shown === 'string' ? { shows: shown, unseen: [] } : shown;

const toDoneOrUndone = (isDone: boolean): Evidence => (isDone ? 'done' : 'undone');
/** Returns the verdict of entries that prove or disprove an act; unknown status words prove nothing. */
const toEvidence = ({ isDone, isUndone }: { isDone: boolean; isUndone: boolean }): Evidence =>
  isUndone ? 'undone' : isDone ? 'done' : 'nothing';
/** Status words that disprove a publish but do not prove an end. */
const unpublishedWord = /^(processing|failed)$/i;
const isNotPublished = ({ isOff, status }: ChannelState): boolean => isOff || unpublishedWord.test(status.trim());
const judgeLiveEntries = ({ candidates: all, exact: own }: ChannelEntries): Evidence =>
  toEvidence({ isDone: own.some(({ isLive }) => isLive), isUndone: all.every(isNotPublished) });
/** A single live entry disproves an end. */
const judgeEndedEntries = ({ candidates: all, exact: own }: ChannelEntries): Evidence =>
  toEvidence({
    isDone: all.length === own.length && all.every(({ isOff }) => isOff),
    isUndone: all.some(({ isLive }) => isLive),
  });
const judgeRemovedEntries = ({ candidates: all, exact: own }: ChannelEntries): Evidence =>
  toEvidence({
    isDone: all.length === own.length && all.every(({ isGone }) => isGone),
    isUndone: all.some(({ isLive, isOff, isGone }) => isLive || (isOff && !isGone)),
  });

/** Returns the fields that a revision sets, without the channel names. */
const readRequestedChanges = ({ body: { channels: _channels, ...changes } }: StoredInput): Record<string, unknown> =>
  changes;
const lookUpMarketplaceChanges: Lookup = (input, client) =>
  lookUpChangedFields({ ...input, body: readRequestedChanges(input) }, client);
const judgeChangedEntries = ({ exact: own }: ChannelEntries, input: StoredInput, channelId: string): ChangeEvidence => {
  const changes = readRequestedChanges(input);
  const record = findOwnEntry(input.before.channels ?? {}, channelId) ?? {};
  const live = own.filter(({ isLive }) => isLive);
  const shown = (live.length > 0 ? live : own).map(({ fields }) => compareRecordFields(fields, changes, { record }));
  if (shown.some(({ shows }) => shows === 'undone')) return { shows: 'undone', unseen: [] };
  const areDone = shown.length > 0 && shown.every(({ shows }) => shows === 'done');
  const unseen = shown.length > 0 ? shown.flatMap((change) => change.unseen) : Object.keys(changes);
  return { shows: areDone ? 'done' : 'nothing', unseen };
};

const findTemplateIn = (list: unknown, { templateId = '' }: StoredInput['params']) =>
  findRecordById(list, 'templateId', templateId);
const findConnectionIn = (list: unknown, { connectionId = '' }: StoredInput['params']) =>
  findRecordById(list, 'connectionId', connectionId);

/** Creates a lookup by the answer of a read without input. */
const createAnswerLookup =
  <T>(
    ask: (client: ServiceClient) => Promise<{ answer: T }>,
    showsOf: (answer: T, input: StoredInput) => Evidence | ChangeEvidence,
  ): Lookup =>
  async (input, client) => {
    const { answer } = await ask(client);
    return { ...toShownChange(showsOf(answer, input)), body: answer };
  };
const readSellerDefaults = (client: ServiceClient) =>
  client.send('readSellerDefaults', requireRouteInput('readSellerDefaults', {}));
const readMarketStatus = (client: ServiceClient) =>
  client.send('readMarketStatus', requireRouteInput('readMarketStatus', {}));
const readAccountStanding = (client: ServiceClient) =>
  client.send('readStanding', requireRouteInput('readStanding', {}));
const readTemplateList = (client: ServiceClient) =>
  client.send('listTemplates', requireRouteInput('listTemplates', {}));
const readConnectionList = (client: ServiceClient) =>
  client.send('listConnections', requireRouteInput('listConnections', {}));

const lookUpSavedUser: Lookup = async ({ params, body }, client) => {
  const { answer } = await client.send(
    'readUser',
    requireRouteInput('readUser', { params: { userId: params['userId'] ?? '' } }),
  );
  return { ...compareRecordFields(answer, body), body: answer };
};

const lookUpFeeNotice: Lookup = async ({ params, body }, client) => {
  const parsed = parseRouteInput('quoteFees', { params, body: { ...body, action: 'quote' } });
  if (!parsed.ok) return { shows: 'nothing', body: null };
  const { answer } = await client.send('quoteFees', parsed.input);
  const site = body['marketplaceId'] ?? answer.quote?.marketplaceId;
  return {
    shows: toDoneOrUndone((answer.feeNotice?.confirmedSites ?? []).some((confirmed) => confirmed === site)),
    body: answer,
  };
};

/** A revoked key is rejected by the service. */
const lookUpRevokedKey: Lookup = async (_input, client) => {
  try {
    await readAccountStanding(client);
    return { shows: 'undone', body: null };
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'RECONNECT_NEEDED') return { shows: 'done', body: {} };
    throw error;
  }
};

/** How reads can tell the outcome of each request. Other routes are left to the person. */
const lookupsByRoute: Partial<Record<RouteName, Lookup>> = {
  publishListing: lookUpPublished,
  publishChannels: createChannelLookup(judgeLiveEntries, lookUpPublished),
  endListing: lookUpEnded,
  endChannels: createChannelLookup(judgeEndedEntries, lookUpEnded),
  deleteFromChannels: createChannelLookup(judgeRemovedEntries, async () => ({ shows: 'nothing', body: null })),
  relistListing: lookUpRelisted,
  reviseListing: lookUpChangedFields,
  reviseChannels: createChannelLookup(judgeChangedEntries, lookUpMarketplaceChanges),
  updateListing: lookUpChangedFields,
  deleteListing: lookUpDeleted,
  generateListing: lookUpGenerated,
  quoteFees: lookUpFeeNotice,
  updateUser: lookUpSavedUser,
  updateSellerDefaults: createAnswerLookup(readSellerDefaults, (defaults, { body }) =>
    compareRecordFields(defaults, body),
  ),
  disconnectMarket: createAnswerLookup(readMarketStatus, ({ connected }) => toDoneOrUndone(!connected)),
  setExtras: createAnswerLookup(readAccountStanding, ({ allowance }, { body }) =>
    toDoneOrUndone(allowance.extras?.enabled === body['enabled']),
  ),
  updateTemplate: createAnswerLookup(readTemplateList, (list, { params, body }) => {
    const template = findTemplateIn(list, params);
    return template === null ? 'undone' : compareRecordFields(template, body);
  }),
  deleteTemplate: createAnswerLookup(readTemplateList, (list, { params }) =>
    toDoneOrUndone(findTemplateIn(list, params) === null),
  ),
  deleteConnection: createAnswerLookup(readConnectionList, (list, { params }) =>
    toDoneOrUndone(findConnectionIn(list, params) === null),
  ),
  revokeCurrentKey: lookUpRevokedKey,
};

/** Whether reads can tell the outcome of requests of that route. */
export const isReconcilableRoute = (route: RouteName): boolean => lookupsByRoute[route] !== undefined;

/**
 * Whether reads with the current key can tell the outcome of a request: only the revoked key itself shows that it was
 * revoked.
 */
export const canReadsSettle = ({ route, subject }: Pick<ApprovalRow, 'route' | 'subject'>, keyPrint: string): boolean =>
  isReconcilableRoute(route) && (route !== 'revokeCurrentKey' || (subject.version === 2 && subject.key === keyPrint));

/** Acts on a listing whose success is verified by reads, because the service may claim what it did not do. */
const verifiedRoutes: ReadonlySet<RouteName> = new Set([
  'publishListing',
  'publishChannels',
  'reviseListing',
  'reviseChannels',
  'endListing',
  'endChannels',
  'deleteListing',
  'deleteFromChannels',
  'relistListing',
]);
export const isVerifiedByReads = (route: RouteName): boolean => verifiedRoutes.has(route);

/** Reads the outcome of a sent request, without sending it again. Throws `ServiceError` if the service could not be read. */
export const reconcileByReading = async (
  { route, input }: { route: RouteName; input: unknown },
  client: ServiceClient,
  before: KnownBefore = {},
): Promise<Verdict> =>
  (await lookupsByRoute[route]?.({ ...storedInput.parse(input), before }, client)) ?? { shows: 'nothing', body: null };
