import * as z from 'zod';
import { isoOf, isoOrNull } from '../../clock.ts';
import { all, atomically, json, one, run } from '../../database.ts';
import { newId } from '../../ids.ts';
import { parseOpen, refuse } from '../../refusal.ts';
import { recordEffect } from '../journal.ts';
import { pageUrl } from './apiListing.ts';
import { endListing, reviseListing, type Revision } from './changes.ts';
import { requireConsistentOffer, requireOwnListing, requireState, updateListing, type ListingRow } from './listings.ts';
import type { Person } from '../people.ts';
import { photosOf } from './photos.ts';
import { attemptPublish, publishNow } from './publish.ts';
import type { World } from '../world.ts';
import { liveChanges } from '../../../contract/index.ts';

/** The channels: the marketplace and one practice channel. */
const channels = [
  { channelId: 'market', name: 'Marketplace', maxPhotos: 24, maxTitleLength: 80, connectable: false },
  { channelId: 'corner', name: 'Corner shop (practice)', maxPhotos: 10, maxTitleLength: 100, connectable: true },
] as const;

/** The options for publishing on a connected channel. */
export const publishingOptions = [{ name: 'shelf', label: 'Shelf', values: ['front', 'back'], default: 'front' }];

export const channelsOf = () => channels.map(({ connectable: _connectable, ...channel }) => channel);

const nameOf = (channelId: string): string =>
  channels.find((channel) => channel.channelId === channelId)?.name ?? channelId;

/** Returns a channel that a person connects through a link. Refuses the marketplace, which is connected differently. */
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
/** A connected account of a channel other than the marketplace. */
export type Connection = z.infer<typeof connectionRow>;

/** Returns the connections of a person, oldest first. */
export const connectionsOf = ({ db }: World, userId: string): Connection[] =>
  all(db, connectionRow, 'SELECT * FROM connections WHERE userId = ? ORDER BY createdAt, rowid', userId);

/** Returns the person's own connection. Refuses an unknown or foreign id. */
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

/** Connects an account of another channel; idempotent per channel. */
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

/** The fields that can be revised on one channel only. */
const shownFields = z.object({
  title: z.string().nullish(),
  description: z.string().nullish(),
  price: z.int().nullish(),
  quantity: z.int().nullish(),
  sku: z.string().nullish(),
  options: z.record(z.string(), z.string()).nullish(),
});
type ShownFields = z.infer<typeof shownFields>;

const stateRow = z.object({
  channelId: z.string(),
  status: z.string(),
  externalId: z.string(),
  publishedAt: z.int(),
  endedAt: z.int().nullable(),
  shown: json(shownFields),
});
type StateRow = z.infer<typeof stateRow>;

const stateRows = ({ db }: World, listingId: string): StateRow[] =>
  all(
    db,
    stateRow,
    'SELECT channelId, status, externalId, publishedAt, endedAt, shown FROM channelListings WHERE listingId = ? ORDER BY channelId DESC',
    listingId,
  );

const shownOf = ({ title, description, price, quantity, sku }: ListingRow): ShownFields => ({
  title,
  description,
  price,
  quantity,
  sku,
});

/** Returns whether the marketplace row is stale: the listing was sold or ended before channel states were stored. */
const hasLeft = ({ status }: ListingRow, channelId: string, row: Pick<StateRow, 'status'>): boolean =>
  channelId === 'market' && row.status === 'published' && (status === 'sold' || status === 'ended');

