import { setImmediate as immediate } from 'node:timers/promises';
import { toProblemView } from '../../base/problem.ts';
import {
  getReviewReason,
  type ContactSheet,
  type ContactSheetOrder,
  type ContactSheetRow,
} from '../../storage/tables/itemRecord.ts';
import type { SheetItemRow } from '../../storage/tables/itemQueries.ts';
import type { SheetPhotoRow } from '../../storage/tables/photos/photosTable.ts';
import type { ItemChangeLog } from '../itemChanges.ts';
import type { ItemsContext } from '../itemsContext.ts';
import { isLabelPhoto } from '../../shelf/labelPhotos.ts';
import { buildThumbnailUrl } from '../itemState.ts';
import { type BorderKind, compareByShotTime, getBorderKind, type StoredBorders, startsItem } from './storedBorders.ts';

type SheetContext = Pick<ItemsContext, 'table' | 'account' | 'estimateBorders' | 'log'> & {
  /** Tells windows that the sheet has changed although no item has. */
  notifySheetChanged: () => void;
};

type ChangeReads = Pick<ItemChangeLog, 'mark' | 'since'>;

type SheetPhoto = Omit<ContactSheetRow['photos'][number], 'gap'> & { takenAt: number | null };
/** An item on the sheet, and its photos. */
type SheetItem = { item: SheetItemRow; photos: SheetPhoto[] };
type BorderKinds = ReadonlyMap<string, BorderKind>;

const toSheetPhoto = (photo: SheetPhotoRow): SheetPhoto => ({
  photoId: photo.photo_id,
  name: photo.name,
  thumbUrl: photo.has_thumb === 0 ? null : buildThumbnailUrl(photo.photo_id, photo.sha256),
  isLabel: isLabelPhoto(photo),
  takenAt: photo.taken_at,
});

/** Returns the photos of these items. Items whose photos can no longer be arranged are left out. */
const readSheetPhotos = (
  { table }: Pick<SheetContext, 'table'>,
  itemIds: readonly string[],
): Map<string, SheetPhoto[]> => {
  const rows = Map.groupBy(table.sheetPhotos(itemIds), ({ item_id }) => item_id);
  return new Map(
    [...rows].flatMap(([itemId, photos]) =>
      photos.some(({ is_sent }) => is_sent === 1) ? [] : [[itemId, photos.map(toSheetPhoto)]],
    ),
  );
};

const getFirstShot = ({ photos: [first] }: SheetItem) => ({
  takenAt: first?.takenAt ?? null,
  name: first?.name ?? '',
});

/** Returns the items whose photos are being prepared, wait for the other photos of their drop or are being grouped. */
const listPreparingItems = (all: readonly SheetItem[]): Set<string> => {
  const items = all.map(({ item }) => item);
  const preparing = items.filter(({ step }) => step === 'photos');
  const drops = new Set(preparing.flatMap(({ is_stopped, drop_id }) => (is_stopped === 0 ? (drop_id ?? []) : [])));
  const isGrouping = ({ drop_id, review_reason, step, is_stopped }: SheetItemRow): boolean =>
    drop_id !== null &&
    (drops.has(drop_id) || (review_reason === 'grouped' && step === 'arranging' && is_stopped === 0));
  return new Set([...preparing, ...items.filter(isGrouping)].map(({ item_id }) => item_id));
};

const isUncertainGap = (kind: BorderKind, isEnd: boolean): boolean =>
  kind === 'uncertainStart' || kind === 'uncertainContinuation' || isEnd !== startsItem(kind);

const measurePauseMs = (before: SheetPhoto, { takenAt }: SheetPhoto): number | null =>
  before.takenAt === null || takenAt === null ? null : Math.abs(takenAt - before.takenAt);

/** While photos are being prepared, a gap is not marked as uncertain, because its border can still change. */
const buildSheet = (all: readonly SheetItem[], kinds: BorderKinds): ContactSheet => {
  const preparing = listPreparingItems(all);
  let [before, wasPreparing]: [SheetPhoto | null, boolean] = [null, false];
  const rows = all.map(({ item, photos }): ContactSheetRow => {
    const isPreparing = preparing.has(item.item_id);
    const row = photos.map(({ takenAt: _takenAt, ...photo }, at) => {
      const own = photos[at];
      const kind = kinds.get(photo.photoId);
      const isKnown = !isPreparing && (at > 0 || !wasPreparing) && kind !== undefined;
      const isUnsure = isKnown && isUncertainGap(kind, at === 0);
      const gap = before === null || own === undefined ? null : { pauseMs: measurePauseMs(before, own), isUnsure };
      before = own ?? before;
      return { ...photo, gap };
    });
    wasPreparing = isPreparing;
    const { item_id: itemId, name, review_reason } = item;
    return { itemId, name, reviewReason: getReviewReason(review_reason), isPreparing, photos: row };
  });
  return { rows };
};

/** Reading the photos of this many items takes a few milliseconds. */
const itemsPerSlice = 100;

type KeptItems = { mark: string; items: SheetItem[] };
/** `known` are the photos that were read before, `changed` the items whose photos must be read. */
type SheetChanges = {
  mark: string;
  known: ReadonlyMap<string, SheetPhoto[]>;
  items: SheetItemRow[];
  changed: string[];
};

