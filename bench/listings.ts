import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Listing } from '../src/contract/index.ts';
import {
  anyListing,
  type ListingFilter,
  createListingSearch,
} from '../src/core/storage/tables/listings/listingSearch.ts';
import { openMigratedDatabase } from '../src/core/storage/database.ts';
import { createListingsTable } from '../src/core/storage/tables/listings/listingsTable.ts';
import { things } from './things.ts';
import { compare, measureMs, type Compared } from './compare.ts';

const count = 100_000;
const colours = ['blue', 'red', 'green', 'black', 'white'];
const states = ['published', 'sold', 'ended', 'pending_review'] as const;

const listing = (at: number): Listing => ({
  listingId: `lst_${at}`,
  status: states[at % states.length] ?? 'published',
  title: `${colours[at % colours.length]} ${things[at % things.length]} no. ${at}`,
  description: `<p>${'In good condition, kept in a smoke-free home. '.repeat(8)}</p>`,
  marketplaceId: at % 3 === 0 ? 'MKT_DE' : 'MKT_US',
  price: 500 + ((at * 37) % 20_000),
  quantity: 1,
  createdAt: new Date(1_700_000_000_000 + at * 60_000).toISOString(),
});

const asked: readonly [Partial<ListingFilter>, number][] = [
  [{ q: 'tin rob' }, 0],
  [{ q: 'camera' }, 0],
  [{ q: 'in' }, 0],
  [{ q: '99999' }, 0],
  [{ statuses: ['published'] }, 0],
  [{ statuses: ['sold', 'ended'], site: 'MKT_DE' }, 5_000],
  [{ minCents: 1_000, maxCents: 1_500 }, 0],
  [{}, 90_000],
];

export const benchListings = async (): Promise<Compared> => {
  const folder = await mkdtemp(join(tmpdir(), 'bench-listings-'));
  const db = openMigratedDatabase(join(folder, 'companion.db'));
  try {
    const table = createListingsTable(db);
    db.transaction(() => {
      for (let at = 0; at < count; at += 1) table.keep('a', listing(at), at);
    })();
    const found = createListingSearch(db, () => 'a');
    const scan = db.prepare("select count(*) from listings where account = 'a' and json like '%camera%'").pluck();
    const ours = async () =>
      Math.max(
        ...asked.map(([filter, offset]) =>
          measureMs(() => found.search({ ...anyListing, ...filter }, { sort: 'newest', offset, limit: 100 })),
        ),
      );
    const names = {
      what: `slowest of ${asked.length} searches in ${count} listings`,
      unit: 'ms',
      peer: 'scan with LIKE',
    };
    return await compare(names, ours, async () => measureMs(() => scan.get()), 5);
  } finally {
    db.close();
    await rm(folder, { recursive: true, force: true });
  }
};
