import * as z from 'zod';
import { currencyOf, listing as wireListing, type Listing } from '../../contract/index.ts';
import { cents, asCode, currency, listingId, pageUrl, untrusted } from './fields.ts';

const text = untrusted.nullable();
const code = z.string().nullable();

/** A listing in a list. */
export const listingSummary = z.object({
  listingId,
  status: z.string().describe('draft, processing, pending_review, published, ended, sold or failed.'),
  untrustedTitle: text,
  priceCents: cents.nullable(),
  currency,
  quantity: z.int().nullable(),
  marketplaceId: code,
  condition: code,
  liveUrl: z.string().nullable().describe('The page of the live listing, for the person.'),
});

/** A listing with everything that a review needs. */
export const listingDetail = listingSummary.extend({
  suggestedPriceCents: cents.nullable(),
  categoryId: code,
  untrustedCategoryName: text,
  untrustedDescription: text,
  untrustedConditionNote: text,
  untrustedItemSpecifics: z.record(z.string(), z.string()).describe(untrusted.description ?? ''),
  untrustedSku: text,
  packageWeightGrams: z.int().nullable(),
  photos: z.int().describe('How many photos it has.'),
  blockers: z
    .array(z.object({ code, field: code, untrustedMessage: text }))
    .describe('What must be mended before it can be published.'),
  processingErrorCode: code,
  untrustedProcessingError: text,
});

/** A listing of the service as a list of tools shows it. */
export const summaryOf = (listing: Listing): z.input<typeof listingSummary> => ({
  listingId: listing.listingId,
  status: listing.status,
  untrustedTitle: listing.title ?? null,
  priceCents: listing.price ?? null,
  currency: asCode(currencyOf(listing)),
  quantity: listing.quantity ?? null,
  marketplaceId: asCode(listing.marketplaceId),
  condition: asCode(listing.condition),
  liveUrl: pageUrl(listing.marketListingUrl),
});

/** A listing of the service as tools show it. Throws when it is none. */
export const detailOf = (body: unknown): z.input<typeof listingDetail> => {
  const listing = wireListing.parse(body);
  return {
    ...summaryOf(listing),
    suggestedPriceCents: listing.suggestedPrice ?? null,
    categoryId: asCode(listing.categoryId),
    untrustedCategoryName: listing.categoryName ?? null,
    untrustedDescription: listing.description ?? null,
    untrustedConditionNote: listing.conditionDescription ?? null,
    untrustedItemSpecifics: listing.itemSpecifics ?? {},
    untrustedSku: listing.sku ?? null,
    packageWeightGrams: listing.packageWeightGrams ?? null,
    photos: listing.imageUrls?.length ?? 0,
    blockers: (listing.publishBlockers ?? []).map((one) => ({
      code: asCode(one.code),
      field: asCode(one.field),
      untrustedMessage: one.message ?? null,
    })),
    processingErrorCode: asCode(listing.processingErrorCode),
    untrustedProcessingError: listing.processingError ?? null,
  };
};
