import * as z from 'zod';
import {
  type ChannelState,
  channelsNamed,
  channelStatesIn,
  inputOf,
  leavesMarketplace,
  marketChannel,
  parseInput,
  type Listing,
  type RouteName,
} from '../../contract/index.ts';
import { type ServiceClient } from '../service/serviceClient.ts';
import { ServiceError } from '../service/serviceError.ts';
import type { ApprovalRow } from '../storage/tables/approvalsTable.ts';
import { canonical, recordOf } from '../base/json.ts';
import { find } from './prompts/setup.ts';
import { entryOf } from '../../contract/untrusted.ts';

/** What reading the service tells of a request whose answer was lost. */
export type Verdict = { done: boolean; body: unknown } | null;

/** A stored request, of which only the route's own schema would know more. */
const storedInput = z.object({
  params: z.record(z.string(), z.string()).catch({}),
  body: z.record(z.string(), z.unknown()).catch({}),
});
type StoredInput = z.infer<typeof storedInput>;
type Lookup = (input: StoredInput, client: ServiceClient) => Promise<Verdict>;

const read = async (input: StoredInput, client: ServiceClient): Promise<Listing | null> => {
  try {
    const params = { listingId: input.params['listingId'] ?? '' };
    return (await client.send('readListing', inputOf('readListing', { params }))).answer;
  } catch (error) {
    if (error instanceof ServiceError && error.status === 404) return null;
    throw error;
  }
};

/** By status: which prove that it happened, and which that it did not. */
const byStatus =
  (yes: Listing['status'][], no: Listing['status'][], bodyOf: (listing: Listing) => unknown): Lookup =>
  async (input, client) => {
    const listing = await read(input, client);
    if (!listing) return null;
    if (yes.includes(listing.status)) return { done: true, body: bodyOf(listing) };
    return no.includes(listing.status) ? { done: false, body: null } : null;
  };

const live: Lookup = byStatus(['published', 'sold'], ['pending_review', 'draft', 'failed'], (listing) => ({
  success: true,
  marketListingId: listing.marketListingId ?? null,
  marketListingUrl: listing.marketListingUrl ?? null,
}));
const ended: Lookup = byStatus(['ended', 'sold'], ['published'], (listing) => listing);
const written: Lookup = byStatus(['processing', 'pending_review'], ['draft', 'failed'], (listing) => listing);

/** Whether a record has every field as it was to be set. */
const holds = (record: Record<string, unknown>, body: Record<string, unknown>): boolean =>
  // A field that was taken away is one that is not there.
  Object.entries(body).every(
    ([field, value]) => canonical(entryOf(record, field) ?? null) === canonical(value ?? null),
  );

const carries: Lookup = async (input, client) => {
  const listing = await read(input, client);
  if (!listing) return null;
  return { done: holds(listing, input.body), body: listing };
};

const readChannels = async ({ params }: StoredInput, client: ServiceClient): Promise<ChannelState[]> => {
  const input = inputOf('readListingChannels', { params: { listingId: params['listingId'] ?? '' } });
  return channelStatesIn((await client.send('readListingChannels', input)).answer);
};

/**
 * By how the listing stands on the channels that the request names: done where it is so on every one of them, and not done
 * where it is so on none. Where it is done in part, reading tells neither. One that names no other channel is of the
 * marketplace, of which the listing itself tells.
 */
const byChannels =
  (isDone: (state: ChannelState | undefined, input: StoredInput) => boolean | null, ofMarket: Lookup): Lookup =>
  async (input, client) => {
    const named = channelsNamed(input.body) ?? [marketChannel];
    const others = named.filter((channelId) => channelId !== marketChannel);
    const market = leavesMarketplace(input.body) ? null : await ofMarket(input, client);
    if (others.length === 0) return market;
    const states = await readChannels(input, client);
    const done = others.map((id) =>
      isDone(
        states.find(({ channelId }) => channelId === id),
        input,
      ),
    );
    const all = leavesMarketplace(input.body) ? done : [...done, market?.done ?? null];
    if (all.every((one) => one === true))
      return { done: true, body: { ...recordOf(market?.body), channels: fieldsOf(states) } };
    return all.every((one) => one === false) ? { done: false, body: null } : null;
  };

const fieldsOf = (states: readonly ChannelState[]): unknown[] => states.map(({ fields }) => fields);

const isLive = (state: ChannelState | undefined): boolean => state?.isLive === true;
const isOff = (state: ChannelState | undefined): boolean => !isLive(state);
const isGone = (state: ChannelState | undefined): boolean => state === undefined || state.isGone;

