import type { Db } from '../storage/database.ts';
import { csvOf } from './csvOf.ts';
import type { ListingCounts, ListingFilter } from '../storage/tables/listingRow.ts';
import { createListingSearch } from '../storage/tables/listingSearch.ts';
import { createListingsSync, type SyncContext } from './sync.ts';
import type { Written, WrittenTable } from '../storage/tables/writtenTable.ts';

type ListingsContext = SyncContext & { db: Db; written: WrittenTable };

export type Listings = ReturnType<typeof createListings>;

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
      text: csvOf(parts.connection.who() ? found.each(filter) : []),
    }),
    takeUp: sync.takeUp,
    stop: sync.stop,
  };
};