/** Keeps the items of the sheet, and reads only those again that have changed. */
const createSheetItemReader = (context: Pick<SheetContext, 'table' | 'account'>, { mark, since }: ChangeReads) => {
  let last: KeptItems | null = null;
  const findChanges = (): KeptItems | SheetChanges => {
    const account = context.account();
    const now = mark(account);
    if (last?.mark === now) return last;
    const isChanged = since(last?.mark ?? null, account);
    const known = new Map(last?.items.map(({ item, photos }) => [item.item_id, photos]));
    const items = context.table.pages.onSheet(account);
    const changed = items.flatMap(({ item_id: id }) => (isChanged(id) || !known.has(id) ? [id] : []));
    return { mark: now, known, items, changed };
  };
  const keepItems = (
    { mark: now, known, items, changed }: SheetChanges,
    fresh: ReadonlyMap<string, SheetPhoto[]>,
  ): KeptItems => {
    const isFresh = new Set(changed);
    const all = items.flatMap((item): SheetItem[] => {
      const photos = (isFresh.has(item.item_id) ? fresh : known).get(item.item_id);
      return photos === undefined ? [] : [{ item, photos }];
    });
    all.sort((one, other) => compareByShotTime(getFirstShot(one), getFirstShot(other)));
    last = { mark: now, items: all };
    return last;
  };
  return {
    read: (): KeptItems => {
      const changes = findChanges();
      return 'changed' in changes ? keepItems(changes, readSheetPhotos(context, changes.changed)) : changes;
    },
    /** Reads the photos of many items in slices. What changes between two slices is left to `read`. */
    load: async (): Promise<void> => {
      const changes = findChanges();
      if (!('changed' in changes) || changes.changed.length <= itemsPerSlice) return;
      const fresh = new Map<string, SheetPhoto[]>();
      for (let from = 0; from < changes.changed.length; from += itemsPerSlice) {
        await immediate();
        const some = readSheetPhotos(context, changes.changed.slice(from, from + itemsPerSlice));
        for (const [itemId, photos] of some) fresh.set(itemId, photos);
      }
      await immediate();
      keepItems(changes, fresh);
    },
  };
};

const toBorderKinds = (borders: StoredBorders): BorderKinds =>
  new Map(borders.photoIds.map((photoId, at) => [photoId, getBorderKind(borders, at)]));

/** Returns the contact sheet with these borders. It has one row per item whose grouping the person must review. */
export const readContactSheet = (
  context: Pick<SheetContext, 'table' | 'account'>,
  changes: ChangeReads,
  borders: StoredBorders,
): ContactSheet => buildSheet(createSheetItemReader(context, changes).read().items, toBorderKinds(borders));

/** Estimates the borders again if the photos or their order have changed. Calls `onChanged` with new borders. */
const createBorderRefresher = (context: SheetContext, onChanged: () => void) => {
  let kinds: BorderKinds = new Map();
  let checked: readonly SheetItem[] = [];
  let estimated = '';
  let running: AbortController | null = null;
  const estimate = async (signal: AbortSignal): Promise<void> => {
    const found = await context.estimateBorders({ account: context.account() }, signal);
    if (found === null || signal.aborted) return;
    kinds = toBorderKinds(found);
    onChanged();
  };
  return {
    kinds: (): BorderKinds => kinds,
    refresh: (items: readonly SheetItem[]): void => {
      if (running !== null || checked === items) return;
      checked = items;
      const isBusy = items.some(({ item }) => item.step === 'photos' && item.is_stopped === 0);
      const order = items.map(({ photos }) => photos.map((one) => `${one.thumbUrl} ${one.isLabel}`).join()).join();
      if (estimated === order || (isBusy && kinds.size > 0)) return;
      estimated = order;
      const abort = (running = new AbortController());
      void estimate(abort.signal)
        .catch((error: unknown) =>
          context.log('warn', 'estimating borders failed', { code: toProblemView(error).code }),
        )
        .finally(() => (running = null));
    },
    stop: (): void => running?.abort(),
  };
};

/**
 * Creates the reader of the contact sheet. Estimating the borders of thousands of photos takes long, so the sheet has
 * those known so far, and windows are told of new ones.
 */
export const createContactSheetReader = (context: SheetContext, changes: ChangeReads) => {
  const items = createSheetItemReader(context, changes);
  let loading: Promise<void> | null = null;
  let last: { mark: string; kinds: BorderKinds; sheet: ContactSheet } | null = null;
  const borders = createBorderRefresher(context, context.notifySheetChanged);
  return {
    stop: borders.stop,
    /** Reads many changed items in slices between which other work runs, so that `read` is quick. */
    load: (): Promise<void> => (loading ??= items.load().finally(() => (loading = null))),
    read: (): ContactSheet => {
      const { mark, items: all } = items.read();
      borders.refresh(all);
      const kinds = borders.kinds();
      if (last?.mark !== mark || last.kinds !== kinds) last = { mark, kinds, sheet: buildSheet(all, kinds) };
      return last.sheet;
    },
  };
};

/** Leaves out the details of the photos. Those of thousands of photos are too long to send after each change. */
export const orderContactSheet = ({ rows }: ContactSheet): ContactSheetOrder => ({
  rows: rows.map(({ itemId, reviewReason, photos }) => ({
    itemId,
    reviewReason,
    photoIds: photos.map(({ photoId }) => photoId),
  })),
  unsureIds: rows.flatMap(({ photos }) => photos.flatMap(({ photoId, gap }) => (gap?.isUnsure ? [photoId] : []))),
});
