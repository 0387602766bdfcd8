import { type Listing, listing, listingChanges } from '../../../../contract/index.ts';
import { convertHtmlToText } from '../../../../text/htmlText.ts';
import * as z from 'zod';
import { createJsonColumn, type Db, textValues } from '../../database.ts';
import { listFullTextTerms } from './listingSearch.ts';

/** Returns the searchable text of a listing, except its title. */
export const buildSearchText = (listing: Listing): string =>
  [
    convertHtmlToText(listing.description ?? ''),
    ...Object.entries(listing.itemSpecifics ?? {}).flat(),
    listing.categoryName,
    listing.condition,
    listing.sku,
    listing.listingId,
  ]
    .filter(Boolean)
    .join(' ');

/** `listing` and `at` (ms since 1970) are null if unknown. A listing with `wentLive` can never be deleted. */
export type FirstReviewedListing = { listing: Listing | null; at: number | null; wentLive: boolean };

const liveStatuses: readonly (string | null)[] = ['published', 'ended', 'sold'];

const isOrWasLive = ({ status, marketListingId }: Listing): boolean =>
  liveStatuses.includes(status) || typeof marketListingId === 'string';

const row = z.object({ json: createJsonColumn(listing) });
const storedListings = z.array(row);

const writtenRow = z.object({ json: createJsonColumn(listing), at: z.int() });

export type FirstReviewedTable = ReturnType<typeof createFirstReviewedTable>;

/** Creates the table of listings as they first reached review. A new generation keeps the `went_live` mark. */
export const createFirstReviewedTable = (db: Db) => {
  const put = db.prepare('insert or ignore into written (account, listing_id, json, at) values (?, ?, ?, ?)');
  const drop = db.prepare('delete from written where account = ? and listing_id = ?');
  const markLive = db.prepare('insert or ignore into went_live (account, listing_id) values (?, ?)');
  const unmarkLive = db.prepare('delete from went_live where account = ? and listing_id = ?');
  const isLive = db.prepare('select 1 from went_live where account = ? and listing_id = ?');
  const one = db.prepare('select json, at from written where account = ? and listing_id = ?');
  return {
    /** Records a listing that was just read. `before` is the previous status; null if the listing was unknown. */
    follow: (account: string, value: Listing, at: number, before: string | null): void => {
      const { listingId, status } = value;
      if (status === 'processing') drop.run(account, listingId);
      if (status === 'pending_review' || liveStatuses.includes(status))
        put.run(account, listingId, JSON.stringify(value), at);
      if (isOrWasLive(value) || liveStatuses.includes(before)) markLive.run(account, listingId);
    },
    beginAnew: (account: string, listingId: string): void => void drop.run(account, listingId),
    forget: (account: string, listingId: string): void => {
      drop.run(account, listingId);
      unmarkLive.run(account, listingId);
    },
    /** Returns null if the listing never reached review and never was live. */
    read: (account: string, listingId: string): FirstReviewedListing | null => {
      const found = one.get(account, listingId);
      const wentLive = isLive.get(account, listingId) !== undefined;
      if (found === undefined) return wentLive ? { listing: null, at: null, wentLive } : null;
      const { json: value, at } = writtenRow.parse(found);
      return { listing: value, at, wentLive };
    },
  };
};

/** `title` contains words that must be in the title. Each absent field matches all listings. */
export type ListingsPage = {
  status?: string | undefined;
  title?: string | undefined;
  limit: number;
  offset: number;
};

export type ListingMakersTable = ReturnType<typeof createListingMakersTable>;

