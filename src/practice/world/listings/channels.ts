import * as z from 'zod';
import { formatIsoTime, formatIsoTimeOrNull } from '../../clock.ts';
import { selectAllRows, runInTransaction, jsonColumn, selectFirstRow, runStatement } from '../../database.ts';
import { createPrefixedId } from '../../ids.ts';
import { parseOpenBody, refuseCall } from '../../refusal.ts';
import { recordJournalEffect } from '../journal.ts';
import { formatLivePageUrl } from './apiListing.ts';
import { endMarketListing, reviseMarketListing, type Revision } from './changes.ts';
import {
  requireConsistentOffer,
  requireOwnListing,
  requireListingState,
  updateListingColumns,
  type ListingRow,
} from './listings.ts';
import type { Person } from '../people.ts';
import { listListingPhotos } from './photos.ts';
import { runFixablePublish, publishReviewedListing } from './publish.ts';
import type { World } from '../world.ts';
import { liveChanges } from '../../../contract/index.ts';

const channels = [
  { channelId: 'market', name: 'Marketplace', maxPhotos: 24, maxTitleLength: 80, connectable: false },
  { channelId: 'corner', name: 'Corner shop (practice)', maxPhotos: 10, maxTitleLength: 100, connectable: true },
] as const;

export const publishingOptions = [{ name: 'shelf', label: 'Shelf', values: ['front', 'back'], default: 'front' }];

export const listApiChannels = () => channels.map(({ connectable: _connectable, ...channel }) => channel);

const getChannelName = (channelId: string): string =>
  channels.find((channel) => channel.channelId === channelId)?.name ?? channelId;

/** Returns a channel that the person connects with a link. Refuses the marketplace. */
export const requireConnectableChannel = (channelId: string) => {
  const found = channels.find((channel) => channel.channelId === channelId);
  if (!found) return refuseCall(404, 'There is no channel with this id.');
  return found.connectable ? found : refuseCall(400, 'The marketplace is connected with GET /market/auth-url.');
};

const connectionRow = z.object({
  connectionId: z.string(),
  userId: z.string(),
  channelId: z.string(),
  name: z.string(),
  createdAt: z.int(),
});
export type Connection = z.infer<typeof connectionRow>;

/** Returns the connections of a person, oldest first. */
export const listPersonConnections = ({ db }: World, userId: string): Connection[] =>
  selectAllRows(db, connectionRow, 'SELECT * FROM connections WHERE userId = ? ORDER BY createdAt, rowid', userId);

/** Returns the person's own connection. Refuses an unknown connection and one of another person. */
export const requireOwnConnection = (
  world: World,
  person: Person,
  channelId: string,
  connectionId: string,
): Connection => {
  const found = selectFirstRow(
    world.db,
    connectionRow,
    'SELECT * FROM connections WHERE connectionId = ? AND channelId = ?',
    connectionId,
    channelId,
  );
  if (!found) return refuseCall(404, 'There is no such connection.');
  return found.userId === person.userId ? found : refuseCall(403, 'This connection belongs to another person.');
};

/** Connects an account of a channel other than the marketplace. Does nothing if that channel is already connected. */
export const connectOtherChannel = (world: World, userId: string, channelId: string): void =>
  runInTransaction(world.db, () => {
    if (listPersonConnections(world, userId).some((connection) => connection.channelId === channelId)) return;
    runStatement(
      world.db,
      'INSERT INTO connections (connectionId, userId, channelId, name, createdAt) VALUES (?, ?, ?, ?, ?)',
      createPrefixedId('con'),
      userId,
      channelId,
      requireConnectableChannel(channelId).name,
      world.clock.now(),
    );
    recordJournalEffect(world, 'connected', { userId, channelId });
  });

const channelFields = z.object({
  title: z.string().nullish(),
  description: z.string().nullish(),
  price: z.int().nullish(),
  quantity: z.int().nullish(),
  sku: z.string().nullish(),
  options: z.record(z.string(), z.string()).nullish(),
});
type ChannelFields = z.infer<typeof channelFields>;

const channelRow = z.object({
  channelId: z.string(),
  status: z.string(),
  externalId: z.string(),
  publishedAt: z.int(),
  endedAt: z.int().nullable(),
  shown: jsonColumn(channelFields),
});
type ChannelRow = z.infer<typeof channelRow>;

