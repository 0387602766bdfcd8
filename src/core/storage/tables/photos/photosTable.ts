import { setImmediate as nextTurn } from 'node:timers/promises';
import * as z from 'zod';
import { type Db, createJsonColumn, createRowUpdater, textValues } from '../../database.ts';
import { writeUnsynced } from '../../unsyncedWrites.ts';
import { uploadSlot } from '../../../../contract/index.ts';
import type { PreviousPhotoState } from '../arrangementsTable.ts';
import { type AsideReason, type PhotoState } from '../itemRecord.ts';
import { photoEdits, barcode } from '../../../../photoContract/messages.ts';
import { photoWarnings } from '../../../../photoContract/constants.ts';

const fileRows = z.array(
  z.object({
    row_id: z.int(),
    source: z.string(),
    owned: z.int(),
    path: z.string().nullable(),
    thumb_path: z.string().nullable(),
    done: z.int(),
  }),
);

/** Reading this many rows takes a few milliseconds. */
const fileRowsPerStep = 500;

/**
 * Yields the companion's own files that items still need, in steps between which other work can run. After a listing has
 * ended or sold, its item needs only thumbnails.
 */
export const iterateNeededFilePaths = async function* (db: Db): AsyncGenerator<string> {
  const next = db.prepare(
    `select photos.rowid as row_id, photos.source, photos.owned, photos.path, photos.thumb_path,
       (items.step = 'ended' or coalesce(listings.status, '') in ('ended', 'sold')) as done
     from photos join items using (item_id)
     left join listings on listings.account = items.account and listings.listing_id = items.listing_id
     where photos.rowid > ? order by photos.rowid limit ?`,
  );
  for (let after = 0; db.open;) {
    const rows = fileRows.parse(next.all(after, fileRowsPerStep));
    for (const { source, owned, path, thumb_path, done } of rows) {
      if (thumb_path !== null) yield thumb_path;
      if (done === 0 && path !== null) yield path;
      if (done === 0 && owned === 1) yield source;
    }
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.row_id;
    await nextTurn();
  }
  throw new Error('The database was closed.');
};

const photoStates = ['waiting', 'ready', 'refused', 'aside'] as const satisfies readonly PhotoState[];
const asideReasons = ['person', 'duplicate', 'over_cap', 'label'] as const satisfies readonly AsideReason[];
const photoRow = z.object({
  photo_id: z.string(),
  item_id: z.string(),
  position: z.int(),
  name: z.string(),
  source: z.string(),
  root: z.string().nullable(),
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
  slot: createJsonColumn(uploadSlot).nullable(),
  slot_at: z.int().nullable(),
  uploaded_at: z.int().nullable(),
  edits: createJsonColumn(photoEdits).nullable(),
  /** `in`: the person includes the photo although it is a duplicate. */
  choice: z.enum(['in', 'aside']).nullable(),
  aside: z.enum(asideReasons).nullable(),
  duplicate_of: z.string().nullable(),
  removed_at: z.int().nullable(),
  taken_at: z.int().nullable(),
  /** The SHA-256 of the prepared bytes, in hex. An upload must match it. */
  sha256: z.string().nullable(),
  /** Size and SHA-256 in hex of the file that was prepared. */
  original_bytes: z.int().nullable(),
  original_sha256: z.string().nullable(),
  hash64: z.string().nullable(),
  colours: z.string().nullable(),
  palette: z.string().nullable(),
  sheet: z.int(),
  warnings: createJsonColumn(z.array(z.enum(photoWarnings))),
  barcodes: createJsonColumn(z.array(barcode)),
  /** The texts of codes that could be a label. */
  label_texts: createJsonColumn(z.array(z.string())),
  /** The SKU on the label that the photo shows; '' for labels of several SKUs, null if it shows none. */
  label_sku: z.string().nullable(),
});
export type PhotoRow = z.infer<typeof photoRow>;
const photoRows = z.array(photoRow);

const sheetPhotoRow = z.object({
  ...photoRow.pick({ photo_id: true, name: true, sha256: true, label_sku: true, choice: true, taken_at: true }).shape,
  has_thumb: z.int(),
});
/** What the contact sheet shows of a photo. */
export type SheetPhotoRow = z.infer<typeof sheetPhotoRow>;
const sheetPhotoRows = z.array(sheetPhotoRow);
const sheetPhotos = `select photo_id, name, sha256, label_sku, choice, taken_at, thumb_path is not null as has_thumb
  from photos where item_id = ? and removed_at is null order by position`;

