import * as z from 'zod';
import { type Db, prepareStatement, textValues } from '../../database.ts';
import { hashBands } from '../../migrations/0037-duplicates.ts';

/** An item that is not written yet, or a listing. */
export type DuplicateTarget = { itemId: string } | { listingId: string };
type OwnIds = { itemId: string | null; listingId: string | null };

/** `makerId` limits the live listings to those that one assistant created; null for all. */
type DuplicateQuery = OwnIds & { account: string; makerId: string | null };

const colours = z.string().nullable();
const ownPictures = z.array(z.object({ hash64: z.string(), colours }));
type OwnPicture = z.infer<typeof ownPictures>[number];
const photoHashes = z.array(z.object({ photo_id: z.string(), hash64: z.string() }));
export type PhotoHash = z.infer<typeof photoHashes>[number];
const livePictures = z.array(z.object({ listing_id: z.string(), colours }));
type LivePicture = z.infer<typeof livePictures>[number];

const isCandidate = `k.account = :account and k.status = 'published' and k.missing = 0 and k.listing_id is not :listingId
  and not exists (select 1 from different_items d where d.account = k.account and d.listing_id in (:listingId, :itemId)
    and d.live_listing_id = k.listing_id)
  and (:makerId is null or exists (select 1 from listing_makers m
    where m.account = k.account and m.listing_id = k.listing_id and m.asker_id = :makerId))`;

const barcodesSql = `select distinct k.listing_id from listing_barcodes b join listing_keys k using (account, listing_id)
  where b.account = :account and b.barcode in (
      select barcode from listing_barcodes where account = :account and listing_id = :listingId
      union
      select ltrim(code.value ->> '$.value', '0') from items i join photos p using (item_id), json_each(p.barcodes) code
      where i.item_id = :itemId and p.removed_at is null
        and coalesce((select choice.value from json_each(i.barcode_choices) choice
          where choice.key = code.value ->> '$.value'), '') <> 'dismissed')
    and ${isCandidate} limit :max`;

const titlesSql = `select k.listing_id from listing_keys k
  where k.title = (select title from listings where account = :account and listing_id = :listingId) collate nocase
    and length(k.title) >= :minChars and ${isCandidate} limit :max`;

const ownPicturesSql = `select p.hash64, p.colours from items i join photos p using (item_id)
  where i.item_id = :itemId and p.removed_at is null and p.state = 'ready'
    and p.hash64 is not null order by p.position limit 3`;

/** One search for each index, because SQLite would scan all photos for a condition with "or". */
const nearSql = hashBands
  .map(
    ([from, length]) => `select photo_id, hash64 from photos
      where hash64 is not null and substr(hash64, ${from}, ${length}) = substr(:hash64, ${from}, ${length})`,
  )
  .join(' union ');

const picturesSql = `select k.listing_id, p.colours
  from json_each(:photoIds) near cross join photos p on p.photo_id = near.value cross join items i using (item_id)
    cross join listing_keys k on k.account = i.account and k.listing_id = i.listing_id
  where p.removed_at is null and p.state = 'ready' and ${isCandidate}`;

export type DuplicatesTable = ReturnType<typeof createDuplicatesTable>;

/** Creates the searches for live listings that could sell the same thing as an item or a listing in review. */
export const createDuplicatesTable = (db: Db) => ({
  listSameBarcode: (query: DuplicateQuery, max: number): string[] =>
    textValues.parse(
      prepareStatement(db, barcodesSql)
        .pluck()
        .all({ ...query, max }),
    ),
  /** Shorter titles than `minChars` are no evidence. */
  listSameTitle: (query: DuplicateQuery, minChars: number, max: number): string[] =>
    textValues.parse(
      prepareStatement(db, titlesSql)
        .pluck()
        .all({ ...query, minChars, max }),
    ),
  /** Returns the first photos of the item. */
  listOwnPictures: ({ itemId }: DuplicateQuery): OwnPicture[] =>
    ownPictures.parse(prepareStatement(db, ownPicturesSql).all({ itemId })),
  /** Returns the photos of all items whose hash shares a band with this one. */
  listNearHashes: (hash64: string): PhotoHash[] => photoHashes.parse(prepareStatement(db, nearSql).all({ hash64 })),
  /** Returns those of the photos that belong to live listings. */
  listLivePictures: (query: DuplicateQuery, photoIds: readonly string[]): LivePicture[] =>
    livePictures.parse(prepareStatement(db, picturesSql).all({ ...query, photoIds: JSON.stringify(photoIds) })),
  /** Stores that an item or a listing is not the thing of a live listing, so that they are never compared again. */
  keepDifferent: (account: string, own: DuplicateTarget, liveListingId: string): void =>
    void prepareStatement(db, 'insert or ignore into different_items values (?, ?, ?)').run(
      account,
      'itemId' in own ? own.itemId : own.listingId,
      liveListingId,
    ),
});
