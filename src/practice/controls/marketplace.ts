import * as z from 'zod';
import { runInTransaction, runStatement } from '../database.ts';
import { findSiteById } from '../market/sites.ts';
import { refuseCall } from '../refusal.ts';
import { recordJournalEffect } from '../world/journal.ts';
import {
  findListingById,
  requireListingState,
  updateListingColumns,
  type ListingRow,
} from '../world/listings/listings.ts';
import { readChannelPrice, requireLiveOnChannel, capChannelQuantities } from '../world/listings/channels.ts';
import { endUnsoldListing } from '../world/listings/changes.ts';
import { addPersonNotification } from '../world/messages.ts';
import type { World } from '../world/world.ts';
import { policyKinds, siteId } from '../../contract/index.ts';
import { findPersonById } from '../world/people.ts';
import { insertMarketPolicy } from '../world/marketAccount.ts';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { listListingPhotos } from '../world/listings/photos.ts';

export const saleInput = z.strictObject({
  listingId: z.string(),
  quantity: z.int().min(1).default(1),
  /** A buyer chooses this name, so any text is allowed. */
  buyer: z.string().max(200).default('practice-buyer'),
  channelId: z.string().default('market'),
});

const endOnOtherChannels = (world: World, listingId: string, channelId: string): void => {
  runStatement(
    world.db,
    "UPDATE channelListings SET status = 'ended', endedAt = ? WHERE listingId = ? AND channelId <> ? AND status = 'published'",
    world.clock.now(),
    listingId,
    channelId,
  );
};

const markSoldOnChannel = (world: World, listingId: string, channelId: string): void => {
  runStatement(
    world.db,
    "UPDATE channelListings SET status = 'sold', endedAt = ? WHERE listingId = ? AND channelId = ?",
    world.clock.now(),
    listingId,
    channelId,
  );
};

type Sale = z.infer<typeof saleInput>;

const recordItemSale = (
  world: World,
  listing: ListingRow,
  { quantity, buyer, channelId }: Sale,
  left: number,
): void => {
  const { userId, listingId, title, marketListingId } = listing;
  const price = readChannelPrice(world, listing, channelId);
  const currency = findSiteById(listing.marketplaceId)?.currency ?? 'USD';
  runStatement(
    world.db,
    `INSERT INTO sales (userId, listingId, marketListingId, title, quantity, unitCents, currency, buyer, at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ...[userId, listingId, marketListingId ?? '', title ?? '', quantity, price ?? 0, currency, buyer],
    world.clock.now(),
  );
  recordJournalEffect(world, 'sale', {
    userId,
    listingId,
    channelId,
    quantity,
    unitCents: price,
    currency,
    buyer,
    left,
  });
  addPersonNotification(world, userId, {
    kind: 'sale',
    text: `${buyer} bought ${quantity} of "${title ?? ''}".`,
    listingId,
  });
};

/**
 * Simulates a purchase. If `autoDelistOnSale` is set, the listing ends on the other channels when its last piece is
 * sold. Otherwise, a listing that sold out on a channel other than the marketplace stays live on the marketplace with
 * quantity 0.
 */
export const simulatePurchase = (world: World, sale: Sale) =>
  runInTransaction(world.db, () => {
    const { listingId, quantity, channelId } = sale;
    const listing = findListingById(world, listingId);
    if (!listing) return refuseCall(404, 'There is no listing with this id.');
    if (channelId === 'market') requireListingState(listing, ['published'], 'bought');
    requireLiveOnChannel(world, listingId, channelId);
    if (quantity > listing.quantity) refuseCall(409, `Only ${listing.quantity} are left.`);
    const left = listing.quantity - quantity;
    const isSold = left === 0 && (channelId === 'market' || listing.autoDelistOnSale);
    const leavesMarket = isSold && listing.status === 'published';
    updateListingColumns(world, listingId, {
      quantity: left,
      soldQuantity: listing.soldQuantity + quantity,
      ...(leavesMarket ? { status: 'sold' as const, endedAt: world.clock.now() } : {}),
    });
    capChannelQuantities(world, listingId, left);
    if (left === 0) markSoldOnChannel(world, listingId, channelId);
    if (left === 0 && listing.autoDelistOnSale) endOnOtherChannels(world, listingId, channelId);
    recordItemSale(world, listing, sale, left);
    return { listingId, quantity: left, status: leavesMarket ? 'sold' : listing.status };
  });

export const expiryInput = saleInput.pick({ listingId: true });

export const expireLiveListing = (world: World, { listingId }: z.infer<typeof expiryInput>) =>
  runInTransaction(world.db, () => {
    const listing = findListingById(world, listingId);
    if (!listing) return refuseCall(404, 'There is no listing with this id.');
    requireListingState(listing, ['published'], 'run out');
    endUnsoldListing(world, listing, world.clock.now());
    return { listingId, status: 'ended' };
  });

export const policyInput = z.strictObject({
  userId: z.string(),
  marketplaceId: siteId,
  kind: z.enum(policyKinds),
  name: z.string().min(1).default('A policy of my own'),
  postage: z.enum(['flat', 'calculated']).optional(),
  flatMinor: z.int().min(0).optional(),
  maxWeightGrams: z.int().min(1).optional(),
});

/** Adds a policy to the marketplace account. Refuses an unknown person with 404. */
export const addPersonPolicy = (world: World, input: z.infer<typeof policyInput>): { policyId: string } =>
  runInTransaction(world.db, () => {
    const { userId, marketplaceId, kind, name, ...facts } = input;
    if (!findPersonById(world, userId)) refuseCall(404, 'There is no person with this id.');
    const policyId = insertMarketPolicy(world, userId, marketplaceId, { kind, name, facts });
    recordJournalEffect(world, 'policies', { userId, marketplaceId, policyIds: [policyId] });
    return { policyId };
  });

export const photoInput = z.strictObject({
  listingId: z.string(),
  index: z.int().min(0).default(0),
  base64: z.base64(),
});

/** Replaces the bytes of a photo but keeps its URL, to simulate a dishonest service. */
export const replacePhotoBytes = async (world: World, { listingId, index, base64 }: z.infer<typeof photoInput>) => {
  const photo = listListingPhotos(world, listingId).find(({ position }) => position === index);
  if (!photo) return refuseCall(404, 'There is no such photo.');
  const bytes = Buffer.from(base64, 'base64');
  await writeFile(join(world.photosDir, photo.file), bytes);
  runStatement(world.db, 'UPDATE photos SET bytes = ? WHERE file = ?', bytes.length, photo.file);
  return { file: photo.file, bytes: bytes.length };
};
