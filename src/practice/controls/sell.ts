import * as z from 'zod';
import { atomically, run } from '../database.ts';
import { siteOf } from '../market/sites.ts';
import { refuse } from '../refusal.ts';
import { note } from '../world/journal.ts';
import { findListing, requireState, updateListing } from '../world/listings.ts';
import { notify } from '../world/notifications.ts';
import type { World } from '../world/world.ts';

/** Who buys how many of what. */
export const sale = z.strictObject({
  listingId: z.string(),
  quantity: z.int().min(1).default(1),
  /** Chosen by somebody else, so it may be anything. */
  buyer: z.string().max(200).default('practice-buyer'),
});

const delist = (world: World, listingId: string): void => {
  run(
    world.db,
    "UPDATE channelListings SET status = 'ended', endedAt = ? WHERE listingId = ? AND channelId <> 'market' AND status = 'published'",
    world.clock.now(),
    listingId,
  );
};

/** Somebody buys: the quantity falls, and with none left the listing is sold. */
export const sell = (world: World, { listingId, quantity, buyer }: z.infer<typeof sale>) =>
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
    if (left === 0 && listing.autoDelistOnSale) delist(world, listingId);
    note(world, 'sale', { userId, listingId, quantity, unitCents: price, currency, buyer, left });
    notify(world, userId, 'sale', `${buyer} bought ${quantity} of "${title ?? ''}".`, listingId);
    return { listingId, quantity: left, status: left === 0 ? 'sold' : 'published' };
  });
