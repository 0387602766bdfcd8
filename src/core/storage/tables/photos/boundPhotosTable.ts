import * as z from 'zod';
import type { Db } from '../../database.ts';
import { writeUnsynced } from '../../unsyncedWrites.ts';

const row = z.object({
  sha256: z.string(),
  content_type: z.string(),
  etag: z.string().nullable(),
  last_modified: z.string().nullable(),
  known: z.enum(['sent', 'read']),
  at: z.int(),
  slot_opened_at: z.int().nullable(),
});
const hashRows = z.array(z.object({ sha256: z.string() }));

export type BoundPhotoRow = z.infer<typeof row>;
export type ListingPhotoKey = { account: string; listingId: string; address: string };

/** Creates the table of photos that the companion has sent to the service or read from it. */
export const createBoundPhotosTable = (db: Db) => {
  const one = db.prepare('select * from bound_photos where account = ? and listing_id = ? and address = ?');
  const put = db.prepare(
    `insert or replace into bound_photos
       (account, listing_id, address, sha256, content_type, etag, last_modified, known, at, slot_opened_at)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, null)`,
  );
  const drop = db.prepare('delete from bound_photos where account = ? and listing_id = ? and address = ?');
  const sentOnes = db
    .prepare(
      "select 1 from bound_photos where account = ? and listing_id = ? and known = 'sent' and slot_opened_at is null",
    )
    .pluck();
  const opened = db.prepare(
    'update bound_photos set slot_opened_at = ? where account = ? and listing_id = ? and slot_opened_at is null',
  );
  const dropOld = db.prepare('delete from bound_photos where at < ?');
  const since = db.prepare('select distinct sha256 from bound_photos where at >= ?');
  const read = ({ account, listingId, address }: ListingPhotoKey): BoundPhotoRow | null => {
    const found = one.get(account, listingId, address);
    return found === undefined ? null : row.parse(found);
  };
  return {
    read,
    /** The write is synced before the next request that changes something at the service. */
    put: ({ account, listingId, address }: ListingPhotoKey, photo: Omit<BoundPhotoRow, 'slot_opened_at'>): void => {
      const { sha256, content_type, etag, last_modified, known, at } = photo;
      writeUnsynced(db, () =>
        put.run(account, listingId, address, sha256, content_type, etag, last_modified, known, at),
      );
    },
    forget: (place: ListingPhotoKey): void => {
      if (read(place) !== null) drop.run(place.account, place.listingId, place.address);
    },
    /** Records the opening of an upload slot: from then on, an upload can change the photo behind a known URL. */
    slotOpened: (account: string, listingId: string, at: number): void => {
      if (sentOnes.get(account, listingId) !== undefined) opened.run(at, account, listingId);
    },
    forgetBefore: (at: number): void => void dropOld.run(at),
    hashesSince: (at: number): string[] => hashRows.parse(since.all(at)).map(({ sha256 }) => sha256),
  };
};