/** What a revise sets, without the names of the channels that it sets it on. */
const changesIn = ({ body: { channels: _channels, ...changes } }: StoredInput): Record<string, unknown> => changes;
const carriesChanges: Lookup = (input, client) => carries({ ...input, body: changesIn(input) }, client);
/** Of a field that is not answered nobody can tell whether it was changed. */
const showsChanges = (state: ChannelState | undefined, input: StoredInput): boolean | null => {
  const changes = changesIn(input);
  const { fields = {} } = state ?? {};
  return Object.keys(changes).every((field) => Object.hasOwn(fields, field)) ? holds(fields, changes) : null;
};

const gone: Lookup = async (input, client) => ({ done: (await read(input, client)) === null, body: {} });

const templateIn = (list: unknown, { templateId = '' }: StoredInput['params']) => find(list, 'templateId', templateId);
const connectionIn = (list: unknown, { connectionId = '' }: StoredInput['params']) =>
  find(list, 'connectionId', connectionId);

/** By what a read answers that takes no input. */
const byAnswer =
  <T>(
    ask: (client: ServiceClient) => Promise<{ answer: T }>,
    done: (answer: T, input: StoredInput) => boolean,
  ): Lookup =>
  async (input, client) => {
    const { answer } = await ask(client);
    return { done: done(answer, input), body: answer };
  };
const readDefaults = (client: ServiceClient) => client.send('readSellerDefaults', inputOf('readSellerDefaults', {}));
const readMarket = (client: ServiceClient) => client.send('readMarketStatus', inputOf('readMarketStatus', {}));
const readStanding = (client: ServiceClient) => client.send('readStanding', inputOf('readStanding', {}));
const readTemplates = (client: ServiceClient) => client.send('listTemplates', inputOf('listTemplates', {}));
const readConnections = (client: ServiceClient) => client.send('listConnections', inputOf('listConnections', {}));

const userSaved: Lookup = async ({ params, body }, client) => {
  const { answer } = await client.send('readUser', inputOf('readUser', { params: { userId: params['userId'] ?? '' } }));
  return { done: holds(answer, body), body: answer };
};

const feesAgreed: Lookup = async ({ params, body }, client) => {
  const parsed = parseInput('quoteFees', { params, body: { ...body, action: 'quote' } });
  if (!parsed.ok) return null;
  const { answer } = await client.send('quoteFees', parsed.input);
  const site = body['marketplaceId'] ?? answer.quote?.marketplaceId;
  return { done: (answer.feeNotice?.confirmedSites ?? []).some((one) => one === site), body: answer };
};

/** A key that was taken back is not let in any more. */
const keyEnded: Lookup = async (_input, client) => {
  try {
    await readStanding(client);
    return { done: false, body: null };
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'RECONNECT_NEEDED') return { done: true, body: {} };
    throw error;
  }
};

/** How the outcome of each request can be told by reading alone. A route that is not here is left for the person to look at. */
const lookups: Partial<Record<RouteName, Lookup>> = {
  publishListing: live,
  publishChannels: byChannels(isLive, live),
  endListing: ended,
  endChannels: byChannels(isOff, ended),
  deleteFromChannels: byChannels(isGone, async () => null),
  reviseListing: carries,
  reviseChannels: byChannels(showsChanges, carriesChanges),
  updateListing: carries,
  deleteListing: gone,
  generateListing: written,
  quoteFees: feesAgreed,
  updateUser: userSaved,
  updateSellerDefaults: byAnswer(readDefaults, (defaults, { body }) => holds(defaults, body)),
  disconnectMarket: byAnswer(readMarket, ({ connected }) => !connected),
  setExtras: byAnswer(readStanding, ({ allowance }, { body }) => allowance.extras?.enabled === body['enabled']),
  updateTemplate: byAnswer(readTemplates, (list, { params, body }) => holds(templateIn(list, params) ?? {}, body)),
  deleteTemplate: byAnswer(readTemplates, (list, { params }) => templateIn(list, params) === null),
  deleteConnection: byAnswer(readConnections, (list, { params }) => connectionIn(list, params) === null),
  revokeCurrentKey: keyEnded,
};

/** Whether reading alone can tell what became of a request of that route. */
export const isReconcilable = (route: RouteName): boolean => lookups[route] !== undefined;

/** The same for one request and the key that is used now: whether a key was ended is told by that key alone. */
export const maySettle = ({ route, subject }: Pick<ApprovalRow, 'route' | 'subject'>, keyPrint: string): boolean =>
  isReconcilable(route) && (route !== 'revokeCurrentKey' || (subject.version === 2 && subject.key === keyPrint));

/**
 * What reading the service tells of a request that may have arrived and whose answer was lost; null where it tells
 * nothing. Never sends the request again. Throws `ServiceError` when the service could not be read.
 */
export const reconcile = async (
  { route, input }: { route: RouteName; input: unknown },
  client: ServiceClient,
): Promise<Verdict> => (await lookups[route]?.(storedInput.parse(input), client)) ?? null;
