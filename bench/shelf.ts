import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { emptyShelf } from '../src/core/base/shelfFields.ts';
import { openMigratedDatabase } from '../src/core/storage/database.ts';
import { anyListing, createListingSearch } from '../src/core/storage/tables/listings/listingSearch.ts';
import { createListingsTable } from '../src/core/storage/tables/listings/listingsTable.ts';
import { createShelfTable, parseShelfQuery } from '../src/core/storage/tables/shelfTable.ts';
import { compare, measureMs, type Compared } from './compare.ts';

const count = 100_000;
const perPlace = 40;

const searches = ['place:B7', 'place:B77 lamp', 'sku:B77-3', 'B77', 'moth'];

const fillShelf = (folder: string) => {
  const db = openMigratedDatabase(join(folder, 'companion.db'));
  const [listings, shelf] = [createListingsTable(db), createShelfTable(db)];
  db.transaction(() => {
    for (let at = 0; at < count; at += 1) {
      const listingId = `lst_${at}`;
      listings.keep('a', { listingId, status: 'published', title: `desk lamp no. ${at}` }, at);
      const place = `B${Math.floor(at / perPlace)}`;
      const fields = { ...emptyShelf, place, sku: `${place}-${at % perPlace}`, tags: at % 9 === 0 ? ['vintage'] : [] };
      shelf.change(shelf.open('a', { itemId: null, listingId }, at), { ...fields, note: at === 7 ? 'moth' : null }, at);
    }
  })();
  return { db, shelf, search: createListingSearch(db, () => 'a').search };
};

/** The slowest of the searches by place, SKU and shelf words, and of the look-up of a scanned SKU. */
export const benchShelf = async (): Promise<Compared> => {
  const folder = await mkdtemp(join(tmpdir(), 'bench-shelf-'));
  const { db, shelf, search } = fillShelf(folder);
  try {
    const scan = db.prepare("select count(*) from shelf where account = 'a' and fields like '%B77-3%'").pluck();
    const ours = async () =>
      Math.max(
        ...searches.map((q) =>
          measureMs(() => search({ ...anyListing, q }, { sort: 'newest', offset: 0, limit: 100 })),
        ),
        measureMs(() => shelf.withSku('a', 'b77-3')),
        measureMs(() => shelf.itemIds('a', parseShelfQuery('place:B77'))),
      );
    const names = {
      what: `slowest of ${searches.length + 2} searches by place, SKU and note in ${count} rows`,
      unit: 'ms',
      peer: 'scan with LIKE',
    };
    return await compare(names, ours, async () => measureMs(() => scan.get()), 5);
  } finally {
    db.close();
    await rm(folder, { recursive: true, force: true });
  }
};
