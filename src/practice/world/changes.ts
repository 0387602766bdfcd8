import { editableStatuses, type ListingChanges } from '../../contract/index.ts';
import * as z from 'zod';
import { atomically, run } from '../database.ts';
import { categoryName, categoryOf } from '../market/taxonomy.ts';
import { parseOpen, refuse } from '../refusal.ts';
import { note } from './journal.ts';
import {
  ownListing,
  packageSize,
  requireConsistentOffer,
  requireState,
  updateListing,
  type ListingRow,
  type ListingUpdate,
} from './listings.ts';
import type { Person } from './people.ts';
import { photosOf } from './photos.ts';
import { location } from './sellerDefaults.ts';
import type { World } from './world.ts';

/** Fields of an edit that the contract leaves open. */
const moreChanges = z.looseObject({
  sku: z.string().max(200).nullable().optional(),
  format: z.enum(['FIXED_PRICE', 'AUCTION']).optional(),
  packageSize: packageSize.nullable().optional(),
  location: location.nullable().optional(),
});

const categoryChanges = (listing: ListingRow, categoryId: string | undefined): ListingUpdate => {
  if (categoryId === undefined) return {};
  const category = categoryOf(categoryId);
  if (!category) return refuse(400, `There is no category ${categoryId}.`);
  return { categoryId, categoryName: categoryName(category, listing.listingLanguage) };
};

/** Edits a listing that is not live. Fields that cannot be set are passed over. */
export const edit = (world: World, person: Person, listingId: string, changes: ListingChanges): void =>
  atomically(world.db, () => {
    const listing = ownListing(world, person, listingId);
    requireState(listing, editableStatuses, 'edited');
    const { title, description, price, condition, conditionDescription, itemSpecifics, quantity } = changes;
    const { packageWeightGrams, bestOffer, categoryId } = changes;
    const { sku, format, packageSize: size, location: place } = parseOpen(moreChanges, changes);
    requireConsistentOffer(bestOffer);
    updateListing(world, listingId, {
      ...{ title, description, price, condition, conditionDescription, itemSpecifics, quantity },
      ...{ packageWeightGrams, bestOffer, sku, format, packageSize: size, location: place },
      ...categoryChanges(listing, categoryId),
    });
    note(world, 'edit', { userId: person.userId, listingId, fields: Object.keys(changes) });
  });

/** Takes a failed listing back: to review when it was written once, else to the draft it was. */
export const revert = (world: World, person: Person, listingId: string): void =>
  atomically(world.db, () => {
    const listing = ownListing(world, person, listingId);
    requireState(listing, ['failed'], 'reverted');
    const status = listing.written ? 'pending_review' : 'draft';
    updateListing(world, listingId, { status, processingError: null, processingErrorCode: null });
    note(world, 'revert', { userId: person.userId, listingId, status });
  });

/** Brings an ended listing back for review. Publishing it makes a new listing at the marketplace. */
export const relist = (world: World, person: Person, listingId: string): void =>
  atomically(world.db, () => {
    const listing = ownListing(world, person, listingId);
    requireState(listing, ['ended'], 'relisted');
    updateListing(world, listingId, {
      status: 'pending_review',
      marketListingId: null,
      publishedAt: null,
      endedAt: null,
    });
    run(world.db, 'DELETE FROM channelListings WHERE listingId = ?', listingId);
    note(world, 'relist', { userId: person.userId, listingId });
  });

/** Deletes a listing that never went live. Returns the photo files that nobody needs any more. */
export const removeListing = (world: World, person: Person, listingId: string): string[] =>
  atomically(world.db, () => {
    const listing = ownListing(world, person, listingId);
    requireState(listing, editableStatuses, 'deleted');
    if (listing.everLive)
      refuse(409, 'This listing was live before; a listing that was live cannot be deleted.', 'WAS_LIVE');
    const files = photosOf(world, listingId).map(({ file }) => file);
    run(world.db, 'DELETE FROM listings WHERE listingId = ?', listingId);
    note(world, 'delete', { userId: person.userId, listingId });
    return files;
  });

/** Shows or hides a listing in the service's own lists. */
export const setVisibility = (world: World, person: Person, listingId: string, visible: boolean): void =>
  atomically(world.db, () => {
    ownListing(world, person, listingId);
    updateListing(world, listingId, { visible });
  });
