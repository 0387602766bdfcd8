import { dayMs } from '../../clock.ts';
import { selectAllRows, runInTransaction, runStatement } from '../../database.ts';
import { findSiteById } from '../../market/sites.ts';
import { refuseCall, parseOpenBody } from '../../refusal.ts';
import { recordJournalEffect } from '../journal.ts';
import { addPersonNotification } from '../messages.ts';
import {
  requireOwnListing,
  requireConsistentOffer,
  requireListingState,
  updateListingColumns,
  type ListingUpdate,
  packageSize,
  listingRow,
  type ListingRow,
} from './listings.ts';
import { type Person, itemLocation } from '../people.ts';
import type { World } from '../world.ts';
import { editableStatuses, type ListingChanges } from '../../../contract/index.ts';
import * as z from 'zod';
import { getCategoryName, findCategoryById } from '../../market/taxonomy.ts';
import { listListingPhotos } from './photos.ts';

const revisableFields = ['title', 'description', 'price', 'quantity', 'sku', 'bestOffer'] as const;
export type Revision = Pick<ListingUpdate, (typeof revisableFields)[number]>;

/** Revises a live listing on the marketplace. Refuses a field that cannot be changed on a live listing. */
export const reviseMarketListing = (world: World, person: Person, listingId: string, changes: Revision): void =>
  runInTransaction(world.db, () => {
    const listing = requireOwnListing(world, person, listingId);
    requireListingState(listing, ['published'], 'revised');
    const fields = Object.keys(changes);
    if (fields.length === 0) refuseCall(400, 'Name at least one field to change.');
    const other = fields.find((field) => !revisableFields.some((known) => known === field));
    if (other !== undefined) refuseCall(400, `${other} cannot be changed on a live listing.`);
    const { title, description, price, quantity, sku, bestOffer } = changes;
    const maxTitleLength = findSiteById(listing.marketplaceId)?.titleLength ?? 80;
    if (title && title.length > maxTitleLength)
      refuseCall(400, `The title has ${title.length} characters; ${maxTitleLength} fit.`, 'MARKET_REFUSED');
    if (price === 0) refuseCall(400, 'The marketplace does not take a price of nothing.', 'MARKET_REFUSED');
    requireConsistentOffer(bestOffer);
    updateListingColumns(world, listingId, { title, description, price, quantity, sku, bestOffer });
    recordJournalEffect(world, 'revision', { userId: person.userId, listingId, changes });
  });

const auctionDurationMs = 7 * dayMs;

const markEndedOnMarket = (world: World, { listingId }: ListingRow, at: number): void => {
  updateListingColumns(world, listingId, { status: 'ended', endedAt: at });
  runStatement(
    world.db,
    "UPDATE channelListings SET status = 'ended', endedAt = ? WHERE listingId = ? AND channelId = 'market'",
    at,
    listingId,
  );
};

/** Ends a listing on the marketplace only. It stays live on other channels. */
export const endMarketListing = (world: World, person: Person, listingId: string): void =>
  runInTransaction(world.db, () => {
    const listing = requireOwnListing(world, person, listingId);
    requireListingState(listing, ['published'], 'ended');
    markEndedOnMarket(world, listing, world.clock.now());
    recordJournalEffect(world, 'end', { userId: person.userId, listingId, marketListingId: listing.marketListingId });
  });

/** Ends a live listing as unsold and notifies the person. */
export const endUnsoldListing = (world: World, listing: ListingRow, at: number): void => {
  const { userId, listingId, marketListingId, title } = listing;
  markEndedOnMarket(world, listing, at);
  recordJournalEffect(world, 'end', { userId, listingId, marketListingId, unsold: true });
  addPersonNotification(world, userId, {
    kind: 'unsold',
    text: `"${title ?? ''}" has run out and was not sold.`,
    listingId,
  });
};

/**
 * Ends the person's auctions that are due. The rows are sorted here and not by the query, because SQLite would prepare
 * a query with ORDER BY again for every call.
 */
