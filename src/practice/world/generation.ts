import { limits } from '../../contract/index.ts';
import { atomically } from '../database.ts';
import { newId } from '../ids.ts';
import { siteOf } from '../market/sites.ts';
import { refuse } from '../refusal.ts';
import { takeListing } from './allowance.ts';
import { namedApproval } from './extras.ts';
import { note } from './journal.ts';
import type { Key } from './keys.ts';
import { ownListing, requireState, updateListing, type ListingRow } from './listings.ts';
import { knownPerson, type Person } from './people.ts';
import { photosOf } from './photos.ts';
import type { World } from './world.ts';
import { beginWriting, failure, writingCount } from './writing.ts';

type GenerateRequest = {
  intent: 'initial' | 'adapt_marketplace';
  targetMarketplaceId?: string | undefined;
  targetLanguage?: string | undefined;
  extrasApprovalId?: string | undefined;
};

const refuseTooMany = (world: World, person: Person): void => {
  const most = limits.concurrentGenerations;
  if (writingCount(world, person.userId) >= most)
    refuse(400, `${most} listings are already being written. Wait until one of them is finished.`);
};

const putInWork = (world: World, listing: ListingRow, changes: { marketplaceId?: string; listingLanguage?: string }) =>
  updateListing(world, listing.listingId, {
    ...changes,
    status: 'processing',
    processingError: null,
    processingErrorCode: null,
    runId: newId('run'),
  });

/** The first writing of a draft: uses one listing of the allowance, or fails when there is none left. */
const writeFirst = (world: World, person: Person, key: Key, listing: ListingRow, request: GenerateRequest): void => {
  requireState(listing, ['draft'], 'written');
  if (photosOf(world, listing.listingId).length === 0) refuse(400, 'The listing has no photos yet. Upload them first.');
  refuseTooMany(world, person);
  const { extrasApprovalId } = request;
  const approval = extrasApprovalId === undefined ? null : namedApproval(world, person, key, extrasApprovalId);
  const { userId } = person;
  const { listingId } = listing;
  const source = takeListing(world, person, key, listingId, approval);
  if (source === null) {
    note(world, 'generation', { userId, listingId, intent: 'initial', source: null });
    return updateListing(world, listingId, {
      status: 'failed',
      processingError: failure('USAGE_LIMIT'),
      processingErrorCode: 'USAGE_LIMIT',
    });
  }
  putInWork(world, listing, {});
  note(world, 'generation', { userId, listingId, intent: 'initial', source });
};

/** Writes a reviewed listing again for another site; costs none of the allowance. */
const adapt = (world: World, person: Person, listing: ListingRow, request: GenerateRequest): void => {
  requireState(listing, ['pending_review'], 'adapted to another site');
  const { targetMarketplaceId, targetLanguage, extrasApprovalId } = request;
  if (extrasApprovalId !== undefined) refuse(400, 'extrasApprovalId belongs to the intent initial only.');
  const site = targetMarketplaceId === undefined ? undefined : siteOf(targetMarketplaceId);
  if (!site) return refuse(400, 'targetMarketplaceId has to name one of the supported sites.');
  refuseTooMany(world, person);
  putInWork(world, listing, { marketplaceId: site.id, listingLanguage: targetLanguage ?? site.language });
  note(world, 'generation', {
    userId: person.userId,
    listingId: listing.listingId,
    intent: 'adapt_marketplace',
    source: 'none',
    marketplaceId: site.id,
  });
};

/** Puts a listing in work; the writing itself goes on after the answer. */
export const generate = (world: World, person: Person, key: Key, listingId: string, request: GenerateRequest): void => {
  atomically(world.db, () => {
    const listing = ownListing(world, person, listingId);
    // The person is read again: an earlier call may have taken the last credit meanwhile.
    const now = knownPerson(world, person.userId);
    if (request.intent === 'initial') writeFirst(world, now, key, listing, request);
    else adapt(world, now, listing, request);
  });
  beginWriting(world, listingId);
};
