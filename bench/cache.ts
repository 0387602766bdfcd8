import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { listing as listingShape, type Listing } from '../src/contract/index.ts';
import { anyListing, createListingSearch } from '../src/core/storage/tables/listings/listingSearch.ts';
import { openMigratedDatabase } from '../src/core/storage/database.ts';
import { createListingsTable } from '../src/core/storage/tables/listings/listingsTable.ts';
import { against, compare, type Compared } from './compare.ts';

const sizes = [10, 100, 1_000, 10_000];
const reads = 2_000;

const listing = (at: number): Listing => ({
  listingId: `lst_${at}`,
  status: at % 3 === 0 ? 'sold' : 'published',
  title: `Blue film camera no. ${at}`,
  description: `<p>${'In good condition, kept in a smoke-free home. '.repeat(8)}</p>`,
  marketplaceId: 'MKT_US',
  price: 500 + ((at * 37) % 20_000),
  quantity: 1,
  createdAt: new Date(1_700_000_000_000 + at * 60_000).toISOString(),
});

const perTime = (times: number, act: (nth: number) => unknown): number => {
  const from = performance.now();
  for (let nth = 0; nth < times; nth += 1) act(nth);
  return ((performance.now() - from) * 1_000) / times;
};

const inDatabase = async <T>(count: number, work: (file: string, keepUs: number) => Promise<T>): Promise<T> => {
  const folder = await mkdtemp(join(tmpdir(), 'bench-cache-'));
  const file = join(folder, 'companion.db');
  const db = openMigratedDatabase(file);
  const table = createListingsTable(db);
  // One transaction for all listings, because the companion stores a page of listings in one transaction.
  const keepUs = perTime(1, () =>
    db.transaction(() => {
      for (let at = 0; at < count; at += 1) table.keep('a', listing(at), at);
    })(),
  );
  db.close();
  try {
    return await work(file, keepUs / count);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

const beside = (count: number): Promise<Compared[]> =>
  inDatabase(count, async (file) => {
    const db = openMigratedDatabase(file);
    const bare = new Database(file, { readonly: true });
    const table = createListingsTable(db);
    const found = createListingSearch(db, () => 'a');
    const one = bare.prepare<[string, string], { json: string }>(
      'select json from listings where account = ? and listing_id = ?',
    );
    const newest = bare.prepare(
      'select * from listing_keys where account = ? order by listed_at desc, row_id desc limit 50',
    );
    const id = (nth: number): string => `lst_${(nth * 7_919) % count}`;
    const figures = [
      await compare(
        { what: `one listing of ${count}, read and checked`, unit: 'µs', peer: 'better-sqlite3, parsed and checked' },
        async () => perTime(reads, (nth) => table.read('a', id(nth))),
        async () => perTime(reads, (nth) => listingShape.parse(JSON.parse(one.get('a', id(nth))?.json ?? '{}'))),
      ),
      await compare(
        { what: `the newest 50 of ${count}`, unit: 'µs', peer: 'better-sqlite3, the same rows unchecked' },
        async () => perTime(reads / 10, () => found.search(anyListing, { sort: 'newest', offset: 0, limit: 50 })),
        async () => perTime(reads / 10, () => newest.all('a')),
      ),
    ];
    bare.close();
    db.close();
    return figures;
  });

const growth = async (): Promise<Compared[]> => {
  const keeps: number[] = [];
  const searches: number[] = [];
  for (const count of sizes) {
    await inDatabase(count, async (file, keepUs) => {
      const db = openMigratedDatabase(file);
      const found = createListingSearch(db, () => 'a');
      const search = () => found.search({ ...anyListing, q: 'camera' }, { sort: 'newest', offset: 0, limit: 50 });
      perTime(20, search);
      keeps.push(keepUs);
      searches.push(perTime(100, search));
      db.close();
    });
  }
  const beyond = (what: string, of: number[]): Compared[] =>
    sizes
      .slice(2)
      .map((count, at) =>
        against(`${what}, among ${count}`, 'µs', of[at + 2] ?? NaN, `among ${sizes[1]}`, of[1] ?? NaN),
      );
  return [...beyond('a listing kept', keeps), ...beyond('a word that all have: counted, and 50 answered', searches)];
};

export const benchCache = async (): Promise<Compared[]> => [...(await beside(10_000)), ...(await growth())];
