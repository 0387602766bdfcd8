import * as z from 'zod';
import type { Db } from '../database.ts';

const soldListings = z.array(
  z.object({
    listingId: z.string(),
    /** In ms since 1970; null if neither the companion nor the service knows when the listing sold. */
    soldAt: z.int().nullable(),
    sentAt: z.int().nullable(),
  }),
);
const sentListings = z.array(z.object({ listingId: z.string(), sentAt: z.int() }));

/** A sold listing whose parcel is not sent, or was sent a short time ago. */
export type SoldListing = z.infer<typeof soldListings>[number];

type SalesFilter = { sentSince: number; soldSince: number; dated: readonly string[] };

export type SalesTable = ReturnType<typeof createSalesTable>;

/** Creates the table of sales: when the companion saw a listing sell, and when the person ticked its parcel as sent. */
export const createSalesTable = (db: Db) => {
  const put = db.prepare(`insert into sales (account, listing_id, sold_at) values (?, ?, ?)
    on conflict (account, listing_id) do update set sold_at = excluded.sold_at, sent_at = null`);
  const isUnseen = `status = 'sold' and not exists (select 1 from sales where sales.account = listing_keys.account
    and sales.listing_id = listing_keys.listing_id and (sold_at is not null or sent_at is not null))`;
  const listSeen = (index: string): string => `select listing_id as listingId, coalesce(sold_at, ended_at) as soldAt,
    sent_at as sentAt from sales indexed by ${index} cross join listing_keys using (account, listing_id)
    where account = :account and status = 'sold'`;
  const select = db.prepare(`${listSeen('sales_sent')} and sent_at >= :sentSince
    union all ${listSeen('sales_to_send')} and sent_at is null and sold_at is not null
    union all select listing_id, ended_at, null from listing_keys
      where account = :account and ${isUnseen} and ended_at >= :soldSince
    union all select listing_id, null, null from json_each(:dated) cross join listing_keys on listing_id = value
      where account = :account and ${isUnseen} and +ended_at is null`);
  const countUndated = db
    .prepare(
      `select count(*) from listing_keys where account = ? and ${isUnseen} and ended_at is null
        and listing_id not in (select value from json_each(?))`,
    )
    .pluck();
  const mark = db.prepare(`insert into sales (account, listing_id, sent_at)
    select account, listing_id, ? from listing_keys
    where account = ? and status in ('sold', 'published', 'ended') and listing_id in (select value from json_each(?))
    on conflict (account, listing_id) do update set sent_at = excluded.sent_at`);
  const sent = db.prepare(`select listing_id as listingId, sent_at as sentAt from sales
    where account = ? and sent_at is not null and listing_id in (select value from json_each(?))`);
  return {
    /** Returns when the last parcel of each listing was sent. */
    mapSent: (account: string, listingIds: readonly string[]): ReadonlyMap<string, number> =>
      new Map(
        sentListings.parse(sent.all(account, JSON.stringify(listingIds))).map((one) => [one.listingId, one.sentAt]),
      ),
    /** Records a sale that the companion saw. A listing that sells again has a new parcel to send. */
    noteSold: (account: string, listingId: string, at: number): void => void put.run(account, listingId, at),
    /**
     * Returns the sold listings that are not sent, and those sent since `sentSince`. A sale that the companion did not see
     * is left out if it is older than `soldSince`, or if neither the service nor `dated`, the listings of which the caller
     * knows when they sold, has a time.
     */
    list: (account: string, { sentSince, soldSince, dated }: SalesFilter): SoldListing[] =>
      soldListings.parse(select.all({ account, sentSince, soldSince, dated: JSON.stringify(dated) })),
    /** Returns how many sold listings are left out because it is unknown when they sold. */
    countUndated: (account: string, dated: readonly string[]): number =>
      z.int().parse(countUndated.get(account, JSON.stringify(dated))),
    /** Ticks the parcels of listings as sent; null takes the tick back. */
    markSent: (account: string, listingIds: readonly string[], at: number | null): void =>
      void mark.run(at, account, JSON.stringify(listingIds)),
  };
};
