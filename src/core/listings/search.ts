import * as z from 'zod';
import { currencyOf, listing as listingShape, listingStatuses, type ListingStatus } from '../../contract/index.ts';
import { json, type Db } from '../store/database.ts';
import type { ListingCounts, ListingFilter, ListingPage, ListingRow, ListingSort } from './listingRow.ts';
import { matchOf } from './matchOf.ts';

const facts = listingShape.pick({
  quantity: true,
  condition: true,
  categoryName: true,
  sku: true,
  currency: true,
  marketplaceId: true,
  imageUrls: true,
  marketListingUrl: true,
});
const stored = z.object({
  row_id: z.int(),
  listing_id: z.string(),
  status: z.enum(listingStatuses),
  title: z.string().nullable(),
  json: json(facts),
  changed_at: z.int(),
  price_cents: z.int().nullable(),
  listed_at: z.int(),
  photo_id: z.string().nullable(),
});
const counted = z.object({ name: z.string().nullable(), count: z.int() });

/** Each order with the row number behind it, so that it is the same every time; each has its index. */
const orders: Readonly<Record<ListingSort, string>> = {
  newest: 'listed_at desc, row_id desc',
  oldest: 'listed_at, row_id',
  cheapest: 'price_cents, row_id',
  dearest: 'price_cents desc, row_id desc',
  title: 'title collate nocase, row_id',
};

type Wish = { sql: string; value?: string | number };

const wishesOf = (account: string, filter: ListingFilter): Wish[] => {
  const match = matchOf(filter.q);
  const wishes: (Wish | false)[] = [
    { sql: 'account = ?', value: account },
    filter.statuses.length === 1 && { sql: 'status = ?', value: filter.statuses[0] as string },
    filter.statuses.length > 1 && {
      sql: 'status in (select value from json_each(?))',
      value: JSON.stringify(filter.statuses),
    },
    filter.site !== null && { sql: 'site = ?', value: filter.site },
    filter.from !== null && { sql: 'listed_at >= ?', value: filter.from },
    filter.to !== null && { sql: 'listed_at <= ?', value: filter.to },
    filter.minCents !== null && { sql: 'price_cents >= ?', value: filter.minCents },
    filter.maxCents !== null && { sql: 'price_cents <= ?', value: filter.maxCents },
    match !== null && {
      sql: 'row_id in (select rowid from listing_words where listing_words match ?)',
      value: match,
    },
    // Typed signs without a letter match nothing, rather than everything.
    match === null && filter.q.trim() !== '' && { sql: 'false' },
  ];
  return wishes.filter((wish) => wish !== false);
};

const mainPhoto = `(select photo_id from photos join items using (item_id)
  where items.account = listings.account and items.listing_id = listings.listing_id
    and photos.state = 'ready' and photos.thumb_path is not null order by photos.position limit 1) as photo_id`;

const rowOf = (row: z.infer<typeof stored>): ListingRow => {
  const { json: known } = row;
  const there = (known.imageUrls ?? []).length > 0;
  const remote = there ? `/listing-photos/${encodeURIComponent(row.listing_id)}/0` : null;
  return {
    listingId: row.listing_id,
    status: row.status,
    title: row.title,
    site: known.marketplaceId ?? null,
    currency: currencyOf(known),
    priceCents: row.price_cents,
    quantity: known.quantity ?? null,
    condition: known.condition ?? null,
    categoryName: known.categoryName ?? null,
    sku: known.sku ?? null,
    photoUrl: row.photo_id === null ? remote : `/photos/${row.photo_id}/thumb`,
    pageUrl: known.marketListingUrl ?? null,
    listedAt: row.listed_at,
    changedAt: row.changed_at,
  };
};

export type ListingSearch = ReturnType<typeof createListingSearch>;

/** Finds listings in the copy on this machine. No call waits for the network. */
export const createListingSearch = (db: Db, account: () => string) => {
  const whole = `select listings.row_id, listing_id, status, title, json, changed_at, price_cents, listed_at, ${mainPhoto} from listings`;
  const byStatus = db.prepare('select status as name, count(*) as count from listings where account = ? group by 1');
  const bySite = db.prepare(
    'select site as name, count(*) as count from listings where account = ? group by 1 order by 2 desc',
  );
  const where = (filter: ListingFilter) => {
    const wishes = wishesOf(account(), filter);
    return {
      sql: wishes.map(({ sql }) => sql).join(' and '),
      values: wishes.flatMap(({ value }) => (value === undefined ? [] : [value])),
    };
  };

  return {
    /**
     * The rows from `offset` on and how many there are in all. A page is found through the index of its order first,
     * so that a scroll bar may be dragged to any place of 100,000 rows.
     */
    search: (filter: ListingFilter, page: { sort: ListingSort; offset: number; limit: number }): ListingPage => {
      const { sql, values } = where(filter);
      const total = db
        .prepare(`select count(*) from listings where ${sql}`)
        .pluck()
        .get(...values);
      const ids = `select row_id from listings where ${sql} order by ${orders[page.sort]} limit ? offset ?`;
      const rows = db
        .prepare(`${whole} where row_id in (${ids}) order by ${orders[page.sort]}`)
        .all(...values, page.limit, page.offset);
      return { total: z.int().parse(total), rows: z.array(stored).parse(rows).map(rowOf) };
    },
    /** Every row that is asked for, newest first, read a page at a time by its place. */
    *each(filter: ListingFilter): Generator<ListingRow> {
      const { sql, values } = where(filter);
      const next = db.prepare(
        `${whole} where ${sql} and (listed_at, row_id) < (?, ?) order by ${orders.newest} limit 500`,
      );
      let after: [number, number] = [Number.MAX_SAFE_INTEGER, 0];
      for (;;) {
        const rows = z.array(stored).parse(next.all(...values, ...after));
        yield* rows.map(rowOf);
        const last = rows.at(-1);
        if (!last) return;
        after = [last.listed_at, last.row_id];
      }
    },
    /** How many there are of each state and each site. */
    counts: (): Omit<ListingCounts, 'sync'> => {
      const states = z.array(counted).parse(byStatus.all(account()));
      const sites = z.array(counted).parse(bySite.all(account()));
      return {
        all: states.reduce((sum, { count }) => sum + count, 0),
        statuses: Object.fromEntries(states.map(({ name, count }) => [name as ListingStatus, count])),
        sites: sites.flatMap(({ name, count }) => (name === null ? [] : [{ site: name, count }])),
      };
    },
  };
};
