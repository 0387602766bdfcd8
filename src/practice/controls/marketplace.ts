import * as z from 'zod';
import { atomically, run } from '../database.ts';
import { siteOf } from '../market/sites.ts';
import { refuse } from '../refusal.ts';
import { recordEffect } from '../world/journal.ts';
import { findListing, requireState, updateListing } from '../world/listings/listings.ts';
import { runOut } from '../world/listings/changes.ts';
import { notify } from '../world/messages.ts';
import type { World } from '../world/world.ts';
import { siteId } from '../../contract/index.ts';
import { findPerson } from '../world/people.ts';
import { addPolicy, policyKinds } from '../world/marketAccount.ts';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { photosOf } from '../world/listings/photos.ts';

/** Who buys how many of what. */
export const saleInput = z.strictObject({
  listingId: z.string(),
  quantity: z.int().min(1).default(1),
  /** Chosen by somebody else, so it may be anything. */
  buyer: z.string().max(200).default('practice-buyer'),
});

const endOnOtherChannels = (world: World, listingId: string): void => {
  run(
    world.db,
    "UPDATE channelListings SET status = 'ended', endedAt = ? WHERE listingId = ? AND channelId <> 'market' AND status = 'published'",
    world.clock.now(),
    listingId,
  );
};

/** Somebody buys: the quantity falls, and with none left the listing is sold. */
export const sellItem = (world: World, { listingId, quantity, buyer }: z.infer<typeof saleInput>) =>
  atomically(world.db, () => {
    const listing = findListing(world, listingId);
    if (!listing) return refuse(404, 'There is no listing with this id.');
    requireState(listing, ['published'], 'bought');
    if (quantity > listing.quantity) refuse(409, `Only ${listing.quantity} are left.`);
    const left = listing.quantity - quantity;
    const { userId, title, price, marketListingId } = listing;
    const currency = siteOf(listing.marketplaceId)?.currency ?? 'USD';
    updateListing(world, listingId, {
      quantity: left,
      soldQuantity: listing.soldQuantity + quantity,
      ...(left === 0 ? { status: 'sold' as const, endedAt: world.clock.now() } : {}),
    });
    run(
      world.db,
      `INSERT INTO sales (userId, listingId, marketListingId, title, quantity, unitCents, currency, buyer, at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      ...[
        userId,
        listingId,
        marketListingId ?? '',
        title ?? '',
        quantity,
        price ?? 0,
        currency,
        buyer,
        world.clock.now(),
      ],
    );
    if (left === 0 && listing.autoDelistOnSale) endOnOtherChannels(world, listingId);
    recordEffect(world, 'sale', { userId, listingId, quantity, unitCents: price, currency, buyer, left });
    notify(world, userId, { kind: 'sale', text: `${buyer} bought ${quantity} of "${title ?? ''}".`, listingId });
    return { listingId, quantity: left, status: left === 0 ? 'sold' : 'published' };
  });

/** Whose time is over. */
export const expiryInput = saleInput.pick({ listingId: true });

/** The time of a live listing is over and it is not sold. */
export const expireListing = (world: World, { listingId }: z.infer<typeof expiryInput>) =>
  atomically(world.db, () => {
    const listing = findListing(world, listingId);
    if (!listing) return refuse(404, 'There is no listing with this id.');
    requireState(listing, ['published'], 'run out');
    runOut(world, listing, world.clock.now());
    return { listingId, status: 'ended' };
  });

/** A policy as the person would make it on the marketplace's own pages. */
export const policyInput = z.strictObject({
  userId: z.string(),
  marketplaceId: siteId,
  kind: z.enum(policyKinds),
  name: z.string().min(1).default('A policy of my own'),
  postage: z.enum(['flat', 'calculated']).optional(),
  flatMinor: z.int().min(0).optional(),
  maxWeightGrams: z.int().min(1).optional(),
});

/** Adds a policy to the marketplace account; refused with 404 when nobody has the id. */
export const addOwnPolicy = (world: World, given: z.infer<typeof policyInput>): { policyId: string } =>
  atomically(world.db, () => {
    const { userId, marketplaceId, kind, name, ...facts } = given;
    if (!findPerson(world, userId)) refuse(404, 'Nobody has this id.');
    const policyId = addPolicy(world, userId, marketplaceId, { kind, name, facts });
    recordEffect(world, 'policies', { userId, marketplaceId, policyIds: [policyId] });
    return { policyId };
  });

/** Which photo gets which bytes. */
export const photoInput = z.strictObject({
  listingId: z.string(),
  index: z.int().min(0).default(0),
  /** Any bytes, also such as are no picture. */
  base64: z.base64(),
});

/** Puts other bytes behind the address of a photo, which stays as it is: what no honest service does. */
export const replacePhoto = async (world: World, { listingId, index, base64 }: z.infer<typeof photoInput>) => {
  const photo = photosOf(world, listingId).find(({ position }) => position === index);
  if (!photo) return refuse(404, 'There is no such photo.');
  const bytes = Buffer.from(base64, 'base64');
  await writeFile(join(world.photosDir, photo.file), bytes);
  run(world.db, 'UPDATE photos SET bytes = ? WHERE file = ?', bytes.length, photo.file);
  return { file: photo.file, bytes: bytes.length };
};
