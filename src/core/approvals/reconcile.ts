import * as z from 'zod';
import {
  type ChannelState,
  channelListIn,
  channelsNamed,
  inputOf,
  leavesMarketplace,
  marketChannel,
  parseInput,
  statesOfChannel,
  type Listing,
  type ListingStatus,
  type RouteName,
} from '../../contract/index.ts';
import { type ServiceClient } from '../service/serviceClient.ts';
import { ServiceError } from '../service/serviceError.ts';
import { problemText } from '../base/problem.ts';
import type { ApprovalRow } from '../storage/tables/approvalsTable.ts';
import { recordOf } from '../base/json.ts';
import { compareFields, combineShown, type Before, type Shown, type ShownChange } from './shownFields.ts';
import { entryOf } from '../../contract/untrusted.ts';
import { find } from './prompts/setup.ts';

/**
 * What a read shows of a request: done, not done, something else (in part, or another state), or nothing if the service
 * does not return the deciding fields. `listing` is the listing that was read, if any; `unseen` are changed fields that
 * could not be checked.
 */
export type Verdict = { shows: Shown; body: unknown; listing?: Listing | undefined; unseen?: readonly string[] };

/** The shape of a stored request that all lookups share; only the route's schema knows more. */
const storedInput = z.object({
  params: z.record(z.string(), z.string()).catch({}),
  body: z.record(z.string(), z.unknown()).catch({}),
});
type StoredInput = z.infer<typeof storedInput> & { before: KnownBefore };
type Lookup = (input: StoredInput, client: ServiceClient) => Promise<Verdict>;

/** What was known of the listing and its channels before the act. */
export type KnownBefore = Before & { channels?: Readonly<Record<string, Record<string, unknown>>> };

const goneStatuses: readonly number[] = [404, 410];

/** Reads the listing of the request; null if it is gone. Throws for an answer about another listing. */
const readListing = async (input: StoredInput, client: ServiceClient): Promise<Listing | null> => {
  const { listingId = '' } = input.params;
  try {
    const { answer } = await client.send('readListing', inputOf('readListing', { params: { listingId } }));
    if (answer.listingId !== listingId)
      throw new ServiceError({ ...problemText('UNEXPECTED_ANSWER.strange'), effect: 'unclear', status: 200 });
    return answer;
  } catch (error) {
    if (error instanceof ServiceError && goneStatuses.includes(error.status)) return null;
    throw error;
  }
};

const gone: Verdict = { shows: 'other', body: null };

/** Creates a lookup by status: `doneStatuses` prove that it happened, `undoneStatuses` that it did not. */
const byStatus =
  (yes: ListingStatus[], no: ListingStatus[], bodyOf: (listing: Listing) => unknown = (listing) => listing): Lookup =>
  async (input, client) => {
    const listing = await readListing(input, client);
    if (!listing) return gone;
    if (yes.includes(listing.status)) return { shows: 'done', body: bodyOf(listing), listing };
    return { shows: no.includes(listing.status) ? 'undone' : 'other', body: null, listing };
  };

const published = byStatus(['published', 'sold'], ['pending_review', 'draft', 'failed'], (listing) => ({
  success: true,
  marketListingId: listing.marketListingId ?? null,
  marketListingUrl: listing.marketListingUrl ?? null,
}));
const ended = byStatus(['ended', 'sold'], ['published']);
const relisted = byStatus(['pending_review'], ['ended', 'sold']);
const written = byStatus(['processing', 'pending_review'], ['draft', 'failed']);

/** Checks whether a listing has every field as requested. */
const changed: Lookup = async (input, client) => {
  const listing = await readListing(input, client);
  if (!listing) return gone;
  return { ...compareFields(listing, input.body, input.before), body: listing, listing };
};

const deleted: Lookup = async (input, client) => {
  const listing = await readListing(input, client);
  return listing ? { shows: 'undone', body: null, listing } : { shows: 'done', body: {} };
};

const readChannels = async ({ params }: StoredInput, client: ServiceClient) => {
  const input = inputOf('readListingChannels', { params: { listingId: params['listingId'] ?? '' } });
  return channelListIn((await client.send('readListingChannels', input)).answer);
};

/** Entries that may belong to one channel, and those with exactly its id. */
type ChannelEntries = { all: readonly ChannelState[]; own: readonly ChannelState[] };