export const endDueAuctions = (world: World, userId: string): void => {
  const due = selectAllRows(
    world.db,
    listingRow,
    `SELECT * FROM listings
     WHERE userId = ? AND status = 'published' AND format = 'AUCTION' AND publishedAt <= ?`,
    userId,
    world.clock.now() - auctionDurationMs,
  );
  if (due.length === 0) return;
  runInTransaction(world.db, () => {
    for (const listing of due.toSorted((a, b) => (a.publishedAt ?? 0) - (b.publishedAt ?? 0)))
      endUnsoldListing(world, listing, (listing.publishedAt ?? 0) + auctionDurationMs);
  });
};

const openChanges = z.looseObject({
  sku: z.string().max(200).nullable().optional(),
  format: z.enum(['FIXED_PRICE', 'AUCTION']).optional(),
  packageSize: packageSize.nullable().optional(),
  location: itemLocation.nullable().optional(),
});

const toCategoryChanges = (listing: ListingRow, categoryId: string | undefined): ListingUpdate => {
  if (categoryId === undefined) return {};
  const category = findCategoryById(categoryId);
  if (!category) return refuseCall(400, `There is no category ${categoryId}.`);
  return { categoryId, categoryName: getCategoryName(category, listing.listingLanguage) };
};

/** Edits a listing that is not live. Ignores fields that cannot be set. */
export const editUnlistedListing = (world: World, person: Person, listingId: string, changes: ListingChanges): void =>
  runInTransaction(world.db, () => {
    const listing = requireOwnListing(world, person, listingId);
    requireListingState(listing, editableStatuses, 'edited');
    const { title, description, price, condition, conditionDescription, itemSpecifics, quantity } = changes;
    const { packageWeightGrams, bestOffer, categoryId } = changes;
    const { sku, format, packageSize: size, location: place } = parseOpenBody(openChanges, changes);
    requireConsistentOffer(bestOffer);
    updateListingColumns(world, listingId, {
      ...{ title, description, price, condition, conditionDescription, itemSpecifics, quantity },
      ...{ packageWeightGrams, bestOffer, sku, format, packageSize: size, location: place },
      ...toCategoryChanges(listing, categoryId),
    });
    recordJournalEffect(world, 'edit', { userId: person.userId, listingId, fields: Object.keys(changes) });
  });

/** Returns a failed listing to `pending_review` if it has texts, else to `draft`. */
export const revertFailedListing = (world: World, person: Person, listingId: string): void =>
  runInTransaction(world.db, () => {
    const listing = requireOwnListing(world, person, listingId);
    requireListingState(listing, ['failed'], 'reverted');
    const status = listing.written ? 'pending_review' : 'draft';
    updateListingColumns(world, listingId, { status, processingError: null, processingErrorCode: null });
    recordJournalEffect(world, 'revert', { userId: person.userId, listingId, status });
  });

/** Returns an ended listing to `pending_review`. A later publish creates a new marketplace listing. */
export const relistEndedListing = (world: World, person: Person, listingId: string): void =>
  runInTransaction(world.db, () => {
    const listing = requireOwnListing(world, person, listingId);
    requireListingState(listing, ['ended'], 'relisted');
    updateListingColumns(world, listingId, {
      status: 'pending_review',
      marketListingId: null,
      publishedAt: null,
      endedAt: null,
    });
    runStatement(world.db, 'DELETE FROM channelListings WHERE listingId = ?', listingId);
    recordJournalEffect(world, 'relist', { userId: person.userId, listingId });
  });

/** Deletes a listing that was never live. Returns its photo files, and the caller must delete them. */
export const deleteUnpublishedListing = (world: World, person: Person, listingId: string): string[] =>
  runInTransaction(world.db, () => {
    const listing = requireOwnListing(world, person, listingId);
    requireListingState(listing, editableStatuses, 'deleted');
    if (listing.everLive)
      refuseCall(409, 'This listing was live before; a listing that was live cannot be deleted.', 'WAS_LIVE');
    const files = listListingPhotos(world, listingId).map(({ file }) => file);
    runStatement(world.db, 'DELETE FROM listings WHERE listingId = ?', listingId);
    recordJournalEffect(world, 'delete', { userId: person.userId, listingId });
    return files;
  });

export const setListingVisibility = (world: World, person: Person, listingId: string, visible: boolean): void =>
  runInTransaction(world.db, () => {
    requireOwnListing(world, person, listingId);
    updateListingColumns(world, listingId, { visible });
  });
