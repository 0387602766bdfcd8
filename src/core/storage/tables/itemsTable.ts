import * as z from 'zod';
import { createJsonColumn, type Db, textValues, createRowInserter, createRowUpdater } from '../database.ts';
import { writeUnsynced } from '../unsyncedWrites.ts';
import {
  chooseSection,
  itemErrorShape,
  itemFields,
  getReviewReason,
  privatePart,
  steps,
  storedReviewReasons,
} from './itemRecord.ts';
import { createPhotosTable, type NewPhoto } from './photos/photosTable.ts';
import { askerShape } from '../../base/request.ts';
import { createAdditionsTable } from './additionsTable.ts';
import { createBegunCallsTable } from './begunCallsTable.ts';
import { createPhotoChangesTable } from './photos/photoChangesTable.ts';
import { createItemQueries, getSectionRank } from './itemQueries.ts';
import { createShelfTable } from './shelfTable.ts';

export type { NewPhoto, PhotoRow } from './photos/photosTable.ts';

const itemRow = z.object({
  item_id: z.string(),
  account: z.string(),
  name: z.string(),
  ...itemFields.shape,
  quantity: z.int(),
  by: createJsonColumn(askerShape),
  step: z.enum(steps),
  stop: createJsonColumn(itemErrorShape).nullable(),
  idempotency_key: z.string(),
  draft_body: createJsonColumn(z.record(z.string(), z.unknown())).nullable(),
  draft_sent_at: z.int().nullable(),
  listing_id: z.string().nullable(),
  writing_since: z.int().nullable(),
  extras_approval: z.string().nullable(),
  review_reason: z.enum(storedReviewReasons).nullable(),
  /** `text_used` is 1 if the person wants the text file to be used. */
  text_name: z.string().nullable(),
  text: z.string().nullable(),
  text_used: z.int(),
  private_words: createJsonColumn(z.array(privatePart)),
  barcode_choices: createJsonColumn(z.record(z.string(), z.enum(['confirmed', 'dismissed']))),
  /** The SKU that a photo of a label gave the item last. */
  label_sku: z.string().nullable(),
  /** The drop whose photos are still being grouped; null if they are grouped. */
  drop_id: z.string().nullable(),
  marketplace_id: z.string().nullable(),
  listing_language: z.string().nullable(),
  /** '' means no template; null means that the service chooses. */
  template_id: z.string().nullable(),
  /** The number of photos that the listing had before the person added photos to it. */
  photos_from: z.int(),
  /** When the person checked the item; null if the person has not. A change of the step resets the value. */
  checked_at: z.int().nullable(),
  /** The section as a number, as `getSectionRank` returns it. */
  section: z.int(),
  created_at: z.int(),
  updated_at: z.int(),
});
export type ItemRow = z.infer<typeof itemRow>;

/** A column that is missing here gets the default of the table. */
export type NewItem = Pick<ItemRow, 'item_id' | 'account' | 'name' | 'by' | 'idempotency_key' | 'created_at'> &
  Partial<Omit<ItemRow, 'section' | 'updated_at'>>;
/** Null leaves the choice to the settings or the service, but a `templateId` of null means no template. */
export type GenerationWishes = {
  quantity?: number;
  marketplaceId?: string | null;
  listingLanguage?: string | null;
  templateId?: string | null | undefined;
};
/** The table itself writes the section and `updated_at`. */
type ItemChanges = Partial<Omit<ItemRow, 'item_id' | 'account' | 'section' | 'created_at' | 'updated_at'>>;
export type ItemsTable = ReturnType<typeof createItemsTable>;

const counted = z.object({ n: z.int() });
const parseItemRow = (found: unknown): ItemRow | null => (found === undefined ? null : itemRow.parse(found));

const sectionRow = itemRow.pick({ step: true, stop: true, review_reason: true, checked_at: true });
const sectionColumns = sectionRow.keyof().options;
/** Returns the section that these columns decide, as the number that is stored. */
export const computeStoredSection = ({ step, stop, review_reason, checked_at }: z.infer<typeof sectionRow>): number =>
  getSectionRank(
    chooseSection({
      ...{ step, stop },
      isDeferred: getReviewReason(review_reason) !== null,
      isChecked: checked_at !== null,
    }),
  );