/**
 * Creates a lookup by the listing's state on the named channels, and on the marketplace if that or none is named.
 * A channel that is missing from an answer that cannot be fully parsed proves nothing.
 */
const byChannels =
  (
    showsOf: (entries: ChannelEntries, input: StoredInput, channelId: string) => Shown | ShownChange,
    ofMarket: Lookup,
  ): Lookup =>
  async (input, client) => {
    const named = channelsNamed(input.body) ?? [marketChannel];
    const others = named.filter((channelId) => channelId !== marketChannel);
    const market = leavesMarketplace(input.body) ? null : await ofMarket(input, client);
    if (others.length === 0 && market) return market;
    const { states, isWhole } = await readChannels(input, client);
    const shown = others.map((id) => {
      const all = statesOfChannel(states, id);
      const own = all.filter(({ channelId }) => channelId === id);
      return changeOf(all.length === 0 && !isWhole ? 'nothing' : showsOf({ all, own }, input, id));
    });
    const all = [...shown, ...(market ? [market] : [])];
    return {
      shows: combineShown(all.map(({ shows }) => shows)),
      unseen: [...new Set(all.flatMap(({ unseen }) => unseen ?? []))],
      body: { ...recordOf(market?.body), channels: states.map(({ fields }) => fields) },
      listing: market?.listing,
    };
  };

const changeOf = (shown: Shown | ShownChange): ShownChange =>
  typeof shown === 'string' ? { shows: shown, unseen: [] } : shown;

const shownAs = (isDone: boolean): Shown => (isDone ? 'done' : 'undone');
/** Returns the verdict of entries that prove or disprove an act; unknown status words prove nothing. */
const shownBy = ({ isDone, isUndone }: { isDone: boolean; isUndone: boolean }): Shown =>
  isUndone ? 'undone' : isDone ? 'done' : 'nothing';
/** Status words that disprove a publish but do not prove an end. */
const unpublishedWord = /^(processing|failed)$/i;
const isUnpublished = ({ isOff, status }: ChannelState): boolean => isOff || unpublishedWord.test(status.trim());
const showsLive = ({ all, own }: ChannelEntries): Shown =>
  shownBy({ isDone: own.some(({ isLive }) => isLive), isUndone: all.every(isUnpublished) });
/** A single live entry disproves an end. */
const showsOff = ({ all, own }: ChannelEntries): Shown =>
  shownBy({
    isDone: all.length === own.length && all.every(({ isOff }) => isOff),
    isUndone: all.some(({ isLive }) => isLive),
  });
const showsGone = ({ all, own }: ChannelEntries): Shown =>
  shownBy({
    isDone: all.length === own.length && all.every(({ isGone }) => isGone),
    isUndone: all.some(({ isLive, isOff, isGone }) => isLive || (isOff && !isGone)),
  });

/** Returns the fields that a revision sets, without the channel names. */
const changesIn = ({ body: { channels: _channels, ...changes } }: StoredInput): Record<string, unknown> => changes;
const changedOnMarket: Lookup = (input, client) => changed({ ...input, body: changesIn(input) }, client);
const showsChanges = ({ own }: ChannelEntries, input: StoredInput, channelId: string): ShownChange => {
  const changes = changesIn(input);
  const record = entryOf(input.before.channels ?? {}, channelId) ?? {};
  const live = own.filter(({ isLive }) => isLive);
  const shown = (live.length > 0 ? live : own).map(({ fields }) => compareFields(fields, changes, { record }));
  if (shown.some(({ shows }) => shows === 'undone')) return { shows: 'undone', unseen: [] };
  const areDone = shown.length > 0 && shown.every(({ shows }) => shows === 'done');
  const unseen = shown.length > 0 ? shown.flatMap((one) => one.unseen) : Object.keys(changes);
  return { shows: areDone ? 'done' : 'nothing', unseen };
};

const templateIn = (list: unknown, { templateId = '' }: StoredInput['params']) => find(list, 'templateId', templateId);
const connectionIn = (list: unknown, { connectionId = '' }: StoredInput['params']) =>
  find(list, 'connectionId', connectionId);

/** Creates a lookup by the answer of a read without input. */
const byAnswer =
  <T>(
    ask: (client: ServiceClient) => Promise<{ answer: T }>,
    showsOf: (answer: T, input: StoredInput) => Shown | ShownChange,
  ): Lookup =>
  async (input, client) => {
    const { answer } = await ask(client);
    return { ...changeOf(showsOf(answer, input)), body: answer };
  };
