import { type Listing, listing, listingChanges } from '../../../contract/index.ts';
import { htmlText } from '../../../text/htmlText.ts';
import * as z from 'zod';
import { json, type Db, texts } from '../database.ts';

/** The words of a listing besides its title, without the tags of its description. */
export const searchText = (listing: Listing): string =>
  [
    htmlText(listing.description ?? ''),
    ...Object.entries(listing.itemSpecifics ?? {}).flat(),
    listing.categoryName,
    listing.condition,
    listing.sku,
    listing.listingId,
  ]
    .filter(Boolean)
    .join(' ');

/**
 * A listing as it first came to be reviewed and when that was, in ms since 1970, both null where it is not known; and
 * whether it is or was live: by the interface one that was live is never deleted.
 */
export type Written = { listing: Listing | null; at: number | null; wentLive: boolean };

const liveStatuses: readonly (string | null)[] = ['published', 'ended', 'sold'];

/** Whether a listing shows that it is or was live, by its status or by its place at the marketplace. */
const showsLive = ({ status, marketListingId }: Listing): boolean =>
  liveStatuses.includes(status) || typeof marketListingId === 'string';

const writtenRow = z.object({ json: json(listing), at: z.int() });

export type WrittenTable = ReturnType<typeof writtenTable>;

/**
 * Listings as they first came to be reviewed: as the writer wrote them, or as this machine first saw them. Another
 * writing is another beginning. That one went live is kept apart, and through every writing that follows.
 */
export const writtenTable = (db: Db) => {
  const put = db.prepare('insert or ignore into written (account, listing_id, json, at) values (?, ?, ?, ?)');
  const drop = db.prepare('delete from written where account = ? and listing_id = ?');
  const markLive = db.prepare('insert or ignore into went_live (account, listing_id) values (?, ?)');
  const unmarkLive = db.prepare('delete from went_live where account = ? and listing_id = ?');
  const isLive = db.prepare('select 1 from went_live where account = ? and listing_id = ?');
  const one = db.prepare('select json, at from written where account = ? and listing_id = ?');
  return {
    /** A listing as it was just read, and the status that was read before; null for none. */
    follow: (account: string, value: Listing, at: number, before: string | null): void => {
      const { listingId, status } = value;
      if (status === 'processing') drop.run(account, listingId);
      if (status === 'pending_review' || liveStatuses.includes(status))
        put.run(account, listingId, JSON.stringify(value), at);
      if (showsLive(value) || liveStatuses.includes(before)) markLive.run(account, listingId);
    },
    /** It is being written anew: what comes next is the beginning. */
    beginAnew: (account: string, listingId: string): void => void drop.run(account, listingId),
    /** It is gone. */
    forget: (account: string, listingId: string): void => {
      drop.run(account, listingId);
      unmarkLive.run(account, listingId);
    },
    /** Null for one that never came to be reviewed nor was live. */
    read: (account: string, listingId: string): Written | null => {
      const found = one.get(account, listingId);
      const wentLive = isLive.get(account, listingId) !== undefined;
      if (found === undefined) return wentLive ? { listing: null, at: null, wentLive } : null;
      const { json: value, at } = writtenRow.parse(found);
      return { listing: value, at, wentLive };
    },
  };
};

export type ListingMakersTable = ReturnType<typeof listingMakersTable>;

/** Which assistant made which draft. */
export const listingMakersTable = (db: Db) => {
  const maker = db.prepare('select 1 from listing_makers where account = ? and listing_id = ? and asker_id = ?');
  const note = db.prepare('insert or ignore into listing_makers (account, listing_id, asker_id) values (?, ?, ?)');
  return {
    isMaker: (account: string, listingId: string, askerId: string): boolean =>
      maker.get(account, listingId, askerId) !== undefined,
    note: (account: string, listingId: string, askerId: string): void => void note.run(account, listingId, askerId),
  };
};

const bulkRows = z.array(z.object({ listingId: z.string(), body: listingChanges, old: listingChanges.nullable() }));
const bulkEdit = z.object({ field: z.string(), rows: json(bulkRows) });

/** One field that was changed of many listings: what each was set to, and what puts it back; null where nothing does. */
export type BulkEdit = z.infer<typeof bulkEdit>;

export type BulkEditsTable = ReturnType<typeof bulkEditsTable>;