export const createListingMakersTable = (db: Db) => {
  const maker = db.prepare('select 1 from listing_makers where account = ? and listing_id = ? and asker_id = ?');
  const made = db.prepare('select listing_id from listing_makers where account = ? and asker_id = ?').pluck();
  const note = db.prepare('insert or ignore into listing_makers (account, listing_id, asker_id) values (?, ?, ?)');
  const page = db.prepare(`select json from listing_makers join listing_keys using (account, listing_id)
    join listings using (account, listing_id)
    where account = @account and asker_id = @askerId and missing = 0
      and (@status is null or listing_keys.status = @status)
      and (@title is null or row_id in (select rowid from listing_words where listing_words match @title))
    order by listed_at desc, row_id desc limit @limit offset @offset`);
  return {
    isMaker: (account: string, listingId: string, askerId: string): boolean =>
      maker.get(account, listingId, askerId) !== undefined,
    note: (account: string, listingId: string, askerId: string): void => void note.run(account, listingId, askerId),
    listMade: (account: string, askerId: string): string[] => textValues.parse(made.all(account, askerId)),
    /** Returns stored listings that the asker made, newest first. */
    readPage: (account: string, askerId: string, { status, title, ...part }: ListingsPage): Listing[] => {
      const terms = title === undefined ? null : listFullTextTerms(title);
      if (terms?.length === 0) return [];
      const match = terms && `title : (${terms.join(' ')})`;
      const rows = page.all({ account, askerId, status: status ?? null, title: match, ...part });
      return storedListings.parse(rows).map(({ json }) => json);
    },
  };
};

const bulkRows = z.array(z.object({ listingId: z.string(), body: listingChanges, old: listingChanges.nullable() }));
const bulkEdit = z.object({ field: z.string(), rows: createJsonColumn(bulkRows) });

/** `old` contains the values that revert a row; null if a revert is impossible. */
export type BulkEdit = z.infer<typeof bulkEdit>;

export type BulkEditsTable = ReturnType<typeof createBulkEditsTable>;

/** Creates the table of the last two bulk edits. The older edit is kept until the newer edit has changed something. */
export const createBulkEditsTable = (db: Db) => {
  const put = db.prepare(`insert into bulk_edits (account, edit_id, field, rows) values (?, ?, ?, ?)
    on conflict (account, edit_id) do update set rows = excluded.rows`);
  const trim = db.prepare(`delete from bulk_edits where account = ? and seq not in
    (select seq from bulk_edits where account = ? order by seq desc limit 2)`);
  const drop = db.prepare('delete from bulk_edits where account = ? and edit_id = ?');
  const clear = db.prepare('delete from bulk_edits where account = ?');
  const newest = db.prepare('select field, rows from bulk_edits where account = ? order by seq desc limit 1');
  return {
    /** Stores the edit, or deletes the edit if it has changed nothing. */
    keep: db.transaction((account: string, editId: string, { field, rows }: BulkEdit): void => {
      if (rows.length === 0) drop.run(account, editId);
      else put.run(account, editId, field, JSON.stringify(rows));
      trim.run(account, account);
    }),
    last: (account: string): BulkEdit | null => {
      const found = newest.get(account);
      return found === undefined ? null : bulkEdit.parse(found);
    },
    forget: (account: string): void => void clear.run(account),
  };
};

/** `at` is in ms since 1970. */
type ListingRead = { text: string; at: number; isNew: boolean };

const createMissingMarkQueries = (db: Db) => {
  const ids = db.prepare('select listing_id from listing_keys where account = ? and missing = 1').pluck();
  const mark = db.prepare('update listing_keys set missing = ? where account = ? and listing_id = ? and missing <> ?');
  return {
    ids: (account: string): string[] => textValues.parse(ids.all(account)),
    /** Sets or clears the mark, and returns whether it has changed. */
    mark: (account: string, listingId: string, missing: 0 | 1): boolean =>
      mark.run(missing, account, listingId, missing).changes > 0,
  };
};

const putKeysSql = `insert into listing_keys (account, listing_id, status, title, site, price_cents, listed_at, ended_at)
  values (?, ?, ?, ?, ?, ?, ?, unixepoch(?) * 1000)
  on conflict (account, listing_id) do update set status = excluded.status, title = excluded.title,
  site = excluded.site, price_cents = excluded.price_cents, listed_at = excluded.listed_at, ended_at = excluded.ended_at,
  missing = 0
  returning row_id`;

