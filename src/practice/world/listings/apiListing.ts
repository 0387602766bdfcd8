import type { Listing } from '../../../contract/index.ts';
import { formatIsoTime, formatIsoTimeOrNull } from '../../clock.ts';
import { findSiteById } from '../../market/sites.ts';
import { listPublishBlockers } from './publish.ts';
import { findListingById, type ListingRow, listingRow } from './listings.ts';
import { listPhotoFiles, formatPhotoUrl } from './photos.ts';
import { listPersonPolicies, type Policy } from '../marketAccount.ts';
import type { World } from '../world.ts';
import { selectAllRows } from '../../database.ts';
import { refuseCall } from '../../refusal.ts';
import type { Person } from '../people.ts';

export const formatLivePageUrl = (world: World, marketListingId: string): string =>
  `${world.url()}/market-pages/${marketListingId}`;

const buildLiveFields = (world: World, row: ListingRow) =>
  row.marketListingId === null
    ? { marketListingId: null, marketListingUrl: null }
    : { marketListingId: row.marketListingId, marketListingUrl: formatLivePageUrl(world, row.marketListingId) };

type PolicyLookup = (row: ListingRow) => Policy | null;

const createDefaultPostageLookup = (world: World): PolicyLookup => {
  const known = new Map<string, Policy | null>();
  return ({ userId, marketplaceId }) => {
    const key = `${userId} ${marketplaceId}`;
    const found = known.get(key);
    if (found !== undefined) return found;
    const first = listPersonPolicies(world, userId, marketplaceId).find(({ kind }) => kind === 'fulfillment') ?? null;
    known.set(key, first);
    return first;
  };
};

const toApiListingWithFiles = (world: World, row: ListingRow, files: string[], postage: PolicyLookup): Listing => {
  const { seq: _seq, userId: _user, runId: _run, written: _written, everLive: _live, ...known } = row;
  const { descriptionFooter: _footer, adaptTo: _target, ...apiFields } = known;
  const blockers = row.status === 'pending_review' ? listPublishBlockers(row, files.length, postage(row)) : [];
  return {
    ...apiFields,
    ...buildLiveFields(world, row),
    currency: findSiteById(row.marketplaceId)?.currency ?? 'USD',
    imageUrls: files.map((file) => formatPhotoUrl(world, file)),
    publishBlockers: blockers,
    publishedAt: formatIsoTimeOrNull(row.publishedAt),
    endedAt: formatIsoTimeOrNull(row.endedAt),
    createdAt: formatIsoTime(row.createdAt),
    updatedAt: formatIsoTime(row.updatedAt),
  };
};

const toApiListings = (world: World, rows: readonly ListingRow[]): Listing[] => {
  const files = listPhotoFiles(
    world,
    rows.map(({ listingId }) => listingId),
  );
  const postage = createDefaultPostageLookup(world);
  return rows.map((row) => toApiListingWithFiles(world, row, files.get(row.listingId) ?? [], postage));
};

export const toApiListing = (world: World, row: ListingRow): Listing => {
  const [answer] = toApiListings(world, [row]);
  if (!answer) throw new Error('One listing has one answer.');
  return answer;
};

/** Reads a listing in the form of the interface. Throws if the listing does not exist. */
export const readApiListing = (world: World, listingId: string): Listing => {
  const row = findListingById(world, listingId);
  if (!row) throw new Error(`The listing ${listingId} is gone.`);
  return toApiListing(world, row);
};

type ListingQuery = {
  status?: string | undefined;
  q?: string | undefined;
  limit?: number | undefined;
  cursor?: string | undefined;
  hidden?: unknown;
};

/** Parses a cursor to a sequence number. Without a cursor, the list starts at the newest row. */
export const parseListCursor = (cursor: string | undefined): number => {
  if (cursor === undefined) return Number.MAX_SAFE_INTEGER;
  return /^\d{1,15}$/.test(cursor) ? Number(cursor) : refuseCall(400, 'This cursor is not one that the service gave.');
};

/** Returns one page of the person's listings, newest first. Hidden listings are included only with `hidden=include`. */
export const listPersonListings = (
  world: World,
  person: Person,
  { status, q, limit = 50, cursor, hidden }: ListingQuery,
): { listings: Listing[]; nextCursor: string | null } => {
  const rows = selectAllRows(
    world.db,
    listingRow,
    `SELECT * FROM listings
     WHERE userId = ?1 AND seq < ?2 AND ${status === undefined ? '?3 IS NULL' : 'status = ?3'} AND (visible = 1 OR ?4 = 1)
       AND (?5 IS NULL OR instr(lower(coalesce(title, '')), lower(?5)) > 0)
     ORDER BY seq DESC LIMIT ?6`,
    person.userId,
    parseListCursor(cursor),
    status ?? null,
    hidden === 'include' ? 1 : 0,
    q ?? null,
    limit + 1,
  );
  const page = rows.slice(0, limit);
  return {
    listings: toApiListings(world, page),
    nextCursor: rows.length > limit ? String(page.at(-1)?.seq ?? 0) : null,
  };
};
