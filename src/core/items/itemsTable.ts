import * as z from 'zod';
import { uploadSlot } from '../../contract/index.ts';
import type { Asker } from '../approvals/approval.ts';
import { askerShape } from '../approvals/askerShape.ts';
import { json, type Db } from '../store/database.ts';
import { steps, type PhotoState, type Step, type Stop } from './item.ts';

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
  created_at: z.int(),
  updated_at: z.int(),
});
export type ItemRow = z.infer<typeof itemRow>;

const photoStates = ['waiting', 'ready', 'refused', 'aside'] as const satisfies readonly PhotoState[];
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
};
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
}>;
type PhotoChanges = Partial<Omit<PhotoRow, 'photo_id' | 'item_id' | 'slot'>> & {
  slot?: z.infer<typeof uploadSlot> | null;
};

const column = (value: unknown): unknown =>
  value !== null && typeof value === 'object' ? JSON.stringify(value) : value;

export type ItemsTable = ReturnType<typeof itemsTable>;

/** Items and photos as they are stored. Every change is on disk before the call returns. */
export const itemsTable = (db: Db) => {
  const addItem =
    db.prepare(`insert into items (item_id, account, name, note, by, step, idempotency_key, created_at, updated_at)
    values (:itemId, :account, :name, :note, :by, 'photos', :idempotencyKey, :at, :at)`);
  const addPhoto = db.prepare(`insert into photos (photo_id, item_id, position, name, source, owned)
    values (:photoId, :itemId, :position, :name, :source, :owned)`);
  const one = db.prepare('select * from items where item_id = ?');
  const all = db.prepare('select * from items where account = ? order by created_at desc, rowid desc');
  const byListing = db.prepare('select * from items where account = ? and listing_id = ?');
  const photosOf = db.prepare('select * from photos where item_id = ? order by position');
  const onePhoto = db.prepare('select * from photos where photo_id = ?');
  const remove = db.prepare('delete from items where item_id = ?');
  const inFlight = db.prepare(
    `select count(*) as n from items where account = ? and step = 'writing' and stop is null and extras_approval is not null`,
  );
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
      addItem.run({ ...item, by: JSON.stringify(item.by) });
      for (const [position, photo] of photos.entries()) {
        addPhoto.run({ ...photo, owned: photo.owned ? 1 : 0, itemId: item.itemId, position });
      }
    }),
    read: (itemId: string): ItemRow | null => parsed(one.get(itemId)),
    list: (account: string): ItemRow[] => z.array(itemRow).parse(all.all(account)),
    ofListing: (account: string, listingId: string): ItemRow | null => parsed(byListing.get(account, listingId)),
    photos: (itemId: string): PhotoRow[] => z.array(photoRow).parse(photosOf.all(itemId)),
    photo: (photoId: string): PhotoRow | null => {
      const found = onePhoto.get(photoId);
      return found === undefined ? null : photoRow.parse(found);
    },
    change: (itemId: string, changes: ItemChanges, at: number) => update('items', 'item_id', changes, itemId, at),
    changePhoto: (photoId: string, changes: PhotoChanges) => update('photos', 'photo_id', changes, photoId, null),
    /** How many are being written on an extra right now. */
    extrasInFlight: (account: string): number => z.object({ n: z.int() }).parse(inFlight.get(account)).n,
    remove: (itemId: string) => void remove.run(itemId),
  };
};
