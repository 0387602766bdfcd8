import * as z from 'zod';
import { bestOffer, listingStatuses, type ListingStatus } from '../../../contract/index.ts';
import { flag, json, one, run } from '../../database.ts';
import { refuse } from '../../refusal.ts';
import { type Person, location } from '../people.ts';
import type { World } from '../world.ts';

const text = z.string().nullable();
const whole = z.int().nullable();

export const packageSize = z.looseObject({
  lengthMm: z.int().positive(),
  widthMm: z.int().positive(),
  heightMm: z.int().positive(),
});

/** A row of `listings`; prices in minor units of the site's currency, times in epoch milliseconds. */
export const listingRow = z.object({
  seq: z.int(),
  listingId: z.string(),
  userId: z.string(),
  status: z.enum(listingStatuses),
  processingError: text,
  processingErrorCode: text,
  marketplaceId: z.string(),
  listingLanguage: z.string(),
  marketAccountId: text,
  templateId: text,
  additionalContext: text,
  quantity: z.int(),
  title: text,
  description: text,
  categoryId: text,
  categoryName: text,
  condition: text,
  conditionDescription: text,
  price: whole,
  suggestedPrice: whole,
  itemSpecifics: json(z.record(z.string(), z.string())),
  bestOffer: json(bestOffer).nullable(),
  sku: text,
  /** The facts that the writer could not determine. */
  notes: json(z.array(z.looseObject({ field: z.string(), message: z.string() }))),
  format: z.enum(['FIXED_PRICE', 'AUCTION']),
  packageWeightGrams: whole,
  packageSize: json(packageSize).nullable(),
  /** The template's footer under every description. */
  descriptionFooter: text,
  /** The target of an adaptation in progress. */
  adaptTo: json(z.object({ marketplaceId: z.string(), listingLanguage: z.string() })).nullable(),
  location: json(location).nullable(),
  visible: flag,
  autoDelistOnSale: flag,
  written: flag,
  everLive: flag,
  runId: text,
  marketListingId: text,
  soldQuantity: z.int(),
  publishedAt: whole,
  endedAt: whole,
  createdAt: z.int(),
  updatedAt: z.int(),
});

export type ListingRow = z.infer<typeof listingRow>;

/** Returns the listing with this id, from any account, or null. */
export const findListing = ({ db }: World, listingId: string): ListingRow | null =>
  one(db, listingRow, 'SELECT * FROM listings WHERE listingId = ?', listingId);

/** Returns the person's own listing. Refuses an unknown or foreign id. */
export const requireOwnListing = (world: World, person: Person, listingId: string): ListingRow => {
  const found = findListing(world, listingId);
  if (!found) return refuse(404, 'There is no listing with this id.');
  if (found.userId !== person.userId) return refuse(403, 'This listing belongs to somebody else.');
  return found;
};

type Settable = Omit<ListingRow, 'seq' | 'listingId' | 'userId' | 'createdAt' | 'updatedAt'>;
/** The columns to update; undefined columns keep their value. */
export type ListingUpdate = { [K in keyof Settable]?: Settable[K] | undefined };

const stored = (value: Settable[keyof Settable] | undefined): string | number | null => {
  if (value === null || value === undefined) return null;
  if (typeof value === 'boolean') return value ? 1 : 0;
  return typeof value === 'object' ? JSON.stringify(value) : value;
};

/** Updates columns of a listing. The column names come from the type, never from a caller, so they are safe in SQL. */
export const updateListing = (world: World, listingId: string, changes: ListingUpdate): void => {
  const entries = Object.entries(changes).filter(([, value]) => value !== undefined);
  const names = [...entries.map(([name]) => name), 'updatedAt'];
  run(
    world.db,
    `UPDATE listings SET ${names.map((name) => `${name} = ?`).join(', ')} WHERE listingId = ?`,
    ...entries.map(([, value]) => stored(value)),
    world.clock.now(),
    listingId,
  );
};

/** Refuses Best Offer limits that contradict each other. */
export const requireConsistentOffer = (offer: ListingUpdate['bestOffer']): void => {
  const { autoAcceptCents: accept, autoDeclineCents: decline } = offer ?? {};
  if (accept !== undefined && decline !== undefined && decline >= accept)
    refuse(400, 'bestOffer: offers are declined below a lower price than they are accepted from.');
};

const stateNames: Readonly<Record<ListingStatus, string>> = {
  draft: 'a draft',
  processing: 'being written',
  pending_review: 'waiting for review',
  published: 'live',
  ended: 'ended',
  sold: 'sold',
  failed: 'failed',
};

export const requireState = (listing: ListingRow, allowed: readonly ListingStatus[], act: string): void => {
  if (allowed.includes(listing.status)) return;
  refuse(409, `This listing is ${stateNames[listing.status]}; it cannot be ${act} now.`, 'WRONG_STATE', {
    body: { status: listing.status },
  });
};