const listChannelRows = ({ db }: World, listingId: string): ChannelRow[] =>
  selectAllRows(
    db,
    channelRow,
    'SELECT channelId, status, externalId, publishedAt, endedAt, shown FROM channelListings WHERE listingId = ? ORDER BY channelId DESC',
    listingId,
  );

const toChannelFields = ({ title, description, price, quantity, sku }: ListingRow): ChannelFields => ({
  title,
  description,
  price,
  quantity,
  sku,
});

/** In old data, the marketplace row of a sold or ended listing can still say 'published'. */
const isStaleMarketRow = ({ status }: ListingRow, channelId: string, row: Pick<ChannelRow, 'status'>): boolean =>
  channelId === 'market' && row.status === 'published' && (status === 'sold' || status === 'ended');

/** Returns the state of a listing on each channel, with the fields that buyers see there. */
export const listChannelStates = (world: World, listing: ListingRow) =>
  listChannelRows(world, listing.listingId).map(({ channelId, externalId, publishedAt, shown, ...row }) => ({
    channelId,
    name: getChannelName(channelId),
    status: isStaleMarketRow(listing, channelId, row) ? listing.status : row.status,
    externalId,
    url: channelId === 'market' ? formatLivePageUrl(world, externalId) : null,
    marketplaceId: channelId === 'market' ? listing.marketplaceId : null,
    ...(channelId === 'market' ? toChannelFields(listing) : shown),
    publishedAt: formatIsoTime(publishedAt),
    endedAt: formatIsoTimeOrNull(row.endedAt ?? (isStaleMarketRow(listing, channelId, row) ? listing.endedAt : null)),
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

const publishRequest = channelSelection.extend({
  options: z.record(z.string(), z.record(z.string(), z.string())).optional(),
});

const fillPublishingOptions = (channelId: string, chosen: Record<string, string> = {}): Record<string, string> => {
  const unknown = Object.keys(chosen).find((name) => publishingOptions.every((option) => option.name !== name));
  if (unknown !== undefined) refuseCall(400, `${getChannelName(channelId)} has no option ${unknown}.`);
  return Object.fromEntries(
    publishingOptions.map(({ name, values, default: usual }) => {
      const value = chosen[name] ?? usual;
      return values.includes(value) ? [name, value] : refuseCall(400, `${name} takes one of ${values.join(', ')}.`);
    }),
  );
};

const requireUniqueChannels = (channelIds: string[]): string[] => {
  const unknown = channelIds.find((channelId) => !channels.some((channel) => channel.channelId === channelId));
  if (unknown !== undefined) refuseCall(400, `There is no channel ${unknown}.`);
  return new Set(channelIds).size === channelIds.length
    ? channelIds
    : refuseCall(400, 'channels: name each channel once.');
};

const isLiveOnChannel = (world: World, listingId: string, channelId: string): boolean =>
  listChannelRows(world, listingId).some((row) => row.channelId === channelId && row.status === 'published');

export const requireLiveOnChannel = (world: World, listingId: string, channelId: string): void => {
  if (!isLiveOnChannel(world, listingId, channelId))
    refuseCall(409, `The listing is not live on ${getChannelName(channelId)}.`);
};

/** Returns the price on a channel, in minor units. */
export const readChannelPrice = (world: World, { listingId, price }: ListingRow, channelId: string): number | null =>
  (channelId === 'market'
    ? null
    : listChannelRows(world, listingId).find((row) => row.channelId === channelId)?.shown.price) ?? price;

/** Lowers the quantity on each channel to the number of unsold pieces. */
export const capChannelQuantities = (world: World, listingId: string, left: number): void => {
  for (const { channelId, shown } of listChannelRows(world, listingId))
    if ((shown.quantity ?? 0) > left)
      runStatement(
        world.db,
        'UPDATE channelListings SET shown = ? WHERE listingId = ? AND channelId = ?',
        JSON.stringify({ ...shown, quantity: left }),
        listingId,
        channelId,
      );
};

/** Refuses if the listing is still live on a channel other than the marketplace. */
export const requireNotLiveElsewhere = (world: World, listingId: string): void => {
  const live = listChannelRows(world, listingId).find(
    (row) => row.channelId !== 'market' && row.status === 'published',
  );
  if (live) refuseCall(409, `The listing is still live on ${getChannelName(live.channelId)}. End it there first.`);
};

type OtherChannelTarget = { channelId: string; options: Record<string, string> | undefined };

const requireWithinChannelLimits = (world: World, { listingId, title }: ListingRow, channelId: string): void => {
  const { name, maxTitleLength, maxPhotos } = requireConnectableChannel(channelId);
  if ((title ?? '').length > maxTitleLength)
    refuseCall(400, `${name} takes titles up to ${maxTitleLength} characters.`);
  const count = listListingPhotos(world, listingId).length;
  if (count > maxPhotos) refuseCall(400, `${name} takes ${maxPhotos} photos a listing; this one has ${count}.`);
};

/** A channel that sold out accepts the listing again only if the new quantity exceeds the quantity sold there. */
const requireQuantityAboveSold = (world: World, { listingId, quantity }: ListingRow, channelId: string): void => {
  const currentRow = listChannelRows(world, listingId).find((row) => row.channelId === channelId);
  const sold = currentRow?.status === 'sold' ? (currentRow.shown.quantity ?? 0) : 0;
  if (quantity <= sold)
    refuseCall(409, `The listing sold out on ${getChannelName(channelId)}, and there is no more to sell.`);
};

const publishOnOtherChannel = (
  world: World,
  person: Person,
  listing: ListingRow,
  { channelId, options }: OtherChannelTarget,
): void => {
  const { listingId } = listing;
  const { name } = requireConnectableChannel(channelId);
  requireListingState(listing, ['pending_review', 'published'], 'published');
  if (!listPersonConnections(world, person.userId).some((connection) => connection.channelId === channelId))
    refuseCall(400, `${name} is not connected. Connect it in Selling setup, then publish there.`);
  if (isLiveOnChannel(world, listingId, channelId)) refuseCall(409, `The listing is already live on ${name}.`);
  requireWithinChannelLimits(world, listing, channelId);
  requireQuantityAboveSold(world, listing, channelId);
  runStatement(
    world.db,
    "INSERT OR REPLACE INTO channelListings (listingId, channelId, status, externalId, publishedAt, shown) VALUES (?, ?, 'published', ?, ?, ?)",
    listingId,
    channelId,
    createPrefixedId('ext'),
    world.clock.now(),
    JSON.stringify({ ...toChannelFields(listing), options: fillPublishingOptions(channelId, options) }),
  );
  recordJournalEffect(world, 'publish', { userId: person.userId, listingId, channelId });
};

/** Publishes on the named channels in one transaction. The default is the marketplace. */
export const publishOnChannels = (world: World, person: Person, listingId: string, body: unknown) => {
  const { options = {}, ...request } = parseOpenBody(publishRequest, body);
  const ids = requireUniqueChannels(request.channels ?? ['market']);
  const unpublishedId = Object.keys(options).find((id) => id === 'market' || !ids.includes(id));
  if (unpublishedId !== undefined) refuseCall(400, `options: nothing is published on ${unpublishedId} with options.`);
  const publishAllChannels = (): string | null => {
    const live = ids.includes('market')
      ? publishReviewedListing(world, person, listingId, request)
      : requireOwnListing(world, person, listingId).marketListingId;
    if (live === null)
      refuseCall(409, 'Publish the listing on the marketplace first, or together with the other channels.');
    const listing = requireOwnListing(world, person, listingId);
    for (const id of ids)
      if (id !== 'market') publishOnOtherChannel(world, person, listing, { channelId: id, options: options[id] });
    if (request.autoDelistOnSale !== undefined)
      updateListingColumns(world, listingId, { autoDelistOnSale: request.autoDelistOnSale });
    return live;
  };
  const marketListingId = ids.includes('market')
    ? runFixablePublish(world, person, { listingId, request }, publishAllChannels)
    : runInTransaction(world.db, publishAllChannels);
  return {
    success: true,
    marketListingId,
    marketListingUrl: marketListingId === null ? null : formatLivePageUrl(world, marketListingId),
    channels: listChannelStates(world, requireOwnListing(world, person, listingId)),
  };
};

const revisionInput = z.looseObject({ channels: z.array(z.string()).min(1).optional(), ...liveChanges });

const reviseOnOtherChannel = (
  world: World,
  { userId, listingId }: ListingRow,
  channelId: string,
  changes: Revision,
): void => {
  const { name, maxTitleLength } = requireConnectableChannel(channelId);
  requireLiveOnChannel(world, listingId, channelId);
  const { bestOffer: offers, ...changed } = changes;
  if (offers !== undefined) requireConsistentOffer(offers);
  if (Object.keys(changes).length === 0) refuseCall(400, 'Name at least one field to change.');
  const other = Object.keys(changed).find((field) => !Object.hasOwn(channelFields.shape, field));
  if (other !== undefined) refuseCall(400, `${other} cannot be changed on a live listing.`);
  if ((changed.title ?? '').length > maxTitleLength)
    refuseCall(400, `${name} takes titles up to ${maxTitleLength} characters.`);
  const before = listChannelRows(world, listingId).find((row) => row.channelId === channelId)?.shown;
  runStatement(
    world.db,
    'UPDATE channelListings SET shown = ? WHERE listingId = ? AND channelId = ?',
    JSON.stringify({ ...before, ...changed }),
    listingId,
    channelId,
  );
  recordJournalEffect(world, 'revision', { userId, listingId, channelId, changes: changed });
};

/**
 * Revises a listing on the named channels in one transaction. The default is every channel on which the listing is
 * live.
 */
export const reviseOnChannels = (world: World, person: Person, listingId: string, body: unknown): void => {
  const { channels: namedChannels, ...changes } = parseOpenBody(revisionInput, body);
  runInTransaction(world.db, () => {
    const listing = requireOwnListing(world, person, listingId);
    const live = listChannelRows(world, listingId).filter(({ status }) => status === 'published');
    const ids = namedChannels
      ? requireUniqueChannels(namedChannels)
      : ['market', ...live.filter((row) => row.channelId !== 'market').map((row) => row.channelId)];
    if (ids.includes('market')) reviseMarketListing(world, person, listingId, changes satisfies Revision);
    for (const id of ids) if (id !== 'market') reviseOnOtherChannel(world, listing, id, changes);
  });
};

const setChannelState = (world: World, listingId: string, channelId: string, status: 'ended' | 'deleted'): void => {
  const found = listChannelRows(world, listingId).find((row) => row.channelId === channelId);
  const { name } = requireConnectableChannel(channelId);
  if (!found || found.status === 'deleted') return refuseCall(409, `The listing is not on ${name}.`);
  if (status === 'ended') requireLiveOnChannel(world, listingId, channelId);
  runStatement(
    world.db,
    'UPDATE channelListings SET status = ?, endedAt = coalesce(endedAt, ?) WHERE listingId = ? AND channelId = ?',
    status,
    world.clock.now(),
    listingId,
    channelId,
  );
};

/** Ends a listing on the named channels only. The default is the marketplace. */
export const endListingOnChannels = (world: World, person: Person, listingId: string, body: unknown): void =>
  runInTransaction(world.db, () => {
    const ids = requireUniqueChannels(parseOpenBody(channelSelection, body).channels ?? ['market']);
    const others = ids.filter((id) => id !== 'market');
    if (others.length < ids.length) endMarketListing(world, person, listingId);
    if (others.length === 0) return;
    requireOwnListing(world, person, listingId);
    for (const id of others) setChannelState(world, listingId, id, 'ended');
    recordJournalEffect(world, 'end', { userId: person.userId, listingId, channels: others });
  });

/** Deletes a listing from channels. Refuses the marketplace, because a listing can only be ended on it. */
export const deleteFromChannels = (world: World, person: Person, listingId: string, body: unknown): void =>
  runInTransaction(world.db, () => {
    requireOwnListing(world, person, listingId);
    const ids = requireUniqueChannels(parseOpenBody(channelSelection, body).channels ?? ['market']);
    if (ids.includes('market')) refuseCall(400, 'A listing is ended on the marketplace, not deleted.');
    for (const id of ids) setChannelState(world, listingId, id, 'deleted');
    recordJournalEffect(world, 'delete', { userId: person.userId, listingId, channels: ids });
  });
