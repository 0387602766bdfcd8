import * as z from 'zod';
import { isoOf, isoOrNull } from '../../clock.ts';
import { all, atomically, one, run } from '../../database.ts';
import { newId } from '../../ids.ts';
import { parseOpen, refuse } from '../../refusal.ts';
import { recordEffect } from '../journal.ts';
import { pageUrl } from './apiListing.ts';
import { endListing, reviseListing, type Revision } from './changes.ts';
import { requireOwnListing, requireState, type ListingRow } from './listings.ts';
import type { Person } from '../people.ts';
import { attemptPublish, publishNow } from './publish.ts';
import type { World } from '../world.ts';
import { bestOffer, cents, quantity } from '../../../contract/index.ts';

/** The places to sell at. The practice service has one beside the marketplace. */
const channels = [
  { channelId: 'market', name: 'Marketplace', maxPhotos: 24, maxTitleLength: 80, connectable: false },
  { channelId: 'corner', name: 'Corner shop (practice)', maxPhotos: 10, maxTitleLength: 100, connectable: true },
] as const;

/** The channels as the interface lists them. */
export const channelsOf = () => channels.map(({ connectable: _connectable, ...channel }) => channel);

/** A channel that a person connects with a link; the marketplace has its own way. */
export const connectableChannel = (channelId: string) => {
  const found = channels.find((channel) => channel.channelId === channelId);
  if (!found) return refuse(404, 'There is no channel with this id.');
  return found.connectable ? found : refuse(400, 'The marketplace is connected with GET /market/auth-url.');
};

const connectionRow = z.object({
  connectionId: z.string(),
  userId: z.string(),
  channelId: z.string(),
  name: z.string(),
  createdAt: z.int(),
});
/** A connected account of another channel. */
export type Connection = z.infer<typeof connectionRow>;

/** The connections of a person, oldest first. */
export const connectionsOf = ({ db }: World, userId: string): Connection[] =>
  all(db, connectionRow, 'SELECT * FROM connections WHERE userId = ? ORDER BY createdAt, rowid', userId);

/** The person's own connection; refused when there is none or it is somebody else's. */
export const requireOwnConnection = (
  world: World,
  person: Person,
  channelId: string,
  connectionId: string,
): Connection => {
  const found = one(
    world.db,
    connectionRow,
    'SELECT * FROM connections WHERE connectionId = ? AND channelId = ?',
    connectionId,
    channelId,
  );
  if (!found) return refuse(404, 'There is no such connection.');
  return found.userId === person.userId ? found : refuse(403, 'This connection belongs to somebody else.');
};

/** Connects an account of another channel; one a channel is enough. */
export const connectChannel = (world: World, userId: string, channelId: string): void =>
  atomically(world.db, () => {
    if (connectionsOf(world, userId).some((connection) => connection.channelId === channelId)) return;
    run(
      world.db,
      'INSERT INTO connections (connectionId, userId, channelId, name, createdAt) VALUES (?, ?, ?, ?, ?)',
      newId('con'),
      userId,
      channelId,
      connectableChannel(channelId).name,
      world.clock.now(),
    );
    recordEffect(world, 'connected', { userId, channelId });
  });

const stateRow = z.object({
  channelId: z.string(),
  status: z.string(),
  externalId: z.string(),
  publishedAt: z.int(),
  endedAt: z.int().nullable(),
});

/** Where a listing is or was live. */
export const channelStates = (world: World, listing: ListingRow) =>
  all(
    world.db,
    stateRow,
    'SELECT channelId, status, externalId, publishedAt, endedAt FROM channelListings WHERE listingId = ? ORDER BY channelId DESC',
    listing.listingId,
  ).map(({ channelId, status, externalId, publishedAt, endedAt }) => ({
    channelId,
    status: channelId === 'market' && listing.status === 'sold' ? 'sold' : status,
    externalId,
    url: channelId === 'market' ? pageUrl(world, externalId) : null,
    publishedAt: isoOf(publishedAt),
    endedAt: isoOrNull(endedAt),
  }));

const channelSelection = z.looseObject({
  channels: z.array(z.string()).min(1).optional(),
  marketAccountId: z.string().optional(),
  fulfillmentPolicyId: z.string().optional(),
  paymentPolicyId: z.string().optional(),
  returnPolicyId: z.string().optional(),
  fix: z.boolean().optional(),
  autoDelistOnSale: z.boolean().optional(),
});

