import { atomically, run } from '../database.ts';
import { siteOf } from '../market/sites.ts';
import { refuse } from '../refusal.ts';
import { note } from './journal.ts';
import { ownListing, requireConsistentOffer, requireState, updateListing, type ListingUpdate } from './listings.ts';
import type { Person } from './people.ts';
import type { World } from './world.ts';

const revisable = ['title', 'description', 'price', 'quantity', 'sku', 'bestOffer'] as const;
/** What can be changed on a live listing. */
export type Revision = Pick<ListingUpdate, (typeof revisable)[number]>;

/** Pushes changed fields to a live listing; only the fields that can be changed live. */
export const revise = (world: World, person: Person, listingId: string, changes: Revision): void =>
  atomically(world.db, () => {
    const listing = ownListing(world, person, listingId);
    requireState(listing, ['published'], 'revised');
    const fields = Object.keys(changes);
    if (fields.length === 0) refuse(400, 'Name at least one field to change.');
    const other = fields.find((field) => !revisable.some((known) => known === field));
    if (other !== undefined) refuse(400, `${other} cannot be changed on a live listing.`);
    const { title, description, price, quantity, sku, bestOffer } = changes;
    const longest = siteOf(listing.marketplaceId)?.titleLength ?? 80;
    if (title && title.length > longest)
      refuse(400, `The title has ${title.length} characters; ${longest} fit.`, 'MARKET_REFUSED');
    if (price === 0) refuse(400, 'The marketplace does not take a price of nothing.', 'MARKET_REFUSED');
    requireConsistentOffer(bestOffer);
    updateListing(world, listingId, { title, description, price, quantity, sku, bestOffer });
    note(world, 'revision', { userId: person.userId, listingId, changes });
  });

/** Ends a live listing everywhere. */
export const endListing = (world: World, person: Person, listingId: string): void =>
  atomically(world.db, () => {
    const listing = ownListing(world, person, listingId);
    requireState(listing, ['published'], 'ended');
    const now = world.clock.now();
    updateListing(world, listingId, { status: 'ended', endedAt: now });
    run(
      world.db,
      "UPDATE channelListings SET status = 'ended', endedAt = ? WHERE listingId = ? AND status = 'published'",
      now,
      listingId,
    );
    note(world, 'end', { userId: person.userId, listingId, marketListingId: listing.marketListingId });
  });
