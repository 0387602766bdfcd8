import * as z from 'zod';
import { atomically, run } from '../database.ts';
import { siteOf } from '../market/sites.ts';
import { refuse } from '../refusal.ts';
import { recordEffect } from '../world/journal.ts';
import { findListing, requireState, updateListing, type ListingRow } from '../world/listings/listings.ts';
import { priceOn, requireLive, showQuantity } from '../world/listings/channels.ts';
import { runOut } from '../world/listings/changes.ts';
import { notify } from '../world/messages.ts';
import type { World } from '../world/world.ts';
import { policyKinds, siteId } from '../../contract/index.ts';
import { findPerson } from '../world/people.ts';
import { addPolicy } from '../world/marketAccount.ts';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { photosOf } from '../world/listings/photos.ts';

export const saleInput = z.strictObject({
  listingId: z.string(),
  quantity: z.int().min(1).default(1),
  /** Third-party text, so it may contain anything. */
  buyer: z.string().max(200).default('practice-buyer'),
  channelId: z.string().default('market'),
});

const endOnOtherChannels = (world: World, listingId: string, channelId: string): void => {
  run(
    world.db,
    "UPDATE channelListings SET status = 'ended', endedAt = ? WHERE listingId = ? AND channelId <> ? AND status = 'published'",
    world.clock.now(),
    listingId,
    channelId,
  );
};

const soldOn = (world: World, listingId: string, channelId: string): void => {
  run(
    world.db,
    "UPDATE channelListings SET status = 'sold', endedAt = ? WHERE listingId = ? AND channelId = ?",
    world.clock.now(),
    listingId,
    channelId,
  );
};

type Sale = z.infer<typeof saleInput>;

const recordSale = (world: World, listing: ListingRow, { quantity, buyer, channelId }: Sale, left: number): void => {
  const { userId, listingId, title, marketListingId } = listing;
  const price = priceOn(world, listing, channelId);
  const currency = siteOf(listing.marketplaceId)?.currency ?? 'USD';
  run(
    world.db,
    `INSERT INTO sales (userId, listingId, marketListingId, title, quantity, unitCents, currency, buyer, at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ...[userId, listingId, marketListingId ?? '', title ?? '', quantity, price ?? 0, currency, buyer],
    world.clock.now(),
  );
  recordEffect(world, 'sale', { userId, listingId, channelId, quantity, unitCents: price, currency, buyer, left });
  notify(world, userId, { kind: 'sale', text: `${buyer} bought ${quantity} of "${title ?? ''}".`, listingId });
};

/**
 * Simulates a purchase, which reduces the quantity on every channel. At quantity 0 the listing becomes sold and, with
 * `autoDelistOnSale`, ends on the other channels. Without `autoDelistOnSale`, a listing that sells out on another
 * channel stays live at the marketplace with quantity 0.
 */
export const sellItem = (world: World, sale: Sale) =>
  atomically(world.db, () => {
    const { listingId, quantity, channelId } = sale;
    const listing = findListing(world, listingId);
    if (!listing) return refuse(404, 'There is no listing with this id.');
    if (channelId === 'market') requireState(listing, ['published'], 'bought');
    requireLive(world, listingId, channelId);
    if (quantity > listing.quantity) refuse(409, `Only ${listing.quantity} are left.`);
    const left = listing.quantity - quantity;
    const isSold = left === 0 && (channelId === 'market' || listing.autoDelistOnSale);
    const leaves = isSold && listing.status === 'published';
    updateListing(world, listingId, {
      quantity: left,
      soldQuantity: listing.soldQuantity + quantity,
      ...(leaves ? { status: 'sold' as const, endedAt: world.clock.now() } : {}),
    });
    showQuantity(world, listingId, left);
    if (left === 0) soldOn(world, listingId, channelId);
    if (left === 0 && listing.autoDelistOnSale) endOnOtherChannels(world, listingId, channelId);
    recordSale(world, listing, sale, left);
    return { listingId, quantity: left, status: leaves ? 'sold' : listing.status };
  });

export const expiryInput = saleInput.pick({ listingId: true });

export const expireListing = (world: World, { listingId }: z.infer<typeof expiryInput>) =>
  atomically(world.db, () => {
    const listing = findListing(world, listingId);
    if (!listing) return refuse(404, 'There is no listing with this id.');
    requireState(listing, ['published'], 'run out');
    runOut(world, listing, world.clock.now());
    return { listingId, status: 'ended' };
  });

/** A policy that the person created on the marketplace's own pages. */
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
export const addOwnPolicy = (world: World, given: z.infer<typeof policyInput>): { policyId: string } =>
  atomically(world.db, () => {
    const { userId, marketplaceId, kind, name, ...facts } = given;
    if (!findPerson(world, userId)) refuse(404, 'Nobody has this id.');
    const policyId = addPolicy(world, userId, marketplaceId, { kind, name, facts });
    recordEffect(world, 'policies', { userId, marketplaceId, policyIds: [policyId] });
    return { policyId };
  });

/** The photo to replace and its new bytes. */
export const photoInput = z.strictObject({
  listingId: z.string(),
  index: z.int().min(0).default(0),
  /** Any bytes, including bytes that are not an image. */
  base64: z.base64(),
});

/** Replaces the bytes of a photo without changing its address, to simulate a dishonest service. */
export const replacePhoto = async (world: World, { listingId, index, base64 }: z.infer<typeof photoInput>) => {
  const photo = photosOf(world, listingId).find(({ position }) => position === index);
  if (!photo) return refuse(404, 'There is no such photo.');
  const bytes = Buffer.from(base64, 'base64');
  await writeFile(join(world.photosDir, photo.file), bytes);
  run(world.db, 'UPDATE photos SET bytes = ? WHERE file = ?', bytes.length, photo.file);
  return { file: photo.file, bytes: bytes.length };
};
