import * as z from 'zod';
import { bestOffer, listingStatuses, type ListingStatus } from '../../../contract/index.ts';
import { flag, json, one, run } from '../../database.ts';
import { refuse } from '../../refusal.ts';
import { type Person, location } from '../people.ts';
import type { World } from '../world.ts';

const text = z.string().nullable();
const whole = z.int().nullable();

/** The packed size of an item. */
export const packageSize = z.looseObject({
  lengthMm: z.int().positive(),
  widthMm: z.int().positive(),
  heightMm: z.int().positive(),
});

/** The columns of a listing; prices in the minor units of its site's currency, times in milliseconds of the epoch. */
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
  /** What the writer could not know. */
  notes: json(z.array(z.looseObject({ field: z.string(), message: z.string() }))),
  format: z.enum(['FIXED_PRICE', 'AUCTION']),
  packageWeightGrams: whole,
  packageSize: json(packageSize).nullable(),
  /** What its template says under every description. */
  descriptionFooter: text,
  /** Where it is being written for, until that is written. */
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

/** A listing as the service keeps it. */
export type ListingRow = z.infer<typeof listingRow>;

/** The listing with this id, whoever's it is, or null. */
export const findListing = ({ db }: World, listingId: string): ListingRow | null =>
  one(db, listingRow, 'SELECT * FROM listings WHERE listingId = ?', listingId);

/** The person's own listing; refused when there is none or it is somebody else's. */
export const requireOwnListing = (world: World, person: Person, listingId: string): ListingRow => {
  const found = findListing(world, listingId);
  if (!found) return refuse(404, 'There is no listing with this id.');
  if (found.userId !== person.userId) return refuse(403, 'This listing belongs to somebody else.');
  return found;
};

type Settable = Omit<ListingRow, 'seq' | 'listingId' | 'userId' | 'createdAt' | 'updatedAt'>;
/** Columns of a listing that are set together; undefined ones stay as they are. */
export type ListingUpdate = { [K in keyof Settable]?: Settable[K] | undefined };

const stored = (value: Settable[keyof Settable] | undefined): string | number | null => {
  if (value === null || value === undefined) return null;
  if (typeof value === 'boolean') return value ? 1 : 0;
  return typeof value === 'object' ? JSON.stringify(value) : value;
};

/** Sets columns of a listing; the names come from the type, never from a caller. */
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

/** The states as a sentence names them. */
const stateNames: Readonly<Record<ListingStatus, string>> = {
  draft: 'a draft',
  processing: 'being written',
  pending_review: 'waiting for review',
  published: 'live',
  ended: 'ended',
  sold: 'sold',
  failed: 'failed',
};

/** Refuses what a listing's state does not allow. */
export const requireState = (listing: ListingRow, allowed: readonly ListingStatus[], act: string): void => {
  if (allowed.includes(listing.status)) return;
  refuse(409, `This listing is ${stateNames[listing.status]}; it cannot be ${act} now.`, 'WRONG_STATE', {
    body: { status: listing.status },
  });
};