/** The section changes only if one of the columns that decide it changes. */
const createSectionReader = (db: Db) => {
  const stored = db.prepare(`select ${sectionColumns.join(', ')} from items where item_id = ?`);
  return (itemId: string, changes: ItemChanges): { section?: number } => {
    if (!sectionColumns.some((column) => column in changes)) return {};
    const found = stored.get(itemId);
    return found === undefined ? {} : { section: computeStoredSection({ ...sectionRow.parse(found), ...changes }) };
  };
};

const extrasInFlightSql = `select count(*) as n from items
  where account = ? and step = 'writing' and stop is null and extras_approval is not null`;
/** A new step can change the listing, so the person must check the listing again. */
const includeCheckReset = (changes: ItemChanges): ItemChanges =>
  changes.step === undefined ? changes : { checked_at: null, ...changes };

/** Clears the cache if the transaction fails, because the cache might contain rows that were never committed. */
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

const createTablesOfItems = (db: Db) => ({
  ...{ additions: createAdditionsTable(db), begun: createBegunCallsTable(db) },
  ...{ shelf: createShelfTable(db), photoChanges: createPhotoChangesTable(db) },
});

/**
 * Creates the table of items and their photos. Every change is on disk before the call returns, except the changes by
 * the `note` functions.
 */
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
  const updateItemRow = (itemId: string, changes: ItemChanges, at: number): void => {
    const written = includeCheckReset(changes);
    update({ ...written, ...readSection(itemId, written), updated_at: at }, itemId);
  };

  const insertItem = db.transaction((item: NewItem, taken: NewPhoto[]): void => {
    const { step = 'photos', stop = null, review_reason = null, checked_at = null } = item;
    const section = computeStoredSection({ step, stop, review_reason, checked_at });
    insertRow({ ...item, step, section, updated_at: item.created_at });
    photos.add(item.item_id, taken);
  });
  const atomically = createAtomicWriter(db, photos.forget);

  return {
    add: (item: NewItem, taken: NewPhoto[]): void => insertItem(item, taken),
    read: (itemId: string): ItemRow | null => parseItemRow(one.get(itemId)),
    pages: createItemQueries(db),
    ...createTablesOfItems(db),
    /** Returns listings that are live or ended but whose items do not show it, which can happen after a crash. */
    behindTheirListings: (account: string): string[] => textValues.parse(behind.all(account)),
    ofListing: (account: string, listingId: string): ItemRow | null => parseItemRow(byListing.get(account, listingId)),
    idOfListing: (account: string, listingId: string): string | null =>
      z.string().optional().parse(idOf.get(account, listingId)) ?? null,
    addPhotos: photos.add,
    ...{ photos: photos.of, loadPhotos: photos.load, hasPhotos: photos.hasAny, removedPhotos: photos.removedOf },
    ...{ sheetItems: photos.ofSheetItems, sheetPhotos: photos.ofSheet },
    ...{ photo: photos.one, originals: photos.originals },
    ...{ changePhoto: photos.change, choosePhotos: photos.choose, assignPhotos: photos.assign },
    ...{ notePhoto: photos.note, removePhoto: photos.remove, restorePhoto: photos.restore },
    change: updateItemRow,
    /** The write is synced before the next request that changes something at the service. */
    note: (itemId: string, changes: ItemChanges, at: number): void =>
      writeUnsynced(db, () => updateItemRow(itemId, changes, at)),
    extrasInFlight: (account: string): number => counted.parse(inFlight.get(account)).n,
    remove: (itemId: string): void => {
      remove.run(itemId);
      photos.forgetItem(itemId);
    },
    /** Restores a removed item without its photos. */
    putBack: (stored: Record<string, string | number | null>): void =>
      insertRow({
        ...stored,
        section: computeStoredSection(sectionRow.parse({ review_reason: null, checked_at: null, ...stored })),
      }),
    atomically,
    /** The writes are synced before the next request that changes something at the service. */
    noteTogether: <T>(work: () => T): T => writeUnsynced(db, () => atomically(work)),
  };
};