/** The photos of an item on the contact sheet. Name and time are those of the first photo. */
const sheetItemRows = z.array(
  z.object({
    ...photoRow.pick({ item_id: true, name: true, taken_at: true }).shape,
    photo_ids: createJsonColumn(z.array(z.string())),
    looks: z.string(),
  }),
);
/**
 * Returns the SQL condition that a photo of the item has an upload slot or is uploaded. By itself, SQLite would choose the
 * index of all photos of the item.
 */
export const isAtService = (itemId: string): string => `exists (select 1 from photos indexed by photos_at_service
  where photos.item_id = ${itemId} and removed_at is null and (slot is not null or uploaded_at is not null))`;

/**
 * One row per item, because reading thousands of rows takes longer. With `min`, SQLite takes the columns of that row. An
 * item is left out if one of its photos has an upload slot or is uploaded.
 */
const sheetItems = `select item_id, json_group_array(photo_id) as photo_ids, min(position), name, taken_at,
    group_concat(look || iif(label_sku is null or choice is 'in', '', '!'), ' ') as looks
  from (select item_id, photo_id, position, name, taken_at, label_sku, choice,
      coalesce(substr(sha256, 1, 16), thumb_path is null) as look
    from photos indexed by photos_on_sheet
    where removed_at is null and slot is null and uploaded_at is null
      and item_id in (select value from json_each(?) where not ${isAtService('value')})
    order by item_id, position) group by item_id`;

/** The database can come from another operating system, so both kinds of slashes separate folders. */
const getFileName = (path: string): string => path.replace(/^.*[\\/]/s, '');

const ownFiles = z.array(photoRow.pick({ photo_id: true, source: true, owned: true, path: true, thumb_path: true }));

/** Changes the stored folders of the companion's own photo files. Must be called in a transaction. */
export const updatePhotoFilePaths = (db: Db, place: Record<'prepared' | 'copy', (name: string) => string>): void => {
  const write = db.prepare(
    'update photos set source = :source, path = :path, thumb_path = :thumb_path where photo_id = :photo_id',
  );
  const getNewPreparedPath = (path: string | null) => (path === null ? null : place.prepared(getFileName(path)));
  const own = db
    .prepare(
      `select photo_id, source, owned, path, thumb_path from photos
         where owned = 1 or path is not null or thumb_path is not null`,
    )
    .all();
  for (const { owned, ...photo } of ownFiles.parse(own)) {
    const source = owned === 1 ? place.copy(getFileName(photo.source)) : photo.source;
    const [path, thumb_path] = [getNewPreparedPath(photo.path), getNewPreparedPath(photo.thumb_path)];
    if (source !== photo.source || path !== photo.path || thumb_path !== photo.thumb_path)
      write.run({ photo_id: photo.photo_id, source, path, thumb_path });
  }
};

/**
 * An `owned` file is a copy that can be deleted. Any other file is read only inside `root`, the real path that the
 * person chose.
 */
export type NewPhoto = { photoId: string; name: string; source: string; root: string | null; owned: boolean };

const knownSizes = z.array(z.int());
const knownOriginals = z.array(z.object({ sha256: z.string(), item_id: z.string() }));

type PhotoChanges = Partial<Omit<PhotoRow, 'photo_id'>>;
/** Whether a photo goes to the listing. */
type PhotoChoice = Pick<PhotoRow, 'state' | 'aside' | 'duplicate_of' | 'sentence'>;

/** A cached photo needs about one kilobyte, so the cache needs at most 40 MB. */
const maxCachedPhotos = 40_000;

type CachedItemPhotos = ReturnType<typeof createCachedItemPhotos>;

const compareRemovalTimes = (a: PhotoRow, b: PhotoRow): number => (a.removed_at ?? 0) - (b.removed_at ?? 0);

/** Callers keep lists, so a change makes a new list. It is made when it is read, because thousands of changes follow. */
const createPhotoList = (compare?: typeof compareRemovalTimes) => {
  const byId = new Map<string, PhotoRow>();
  let listed: PhotoRow[] | null = null;
  const set = (photo: PhotoRow): void => {
    byId.set(photo.photo_id, photo);
    listed = null;
  };
  const createList = (): PhotoRow[] => (compare === undefined ? [...byId.values()] : [...byId.values()].sort(compare));
  return {
    add: set,
    list: (): PhotoRow[] => (listed ??= createList()),
    change: (photoId: string, changes: Partial<PhotoRow>): void => {
      const before = byId.get(photoId);
      if (before !== undefined) set({ ...before, ...changes });
    },
  };
};

