import {
  type ListingStatus,
  findListingCurrency,
  listing as listingShape,
  listingStatuses,
} from '../../../../contract/index.ts';
import type { Message } from '../../../../i18n/message.ts';
import * as z from 'zod';
import type { ShelfFields } from '../../../base/shelfFields.ts';
import { createJsonColumn, prepareStatement, type Db } from '../../database.ts';
import { buildShelfCondition, parseShelfQuery, shelfColumn, type ShelfQuery, type ShelfValues } from '../shelfTable.ts';

export type ListingRow = {
  listingId: string;
  status: ListingStatus;
  title: string | null;
  site: string | null;
  currency: string | null;
  priceCents: number | null;
  quantity: number | null;
  condition: string | null;
  categoryName: string | null;
  sku: string | null;
  photoUrl: string | null;
  pageUrl: string | null;
  /** Ms since 1970. */
  listedAt: number;
  changedAt: number;
  /** When the listing went live and when it ended or sold; null if the service does not say. */
  liveAt: number | null;
  endedAt: number | null;
  /** Whether the service did not know the listing when it was last read. */
  isMissing: boolean;
  /** What only the person knows about it; null if nothing is stored. */
  shelf: ShelfFields | null;
  /** The SKU of the last approved change of the live listing; null if unknown. */
  sentSku: string | null;
};

export const listingSorts = [
  'newest',
  'oldest',
  'cheapest',
  'dearest',
  'title',
  'titleDown',
  'status',
  'statusDown',
] as const;
type ListingSort = (typeof listingSorts)[number];

/** All conditions must match. `from` and `to`, in ms since 1970, belong to the range. */
export type ListingFilter = {
  /**
   * The search text. Its last word may be incomplete. An empty text matches all listings. `place:` and `sku:` search the
   * shelf.
   */
  q: string;
  /** An empty list matches any status. */
  statuses: readonly ListingStatus[];
  site: string | null;
  from: number | null;
  to: number | null;
  minCents: number | null;
  maxCents: number | null;
  /** Only these listings; absent for all. */
  only?: readonly string[] | undefined;
  /** Values of the shelf, as the operators in `q` name them; absent for any. */
  shelf?: ShelfValues | undefined;
};

/** Matches all listings. */
export const anyListing: ListingFilter = {
  ...{ q: '', statuses: [], site: null, from: null, to: null },
  ...{ minCents: null, maxCents: null },
};

export type ListingPage = { total: number; rows: ListingRow[] };

export type ListingCounts = {
  all: number;
  missing: number;
  statuses: Partial<Record<ListingStatus, number>>;
  sites: { site: string; count: number }[];
  sync: { running: boolean; read: number; doneAt: number | null; problem: string | null; says?: Message | undefined };
};

/** The sum of the prices of the live listings on one site. */
export type AskingValue = { site: string | null; priceCents: number };

const askingValues = z.array(z.object({ site: z.string().nullable(), priceCents: z.int() }));

/** Words are quoted, so that SQLite does not read any of them as an operator. */
export const listFullTextTerms = (typed: string): string[] => {
  const words = typed.normalize('NFC').match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.map((word, at) => (at === words.length - 1 ? `"${word}"*` : `"${word}"`));
};

/** The interface does not document these fields, so any other value counts as missing. */
const isoTime = z
  .string()
  .transform((text) => Date.parse(text))
  .pipe(z.int())
  .nullable()
  .catch(null);

const facts = listingShape
  .pick({
    quantity: true,
    condition: true,
    categoryName: true,
    sku: true,
    currency: true,
    marketplaceId: true,
    imageUrls: true,
    marketListingUrl: true,
  })
  .extend({ publishedAt: isoTime, endedAt: isoTime });
const stored = z.object({
  row_id: z.int(),
  listing_id: z.string(),
  status: z.enum(listingStatuses),
  title: z.string().nullable(),
  json: createJsonColumn(facts),
  changed_at: z.int(),
  price_cents: z.int().nullable(),
  listed_at: z.int(),
  missing: z.int(),
  photo_id: z.string().nullable(),
  shelf: shelfColumn,
  sent_sku: z.string().nullable(),
});
const storedRows = z.array(stored);
const found = z.object({ total: z.int(), ids: z.string() });
const counted = z.object({ status: z.enum(listingStatuses), site: z.string().nullable(), count: z.int() });
const countedRows = z.array(counted);

/** Each order needs an index. */
const orders: Readonly<Record<ListingSort, { by: string; down: boolean }>> = {
  newest: { by: 'listed_at', down: true },
  oldest: { by: 'listed_at', down: false },
  cheapest: { by: 'price_cents', down: false },
  dearest: { by: 'price_cents', down: true },
  title: { by: 'listing_keys.title collate nocase', down: false },
  titleDown: { by: 'listing_keys.title collate nocase', down: true },
  status: { by: 'listing_keys.status', down: false },
  statusDown: { by: 'listing_keys.status', down: true },
};

