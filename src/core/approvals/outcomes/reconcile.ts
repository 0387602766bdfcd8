import * as z from 'zod';
import {
  type ChannelState,
  parseChannelList,
  parseNamedChannels,
  parseTrustedInput,
  excludesMarketplace,
  marketChannel,
  parseRouteInput,
  filterChannelStates,
  type Listing,
  type ListingStatus,
  type RouteName,
} from '../../../contract/index.ts';
import { type ServiceClient } from '../../service/serviceClient.ts';
import { ServiceError } from '../../service/serviceError.ts';
import { createProblemText } from '../../base/problem.ts';
import type { ApprovalRow } from '../../storage/tables/approvalsTable.ts';
import { toRecordOrEmpty } from '../../base/json.ts';
import {
  compareRecordFields,
  combineEvidence,
  type PreviousState,
  type Evidence,
  type ChangeEvidence,
} from '../fieldEvidence.ts';
import { findOwnEntry } from '../../../contract/untrusted.ts';
import { findRecordById } from '../prompts/setup.ts';

/** `listing` is undefined if no listing was read. `unseen` lists changed fields that could not be checked. */
export type Verdict = { shows: Evidence; body: unknown; listing?: Listing | undefined; unseen?: readonly string[] };

const storedInput = z.object({
  params: z.record(z.string(), z.string()).catch({}),
  body: z.record(z.string(), z.unknown()).catch({}),
});
type StoredInput = z.infer<typeof storedInput> & { before: KnownStateBefore };
type Lookup = (input: StoredInput, client: ServiceClient) => Promise<Verdict>;

export type KnownStateBefore = PreviousState & { channels?: Readonly<Record<string, Record<string, unknown>>> };

const goneStatuses: readonly number[] = [404, 410];

/** Returns null if the listing is gone. Throws if the answer is about another listing. */
const readRequestedListing = async (input: StoredInput, client: ServiceClient): Promise<Listing | null> => {
  const { listingId = '' } = input.params;
  try {
    const { answer } = await client.send('readListing', parseTrustedInput('readListing', { params: { listingId } }));
    if (answer.listingId !== listingId)
      throw new ServiceError({ ...createProblemText('UNEXPECTED_ANSWER.strange'), effect: 'unclear', status: 200 });
    return answer;
  } catch (error) {
    if (error instanceof ServiceError && goneStatuses.includes(error.status)) return null;
    throw error;
  }
};

const goneVerdict: Verdict = { shows: 'other', body: null };

/** `doneStatuses` prove that the request was carried out; `undoneStatuses` prove that it was not. */
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
  const input = parseTrustedInput('readListingChannels', { params: { listingId: params['listingId'] ?? '' } });
  return parseChannelList((await client.send('readListingChannels', input)).answer);
};

/** `exact`: the entries with the id of the channel. `candidates`: also the entries that might belong to the channel. */
type ChannelEntries = { candidates: readonly ChannelState[]; exact: readonly ChannelState[] };