/** Returns the state of a listing on each channel, with the fields that buyers see there. */
export const channelStates = (world: World, listing: ListingRow) =>
  stateRows(world, listing.listingId).map(({ channelId, externalId, publishedAt, shown, ...row }) => ({
    channelId,
    name: nameOf(channelId),
    status: hasLeft(listing, channelId, row) ? listing.status : row.status,
    externalId,
    url: channelId === 'market' ? pageUrl(world, externalId) : null,
    marketplaceId: channelId === 'market' ? listing.marketplaceId : null,
    ...(channelId === 'market' ? shownOf(listing) : shown),
    publishedAt: isoOf(publishedAt),
    endedAt: isoOrNull(row.endedAt ?? (hasLeft(listing, channelId, row) ? listing.endedAt : null)),
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
  /** The values of the publishing options, by channel; missing values use the default. */
  options: z.record(z.string(), z.record(z.string(), z.string())).optional(),
});

/** Validates the chosen publishing options and fills in the defaults. */
const chosenOptions = (channelId: string, chosen: Record<string, string> = {}): Record<string, string> => {
  const unknown = Object.keys(chosen).find((name) => publishingOptions.every((option) => option.name !== name));
  if (unknown !== undefined) refuse(400, `${nameOf(channelId)} has no option ${unknown}.`);
  return Object.fromEntries(
    publishingOptions.map(({ name, values, default: usual }) => {
      const value = chosen[name] ?? usual;
      return values.includes(value) ? [name, value] : refuse(400, `${name} takes one of ${values.join(', ')}.`);
    }),
  );
};

const channelIdsOf = (given: string[]): string[] => {
  const unknown = given.find((channelId) => !channels.some((channel) => channel.channelId === channelId));
  if (unknown !== undefined) refuse(400, `There is no channel ${unknown}.`);
  return new Set(given).size === given.length ? given : refuse(400, 'channels: name each channel once.');
};

const isLive = (world: World, listingId: string, channelId: string): boolean =>
  stateRows(world, listingId).some((row) => row.channelId === channelId && row.status === 'published');

export const requireLive = (world: World, listingId: string, channelId: string): void => {
  if (!isLive(world, listingId, channelId)) refuse(409, `The listing is not live on ${nameOf(channelId)}.`);
};

/** Returns the price on a channel, in minor units. */
export const priceOn = (world: World, { listingId, price }: ListingRow, channelId: string): number | null =>
  (channelId === 'market'
    ? null
    : stateRows(world, listingId).find((row) => row.channelId === channelId)?.shown.price) ?? price;

/** Caps the quantity shown on each channel at the number left. */
export const showQuantity = (world: World, listingId: string, left: number): void => {
  for (const { channelId, shown } of stateRows(world, listingId))
    if ((shown.quantity ?? 0) > left)
      run(
        world.db,
        'UPDATE channelListings SET shown = ? WHERE listingId = ? AND channelId = ?',
        JSON.stringify({ ...shown, quantity: left }),
        listingId,
        channelId,
      );
};

/** Refuses if the listing is still live on a channel other than the marketplace. */
export const requireLiveNowhereElse = (world: World, listingId: string): void => {
  const live = stateRows(world, listingId).find((row) => row.channelId !== 'market' && row.status === 'published');
  if (live) refuse(409, `The listing is still live on ${nameOf(live.channelId)}. End it there first.`);
};

type Elsewhere = { channelId: string; options: Record<string, string> | undefined };

/** Refuses a listing whose title or photos exceed the channel's limits. */
const requireFit = (world: World, { listingId, title }: ListingRow, channelId: string): void => {
  const { name, maxTitleLength, maxPhotos } = connectableChannel(channelId);
  if ((title ?? '').length > maxTitleLength) refuse(400, `${name} takes titles up to ${maxTitleLength} characters.`);
  const count = photosOf(world, listingId).length;
  if (count > maxPhotos) refuse(400, `${name} takes ${maxPhotos} photos a listing; this one has ${count}.`);
};

/** Refuses to publish again on a channel that sold out, unless the quantity exceeds the amount sold there. */
const requireMore = (world: World, { listingId, quantity }: ListingRow, channelId: string): void => {
  const there = stateRows(world, listingId).find((row) => row.channelId === channelId);
  const sold = there?.status === 'sold' ? (there.shown.quantity ?? 0) : 0;
  if (quantity <= sold) refuse(409, `The listing sold out on ${nameOf(channelId)}, and there is no more to sell.`);
};

const publishElsewhere = (
  world: World,
  person: Person,
  listing: ListingRow,
  { channelId, options }: Elsewhere,
): void => {
  const { listingId } = listing;
  const { name } = connectableChannel(channelId);
  requireState(listing, ['pending_review', 'published'], 'published');
  if (!connectionsOf(world, person.userId).some((connection) => connection.channelId === channelId))
    refuse(400, `${name} is not connected. Connect it in Selling setup, then publish there.`);
  if (isLive(world, listingId, channelId)) refuse(409, `The listing is already live on ${name}.`);
  requireFit(world, listing, channelId);
  requireMore(world, listing, channelId);
  run(
    world.db,
    "INSERT OR REPLACE INTO channelListings (listingId, channelId, status, externalId, publishedAt, shown) VALUES (?, ?, 'published', ?, ?, ?)",
    listingId,
    channelId,
    newId('ext'),
    world.clock.now(),
    JSON.stringify({ ...shownOf(listing), options: chosenOptions(channelId, options) }),
  );
  recordEffect(world, 'publish', { userId: person.userId, listingId, channelId });
};

/** Publishes on the named channels, by default on the marketplace, in one transaction. */
export const publishOnChannels = (world: World, person: Person, listingId: string, body: unknown) => {
  const { options = {}, ...request } = parseOpen(publishRequest, body);
  const ids = channelIdsOf(request.channels ?? ['market']);
  const stray = Object.keys(options).find((id) => id === 'market' || !ids.includes(id));
  if (stray !== undefined) refuse(400, `options: nothing is published on ${stray} with options.`);
  const publish = (): string | null => {
    const live = ids.includes('market')
      ? publishNow(world, person, listingId, request)
      : requireOwnListing(world, person, listingId).marketListingId;
    if (live === null)
      refuse(409, 'Publish the listing on the marketplace first, or together with the other channels.');
    const listing = requireOwnListing(world, person, listingId);
    for (const id of ids)
      if (id !== 'market') publishElsewhere(world, person, listing, { channelId: id, options: options[id] });
    if (request.autoDelistOnSale !== undefined)
      updateListing(world, listingId, { autoDelistOnSale: request.autoDelistOnSale });
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

const revision = z.looseObject({ channels: z.array(z.string()).min(1).optional(), ...liveChanges });

const reviseElsewhere = (
  world: World,
  { userId, listingId }: ListingRow,
  channelId: string,
  changes: Revision,
): void => {
  const { name, maxTitleLength } = connectableChannel(channelId);
  requireLive(world, listingId, channelId);
  const { bestOffer: offers, ...changed } = changes;
  if (offers !== undefined) requireConsistentOffer(offers);
  if (Object.keys(changes).length === 0) refuse(400, 'Name at least one field to change.');
  const other = Object.keys(changed).find((field) => !Object.hasOwn(shownFields.shape, field));
  if (other !== undefined) refuse(400, `${other} cannot be changed on a live listing.`);
  if ((changed.title ?? '').length > maxTitleLength)
    refuse(400, `${name} takes titles up to ${maxTitleLength} characters.`);
  const before = stateRows(world, listingId).find((row) => row.channelId === channelId)?.shown;
  run(
    world.db,
    'UPDATE channelListings SET shown = ? WHERE listingId = ? AND channelId = ?',
    JSON.stringify({ ...before, ...changed }),
    listingId,
    channelId,
  );
  recordEffect(world, 'revision', { userId, listingId, channelId, changes: changed });
};

/** Revises a listing on the named channels, by default on every channel where it is live, in one transaction. */
export const reviseOnChannels = (world: World, person: Person, listingId: string, body: unknown): void => {
  const { channels: given, ...changes } = parseOpen(revision, body);
  atomically(world.db, () => {
    const listing = requireOwnListing(world, person, listingId);
    const live = stateRows(world, listingId).filter(({ status }) => status === 'published');
    const ids = given
      ? channelIdsOf(given)
      : ['market', ...live.filter((one) => one.channelId !== 'market').map((one) => one.channelId)];
    if (ids.includes('market')) reviseListing(world, person, listingId, changes satisfies Revision);
    for (const id of ids) if (id !== 'market') reviseElsewhere(world, listing, id, changes);
  });
};

const setState = (world: World, listingId: string, channelId: string, status: 'ended' | 'deleted'): void => {
  const found = stateRows(world, listingId).find((row) => row.channelId === channelId);
  const { name } = connectableChannel(channelId);
  if (!found || found.status === 'deleted') return refuse(409, `The listing is not on ${name}.`);
  if (status === 'ended') requireLive(world, listingId, channelId);
  run(
    world.db,
    'UPDATE channelListings SET status = ?, endedAt = coalesce(endedAt, ?) WHERE listingId = ? AND channelId = ?',
    status,
    world.clock.now(),
    listingId,
    channelId,
  );
};

/** Ends a listing on the named channels only. */
export const endOnChannels = (world: World, person: Person, listingId: string, body: unknown): void =>
  atomically(world.db, () => {
    const ids = channelIdsOf(parseOpen(channelSelection, body).channels ?? ['market']);
    const others = ids.filter((id) => id !== 'market');
    if (others.length < ids.length) endListing(world, person, listingId);
    if (others.length === 0) return;
    requireOwnListing(world, person, listingId);
    for (const id of others) setState(world, listingId, id, 'ended');
    recordEffect(world, 'end', { userId: person.userId, listingId, channels: others });
  });

/** Deletes a listing from channels. Refuses the marketplace, where a listing can only be ended. */
export const deleteFromChannels = (world: World, person: Person, listingId: string, body: unknown): void =>
  atomically(world.db, () => {
    requireOwnListing(world, person, listingId);
    const ids = channelIdsOf(parseOpen(channelSelection, body).channels ?? ['market']);
    if (ids.includes('market')) refuse(400, 'A listing is ended on the marketplace, not deleted.');
    for (const id of ids) setState(world, listingId, id, 'deleted');
    recordEffect(world, 'delete', { userId: person.userId, listingId, channels: ids });
  });