/** What was last changed of many listings at once. The one before stays until the last one has changed something. */
export const bulkEditsTable = (db: Db) => {
  const put = db.prepare(`insert into bulk_edits (account, edit_id, field, rows) values (?, ?, ?, ?)
    on conflict (account, edit_id) do update set rows = excluded.rows`);
  const trim = db.prepare(`delete from bulk_edits where account = ? and seq not in
    (select seq from bulk_edits where account = ? order by seq desc limit 2)`);
  const drop = db.prepare('delete from bulk_edits where account = ? and edit_id = ?');
  const clear = db.prepare('delete from bulk_edits where account = ?');
  const newest = db.prepare('select field, rows from bulk_edits where account = ? order by seq desc limit 1');
  return {
    /** Keeps an edit as it is by now; one that changed nothing is none. */
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

const row = z.object({ json: json(listing) });

/** A listing as it was read, at a time in ms since 1970; `isNew` where it was not there before. */
type Read = { text: string; at: number; isNew: boolean };

/** Which listings the service did not know when they were last read. */
const missingMarks = (db: Db) => {
  const ids = db.prepare('select listing_id from listing_keys where account = ? and missing = 1').pluck();
  const mark = db.prepare('update listing_keys set missing = ? where account = ? and listing_id = ? and missing <> ?');
  return {
    ids: (account: string): string[] => texts.parse(ids.all(account)),
    /** Answers whether that is news. */
    mark: (account: string, listingId: string, missing: 0 | 1): boolean =>
      mark.run(missing, account, listingId, missing).changes > 0,
  };
};

const putKeysSql = `insert into listing_keys (account, listing_id, status, title, site, price_cents, listed_at)
  values (?, ?, ?, ?, ?, ?, ?)
  on conflict (account, listing_id) do update set status = excluded.status, title = excluded.title,
  site = excluded.site, price_cents = excluded.price_cents, listed_at = excluded.listed_at, missing = 0
  returning row_id`;

/** The local cache of listings. What the service answers is kept whole, with every field it has. */
export type ListingsTable = ReturnType<typeof listingsTable>;

export const listingsTable = (db: Db) => {
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
  const missing = missingMarks(db);
  const one = db.prepare('select json from listings where account = ? and listing_id = ?');
  const status = db.prepare('select status from listings where account = ? and listing_id = ?').pluck();
  const remove = db.prepare('delete from listings where account = ? and listing_id = ?');
  /** When it was made, as the service says; else when it was first seen here. */
  const listedAt = (account: string, { listingId, createdAt }: Listing, at: number): number => {
    const named = Date.parse(createdAt ?? '');
    return Number.isNaN(named) ? z.int().catch(at).parse(firstSeen.get(account, listingId)) : named;
  };
  const write = db.transaction((account: string, value: Listing, { text, at, isNew }: Read): void => {
    const { listingId, status, title, marketplaceId, price } = value;
    put.run(account, listingId, status, title ?? null, text, at);
    const made = listedAt(account, value, at);
    const id = putKeys.get(account, listingId, status, title ?? null, marketplaceId ?? null, price ?? null, made);
    if (!isNew) dropWords.run(id);
    putWords.run(id, title ?? '', searchText(value));
  });
  const drop = db.transaction((account: string, listingId: string): void => {
    remove.run(account, listingId);
    const id = dropKeys.get(account, listingId);
    if (id !== undefined) dropWords.run(id);
  });
  return {
    /** Stores a listing as it was read. False when it is as it was: nobody is told, and the disk is not waited for. */
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
    ids: (account: string): string[] => texts.parse(ids.all(account)),
    missingIds: missing.ids,
    /** The service does not know it. False where it is not kept here, or that is noted already. */
    markMissing: (account: string, listingId: string): boolean => missing.mark(account, listingId, 1),
    /** The status that was read last; null for a listing that is not known here. */
    statusOf: (account: string, listingId: string): string | null =>
      z.string().optional().parse(status.get(account, listingId)) ?? null,
  };
};

/** The pages of listings at marketplaces, each once. */
export const listingPages = (db: Db, account: string): string[] =>
  texts.parse(
    db
      .prepare(
        `select distinct json_extract(json, '$.marketListingUrl') from listings
           where account = ? and json_type(json, '$.marketListingUrl') = 'text'`,
      )
      .pluck()
      .all(account),
  );
