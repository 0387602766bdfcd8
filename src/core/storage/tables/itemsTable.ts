import * as z from 'zod';
import { json, type Db, texts, updater } from '../database.ts';
import { withoutWaiting } from '../onDisk.ts';
import { holds, steps, type Step, type ItemError, itemErrorShape } from './itemRecord.ts';
import { photosTable, type NewPhoto } from './photosTable.ts';
import { type Asker, askerShape } from '../../base/request.ts';
import { begunCallsTable } from './begunCallsTable.ts';
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
  /**
   * 1: its photos were put together by a guess; 2: it waits for the person's look, and is not split by itself; 3: they are exchanged, or added
   * to a listing that is there; 0: none of these, or begun.
   */
  guessed: z.int(),
  /** Why it waits for the person's look, where that is no guess; `begun` once the person had it go on. */
  hold: z.enum([...holds, 'begun']).nullable(),
  /** A text file that lay beside the photos, and 1 where the person wants it used. */
  text_name: z.string().nullable(),
  text: z.string().nullable(),
  text_used: z.int(),
  barcode_choices: json(z.record(z.string(), z.enum(['confirmed', 'dismissed']))),
  marketplace_id: z.string().nullable(),
  listing_language: z.string().nullable(),
  /** '' begins without one; null leaves it to the service. */
  template_id: z.string().nullable(),
  /** How many photos the listing has before the first of these. */
  photos_from: z.int(),
  /** When the person marked it as looked over; null where they did not, and from each step on. */
  checked_at: z.int().nullable(),
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
  /** As it is stored: '' begins without one. */
  templateId: string | null;
  hold?: ItemRow['hold'];
  text?: { name: string; text: string; used: boolean } | null;
} & Required<Omit<GenerationWishes, 'templateId'>>;
/**
 * What whoever adds an item may ask for besides; null leaves it to the settings and the service. Only a template of null
 * is a wish itself, as at the service: to begin without one.
 */
export type GenerationWishes = {
  quantity?: number;
  marketplaceId?: string | null;
  listingLanguage?: string | null;
  templateId?: string | null | undefined;
};
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
  photos_from: number;
  hold: ItemRow['hold'];
  text_used: number;
  barcode_choices: ItemRow['barcode_choices'];
  template_id: string | null;
  checked_at: number | null;
}>;
export type ItemsTable = ReturnType<typeof itemsTable>;

const counted = z.object({ n: z.int() });
const parsed = (found: unknown): ItemRow | null => (found === undefined ? null : itemRow.parse(found));
/** A new item as its row has it. */
const columnsOf = ({ hold = null, text = null, ...item }: NewItem) => ({
  ...item,
  by: JSON.stringify(item.by),
  guessed: item.guessed ? 1 : hold === null ? 0 : 2,
  hold,
  ...{ textName: text?.name ?? null, text: text?.text ?? null, textUsed: text?.used ? 1 : 0 },
});

const extrasInFlight = `select count(*) as n from items
  where account = ? and step = 'writing' and stop is null and extras_approval is not null`;
/** A step takes the mark of the look away: what was looked over is another one by then. */
const withoutLook = (changes: ItemChanges): ItemChanges =>
  changes.step === undefined ? changes : { checked_at: null, ...changes };

const insertAsStored = (db: Db, stored: Record<string, string | number | null>): void => {
  const columns = Object.keys(stored);
  const places = columns.map(() => '?').join(', ');
  db.prepare(`insert into items (${columns.join(', ')}) values (${places})`).run(...Object.values(stored));
};

/** Has all that some work writes written together, or none of it; then `forget` drops what memory has of it. */
const together =
  (db: Db, forget: () => void) =>
  <T>(work: () => T): T => {
    try {
      return db.transaction(work)();
    } catch (error) {
      forget();
      throw error;
    }
  };

/** Items and photos as they are stored. Every change is on disk before the call returns, but for those that are noted. */
export const itemsTable = (db: Db) => {
  const addItem = db.prepare(`insert into items (item_id, account, name, note, by, step, idempotency_key, guessed,
      quantity, marketplace_id, listing_language, template_id, hold, text_name, text, text_used, created_at, updated_at)
    values (:itemId, :account, :name, :note, :by, 'photos', :idempotencyKey, :guessed,
      :quantity, :marketplaceId, :listingLanguage,
      :templateId, :hold, :textName, :text, :textUsed, :at, :at)`);
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
  const inFlight = db.prepare(extrasInFlight);
  const update = updater(db, 'items', 'item_id');
  const photos = photosTable(db);
  const change = (itemId: string, changes: ItemChanges, at: number): void =>
    update({ ...withoutLook(changes), updated_at: at }, itemId);

  const atomically = together(db, photos.forget);

  return {
    add: db.transaction((item: NewItem, taken: NewPhoto[]): void => {
      addItem.run(columnsOf(item));
      photos.add(item.itemId, taken);
    }),
    read: (itemId: string): ItemRow | null => parsed(one.get(itemId)),
    pages: itemQueries(db),
    begun: begunCallsTable(db),
    /** Listings of which more is known here than their items show: the process ended between the two. */
    behindTheirListings: (account: string): string[] => texts.parse(behind.all(account)),
    ofListing: (account: string, listingId: string): ItemRow | null => parsed(byListing.get(account, listingId)),
    idOfListing: (account: string, listingId: string): string | null =>
      z.string().optional().parse(idOf.get(account, listingId)) ?? null,
    addPhotos: photos.add,
    photos: photos.of,
    removedPhotos: photos.removedOf,
    photo: photos.one,
    changePhoto: photos.change,
    notePhoto: photos.note,
    restorePhoto: photos.restore,
    change,
    /** A change of an item that is on disk before the next request leaves that may change something. */
    note: (itemId: string, changes: ItemChanges, at: number): void =>
      withoutWaiting(db, () => change(itemId, changes, at)),
    /** How many are being written on an extra right now. */
    extrasInFlight: (account: string): number => counted.parse(inFlight.get(account)).n,
    remove: (itemId: string): void => {
      remove.run(itemId);
      photos.forgetItem(itemId);
    },
    /** Puts an item back as it was stored before it was removed; its photos are told by `changePhoto`. */
    putBack: (stored: Record<string, string | number | null>): void => insertAsStored(db, stored),
    /** All that the work writes is on disk together, or none of it. */
    atomically,
    /** The same, and no later than the next request leaves that may change something. */
    noteTogether: <T>(work: () => T): T => withoutWaiting(db, () => atomically(work)),
  };
};