const createCachedItemPhotos = () => {
  const lists = { here: createPhotoList(), removed: createPhotoList(compareRemovalTimes) };
  let count = 0;
  return {
    ...lists,
    add: (rows: readonly PhotoRow[]): void => {
      for (const row of rows) (row.removed_at === null ? lists.here : lists.removed).add(row);
      count += rows.length;
    },
    count: (): number => count,
  };
};

/** Reading this many rows takes a few milliseconds. */
const photosPerSlice = 250;

/** Reads the photos of an item in slices, between which the caller can let other work run. */
const createSlicedReader = (db: Db) => {
  const next = db.prepare(`select rowid as row_id, * from photos where item_id = ? and (position, rowid) > (?, ?)
    order by position, rowid limit ${photosPerSlice}`);
  const rowIds = z.array(z.object({ row_id: z.int() }));
  return function* (itemId: string): Generator<PhotoRow[]> {
    for (let [position, rowId] = [-1, 0]; ;) {
      const found = next.all(itemId, position, rowId);
      const rows = photoRows.parse(found);
      yield rows;
      if (rows.length < photosPerSlice) return;
      [position, rowId] = [rows.at(-1)?.position ?? 0, rowIds.parse(found.slice(-1))[0]?.row_id ?? 0];
    }
  };
};

const createItemPhotoCache = (db: Db) => {
  const ofItem = db.prepare('select * from photos where item_id = ? order by position');
  const readSlices = createSlicedReader(db);
  const kept = new Map<string, CachedItemPhotos>();
  let loaded = 0;
  /** Counts the changes, so that rows which were read before a change are not kept. */
  let changes = 0;
  const forget = (): void => {
    kept.clear();
    loaded = 0;
    changes += 1;
  };
  const keep = (itemId: string, photos: CachedItemPhotos): CachedItemPhotos => {
    loaded += photos.count();
    if (loaded > maxCachedPhotos) forget();
    kept.set(itemId, photos);
    return photos;
  };
  const readAtOnce = (itemId: string): CachedItemPhotos => {
    const photos = createCachedItemPhotos();
    photos.add(photoRows.parse(ofItem.all(itemId)));
    return keep(itemId, photos);
  };
  return {
    load: (itemId: string): CachedItemPhotos => kept.get(itemId) ?? readAtOnce(itemId),
    loadInSlices: async (itemId: string): Promise<void> => {
      const [photos, before] = [createCachedItemPhotos(), changes];
      if (kept.has(itemId)) return;
      for (const some of readSlices(itemId)) {
        photos.add(some);
        if (some.length === photosPerSlice) await nextTurn();
      }
      if (changes === before && !kept.has(itemId)) keep(itemId, photos);
    },
    change: (itemId: string, photoIds: readonly string[], changed: Partial<PhotoRow>): void => {
      changes += 1;
      const item = kept.get(itemId);
      for (const photoId of item === undefined ? [] : photoIds) {
        item?.here.change(photoId, changed);
        item?.removed.change(photoId, changed);
      }
    },
    forgetItem: (itemId: string): void => {
      changes += 1;
      kept.delete(itemId);
    },
    forget,
  };
};

/** Creates the search for the files that photos of items were prepared from. */
const createOriginalsReader = (db: Db) => {
  const sizes = db
    .prepare(
      `select value from json_each(?) as size where exists (select 1 from photos cross join items using (item_id)
         where original_bytes = size.value and account = ? and photos.removed_at is null)`,
    )
    .pluck();
  const originals = db.prepare(`select original_sha256 as sha256, item_id from json_each(?) as file
    cross join photos on original_bytes = file.value ->> '$.bytes' and original_sha256 = file.value ->> '$.sha256'
    cross join items using (item_id) where account = ? and photos.removed_at is null`);
  const ofItem = db
    .prepare('select original_sha256 from photos where item_id = ? and original_sha256 is not null')
    .pluck();
  return {
    /** Returns which of these sizes such files have. */
    knownSizes: (account: string, bytes: readonly number[]): Set<number> =>
      new Set(knownSizes.parse(sizes.all(JSON.stringify(bytes), account))),
    /** Returns the hashes of the files of an item, also of photos that were removed from it. */
    hashesOf: (itemId: string): Set<string> => new Set(textValues.parse(ofItem.all(itemId))),
    /** Returns the items of these files, by the hash of the file. */
    itemsOf: (account: string, files: readonly { bytes: number; sha256: string }[]): Map<string, string> => {
      const rows = originals.all(JSON.stringify(files), account);
      return new Map(knownOriginals.parse(rows).map(({ sha256, item_id }) => [sha256, item_id]));
    },
  };
};

