import * as z from 'zod';
import { uploadSlot } from '../../contract/index.ts';
import type { Asker } from '../approvals/approval.ts';
import { askerShape } from '../approvals/askerShape.ts';
import { barcode } from '../photos/barcodes.ts';
import { photoEdits } from '../photos/edits.ts';
import { photoWarnings } from '../photos/warnings.ts';
import { json, type Db } from '../store/database.ts';
import type { PhotoBefore } from './arrangementsTable.ts';
import { steps, type AsideWhy, type PhotoState, type Step, type Stop } from './item.ts';

const stop: z.ZodType<Stop> = z.object({
  kind: z.enum(['failed', 'cancelled']),
  code: z.string(),
  sentence: z.string(),
  next: z.array(z.enum(['retry', 'resume', 'write_again', 'connect', 'remove'])),
});
const itemRow = z.object({
  item_id: z.string(),
  account: z.string(),
  name: z.string(),
  note: z.string(),
  quantity: z.int(),
  by: json(askerShape),
  step: z.enum(steps),
  stop: json(stop).nullable(),
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

const photoStates = ['waiting', 'ready', 'refused', 'aside'] as const satisfies readonly PhotoState[];
const asideWhys = ['person', 'duplicate', 'over_cap'] as const satisfies readonly AsideWhy[];
const photoRow = z.object({
  photo_id: z.string(),
  item_id: z.string(),
  position: z.int(),
  name: z.string(),
  source: z.string(),
  owned: z.int(),
  state: z.enum(photoStates),
  code: z.string().nullable(),
  sentence: z.string().nullable(),
  path: z.string().nullable(),
  thumb_path: z.string().nullable(),
  content_type: z.string().nullable(),
  width: z.int().nullable(),
  height: z.int().nullable(),
  bytes: z.int().nullable(),
  slot: json(uploadSlot).nullable(),
  slot_at: z.int().nullable(),
  uploaded_at: z.int().nullable(),
  edits: json(photoEdits).nullable(),
  /** What the person said of it: in, though it is a copy, or aside. */
  choice: z.enum(['in', 'aside']).nullable(),
  aside: z.enum(asideWhys).nullable(),
  duplicate_of: z.string().nullable(),
  removed_at: z.int().nullable(),
  taken_at: z.int().nullable(),
  /** Of the prepared bytes, in hex: what is uploaded is what was prepared. */
  sha256: z.string().nullable(),
  hash64: z.string().nullable(),
  sheet: z.int(),
  warnings: json(z.array(z.enum(photoWarnings))),
  barcodes: json(z.array(barcode)),
});
export type PhotoRow = z.infer<typeof photoRow>;

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
/** A photo to keep; `owned` says that the file is the companion's own copy and may be deleted once it is prepared. */
export type NewPhoto = { photoId: string; name: string; source: string; owned: boolean };

/** Columns that the steps write. */
type ItemChanges = Partial<{
  note: string;
  step: Step;
  stop: Stop | null;
  idempotency_key: string;
  draft_body: Record<string, unknown> | null;
  draft_sent_at: number | null;
  listing_id: string | null;
  writing_since: number | null;
  extras_approval: string | null;
  guessed: number;
  barcode_choices: ItemRow['barcode_choices'];
}>;
type PhotoChanges = Partial<Omit<PhotoRow, 'photo_id'>>;

const column = (value: unknown): unknown =>
  value !== null && typeof value === 'object' ? JSON.stringify(value) : value;

export type ItemsTable = ReturnType<typeof itemsTable>;

/** Items and photos as they are stored. Every change is on disk before the call returns. */
export const itemsTable = (db: Db) => {
  const addItem = db.prepare(`insert into items (item_id, account, name, note, by, step, idempotency_key, guessed,
      quantity, marketplace_id, listing_language, created_at, updated_at)
    values (:itemId, :account, :name, :note, :by, 'photos', :idempotencyKey, :guessed,
      :quantity, :marketplaceId, :listingLanguage, :at, :at)`);
  const addPhoto = db.prepare(`insert into photos (photo_id, item_id, position, name, source, owned)
    values (:photoId, :itemId, :position, :name, :source, :owned)`);
  const one = db.prepare('select * from items where item_id = ?');
  const all = db.prepare('select * from items where account = ? order by created_at desc, rowid desc');
  const byListing = db.prepare('select * from items where account = ? and listing_id = ?');
  const photosOf = db.prepare('select * from photos where item_id = ? and removed_at is null order by position');
  const removedOf = db.prepare('select * from photos where item_id = ? and removed_at is not null order by removed_at');
  const onePhoto = db.prepare('select * from photos where photo_id = ?');
  const remove = db.prepare('delete from items where item_id = ?');
  const inFlight = db.prepare(
    `select count(*) as n from items where account = ? and step = 'writing' and stop is null and extras_approval is not null`,
  );
  const restorePhoto = db.prepare(`update photos set item_id = :item_id, position = :position, choice = :choice,
    removed_at = :removed_at, edits = :edits where photo_id = :photo_id`);
  const updates = new Map<string, ReturnType<Db['prepare']>>();

  /** An update statement for exactly these columns; names come from this file's types, never from outside. */
  const update = (table: 'items' | 'photos', key: string, changes: object, id: string, at: number | null) => {
    const names = Object.keys(changes);
    const sets = [...names.map((name) => `${name} = ?`), ...(at === null ? [] : ['updated_at = ?'])];
    const sql = `update ${table} set ${sets.join(', ')} where ${key} = ?`;
    const statement = updates.get(sql) ?? db.prepare(sql);
    updates.set(sql, statement);
    statement.run(...Object.values(changes).map(column), ...(at === null ? [] : [at]), id);
  };

  const parsed = (found: unknown): ItemRow | null => (found === undefined ? null : itemRow.parse(found));
  return {
    add: db.transaction((item: NewItem, photos: NewPhoto[]): void => {
      addItem.run({ ...item, by: JSON.stringify(item.by), guessed: item.guessed ? 1 : 0 });
      for (const [position, photo] of photos.entries()) {
        addPhoto.run({ ...photo, owned: photo.owned ? 1 : 0, itemId: item.itemId, position });
      }
    }),
    read: (itemId: string): ItemRow | null => parsed(one.get(itemId)),
    list: (account: string): ItemRow[] => z.array(itemRow).parse(all.all(account)),
    ofListing: (account: string, listingId: string): ItemRow | null => parsed(byListing.get(account, listingId)),
    /** Those that belong to it, in the person's order. */
    photos: (itemId: string): PhotoRow[] => z.array(photoRow).parse(photosOf.all(itemId)),
    /** Those that the person took out. */
    removedPhotos: (itemId: string): PhotoRow[] => z.array(photoRow).parse(removedOf.all(itemId)),
    photo: (photoId: string): PhotoRow | null => {
      const found = onePhoto.get(photoId);
      return found === undefined ? null : photoRow.parse(found);
    },
    change: (itemId: string, changes: ItemChanges, at: number) => update('items', 'item_id', changes, itemId, at),
    changePhoto: (photoId: string, changes: PhotoChanges) => update('photos', 'photo_id', changes, photoId, null),
    /** How many are being written on an extra right now. */
    extrasInFlight: (account: string): number => z.object({ n: z.int() }).parse(inFlight.get(account)).n,
    remove: (itemId: string) => void remove.run(itemId),
    /** Puts an item back as it was stored before it was removed; its photos are told by `changePhoto`. */
    putBack: (stored: Record<string, string | number | null>): void => {
      const columns = Object.keys(stored);
      const places = columns.map(() => '?').join(', ');
      db.prepare(`insert into items (${columns.join(', ')}) values (${places})`).run(...Object.values(stored));
    },
    /** Puts a photo where it was. */
    restorePhoto: (was: PhotoBefore): void => void restorePhoto.run(was),
    /** All that the work writes is on disk together, or none of it. */
    atomically: <T>(work: () => T): T => db.transaction(work)(),
  };
};
