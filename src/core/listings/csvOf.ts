import { csvCell } from '../base/csvCell.ts';
import type { ListingRow } from '../storage/tables/listingRow.ts';

const time = (at: number): string => new Date(at).toISOString();

/** The columns of the file, in its order; prices in units of the currency beside them. */
const columns: readonly (readonly [string, (row: ListingRow) => string | number | null])[] = [
  ['listing_id', (row) => row.listingId],
  ['title', (row) => row.title],
  ['status', (row) => row.status],
  ['site', (row) => row.site],
  ['price', (row) => (row.priceCents === null ? null : (row.priceCents / 100).toFixed(2))],
  ['currency', (row) => row.currency],
  ['quantity', (row) => row.quantity],
  ['condition', (row) => row.condition],
  ['category', (row) => row.categoryName],
  ['sku', (row) => row.sku],
  ['listed_at', (row) => time(row.listedAt)],
  ['page', (row) => row.pageUrl],
];

/** Listings as a spreadsheet reads them: RFC 4180, with a head. */
export const csvOf = (rows: Iterable<ListingRow>): string => {
  const lines = [columns.map(([name]) => name).join(',')];
  for (const row of rows) lines.push(columns.map(([, value]) => csvCell(value(row) ?? '')).join(','));
  return lines.map((line) => `${line}\r\n`).join('');
};