const readDefaults = (client: ServiceClient) => client.send('readSellerDefaults', inputOf('readSellerDefaults', {}));
const readMarket = (client: ServiceClient) => client.send('readMarketStatus', inputOf('readMarketStatus', {}));
const readStanding = (client: ServiceClient) => client.send('readStanding', inputOf('readStanding', {}));
const readTemplates = (client: ServiceClient) => client.send('listTemplates', inputOf('listTemplates', {}));
const readConnections = (client: ServiceClient) => client.send('listConnections', inputOf('listConnections', {}));

const userSaved: Lookup = async ({ params, body }, client) => {
  const { answer } = await client.send('readUser', inputOf('readUser', { params: { userId: params['userId'] ?? '' } }));
  return { ...compareFields(answer, body), body: answer };
};

const feesAgreed: Lookup = async ({ params, body }, client) => {
  const parsed = parseInput('quoteFees', { params, body: { ...body, action: 'quote' } });
  if (!parsed.ok) return { shows: 'nothing', body: null };
  const { answer } = await client.send('quoteFees', parsed.input);
  const site = body['marketplaceId'] ?? answer.quote?.marketplaceId;
  return { shows: shownAs((answer.feeNotice?.confirmedSites ?? []).some((one) => one === site)), body: answer };
};

/** A revoked key is rejected by the service. */
const keyEnded: Lookup = async (_input, client) => {
  try {
    await readStanding(client);
    return { shows: 'undone', body: null };
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'RECONNECT_NEEDED') return { shows: 'done', body: {} };
    throw error;
  }
};

/** How reads can tell the outcome of each request. Other routes are left to the person. */
const lookups: Partial<Record<RouteName, Lookup>> = {
  publishListing: published,
  publishChannels: byChannels(showsLive, published),
  endListing: ended,
  endChannels: byChannels(showsOff, ended),
  deleteFromChannels: byChannels(showsGone, async () => ({ shows: 'nothing', body: null })),
  relistListing: relisted,
  reviseListing: changed,
  reviseChannels: byChannels(showsChanges, changedOnMarket),
  updateListing: changed,
  deleteListing: deleted,
  generateListing: written,
  quoteFees: feesAgreed,
  updateUser: userSaved,
  updateSellerDefaults: byAnswer(readDefaults, (defaults, { body }) => compareFields(defaults, body)),
  disconnectMarket: byAnswer(readMarket, ({ connected }) => shownAs(!connected)),
  setExtras: byAnswer(readStanding, ({ allowance }, { body }) =>
    shownAs(allowance.extras?.enabled === body['enabled']),
  ),
  updateTemplate: byAnswer(readTemplates, (list, { params, body }) => {
    const template = templateIn(list, params);
    return template === null ? 'undone' : compareFields(template, body);
  }),
  deleteTemplate: byAnswer(readTemplates, (list, { params }) => shownAs(templateIn(list, params) === null)),
  deleteConnection: byAnswer(readConnections, (list, { params }) => shownAs(connectionIn(list, params) === null)),
  revokeCurrentKey: keyEnded,
};

/** Whether reads can tell the outcome of requests of that route. */
export const isReconcilable = (route: RouteName): boolean => lookups[route] !== undefined;

/**
 * Whether reads with the current key can tell the outcome of a request: only the revoked key itself shows that it was
 * revoked.
 */
export const maySettle = ({ route, subject }: Pick<ApprovalRow, 'route' | 'subject'>, keyPrint: string): boolean =>
  isReconcilable(route) && (route !== 'revokeCurrentKey' || (subject.version === 2 && subject.key === keyPrint));

/** Acts on a listing whose success is verified by reads, because the service may claim what it did not do. */
const claims: ReadonlySet<RouteName> = new Set([
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
export const isClaim = (route: RouteName): boolean => claims.has(route);

/** Reads the outcome of a sent request, without sending it again. Throws `ServiceError` if the service could not be read. */
export const reconcile = async (
  { route, input }: { route: RouteName; input: unknown },
  client: ServiceClient,
  before: KnownBefore = {},
): Promise<Verdict> =>
  (await lookups[route]?.({ ...storedInput.parse(input), before }, client)) ?? { shows: 'nothing', body: null };
