import type { Listing } from '../../contract/index.ts';
import { isoOf, isoOrNull } from '../clock.ts';
import { siteOf } from '../market/sites.ts';
import { blockersOf } from './blockers.ts';
import { findListing, type ListingRow } from './listings.ts';
import { photosOf, photoUrl } from './photos.ts';
import { policiesOf } from './policies.ts';
import type { World } from './world.ts';

/** The live page of a listing. */
export const pageUrl = (world: World, marketListingId: string): string =>
  `${world.url()}/market-pages/${marketListingId}`;

const liveFacts = (world: World, row: ListingRow) =>
  row.marketListingId === null
    ? { marketListingId: null, marketListingUrl: null }
    : { marketListingId: row.marketListingId, marketListingUrl: pageUrl(world, row.marketListingId) };

// The policy that a publish would take when nobody names another.
const usualPostage = (world: World, row: ListingRow) =>
  policiesOf(world, row.userId, row.marketplaceId).find(({ kind }) => kind === 'fulfillment') ?? null;

/** A listing as the interface answers it. */
export const listingAnswer = (world: World, row: ListingRow): Listing => {
  const photos = photosOf(world, row.listingId);
  const { seq: _seq, userId: _user, runId: _run, written: _written, everLive: _live, ...shown } = row;
  const blockers = row.status === 'pending_review' ? blockersOf(row, photos.length, usualPostage(world, row)) : [];
  return {
    ...shown,
    ...liveFacts(world, row),
    currency: siteOf(row.marketplaceId)?.currency ?? 'USD',
    imageUrls: photos.map(({ file }) => photoUrl(world, file)),
    publishBlockers: blockers,
    publishedAt: isoOrNull(row.publishedAt),
    endedAt: isoOrNull(row.endedAt),
    createdAt: isoOf(row.createdAt),
    updatedAt: isoOf(row.updatedAt),
  };
};

/** The same by id, after a change. */
export const answerOfListing = (world: World, listingId: string): Listing => {
  const row = findListing(world, listingId);
  if (!row) throw new Error(`The listing ${listingId} is gone.`);
  return listingAnswer(world, row);
};
