import * as z from 'zod';
import { listing, type Listing } from '../../../contract/index.ts';
import { json, type Db } from '../database.ts';

/** A listing as it first came to be reviewed, and when that was, in ms since 1970. */
export type Written = { listing: Listing; at: number };

const row = z.object({ json: json(listing), at: z.int() });

export type WrittenTable = ReturnType<typeof writtenTable>;

/**
 * Listings as they first came to be reviewed: as the writer wrote them, or as this machine first saw them. Another
 * writing is another beginning.
 */
export const writtenTable = (db: Db) => {
  const put = db.prepare('insert or ignore into written (account, listing_id, json, at) values (?, ?, ?, ?)');
  const drop = db.prepare('delete from written where account = ? and listing_id = ?');
  const one = db.prepare('select json, at from written where account = ? and listing_id = ?');
  return {
    /** A listing as it was just read. */
    follow: (account: string, value: Listing, at: number): void => {
      const { listingId, status } = value;
      if (status === 'processing') drop.run(account, listingId);
      if (status === 'pending_review') put.run(account, listingId, JSON.stringify(value), at);
    },
    /** It is gone, or is being written anew: what comes next is the beginning. */
    forget: (account: string, listingId: string): void => void drop.run(account, listingId),
    read: (account: string, listingId: string): Written | null => {
      const found = one.get(account, listingId);
      if (found === undefined) return null;
      const { json: value, at } = row.parse(found);
      return { listing: value, at };
    },
  };
};
