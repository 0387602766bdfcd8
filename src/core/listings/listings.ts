import type { Db } from '../storage/database.ts';
import type { ListingCounts, ListingFilter, ListingRow } from '../storage/tables/listingRow.ts';
import { createListingSearch } from '../storage/tables/listingSearch.ts';
import { createListingsSync, type SyncContext } from './sync.ts';
import type { Written, WrittenTable } from '../storage/tables/writtenTable.ts';
import { csv } from '../../text/csv.ts';

type ListingsContext = SyncContext & { db: Db; written: WrittenTable };

export type Listings = ReturnType<typeof createListings>;

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

const tableOf = (rows: Iterable<ListingRow>): string =>
  csv([columns.map(([name]) => name), ...Array.from(rows, (row) => columns.map(([, value]) => value(row)))]);

/** All listings of the person as this machine has them: found at once, counted, taken out, and read again. */
export const createListings = (parts: ListingsContext) => {
  const found = createListingSearch(parts.db, parts.connection.account);
  const sync = createListingsSync(parts);
  const none = { all: 0, statuses: {}, sites: [] };
  const counts = (): ListingCounts => ({
    ...(parts.connection.who() ? found.counts() : none),
    sync: parts.connection.who() ? sync.state() : { running: false, read: 0, doneAt: null, problem: null },
  });
  return {
    search: found.search,
    /** How it was when it first came to be reviewed; null for one that never was. */
    written: (listingId: string): Written | null => parts.written.read(parts.connection.account(), listingId),
    counts,
    /** Reads all again at the service, unless that has just been done. */
    again: (): ListingCounts => {
      sync.again();
      return counts();
    },
    export: (filter: ListingFilter) => ({
      name: 'listings.csv',
      type: 'text/csv',
      text: tableOf(parts.connection.who() ? found.each(filter) : []),
    }),
    takeUp: sync.takeUp,
    stop: sync.stop,
  };
};
