import * as z from 'zod';
import { json, type Db, updater } from '../database.ts';
import { steps, type Step, type ItemError, itemErrorShape } from './itemRecord.ts';
import { photosTable, type NewPhoto } from './photosTable.ts';
import { type Asker, askerShape } from '../../base/request.ts';
import { itemQueries } from './itemQueries.ts';

export type { NewPhoto, PhotoRow } from './photosTable.ts';

const itemRow = z.object({
  item_id: z.string(),
  account: z.string(),
  name: z.string(),
  note: z.string(),
  quantity: z.int(),
  by: json(askerShape),
  step: z.enum(steps),
  stop: json(itemErrorShape).nullable(),
  idempotency_key: z.string(),
  draft_body: json(z.record(z.string(), z.unknown())).nullable(),
  draft_sent_at: z.int().nullable(),
  listing_id: z.string().nullable(),
  writing_since: z.int().nullable(),
  extras_approval: z.string().nullable(),
  /** 1: its photos were put together by a guess; 2: and the person has arranged them since; 0: not, or begun. */
  guessed: z.int(),
  barcode_choices: json(z.record(z.string(), z.enum(['confirmed', 'dismissed']))),
  marketplace_id: z.string().nullable(),
  listing_language: z.string().nullable(),
  created_at: z.int(),
  updated_at: z.int(),
});
export type ItemRow = z.infer<typeof itemRow>;

export type NewItem = {
  itemId: string;
  account: string;
  name: string;
  note: string;
  by: Asker;
  idempotencyKey: string;
  at: number;
  guessed: boolean;
} & Required<Wishes>;
/** What whoever adds an item may ask for besides; null leaves it to the settings and the service. */
export type Wishes = { quantity?: number; marketplaceId?: string | null; listingLanguage?: string | null };
/** Columns that the steps write. */
type ItemChanges = Partial<{
  note: string;
  step: Step;
  stop: ItemError | null;
  idempotency_key: string;
  draft_body: Record<string, unknown> | null;
  draft_sent_at: number | null;
  listing_id: string | null;
  writing_since: number | null;
  extras_approval: string | null;
  guessed: number;
  barcode_choices: ItemRow['barcode_choices'];
}>;
export type ItemsTable = ReturnType<typeof itemsTable>;

/** Items and photos as they are stored. Every change is on disk before the call returns. */
export const itemsTable = (db: Db) => {
  const addItem = db.prepare(`insert into items (item_id, account, name, note, by, step, idempotency_key, guessed,
      quantity, marketplace_id, listing_language, created_at, updated_at)
    values (:itemId, :account, :name, :note, :by, 'photos', :idempotencyKey, :guessed,
      :quantity, :marketplaceId, :listingLanguage, :at, :at)`);
  const one = db.prepare('select * from items where item_id = ?');
  const behind = db
    .prepare(
      `select listing_id from items join listings using (account, listing_id) where account = ?
         and ((items.step = 'review' and listings.status in ('published', 'sold', 'ended'))
           or (items.step = 'live' and listings.status = 'ended'))`,
    )
    .pluck();
  const byListing = db.prepare('select * from items where account = ? and listing_id = ?');
  const idOf = db.prepare('select item_id from items where account = ? and listing_id = ?').pluck();
  const remove = db.prepare('delete from items where item_id = ?');
  const inFlight = db.prepare(
    `select count(*) as n from items where account = ? and step = 'writing' and stop is null and extras_approval is not null`,
  );
  const update = updater(db, 'items', 'item_id');
  const photos = photosTable(db);

  const parsed = (found: unknown): ItemRow | null => (found === undefined ? null : itemRow.parse(found));
  return {
    add: db.transaction((item: NewItem, taken: NewPhoto[]): void => {
      addItem.run({ ...item, by: JSON.stringify(item.by), guessed: item.guessed ? 1 : 0 });
      photos.add(item.itemId, taken);
    }),
    read: (itemId: string): ItemRow | null => parsed(one.get(itemId)),
    pages: itemQueries(db),
    /** Listings of which more is known here than their items show: the process ended between the two. */
    behindTheirListings: (account: string): string[] => z.array(z.string()).parse(behind.all(account)),
    ofListing: (account: string, listingId: string): ItemRow | null => parsed(byListing.get(account, listingId)),
    idOfListing: (account: string, listingId: string): string | null =>
      z.string().optional().parse(idOf.get(account, listingId)) ?? null,
    photos: photos.of,
    removedPhotos: photos.removedOf,
    photo: photos.one,
    changePhoto: photos.change,
    notePhoto: photos.note,
    restorePhoto: photos.restore,
    change: (itemId: string, changes: ItemChanges, at: number) => update({ ...changes, updated_at: at }, itemId),
    /** How many are being written on an extra right now. */
    extrasInFlight: (account: string): number => z.object({ n: z.int() }).parse(inFlight.get(account)).n,
    remove: (itemId: string): void => {
      remove.run(itemId);
      photos.forget();
    },
    /** Puts an item back as it was stored before it was removed; its photos are told by `changePhoto`. */
    putBack: (stored: Record<string, string | number | null>): void => {
      const columns = Object.keys(stored);
      const places = columns.map(() => '?').join(', ');
      db.prepare(`insert into items (${columns.join(', ')}) values (${places})`).run(...Object.values(stored));
    },
    /** All that the work writes is on disk together, or none of it. */
    atomically: <T>(work: () => T): T => {
      try {
        return db.transaction(work)();
      } catch (error) {
        photos.forget();
        throw error;
      }
    },
  };
};