/** If an answer cannot be fully parsed, a channel that is missing from it proves nothing. */
const createChannelLookup =
  (
    showsOf: (entries: ChannelEntries, input: StoredInput, channelId: string) => Evidence | ChangeEvidence,
    ofMarket: Lookup,
  ): Lookup =>
  async (input, client) => {
    const named = parseNamedChannels(input.body) ?? [marketChannel];
    const others = named.filter((channelId) => channelId !== marketChannel);
    const market = excludesMarketplace(input.body) ? null : await ofMarket(input, client);
    if (others.length === 0 && market) return market;
    const { states, isWhole } = await readListingChannels(input, client);
    const shown = others.map((id) => {
      const candidates = filterChannelStates(states, id);
      const exact = candidates.filter(({ channelId }) => channelId === id);
      return toChangeEvidence(
        candidates.length === 0 && !isWhole ? 'nothing' : showsOf({ candidates, exact }, input, id),
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

const toChangeEvidence = (shown: Evidence | ChangeEvidence): ChangeEvidence =>
  typeof shown === 'string' ? { shows: shown, unseen: [] } : shown;

const toDoneOrUndone = (isDone: boolean): Evidence => (isDone ? 'done' : 'undone');
/** If a status word is unknown, both properties can be false; the result is then `nothing`. */
const toEvidence = ({ isDone, isUndone }: { isDone: boolean; isUndone: boolean }): Evidence =>
  isUndone ? 'undone' : isDone ? 'done' : 'nothing';
/** Status words that disprove a publish but do not prove that the listing was ended. */
const unpublishedWord = /^(processing|failed)$/i;
const isNotPublished = ({ isOff, status }: ChannelState): boolean => isOff || unpublishedWord.test(status.trim());
const getLiveEvidence = ({ candidates, exact }: ChannelEntries): Evidence =>
  toEvidence({ isDone: exact.some(({ isLive }) => isLive), isUndone: candidates.every(isNotPublished) });
/** One live entry proves that the listing was not ended. */
const getEndedEvidence = ({ candidates, exact }: ChannelEntries): Evidence =>
  toEvidence({
    isDone: candidates.length === exact.length && candidates.every(({ isOff }) => isOff),
    isUndone: candidates.some(({ isLive }) => isLive),
  });
const getRemovedEvidence = ({ candidates, exact }: ChannelEntries): Evidence =>
  toEvidence({
    isDone: candidates.length === exact.length && candidates.every(({ isGone }) => isGone),
    isUndone: candidates.some(({ isLive, isOff, isGone }) => isLive || (isOff && !isGone)),
  });

const getRequestedChanges = ({ body: { channels: _channels, ...changes } }: StoredInput): Record<string, unknown> =>
  changes;
const lookUpMarketplaceChanges: Lookup = (input, client) =>
  lookUpChangedFields({ ...input, body: getRequestedChanges(input) }, client);
const getChangeEvidence = ({ exact }: ChannelEntries, input: StoredInput, channelId: string): ChangeEvidence => {
  const changes = getRequestedChanges(input);
  const record = findOwnEntry(input.before.channels ?? {}, channelId) ?? {};
  const live = exact.filter(({ isLive }) => isLive);
  const shown = (live.length > 0 ? live : exact).map(({ fields }) => compareRecordFields(fields, changes, { record }));
  if (shown.some(({ shows }) => shows === 'undone')) return { shows: 'undone', unseen: [] };
  const areDone = shown.length > 0 && shown.every(({ shows }) => shows === 'done');
  const unseen = shown.length > 0 ? shown.flatMap((change) => change.unseen) : Object.keys(changes);
  return { shows: areDone ? 'done' : 'nothing', unseen };
};

const findTemplate = (list: unknown, { templateId = '' }: StoredInput['params']) =>
  findRecordById(list, 'templateId', templateId);
const findConnection = (list: unknown, { connectionId = '' }: StoredInput['params']) =>
  findRecordById(list, 'connectionId', connectionId);

const createAnswerLookup =
  <T>(
    ask: (client: ServiceClient) => Promise<{ answer: T }>,
    showsOf: (answer: T, input: StoredInput) => Evidence | ChangeEvidence,
  ): Lookup =>
  async (input, client) => {
    const { answer } = await ask(client);
    return { ...toChangeEvidence(showsOf(answer, input)), body: answer };
  };
const readSellerDefaults = (client: ServiceClient) =>
  client.send('readSellerDefaults', parseTrustedInput('readSellerDefaults', {}));
const readMarketStatus = (client: ServiceClient) =>
  client.send('readMarketStatus', parseTrustedInput('readMarketStatus', {}));
const readAccountStanding = (client: ServiceClient) =>
  client.send('readStanding', parseTrustedInput('readStanding', {}));
const readTemplateList = (client: ServiceClient) =>
  client.send('listTemplates', parseTrustedInput('listTemplates', {}));
const readConnectionList = (client: ServiceClient) =>
  client.send('listConnections', parseTrustedInput('listConnections', {}));

const lookUpSavedUser: Lookup = async ({ params, body }, client) => {
  const { answer } = await client.send(
    'readUser',
    parseTrustedInput('readUser', { params: { userId: params['userId'] ?? '' } }),
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

/** The service rejects a revoked key, so a rejected read proves that the key was revoked. */
const lookUpRevokedKey: Lookup = async (_input, client) => {
  try {
    await readAccountStanding(client);
    return { shows: 'undone', body: null };
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'RECONNECT_NEEDED') return { shows: 'done', body: {} };
    throw error;
  }
};

/** Reads cannot show the outcome of any other route, so the person must check that outcome. */
const lookupsByRoute: Partial<Record<RouteName, Lookup>> = {
  publishListing: lookUpPublished,
  publishChannels: createChannelLookup(getLiveEvidence, lookUpPublished),
  endListing: lookUpEnded,
  endChannels: createChannelLookup(getEndedEvidence, lookUpEnded),
  deleteFromChannels: createChannelLookup(getRemovedEvidence, async () => ({ shows: 'nothing', body: null })),
  relistListing: lookUpRelisted,
  reviseListing: lookUpChangedFields,
  reviseChannels: createChannelLookup(getChangeEvidence, lookUpMarketplaceChanges),
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
    const template = findTemplate(list, params);
    return template === null ? 'undone' : compareRecordFields(template, body);
  }),
  deleteTemplate: createAnswerLookup(readTemplateList, (list, { params }) =>
    toDoneOrUndone(findTemplate(list, params) === null),
  ),
  deleteConnection: createAnswerLookup(readConnectionList, (list, { params }) =>
    toDoneOrUndone(findConnection(list, params) === null),
  ),
  revokeCurrentKey: lookUpRevokedKey,
};

/** Returns whether reads can show the outcome of requests with this route. */
export const isReconcilableRoute = (route: RouteName): boolean => lookupsByRoute[route] !== undefined;

/** Returns whether reads with the current key can show the outcome of the request. */
export const canReadsShowOutcome = (
  { route, subject }: Pick<ApprovalRow, 'route' | 'subject'>,
  keyPrint: string,
): boolean =>
  isReconcilableRoute(route) && (route !== 'revokeCurrentKey' || (subject.version === 2 && subject.key === keyPrint));

/** Reads verify the success of these requests, because the service might report success wrongly. */
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

/** Reads the outcome of a sent request and never sends it again. Throws `ServiceError` if a read fails. */
export const reconcileByReading = async (
  { route, input }: { route: RouteName; input: unknown },
  client: ServiceClient,
  before: KnownStateBefore = {},
): Promise<Verdict> =>
  (await lookupsByRoute[route]?.({ ...storedInput.parse(input), before }, client)) ?? { shows: 'nothing', body: null };
