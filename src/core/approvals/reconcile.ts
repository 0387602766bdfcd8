import { inputOf, type AnswerOf, type Listing, type RouteName } from '../../contract/index.ts';
import type { ServiceClient } from '../service/serviceClient.ts';
import { ServiceError } from '../service/serviceError.ts';
import { canonical } from '../base/canonicalJson.ts';
import { leavesMarketplace } from './prompts/listings.ts';
import { find } from './prompts/setup.ts';
import { entryOf } from '../../contract/foreign.ts';

/** What reading the service tells of a request whose answer was lost. */
export type Verdict = { done: boolean; body: unknown } | null;

type Loose = { params: Record<string, string>; body: Record<string, unknown> };
type Look = (input: Loose, client: ServiceClient) => Promise<Verdict>;

const read = async (input: Loose, client: ServiceClient): Promise<Listing | null> => {
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
  (yes: Listing['status'][], no: Listing['status'][], bodyOf: (listing: Listing) => unknown): Look =>
  async (input, client) => {
    const listing = await read(input, client);
    if (!listing) return null;
    if (yes.includes(listing.status)) return { done: true, body: bodyOf(listing) };
    return no.includes(listing.status) ? { done: false, body: null } : null;
  };

const live: Look = byStatus(['published', 'sold'], ['pending_review', 'draft', 'failed'], (listing) => ({
  success: true,
  marketListingId: listing.marketListingId ?? null,
  marketListingUrl: listing.marketListingUrl ?? null,
}));
const ended: Look = byStatus(['ended', 'sold'], ['published'], (listing) => listing);
/** Of other channels the listing's status tells nothing. */
const endedOnChannels: Look = async (input, client) => (leavesMarketplace(input.body) ? null : ended(input, client));
const written: Look = byStatus(['processing', 'pending_review'], ['draft', 'failed'], (listing) => listing);

/** Whether a record has every field as it was to be set. */
const holds = (record: Record<string, unknown>, body: Record<string, unknown>): boolean =>
  // A field that was taken away is one that is not there.
  Object.entries(body).every(
    ([field, value]) => canonical(entryOf(record, field) ?? null) === canonical(value ?? null),
  );

const carries: Look = async (input, client) => {
  const listing = await read(input, client);
  if (!listing) return null;
  return { done: holds(listing, input.body), body: listing };
};

const gone: Look = async (input, client) => ({ done: (await read(input, client)) === null, body: {} });

const templateIn = (list: unknown, { templateId = '' }: Loose['params']) => find(list, 'templateId', templateId);
const connectionIn = (list: unknown, { connectionId = '' }: Loose['params']) =>
  find(list, 'connectionId', connectionId);

type PlainRead = 'readSellerDefaults' | 'readMarketStatus' | 'readStanding' | 'listTemplates' | 'listConnections';

/** By an answer that takes no input. */
const byAnswer =
  <N extends PlainRead>(route: N, done: (answer: AnswerOf<N>, input: Loose) => boolean): Look =>
  async (input, client) => {
    const { answer } = await client.send(route, inputOf(route, {}));
    return { done: done(answer, input), body: answer };
  };

const userSaved: Look = async ({ params, body }, client) => {
  const { answer } = await client.send('readUser', inputOf('readUser', { params }));
  return { done: holds(answer, body), body: answer };
};

const feesAgreed: Look = async ({ params, body }, client) => {
  const input = inputOf('quoteFees', { params, body: { ...body, action: 'quote' } });
  const { answer } = await client.send('quoteFees', input);
  const site = body['marketplaceId'] ?? answer.quote?.marketplaceId;
  return { done: (answer.feeNotice?.confirmedSites ?? []).some((one) => one === site), body: answer };
};

/** A key that was taken back is not let in any more. */
const keyEnded: Look = async (_input, client) => {
  try {
    await client.send('readStanding', inputOf('readStanding', {}));
    return { done: false, body: null };
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'RECONNECT_NEEDED') return { done: true, body: {} };
    throw error;
  }
};

/** How the outcome of each request can be told by reading alone. A route that is not here is left for the person to look at. */
export const evidence: Partial<Record<RouteName, Look>> = {
  publishListing: live,
  publishChannels: live,
  endListing: ended,
  endChannels: endedOnChannels,
  reviseListing: carries,
  updateListing: carries,
  deleteListing: gone,
  generateListing: written,
  quoteFees: feesAgreed,
  updateUser: userSaved,
  updateSellerDefaults: byAnswer('readSellerDefaults', (defaults, { body }) => holds(defaults, body)),
  disconnectMarket: byAnswer('readMarketStatus', ({ connected }) => !connected),
  setExtras: byAnswer('readStanding', ({ allowance }, { body }) => allowance.extras?.enabled === body['enabled']),
  updateTemplate: byAnswer('listTemplates', (list, { params, body }) => holds(templateIn(list, params) ?? {}, body)),
  deleteTemplate: byAnswer('listTemplates', (list, { params }) => templateIn(list, params) === null),
  deleteConnection: byAnswer('listConnections', (list, { params }) => connectionIn(list, params) === null),
  revokeCurrentKey: keyEnded,
};
