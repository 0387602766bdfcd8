import { expect, test } from 'vitest';
import { listing } from '../../../../src/contract/index.ts';
import { createPickList } from '../../../../src/core/shelf/pickList.ts';
import { openMigratedDatabase } from '../../../../src/core/storage/database.ts';
import { migrations } from '../../../../src/core/storage/migrations/index.ts';
import { createListingSearch } from '../../../../src/core/storage/tables/listings/listingSearch.ts';
import { createListingsTable } from '../../../../src/core/storage/tables/listings/listingsTable.ts';
import { createSalesTable } from '../../../../src/core/storage/tables/salesTable.ts';
import { createShelfTable } from '../../../../src/core/storage/tables/shelfTable.ts';
import Database from 'better-sqlite3';
import { applyMigrations } from '../../../helpers/applyMigrations.ts';
import { listQuerySteps, watchPreparedSql } from '../../../helpers/queryPlans.ts';
import { createTestClock } from '../../../helpers/testClock.ts';

const dayMs = 86_400_000;

const openPickList = (notices: { listingId: string; buyer: string | null; at: number | null }[] = []) => {
  const db = openMigratedDatabase(':memory:');
  const clock = createTestClock();
  const [sales, listings, shelf] = [createSalesTable(db), createListingsTable(db), createShelfTable(db)];
  const pickList = createPickList({
    ...{ sales, clock, changed: () => undefined, account: () => 'a', listings: createListingSearch(db, () => 'a') },
    readNotices: () => notices.map((notice) => ({ kind: 'sale', ...notice })),
  });
  const isoDaysAgo = (days: number): string => new Date(clock.now() - days * dayMs).toISOString();
  /** Stores a sold listing. Other fields are as the service reports them. */
  const keepSold = (listingId: string, fields: object = {}): void =>
    void listings.keep('a', listing.parse({ listingId, status: 'sold', title: listingId, ...fields }), clock.now());
  const place = (listingId: string, at: string | null, sku: string | null): void =>
    void shelf.change(shelf.open('a', { itemId: null, listingId }, 0), { place: at, sku }, 0);
  const list = (): string[] => pickList.read().rows.map(({ listingId }) => listingId);
  return { pickList, sales, clock, isoDaysAgo, keepSold, place, list };
};

test('places are in natural order, and listings without a place come last', () => {
  const { keepSold, place, list, isoDaysAgo } = openPickList();
  const shelves = {
    nowhere: [null, 'Z-1'],
    ten: ['A10', 'A10-1'],
    late: ['A2', 'A2-10'],
    early: ['A2', 'A2-9'],
  } as const;
  for (const [listingId, [at, sku]] of Object.entries(shelves)) {
    keepSold(listingId, { endedAt: isoDaysAgo(1) });
    place(listingId, at, sku);
  }
  keepSold('bare', { endedAt: isoDaysAgo(1) });
  expect(list()).toEqual(['early', 'late', 'ten', 'nowhere', 'bare']);
});

test('a sale that the companion did not see is listed for 30 days, and one that it saw until it is sent', () => {
  const { keepSold, sales, list, clock, isoDaysAgo } = openPickList();
  keepSold('recent', { endedAt: isoDaysAgo(29) });
  keepSold('old', { endedAt: isoDaysAgo(31) });
  keepSold('seen', { endedAt: isoDaysAgo(300) });
  sales.noteSold('a', 'seen', clock.now());
  expect(list().toSorted()).toEqual(['recent', 'seen']);
  clock.advance(60 * dayMs);
  expect(list()).toEqual(['seen']);
});

test('a sold listing without a date takes the date of its notification, else it is only counted', () => {
  const at = createTestClock().now();
  const { keepSold, pickList } = openPickList([
    { listingId: 'told', buyer: 'ada', at: at - dayMs },
    { listingId: 'told long ago', buyer: 'ben', at: at - 40 * dayMs },
    { listingId: 'undated notice', buyer: 'cy', at: null },
  ]);
  for (const name of ['told', 'told long ago', 'undated notice', 'untold']) keepSold(name);
  keepSold('odd date', { endedAt: 'yesterday' });
  expect(pickList.read()).toMatchObject({
    rows: [{ listingId: 'told', buyer: 'ada', soldAt: at - dayMs, sentAt: null, place: null, sku: null }],
    undated: 3,
  });
});

test('a listing that sells again after its parcel was sent is listed again', () => {
  const { keepSold, sales, pickList, clock } = openPickList();
  keepSold('fox');
  sales.noteSold('a', 'fox', clock.now());
  pickList.markSent(['fox', 'unknown'], true);
  expect(pickList.read().rows).toMatchObject([{ listingId: 'fox', sentAt: clock.now() }]);
  clock.advance(dayMs);
  expect(pickList.read().rows).toEqual([]);
  sales.noteSold('a', 'fox', clock.now());
  expect(pickList.read().rows).toMatchObject([{ listingId: 'fox', sentAt: null }]);
});

