import * as z from 'zod';
import { bestOffer, listingStatuses, type ListingStatus } from '../../../contract/index.ts';
import { flagColumn, jsonColumn, selectFirstRow, runStatement } from '../../database.ts';
import { refuseCall } from '../../refusal.ts';
import { type Person, itemLocation } from '../people.ts';
import type { World } from '../world.ts';

const nullableText = z.string().nullable();
const nullableInteger = z.int().nullable();

export const packageSize = z.looseObject({
  lengthMm: z.int().positive(),
  widthMm: z.int().positive(),
  heightMm: z.int().positive(),
});

/** Prices are in minor units of the site's currency, times in epoch milliseconds. */
export const listingRow = z.object({
  seq: z.int(),
  listingId: z.string(),
  userId: z.string(),
  status: z.enum(listingStatuses),
  processingError: nullableText,
  processingErrorCode: nullableText,
  marketplaceId: z.string(),
  listingLanguage: z.string(),
  marketAccountId: nullableText,
  templateId: nullableText,
  additionalContext: nullableText,
  quantity: z.int(),
  title: nullableText,
  description: nullableText,
  categoryId: nullableText,
  categoryName: nullableText,
  condition: nullableText,
  conditionDescription: nullableText,
  price: nullableInteger,
  suggestedPrice: nullableInteger,
  itemSpecifics: jsonColumn(z.record(z.string(), z.string())),
  bestOffer: jsonColumn(bestOffer).nullable(),
  sku: nullableText,
  notes: jsonColumn(z.array(z.looseObject({ field: z.string(), message: z.string() }))),
  format: z.enum(['FIXED_PRICE', 'AUCTION']),
  packageWeightGrams: nullableInteger,
  packageSize: jsonColumn(packageSize).nullable(),
  descriptionFooter: nullableText,
  /** Set while the writer adapts the listing to another site. */
  adaptTo: jsonColumn(z.object({ marketplaceId: z.string(), listingLanguage: z.string() })).nullable(),
  location: jsonColumn(itemLocation).nullable(),
  visible: flagColumn,
  autoDelistOnSale: flagColumn,
  written: flagColumn,
  everLive: flagColumn,
  runId: nullableText,
  marketListingId: nullableText,
  soldQuantity: z.int(),
  publishedAt: nullableInteger,
  endedAt: nullableInteger,
  createdAt: z.int(),
  updatedAt: z.int(),
});

export type ListingRow = z.infer<typeof listingRow>;

/** Returns the listing with this id, of any account, or null. */
export const findListingById = ({ db }: World, listingId: string): ListingRow | null =>
  selectFirstRow(db, listingRow, 'SELECT * FROM listings WHERE listingId = ?', listingId);

/** Returns the person's own listing. Refuses an unknown listing and a listing of another person. */
export const requireOwnListing = (world: World, person: Person, listingId: string): ListingRow => {
  const found = findListingById(world, listingId);
  if (!found) return refuseCall(404, 'There is no listing with this id.');
  if (found.userId !== person.userId) return refuseCall(403, 'This listing belongs to another person.');
  return found;
};

type SettableColumns = Omit<ListingRow, 'seq' | 'listingId' | 'userId' | 'createdAt' | 'updatedAt'>;
/** An undefined column keeps its value. */
export type ListingUpdate = { [K in keyof SettableColumns]?: SettableColumns[K] | undefined };

const toColumnValue = (value: SettableColumns[keyof SettableColumns] | undefined): string | number | null => {
  if (value === null || value === undefined) return null;
  if (typeof value === 'boolean') return value ? 1 : 0;
  return typeof value === 'object' ? JSON.stringify(value) : value;
};

/** Updates columns of a listing. The type allows only known column names, so it is safe to insert them into the SQL. */
export const updateListingColumns = (world: World, listingId: string, changes: ListingUpdate): void => {
  const entries = Object.entries(changes).filter(([, value]) => value !== undefined);
  const names = [...entries.map(([name]) => name), 'updatedAt'];
  runStatement(
    world.db,
    `UPDATE listings SET ${names.map((name) => `${name} = ?`).join(', ')} WHERE listingId = ?`,
    ...entries.map(([, value]) => toColumnValue(value)),
    world.clock.now(),
    listingId,
  );
};

/** Refuses Best Offer limits that contradict each other. */
export const requireConsistentOffer = (offer: ListingUpdate['bestOffer']): void => {
  const { autoAcceptCents: accept, autoDeclineCents: decline } = offer ?? {};
  if (accept !== undefined && decline !== undefined && decline >= accept)
    refuseCall(400, 'bestOffer: offers are declined below a lower price than they are accepted from.');
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

export const requireListingState = (listing: ListingRow, allowed: readonly ListingStatus[], act: string): void => {
  if (allowed.includes(listing.status)) return;
  refuseCall(409, `This listing is ${stateNames[listing.status]}; it cannot be ${act} now.`, 'WRONG_STATE', {
    body: { status: listing.status },
  });
};
