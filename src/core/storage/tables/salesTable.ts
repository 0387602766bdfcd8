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

export type SalesTable = ReturnType<typeof createSalesTable>;

/** Creates the table of sales: when the companion saw a listing sell, and when the person ticked its parcel as sent. */
export const createSalesTable = (db: Db) => {
  const put = db.prepare(`insert into sales (account, listing_id, sold_at) values (?, ?, ?)
    on conflict (account, listing_id) do update set sold_at = excluded.sold_at, sent_at = null`);
  // The interface does not document `endedAt`, so any other value than a time counts as unknown.
  const select = db.prepare(`with sold as (
      select listing_id, sales.sold_at as seen_at, sent_at, coalesce(sales.sold_at,
        case json_type(json, '$.endedAt') when 'text' then unixepoch(json ->> 'endedAt') * 1000 end) as sold_at
      from listing_keys join listings using (account, listing_id) left join sales using (account, listing_id)
      where account = ? and listing_keys.status = 'sold')
    select listing_id as listingId, sold_at as soldAt, sent_at as sentAt from sold
    where sent_at >= ? or (sent_at is null and (seen_at is not null or sold_at is null or sold_at >= ?))`);
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
     * is left out if it is older than `soldSince`.
     */
    list: (account: string, { sentSince, soldSince }: { sentSince: number; soldSince: number }): SoldListing[] =>
      soldListings.parse(select.all(account, sentSince, soldSince)),
    /** Ticks the parcels of listings as sent; null takes the tick back. */
    markSent: (account: string, listingIds: readonly string[], at: number | null): void =>
      void mark.run(at, account, JSON.stringify(listingIds)),
  };
};
