import type { ListingRow } from '../../../src/core/storage/tables/listings/listingSearch.ts';

const formatTime = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());

/** Returns the fields of a listing that its row on the screen shows. */
export const toListingFields = ({ site: marketplaceId, priceCents: price, ...row }: ListingRow) => ({
  ...{ listingId: row.listingId, status: row.status, title: row.title, marketplaceId, currency: row.currency, price },
  ...{ quantity: row.quantity, condition: row.condition, categoryName: row.categoryName, sku: row.sku },
  ...{ publishedAt: formatTime(row.liveAt), endedAt: formatTime(row.endedAt) },
});
