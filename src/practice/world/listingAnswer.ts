import type { Listing } from '../../contract/index.ts';
import { isoOf, isoOrNull } from '../clock.ts';
import { siteOf } from '../market/sites.ts';
import { blockersOf } from './blockers.ts';
import { findListing, type ListingRow } from './listings.ts';
import { filesOf, photoUrl } from './photos.ts';
import { policiesOf, type Policy } from './policies.ts';
import type { World } from './world.ts';

/** The live page of a listing. */
export const pageUrl = (world: World, marketListingId: string): string =>
  `${world.url()}/market-pages/${marketListingId}`;

const liveFacts = (world: World, row: ListingRow) =>
  row.marketListingId === null
    ? { marketListingId: null, marketListingUrl: null }
    : { marketListingId: row.marketListingId, marketListingUrl: pageUrl(world, row.marketListingId) };

type Postage = (row: ListingRow) => Policy | null;

// The policy that a publish would take when nobody names another. Asked for a page, it is looked up once a site.
const usualPostage = (world: World): Postage => {
  const known = new Map<string, Policy | null>();
  return ({ userId, marketplaceId }) => {
    const key = `${userId} ${marketplaceId}`;
    const found = known.get(key);
    if (found !== undefined) return found;
    const first = policiesOf(world, userId, marketplaceId).find(({ kind }) => kind === 'fulfillment') ?? null;
    known.set(key, first);
    return first;
  };
};

const answerWith = (world: World, row: ListingRow, files: string[], postage: Postage): Listing => {
  const { seq: _seq, userId: _user, runId: _run, written: _written, everLive: _live, ...shown } = row;
  const blockers = row.status === 'pending_review' ? blockersOf(row, files.length, postage(row)) : [];
  return {
    ...shown,
    ...liveFacts(world, row),
    currency: siteOf(row.marketplaceId)?.currency ?? 'USD',
    imageUrls: files.map((file) => photoUrl(world, file)),
    publishBlockers: blockers,
    publishedAt: isoOrNull(row.publishedAt),
    endedAt: isoOrNull(row.endedAt),
    createdAt: isoOf(row.createdAt),
    updatedAt: isoOf(row.updatedAt),
  };
};

/** Listings as the interface answers them; what they share is read once. */
export const listingAnswers = (world: World, rows: readonly ListingRow[]): Listing[] => {
  const files = filesOf(
    world,
    rows.map(({ listingId }) => listingId),
  );
  const postage = usualPostage(world);
  return rows.map((row) => answerWith(world, row, files.get(row.listingId) ?? [], postage));
};

/** A listing as the interface answers it. */
export const listingAnswer = (world: World, row: ListingRow): Listing => {
  const [answer] = listingAnswers(world, [row]);
  if (!answer) throw new Error('One listing has one answer.');
  return answer;
};

/** The same by id, after a change. */
export const answerOfListing = (world: World, listingId: string): Listing => {
  const row = findListing(world, listingId);
  if (!row) throw new Error(`The listing ${listingId} is gone.`);
  return listingAnswer(world, row);
};
