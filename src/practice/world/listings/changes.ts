import { dayMs } from '../../clock.ts';
import { all, atomically, run } from '../../database.ts';
import { siteOf } from '../../market/sites.ts';
import { refuse, parseOpen } from '../../refusal.ts';
import { recordEffect } from '../journal.ts';
import { notify } from '../messages.ts';
import {
  requireOwnListing,
  requireConsistentOffer,
  requireState,
  updateListing,
  type ListingUpdate,
  packageSize,
  listingRow,
  type ListingRow,
} from './listings.ts';
import { type Person, location } from '../people.ts';
import type { World } from '../world.ts';
import { editableStatuses, type ListingChanges } from '../../../contract/index.ts';
import * as z from 'zod';
import { categoryName, categoryOf } from '../../market/taxonomy.ts';
import { photosOf } from './photos.ts';

const revisable = ['title', 'description', 'price', 'quantity', 'sku', 'bestOffer'] as const;
/** The fields that can be changed on a live listing. */
export type Revision = Pick<ListingUpdate, (typeof revisable)[number]>;

/** Revises a live listing on the marketplace. Refuses fields that cannot be changed while live. */
export const reviseListing = (world: World, person: Person, listingId: string, changes: Revision): void =>
  atomically(world.db, () => {
    const listing = requireOwnListing(world, person, listingId);
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
    recordEffect(world, 'revision', { userId: person.userId, listingId, changes });
  });

const auctionMs = 7 * dayMs;

const endOnMarket = (world: World, { listingId }: ListingRow, at: number): void => {
  updateListing(world, listingId, { status: 'ended', endedAt: at });
  run(
    world.db,
    "UPDATE channelListings SET status = 'ended', endedAt = ? WHERE listingId = ? AND channelId = 'market'",
    at,
    listingId,
  );
};

/** Ends a listing on the marketplace only. Other channels keep it live. */
export const endListing = (world: World, person: Person, listingId: string): void =>
  atomically(world.db, () => {
    const listing = requireOwnListing(world, person, listingId);
    requireState(listing, ['published'], 'ended');
    endOnMarket(world, listing, world.clock.now());
    recordEffect(world, 'end', { userId: person.userId, listingId, marketListingId: listing.marketListingId });
  });

/** Ends a live listing as unsold and notifies the person. */
export const runOut = (world: World, listing: ListingRow, at: number): void => {
  const { userId, listingId, marketListingId, title } = listing;
  endOnMarket(world, listing, at);
  recordEffect(world, 'end', { userId, listingId, marketListingId, unsold: true });
  notify(world, userId, { kind: 'unsold', text: `"${title ?? ''}" has run out and was not sold.`, listingId });
};

/**
 * Ends the person's auctions whose time is over. It runs on every call. The rows are sorted here: with ORDER BY, the
 * query plan would depend on the bound values, and SQLite would prepare the statement again for every call.
 */
export const endDueAuctions = (world: World, userId: string): void => {
  const due = all(
    world.db,
    listingRow,
    `SELECT * FROM listings
     WHERE userId = ? AND status = 'published' AND format = 'AUCTION' AND publishedAt <= ?`,
    userId,
    world.clock.now() - auctionMs,
  );
  if (due.length === 0) return;
  atomically(world.db, () => {
    for (const listing of due.toSorted((a, b) => (a.publishedAt ?? 0) - (b.publishedAt ?? 0)))
      runOut(world, listing, (listing.publishedAt ?? 0) + auctionMs);
  });
};

/** The fields of an edit that the contract leaves open. */
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

/** Edits a listing that is not live. Ignores fields that cannot be set. */
export const editListing = (world: World, person: Person, listingId: string, changes: ListingChanges): void =>
  atomically(world.db, () => {
    const listing = requireOwnListing(world, person, listingId);
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
    recordEffect(world, 'edit', { userId: person.userId, listingId, fields: Object.keys(changes) });
  });

/** Reverts a failed listing to `pending_review` if it was written before, otherwise to `draft`. */
export const revertListing = (world: World, person: Person, listingId: string): void =>
  atomically(world.db, () => {
    const listing = requireOwnListing(world, person, listingId);
    requireState(listing, ['failed'], 'reverted');
    const status = listing.written ? 'pending_review' : 'draft';
    updateListing(world, listingId, { status, processingError: null, processingErrorCode: null });
    recordEffect(world, 'revert', { userId: person.userId, listingId, status });
  });

/** Returns an ended listing to `pending_review`. Publishing it creates a new marketplace listing. */
export const relistListing = (world: World, person: Person, listingId: string): void =>
  atomically(world.db, () => {
    const listing = requireOwnListing(world, person, listingId);
    requireState(listing, ['ended'], 'relisted');
    updateListing(world, listingId, {
      status: 'pending_review',
      marketListingId: null,
      publishedAt: null,
      endedAt: null,
    });
    run(world.db, 'DELETE FROM channelListings WHERE listingId = ?', listingId);
    recordEffect(world, 'relist', { userId: person.userId, listingId });
  });

/** Deletes a listing that never went live. Returns its photo files, which the caller must delete. */
export const deleteListing = (world: World, person: Person, listingId: string): string[] =>
  atomically(world.db, () => {
    const listing = requireOwnListing(world, person, listingId);
    requireState(listing, editableStatuses, 'deleted');
    if (listing.everLive)
      refuse(409, 'This listing was live before; a listing that was live cannot be deleted.', 'WAS_LIVE');
    const files = photosOf(world, listingId).map(({ file }) => file);
    run(world.db, 'DELETE FROM listings WHERE listingId = ?', listingId);
    recordEffect(world, 'delete', { userId: person.userId, listingId });
    return files;
  });

export const setVisibility = (world: World, person: Person, listingId: string, visible: boolean): void =>
  atomically(world.db, () => {
    requireOwnListing(world, person, listingId);
    updateListing(world, listingId, { visible });
  });