const channelIdsOf = (given: string[] | undefined): string[] => {
  const ids = [...new Set(given ?? ['market'])];
  const unknown = ids.find((channelId) => !channels.some((channel) => channel.channelId === channelId));
  return unknown === undefined ? ids : refuse(400, `There is no channel ${unknown}.`);
};

const publishElsewhere = (world: World, person: Person, listing: ListingRow, channelId: string): void => {
  requireState(listing, ['pending_review', 'published'], 'published');
  if (!connectionsOf(world, person.userId).some((connection) => connection.channelId === channelId))
    refuse(400, `${connectableChannel(channelId).name} is not connected.`);
  run(
    world.db,
    "INSERT OR REPLACE INTO channelListings (listingId, channelId, status, externalId, publishedAt) VALUES (?, ?, 'published', ?, ?)",
    listing.listingId,
    channelId,
    newId('ext'),
    world.clock.now(),
  );
  recordEffect(world, 'publish', { userId: person.userId, listingId: listing.listingId, channelId });
};

/** Publishes on the named channels, the marketplace when none is named; everything or nothing. */
export const publishOnChannels = (world: World, person: Person, listingId: string, body: unknown) => {
  const request = parseOpen(channelSelection, body);
  const ids = channelIdsOf(request.channels);
  const publish = (): string | null => {
    const live = ids.includes('market')
      ? publishNow(world, person, listingId, request)
      : requireOwnListing(world, person, listingId).marketListingId;
    if (live === null)
      refuse(409, 'Publish the listing on the marketplace first, or together with the other channels.');
    const listing = requireOwnListing(world, person, listingId);
    for (const id of ids) if (id !== 'market') publishElsewhere(world, person, listing, id);
    return live;
  };
  const marketListingId = ids.includes('market')
    ? attemptPublish(world, person, { listingId, request }, publish)
    : atomically(world.db, publish);
  return {
    success: true,
    marketListingId,
    marketListingUrl: marketListingId === null ? null : pageUrl(world, marketListingId),
    channels: channelStates(world, requireOwnListing(world, person, listingId)),
  };
};

const revision = z.looseObject({
  channels: z.array(z.string()).optional(),
  title: z.string().min(1).max(200).optional(),
  description: z.string().max(500_000).optional(),
  price: cents.optional(),
  quantity: quantity.optional(),
  sku: z.string().max(200).optional(),
  bestOffer: bestOffer.optional(),
});

/** Changes a live listing; its channels all show the same. */
export const reviseOnChannels = (world: World, person: Person, listingId: string, body: unknown): void => {
  const { channels: given, ...changes } = parseOpen(revision, body);
  channelIdsOf(given);
  reviseListing(world, person, listingId, changes satisfies Revision);
};

const setState = (world: World, listingId: string, channelId: string, status: 'ended' | 'deleted'): void => {
  const touched = run(
    world.db,
    'UPDATE channelListings SET status = ?, endedAt = ? WHERE listingId = ? AND channelId = ?',
    status,
    world.clock.now(),
    listingId,
    channelId,
  );
  if (touched === 0) refuse(409, 'The listing is not on this channel.');
};

/** Ends a listing on the named channels; on the marketplace, everywhere. */
export const endOnChannels = (world: World, person: Person, listingId: string, body: unknown): void =>
  atomically(world.db, () => {
    const ids = channelIdsOf(parseOpen(channelSelection, body).channels);
    if (ids.includes('market')) return endListing(world, person, listingId);
    requireState(requireOwnListing(world, person, listingId), ['published'], 'ended');
    for (const id of ids) setState(world, listingId, id, 'ended');
    recordEffect(world, 'end', { userId: person.userId, listingId, channels: ids });
  });

/** Removes a listing from channels other than the marketplace, where a listing is ended and never deleted. */
export const deleteFromChannels = (world: World, person: Person, listingId: string, body: unknown): void =>
  atomically(world.db, () => {
    requireOwnListing(world, person, listingId);
    const ids = channelIdsOf(parseOpen(channelSelection, body).channels);
    if (ids.includes('market')) refuse(400, 'A listing is ended on the marketplace, not deleted.');
    for (const id of ids) setState(world, listingId, id, 'deleted');
    recordEffect(world, 'delete', { userId: person.userId, listingId, channels: ids });
  });