const buildOrderClause = (by: string, down: boolean): string => (down ? `${by} desc, row_id desc` : `${by}, row_id`);

type FilterCondition = { sql: string; values?: readonly (string | number)[] };

const inListings = 'row_id in (select rowid from listing_words where listing_words match ?)';
const onShelf = `row_id in (select listing_keys.row_id from shelf_words
    join shelf on shelf_id = shelf_words.rowid join listing_keys using (account, listing_id)
  where shelf_words match ?)`;

/**
 * Returns the SQL condition for the words of a search. Most words are on no shelf, so one search finds the listings
 * that contain all of those. Each remaining word must be in the listing or on its shelf.
 */
const buildWordConditions = (db: Db, terms: readonly string[]): { match: string | null; others: FilterCondition[] } => {
  const isOnAnyShelf = prepareStatement(db, 'select 1 from shelf_words where shelf_words match ? limit 1');
  const shelved = terms.filter((term) => isOnAnyShelf.get(term) !== undefined);
  const match = terms.filter((term) => !shelved.includes(term)).join(' ');
  return {
    match: match === '' ? null : match,
    others: shelved.map((term) => ({ sql: `(${inListings} or ${onShelf})`, values: [term, term] })),
  };
};

const readShelfQuery = ({ q, shelf = {} }: ListingFilter): ShelfQuery => ({ ...parseShelfQuery(q), ...shelf });

const buildFilterConditions = (account: string, filter: ListingFilter): FilterCondition[] => {
  const [status, ...others] = filter.statuses;
  const shelf = buildShelfCondition(account, readShelfQuery(filter));
  const wishes: (FilterCondition | false)[] = [
    { sql: 'account = ?', values: [account] },
    status !== undefined && others.length === 0 && { sql: 'status = ?', values: [status] },
    others.length > 0 && {
      sql: 'status in (select value from json_each(?))',
      values: [JSON.stringify(filter.statuses)],
    },
    // With "+", SQLite keeps the index that has the order of the rows.
    filter.site !== null && { sql: '+site = ?', values: [filter.site] },
    filter.from !== null && { sql: 'listed_at >= ?', values: [filter.from] },
    filter.to !== null && { sql: 'listed_at <= ?', values: [filter.to] },
    filter.minCents !== null && { sql: 'price_cents >= ?', values: [filter.minCents] },
    filter.maxCents !== null && { sql: 'price_cents <= ?', values: [filter.maxCents] },
    filter.only !== undefined && {
      sql: 'listing_keys.listing_id in (select value from json_each(?))',
      values: [JSON.stringify(filter.only)],
    },
    shelf !== null && { sql: `listing_keys.listing_id in (select listing_id ${shelf.sql})`, values: shelf.values },
  ];
  return wishes.filter((wish) => wish !== false);
};

const mainPhotoSql = `(select photo_id from photos join items using (item_id)
  where items.account = listing_keys.account and items.listing_id = listing_keys.listing_id
    and photos.state = 'ready' and photos.thumb_path is not null order by photos.position limit 1) as photo_id`;

const ofListing = 'shelf.account = listing_keys.account and shelf.listing_id = listing_keys.listing_id';
const shelfSql = `(select fields from shelf where ${ofListing}) as shelf,
  (select sent_sku from shelf where ${ofListing}) as sent_sku`;

const toListingRow = (row: z.infer<typeof stored>): ListingRow => {
  const { json: known } = row;
  const there = (known.imageUrls ?? []).length > 0;
  const remote = there ? `/listing-photos/${encodeURIComponent(row.listing_id)}/0` : null;
  return {
    listingId: row.listing_id,
    status: row.status,
    title: row.title,
    site: known.marketplaceId ?? null,
    currency: findListingCurrency(known),
    priceCents: row.price_cents,
    quantity: known.quantity ?? null,
    condition: known.condition ?? null,
    categoryName: known.categoryName ?? null,
    sku: known.sku ?? null,
    photoUrl: row.photo_id === null ? remote : `/photos/${row.photo_id}/thumb`,
    pageUrl: known.marketListingUrl ?? null,
    listedAt: row.listed_at,
    changedAt: row.changed_at,
    liveAt: known.publishedAt,
    endedAt: known.endedAt,
    isMissing: row.missing === 1,
    shelf: row.shelf,
    sentSku: row.sent_sku,
  };
};

const wholeRowSql = `select row_id, listing_id, listing_keys.status, listing_keys.title, json, changed_at, price_cents,
  listed_at, missing, ${mainPhotoSql}, ${shelfSql} from listing_keys join listings using (account, listing_id)`;