const createSheetReader = (db: Db) => {
  const [ofItems, ofItem] = [db.prepare(sheetItems), db.prepare(sheetPhotos)];
  const isAnyThere = db.prepare('select 1 from photos where item_id = ? and removed_at is null limit 1');
  return {
    ofSheetItems: (itemIds: readonly string[]) => sheetItemRows.parse(ofItems.all(JSON.stringify(itemIds))),
    ofSheet: (itemId: string): SheetPhotoRow[] => sheetPhotoRows.parse(ofItem.all(itemId)),
    hasAny: (itemId: string): boolean => isAnyThere.get(itemId) !== undefined,
  };
};

/** Creates the table of photos. Every change is on disk before the call returns, except the changes by `note`. */
export const createPhotosTable = (db: Db) => {
  const add = db.prepare(`insert into photos (photo_id, item_id, position, name, source, root, owned)
    values (:photoId, :itemId, :position, :name, :source, :root, :owned)`);
  const nextPosition = db.prepare('select coalesce(max(position) + 1, 0) from photos where item_id = ?').pluck();
  const onePhoto = db.prepare('select * from photos where photo_id = ?');
  const restore = db.prepare(`update photos set item_id = :item_id, position = :position, choice = :choice,
    removed_at = :removed_at, edits = :edits where photo_id = :photo_id`);
  const assign = db.prepare(`update photos set item_id = :itemId, position = place.key
    from json_each(:photoIds) as place where photo_id = place.value`);
  const choose = db.prepare(`update photos set state = :state, aside = :aside, duplicate_of = :duplicate_of,
    sentence = :sentence where photo_id in (select value from json_each(:photoIds))`);
  const remove = db.prepare('delete from photos where photo_id = ?');
  const update = createRowUpdater(db, 'photos', 'photo_id');
  const cache = createItemPhotoCache(db);
  const { forget } = cache;

  const one = (photoId: string): PhotoRow | null => {
    const found = onePhoto.get(photoId);
    return found === undefined ? null : photoRow.parse(found);
  };
  const updatePhotoRow = (photoId: string, changes: PhotoChanges): void => {
    update(changes, photoId);
    const now = one(photoId);
    if ('item_id' in changes || 'position' in changes || 'removed_at' in changes) return forget();
    if (now) cache.change(now.item_id, [photoId], now);
  };

  return {
    add: (itemId: string, photos: readonly NewPhoto[]): void => {
      const from = z.int().parse(nextPosition.get(itemId));
      for (const [at, photo] of photos.entries())
        add.run({ ...photo, owned: photo.owned ? 1 : 0, itemId, position: from + at });
      cache.forgetItem(itemId);
    },
    /** Returns the photos in the person's order. */
    of: (itemId: string): PhotoRow[] => cache.load(itemId).here.list(),
    /** Reads the photos of a large item in slices, so that the next `of` is quick. */
    load: cache.loadInSlices,
    ...createSheetReader(db),
    removedOf: (itemId: string): PhotoRow[] => cache.load(itemId).removed.list(),
    one,
    originals: createOriginalsReader(db),
    change: updatePhotoRow,
    /** Moves photos into an item and sets their order. `photoIds` must be all photos that the item then has. */
    assign: (itemId: string, photoIds: readonly string[]): void => {
      assign.run({ itemId, photoIds: JSON.stringify(photoIds) });
      forget();
    },
    /** Makes the same choice for several photos of an item. */
    choose: (itemId: string, photoIds: readonly string[], choice: PhotoChoice): void => {
      choose.run({ ...choice, photoIds: JSON.stringify(photoIds) });
      cache.change(itemId, photoIds, choice);
    },
    /**
     * The write is synced before the next request that changes something at the service. A sync for each of thousands
     * of photos would block everything else.
     */
    note: (photoId: string, changes: PhotoChanges): void => writeUnsynced(db, () => updatePhotoRow(photoId, changes)),
    /** Removes the row of a photo, but no file. */
    remove: (photoId: string): void => {
      remove.run(photoId);
      forget();
    },
    restore: (was: PreviousPhotoState): void => {
      restore.run(was);
      forget();
    },
    forgetItem: cache.forgetItem,
    /** Clears the cache. Must be called after other code has deleted rows of the table. */
    forget,
  };
};