test('after each sale, the pick list contains a listing with remaining pieces until the sold piece is sent', () => {
  const at = createTestClock().now();
  const notices = [{ listingId: 'mugs', buyer: 'ada', at: at - dayMs }];
  const { keepSold, pickList, list, clock, place } = openPickList(notices);
  keepSold('mugs', { status: 'published', quantity: 4 });
  keepSold('quiet', { status: 'published', quantity: 4 });
  place('mugs', 'A2', 'A2-1');
  expect(pickList.read()).toMatchObject({
    rows: [{ listingId: 'mugs', place: 'A2', buyer: 'ada', soldAt: at - dayMs, sentAt: null }],
    undated: 0,
  });
  pickList.markSent(['mugs'], true);
  expect(pickList.read().rows).toMatchObject([{ sentAt: expect.any(Number) as unknown }]);
  pickList.markSent(['mugs'], false);
  expect(pickList.read().rows).toMatchObject([{ sentAt: null }]);
  pickList.markSent(['mugs'], true);
  clock.advance(dayMs);
  expect(list()).toEqual([]);
  // Another piece sells, in whatever order the service lists its notices.
  notices.unshift({ listingId: 'mugs', buyer: 'bo', at: clock.now() });
  expect(pickList.read().rows).toMatchObject([{ buyer: 'bo', sentAt: null }]);
  clock.advance(31 * dayMs);
  expect(list()).toEqual([]);
});

test('a sale from before a relist is not in the pick list of the relisted listing', () => {
  const at = createTestClock().now();
  const notices = ['again', 'left', 'draft'].map((listingId) => ({ listingId, buyer: null, at: at - dayMs }));
  const { keepSold, list, isoDaysAgo } = openPickList(notices);
  keepSold('again', { status: 'published', publishedAt: isoDaysAgo(0.5) });
  keepSold('left', { status: 'ended', publishedAt: isoDaysAgo(9) });
  keepSold('draft', { status: 'draft' });
  expect(list()).toEqual(['left']);
});

test('an update reads from the stored listings when they sold', () => {
  const db = new Database(':memory:');
  applyMigrations(db, 48);
  const keep = (listingId: string, json: string): void => {
    db.prepare('insert into listings values (?, ?, ?, ?, ?, 0)').run('a', listingId, 'sold', null, json);
    db.prepare('insert into listing_keys (account, listing_id, status, listed_at) values (?, ?, ?, 0)').run(
      ...['a', listingId, 'sold'],
    );
  };
  keep('dated', '{"endedAt":"2026-11-30T00:00:00Z"}');
  for (const json of ['{}', '{"endedAt":17}', '{"endedAt":"soon"}']) keep(json, json);
  db.exec(migrations[48] ?? '');
  const read = db.prepare('select listing_id, ended_at from listing_keys where ended_at is not null');
  expect(read.all()).toEqual([{ listing_id: 'dated', ended_at: Date.UTC(2026, 10, 30) }]);
});

test('the pick list and the counts of listings are read by indexes, without sorting', () => {
  const db = openMigratedDatabase(':memory:');
  const prepared = watchPreparedSql(db);
  createSalesTable(db);
  createListingSearch(db, () => 'a');
  const reads = prepared.filter((sql) => /as soldAt|ended_at is null|as count|as priceCents/.test(sql));
  expect(reads).toHaveLength(4);
  const named = { account: 'a', sentSince: 0, soldSince: 0, dated: '[]' };
  const steps = reads.flatMap((sql) => listQuerySteps(db, sql, sql.match(/\?/g)?.map(() => '[]') ?? [named]));
  const keys = 'SEARCH listing_keys USING';
  expect([...new Set(steps.filter((step) => /^SEARCH|^USE/.test(step)))].toSorted()).toEqual([
    `${keys} COVERING INDEX listings_by_site (account=?)`,
    `${keys} COVERING INDEX listings_sold (account=? AND ended_at=?)`,
    `${keys} COVERING INDEX listings_sold (account=? AND ended_at>?)`,
    `${keys} INDEX sqlite_autoindex_listing_keys_1 (account=? AND listing_id=?)`,
    'SEARCH sales USING INDEX sales_sent (account=? AND sent_at>?)',
    'SEARCH sales USING INDEX sales_to_send (account=? AND sold_at>?)',
    'SEARCH sales USING PRIMARY KEY (account=? AND listing_id=?)',
  ]);
});