/** The word index and the shelf are searched first, because they match few rows. */
const buildListingQuery = (db: Db, account: string, filter: ListingFilter) => {
  const shelfQuery = readShelfQuery(filter);
  const terms = listFullTextTerms(shelfQuery.words);
  const { match, others } = buildWordConditions(db, terms);
  const wishes = [
    ...buildFilterConditions(account, filter),
    ...(match === null ? [] : [{ sql: 'listing_words match ?', values: [match] }]),
    ...others,
    // Text without letters or digits matches nothing instead of everything.
    ...(terms.length === 0 && shelfQuery.words !== '' ? [{ sql: 'false' }] : []),
  ];
  const { place, sku, tag } = shelfQuery;
  const isFew = terms.length > 0 || [place, sku, tag].some((value) => value !== null);
  const from =
    match === null ? 'listing_keys' : 'listing_words cross join listing_keys on row_id = listing_words.rowid';
  return {
    kept: isFew ? 'materialized' : 'not materialized',
    sql: `from ${from} where ${wishes.map(({ sql }) => sql).join(' and ')}`,
    values: wishes.flatMap(({ values = [] }: FilterCondition) => values),
  };
};

type PageRequest = { sort: ListingSort; offset: number; limit: number };

const readListingPage = (db: Db, account: string, filter: ListingFilter, page: PageRequest): ListingPage => {
  const { kept, sql, values } = buildListingQuery(db, account, filter);
  const { by, down } = orders[page.sort];
  const { total, ids } = found.parse(
    db
      .prepare(
        `with found as ${kept} (select row_id, ${by} as place ${sql})
         select count(*) as total, (select json_group_array(row_id)
           from (select row_id from found order by ${buildOrderClause('place', down)} limit ? offset ?)) as ids from found`,
      )
      .get(...values, page.limit, page.offset),
  );
  const rows = db
    .prepare(`${wholeRowSql} where row_id in (select value from json_each(?)) order by ${buildOrderClause(by, down)}`)
    .all(ids);
  return { total, rows: storedRows.parse(rows).map(toListingRow) };
};

const iterateListingRows = function* (db: Db, account: string, filter: ListingFilter): Generator<ListingRow> {
  const { sql, values } = buildListingQuery(db, account, filter);
  const newest = buildOrderClause('listed_at', true);
  const next = db.prepare(
    `${wholeRowSql} where row_id in (select row_id ${sql} and (listed_at, row_id) < (?, ?)
       order by ${newest} limit 500) order by ${newest}`,
  );
  let after: [number, number] = [Number.MAX_SAFE_INTEGER, 0];
  for (;;) {
    const rows = storedRows.parse(next.all(...values, ...after));
    yield* rows.map(toListingRow);
    const last = rows.at(-1);
    if (!last) return;
    after = [last.listed_at, last.row_id];
  }
};

const summariseListingCounts = (
  rows: readonly z.infer<typeof counted>[],
  missing: number,
): Omit<ListingCounts, 'sync'> => {
  const counts: Omit<ListingCounts, 'sync'> = { all: 0, missing, statuses: {}, sites: [] };
  const sites = new Map<string, number>();
  for (const { status, site, count } of rows) {
    counts.all += count;
    counts.statuses[status] = (counts.statuses[status] ?? 0) + count;
    if (site !== null) sites.set(site, (sites.get(site) ?? 0) + count);
  }
  const bySize = [...sites].sort(([, a], [, b]) => b - a);
  return { ...counts, sites: bySize.map(([site, count]) => ({ site, count })) };
};

export type ListingSearch = {
  /** Reads whole rows only for the requested page, because 100,000 rows might match. */
  search: (filter: ListingFilter, page: PageRequest) => ListingPage;
  /** Yields all matching rows, newest first. */
  each: (filter: ListingFilter) => Generator<ListingRow>;
  /** Keeps the order of the ids and omits unknown listings. */
  rows: (listingIds: readonly string[]) => ListingRow[];
  counts: () => Omit<ListingCounts, 'sync'>;
  askingValue: () => AskingValue[];
};

export const createListingSearch = (db: Db, account: () => string): ListingSearch => {
  const grouped = db.prepare(
    'select status, site, count(*) as count from listing_keys where account = ? group by site, status',
  );
  const asking = db.prepare(
    `select site, sum(price_cents) as priceCents from listing_keys
     where account = ? and status = 'published' and price_cents is not null group by site`,
  );
  const missing = db.prepare('select count(*) from listing_keys where account = ? and missing = 1').pluck();
  const named = db.prepare(`${wholeRowSql} where account = ? and listing_id in (select value from json_each(?))`);
  return {
    search: (filter, page) => readListingPage(db, account(), filter, page),
    rows: (listingIds) => {
      const all = storedRows.parse(named.all(account(), JSON.stringify(listingIds))).map(toListingRow);
      const byId = new Map(all.map((one) => [one.listingId, one]));
      return listingIds.flatMap((id) => byId.get(id) ?? []);
    },
    each: (filter) => iterateListingRows(db, account(), filter),
    counts: () =>
      summariseListingCounts(countedRows.parse(grouped.all(account())), z.int().parse(missing.get(account()))),
    askingValue: () => askingValues.parse(asking.all(account())),
  };
};
