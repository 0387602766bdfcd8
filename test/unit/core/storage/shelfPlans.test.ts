import { expect, onTestFinished, test } from 'vitest';
import { emptyShelf } from '../../../../src/core/base/shelfFields.ts';
import { openMigratedDatabase, type Db } from '../../../../src/core/storage/database.ts';
import { anyListing, createListingSearch } from '../../../../src/core/storage/tables/listings/listingSearch.ts';
import { createListingsTable } from '../../../../src/core/storage/tables/listings/listingsTable.ts';
import { createShelfTable, parseShelfQuery } from '../../../../src/core/storage/tables/shelfTable.ts';
import { listQuerySteps, watchPreparedSql } from '../../../helpers/queryPlans.ts';

/** Opens a database with shelf rows of items and listings. Returns the SQL that is prepared from then on. */
const openFilledDatabase = (): { db: Db; prepared: string[] } => {
  const db = openMigratedDatabase(':memory:');
  onTestFinished(() => void db.close());
  const [listings, shelf] = [createListingsTable(db), createShelfTable(db)];
  db.transaction(() => {
    for (let at = 0; at < 2_000; at += 1) {
      const listingId = `lst_${at}`;
      listings.keep('a', { listingId, status: 'published', title: `lamp ${at}` }, at);
      const place = `B${Math.floor(at / 20)}`;
      const row = shelf.open('a', { itemId: `it_${at}`, listingId }, at);
      shelf.change(row, { ...emptyShelf, place, sku: `${place}-${at}`, tags: [at % 9 === 0 ? 'vintage' : 'new'] }, at);
    }
  })();
  db.exec('analyze');
  return { db, prepared: watchPreparedSql(db) };
};

/** The tables and results that a search may read from the beginning to the end: they contain only what was found. */
const found = /^SCAN (?:found|\(subquery|json_each|(?:shelf|listing)_words VIRTUAL TABLE INDEX \d+:M)/;
/** A search in an index by the account alone reads all rows of the account. */
const allOfAccount =
  /^SEARCH (?:shelf|listing_keys) USING (?!INTEGER)[^(]*\((?:account=\?|account=\? AND item_id>\?)\)$/;

test.each(['place:B7', 'sku:B7-141', 'tag:vintage', 'tag:"rare find"', 'place:B7 tag:vintage', 'sku:B7-141 place:B7'])(
  'the search for %s reads only what it finds',
  (q) => {
    const { db, prepared } = openFilledDatabase();
    const page = { sort: 'newest', offset: 0, limit: 100 } as const;
    const { search } = createListingSearch(db, () => 'a');
    const { itemIds } = createShelfTable(db);
    prepared.length = 0;
    search({ ...anyListing, q }, page);
    itemIds('a', parseShelfQuery(q));
    const searches = prepared.filter((sql) => sql.includes('from shelf where account = ? and'));
    expect(searches).toHaveLength(2);
    for (const sql of searches) {
      const values = sql.match(/\?/g)?.map(() => 'x') ?? [];
      const steps = listQuerySteps(db, sql, values);
      expect(steps.filter((step) => /^SEARCH shelf/.test(step))).not.toEqual([]);
      expect(steps.filter((step) => (step.startsWith('SCAN') && !found.test(step)) || allOfAccount.test(step))).toEqual(
        [],
      );
    }
  },
);
