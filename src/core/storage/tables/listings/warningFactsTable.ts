import * as z from 'zod';
import { publishBlocker } from '../../../../contract/index.ts';
import { photoWarnings } from '../../../../photoContract/constants.ts';
import { createJsonColumn, type Db, prepareStatement } from '../../database.ts';

const factsRows = z.array(
  z.object({
    listing_id: z.string(),
    title: z.string().nullable(),
    written_title: z.string().nullable(),
    description: z.string().nullable(),
    category: z.string().nullable(),
    price: z.int().nullable(),
    site: z.string().nullable(),
    currency: z.string().nullable(),
    blockers: createJsonColumn(z.array(publishBlocker)).nullable(),
    photo_warnings: createJsonColumn(z.array(z.enum(photoWarnings))).nullable(),
  }),
);
export type WarningFactsRow = z.infer<typeof factsRows>[number];

const titleCounts = z.array(z.object({ title: z.string(), count: z.int() }));
const priceCounts = z.array(z.object({ price: z.int(), site: z.string().nullable(), count: z.int() }));

const unpublished = "account = :account and status = 'pending_review'";

/** `makerId` limits the counts to the listings that one assistant created; null for all listings. */
type Counted = { account: string; makerId: string | null };

const ofMaker = `(:makerId is null or exists (select 1 from listing_makers m
  where m.account = listing_keys.account and m.listing_id = listing_keys.listing_id and m.asker_id = :makerId))`;

const factsSql = `select l.listing_id, l.title, w.json ->> '$.title' as written_title, l.json ->> '$.description' as description,
    l.json ->> '$.categoryName' as category, l.json ->> '$.price' as price, l.json ->> '$.marketplaceId' as site,
    l.json ->> '$.currency' as currency, l.json -> '$.publishBlockers' as blockers,
    (select p.warnings from photos p where p.item_id = i.item_id and p.removed_at is null and p.state = 'ready'
      order by p.position limit 1) as photo_warnings
  from listings l
    left join written w on w.account = l.account and w.listing_id = l.listing_id
    left join items i on i.account = l.account and i.listing_id = l.listing_id
  where l.account = :account and l.status = 'pending_review'
    and l.listing_id in (select value from json_each(:listingIds))`;

const titlesSql = `select title, count(*) as count from listing_keys where ${unpublished}
  and title collate nocase in (select value from json_each(:titles)) and ${ofMaker} group by title`;

const pricesSql = `select price_cents as price, site, count(*) as count from listing_keys
  where ${unpublished} and price_cents is not null and ${ofMaker} group by price_cents, site`;

export type WarningFactsTable = ReturnType<typeof createWarningFactsTable>;

/** Creates the queries for the warnings about listings that are not live yet. */
export const createWarningFactsTable = (db: Db) => {
  let counted: { key: string; prices: z.infer<typeof priceCounts> } | null = null;
  return {
    /** Returns the facts of the listings that wait for review. Other listings are omitted. */
    facts: (account: string, listingIds: readonly string[]): WarningFactsRow[] =>
      factsRows.parse(prepareStatement(db, factsSql).all({ account, listingIds: JSON.stringify(listingIds) })),
    countTitles: ({ account, makerId }: Counted, titles: readonly string[]): z.infer<typeof titleCounts> =>
      titleCounts.parse(prepareStatement(db, titlesSql).all({ account, makerId, titles: JSON.stringify(titles) })),
    /** Counts all listings, so the result is kept until the next write. */
    countPrices: ({ account, makerId }: Counted): z.infer<typeof priceCounts> => {
      const writes = z.int().parse(prepareStatement(db, 'select total_changes()').pluck().get());
      const key = JSON.stringify([account, makerId, writes]);
      if (counted?.key !== key)
        counted = { key, prices: priceCounts.parse(prepareStatement(db, pricesSql).all({ account, makerId })) };
      return counted.prices;
    },
  };
};