export type ListingsTable = ReturnType<typeof createListingsTable>;

export const createListingsTable = (db: Db) => {
  const put = db.prepare(
    `insert into listings (account, listing_id, status, title, json, changed_at) values (?, ?, ?, ?, ?, ?)
     on conflict (account, listing_id) do update set status = excluded.status, title = excluded.title,
       json = excluded.json, changed_at = excluded.changed_at`,
  );
  const putKeys = db.prepare(putKeysSql).pluck();
  const dropKeys = db.prepare('delete from listing_keys where account = ? and listing_id = ? returning row_id').pluck();
  const dropWords = db.prepare('delete from listing_words where rowid = ?');
  const putWords = db.prepare('insert into listing_words (rowid, title, words) values (?, ?, ?)');
  const firstSeen = db.prepare('select listed_at from listing_keys where account = ? and listing_id = ?').pluck();
  const ids = db.prepare('select listing_id from listings where account = ?').pluck();
  const missing = createMissingMarkQueries(db);
  const one = db.prepare('select json from listings where account = ? and listing_id = ?');
  const status = db.prepare('select status from listings where account = ? and listing_id = ?').pluck();
  const remove = db.prepare('delete from listings where account = ? and listing_id = ?');
  /** If the service names no creation time, returns when the listing was first read. */
  const getListedAt = (account: string, { listingId, createdAt }: Listing, at: number): number => {
    const named = Date.parse(createdAt ?? '');
    return Number.isNaN(named) ? z.int().catch(at).parse(firstSeen.get(account, listingId)) : named;
  };
  const write = db.transaction((account: string, value: Listing, { text, at, isNew }: ListingRead): void => {
    const { listingId, status, title, marketplaceId, price, endedAt } = value;
    put.run(account, listingId, status, title ?? null, text, at);
    const made = getListedAt(account, value, at);
    const shown = [status, title ?? null, marketplaceId ?? null, price ?? null];
    const id = putKeys.get(account, listingId, ...shown, made, typeof endedAt === 'string' ? endedAt : null);
    if (!isNew) dropWords.run(id);
    putWords.run(id, title ?? '', buildSearchText(value));
  });
  const drop = db.transaction((account: string, listingId: string): void => {
    remove.run(account, listingId);
    const id = dropKeys.get(account, listingId);
    if (id !== undefined) dropWords.run(id);
  });
  return {
    /** Stores the listing and clears its missing mark. Returns false if nothing has changed. */
    keep: (account: string, value: Listing, at: number): boolean => {
      const text = JSON.stringify(value);
      const before = one.get(account, value.listingId);
      if (before !== undefined && JSON.stringify(row.parse(before).json) === text)
        return missing.mark(account, value.listingId, 0);
      write(account, value, { text, at, isNew: before === undefined });
      return true;
    },
    read: (account: string, listingId: string): Listing | null => {
      const found = one.get(account, listingId);
      return found === undefined ? null : row.parse(found).json;
    },
    remove: drop,
    ids: (account: string): string[] => textValues.parse(ids.all(account)),
    missingIds: missing.ids,
    /** Marks the listing as missing. Returns false if the listing is not stored or was already marked. */
    markMissing: (account: string, listingId: string): boolean => missing.mark(account, listingId, 1),
    statusOf: (account: string, listingId: string): string | null =>
      z.string().optional().parse(status.get(account, listingId)) ?? null,
  };
};

/** Returns the distinct marketplace URLs of the listings. */
export const listMarketplaceUrls = (db: Db, account: string): string[] =>
  textValues.parse(
    db
      .prepare(
        `select distinct json_extract(json, '$.marketListingUrl') from listings
           where account = ? and json_type(json, '$.marketListingUrl') = 'text'`,
      )
      .pluck()
      .all(account),
  );
