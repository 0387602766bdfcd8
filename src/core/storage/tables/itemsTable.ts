import * as z from 'zod';
import { jsonColumn, type Db, texts, createRowInserter, createRowUpdater } from '../database.ts';
import { writeUnsynced } from '../unsyncedWrites.ts';
import {
  chooseSection,
  itemErrorShape,
  itemFields,
  readReviewReason,
  steps,
  storedReviewReasons,
} from './itemRecord.ts';
import { createPhotosTable, type NewPhoto } from './photosTable.ts';
import { askerShape } from '../../base/request.ts';
import { createBegunCallsTable } from './begunCallsTable.ts';
import { createItemQueries, getSectionRank } from './itemQueries.ts';

export type { NewPhoto, PhotoRow } from './photosTable.ts';

const itemRow = z.object({
  item_id: z.string(),
  account: z.string(),
  name: z.string(),
  ...itemFields.shape,
  quantity: z.int(),
  by: jsonColumn(askerShape),
  step: z.enum(steps),
  stop: jsonColumn(itemErrorShape).nullable(),
  idempotency_key: z.string(),
  draft_body: jsonColumn(z.record(z.string(), z.unknown())).nullable(),
  draft_sent_at: z.int().nullable(),
  listing_id: z.string().nullable(),
  writing_since: z.int().nullable(),
  extras_approval: z.string().nullable(),
  review_reason: z.enum(storedReviewReasons).nullable(),
  /** A text file beside the photos, and 1 if the person wants it used. */
  text_name: z.string().nullable(),
  text: z.string().nullable(),
  text_used: z.int(),
  barcode_choices: jsonColumn(z.record(z.string(), z.enum(['confirmed', 'dismissed']))),
  marketplace_id: z.string().nullable(),
  listing_language: z.string().nullable(),
  /** '' means no template; null leaves it to the service. */
  template_id: z.string().nullable(),
  /** The number of photos that the listing has before the first of these. */
  photos_from: z.int(),
  /** When the person checked it; null if they did not. Cleared by every step. */
  checked_at: z.int().nullable(),
  /** Its section in the list, as `getSectionRank` counts it. */
  section: z.int(),
  created_at: z.int(),
  updated_at: z.int(),
});
export type ItemRow = z.infer<typeof itemRow>;

/** A new item. Columns that are left out have their default. */
export type NewItem = Pick<ItemRow, 'item_id' | 'account' | 'name' | 'by' | 'idempotency_key' | 'created_at'> &
  Partial<Omit<ItemRow, 'section' | 'updated_at'>>;
/**
 * Optional settings of a new item; null leaves them to the settings and the service. Only for `templateId` does null
 * have a meaning of its own, as at the service: no template.
 */
export type GenerationWishes = {
  quantity?: number;
  marketplaceId?: string | null;
  listingLanguage?: string | null;
  templateId?: string | null | undefined;
};
/** The columns that may change; the table itself writes the section and the time of the change. */
type ItemChanges = Partial<Omit<ItemRow, 'item_id' | 'account' | 'section' | 'created_at' | 'updated_at'>>;
export type ItemsTable = ReturnType<typeof createItemsTable>;

const counted = z.object({ n: z.int() });
const parseItemRow = (found: unknown): ItemRow | null => (found === undefined ? null : itemRow.parse(found));

/** The columns that decide the section of an item. */
const sectionRow = itemRow.pick({ step: true, stop: true, review_reason: true, checked_at: true });
const sectionColumns = sectionRow.keyof().options;
const computeSection = ({ step, stop, review_reason, checked_at }: z.infer<typeof sectionRow>): number =>
  getSectionRank(
    chooseSection({
      ...{ step, stop },
      isDeferred: readReviewReason(review_reason) !== null,
      isChecked: checked_at !== null,
    }),
  );

/** Returns a function that computes the stored section of an item after changes, if they can move it. */
const createSectionReader = (db: Db) => {
  const stored = db.prepare(`select ${sectionColumns.join(', ')} from items where item_id = ?`);
  return (itemId: string, changes: ItemChanges): { section?: number } => {
    if (!sectionColumns.some((column) => column in changes)) return {};
    const found = stored.get(itemId);
    return found === undefined ? {} : { section: computeSection({ ...sectionRow.parse(found), ...changes }) };
  };
};

const extrasInFlightSql = `select count(*) as n from items
  where account = ? and step = 'writing' and stop is null and extras_approval is not null`;
/** Clears the person's check mark with every change of step, since the listing changes. */
const clearCheckedMark = (changes: ItemChanges): ItemChanges =>
  changes.step === undefined ? changes : { checked_at: null, ...changes };

/** Returns a function that runs writes in one transaction; if it fails, `forget` clears the cache. */
const createAtomicWriter =
  (db: Db, forget: () => void) =>
  <T>(work: () => T): T => {
    try {
      return db.transaction(work)();
    } catch (error) {
      forget();
      throw error;
    }
  };

/** Items and photos as stored. Every change is on disk before the call returns, except the unsynced `note` calls. */
export const createItemsTable = (db: Db) => {
  const insertRow = createRowInserter(db, 'items');
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
  const inFlight = db.prepare(extrasInFlightSql);
  const update = createRowUpdater(db, 'items', 'item_id');
  const photos = createPhotosTable(db);
  const readSection = createSectionReader(db);
  const change = (itemId: string, changes: ItemChanges, at: number): void => {
    const written = clearCheckedMark(changes);
    update({ ...written, ...readSection(itemId, written), updated_at: at }, itemId);
  };

  const atomically = createAtomicWriter(db, photos.forget);

  return {
    add: db.transaction((item: NewItem, taken: NewPhoto[]): void => {
      const { step = 'photos', stop = null, review_reason = null, checked_at = null } = item;
      const section = computeSection({ step, stop, review_reason, checked_at });
      insertRow({ ...item, step, section, updated_at: item.created_at });
      photos.add(item.item_id, taken);
    }),
    read: (itemId: string): ItemRow | null => parseItemRow(one.get(itemId)),
    pages: createItemQueries(db),
    begun: createBegunCallsTable(db),
    /** Returns the listings whose cached status is ahead of their items, after a crash between the two writes. */
    behindTheirListings: (account: string): string[] => texts.parse(behind.all(account)),
    ofListing: (account: string, listingId: string): ItemRow | null => parseItemRow(byListing.get(account, listingId)),
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
    /** Changes an item without syncing; on disk before the next request that changes something. */
    note: (itemId: string, changes: ItemChanges, at: number): void =>
      writeUnsynced(db, () => change(itemId, changes, at)),
    /** Returns the number of generations in flight on extras. */
    extrasInFlight: (account: string): number => counted.parse(inFlight.get(account)).n,
    remove: (itemId: string): void => {
      remove.run(itemId);
      photos.forgetItem(itemId);
    },
    /** Restores a removed item as stored; `changePhoto` restores its photos. */
    putBack: (stored: Record<string, string | number | null>): void =>
      insertRow({
        ...stored,
        section: computeSection(sectionRow.parse({ review_reason: null, checked_at: null, ...stored })),
      }),
    /** Runs the writes in one transaction. */
    atomically,
    /** The same without syncing; on disk before the next request that changes something. */
    noteTogether: <T>(work: () => T): T => writeUnsynced(db, () => atomically(work)),
  };
};
