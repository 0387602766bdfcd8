import { setImmediate as immediate } from 'node:timers/promises';
import { toProblemView } from '../../base/problem.ts';
import { cutIntoSlices } from '../../base/slices.ts';
import { getReviewReason, type ContactSheetOrder, type ContactSheetRow } from '../../storage/tables/itemRecord.ts';
import type { SheetItemRow } from '../../storage/tables/itemQueries.ts';
import type { SheetPhotoRow } from '../../storage/tables/photos/photosTable.ts';
import type { ItemChangeLog } from '../itemChanges.ts';
import type { ItemsContext } from '../itemsContext.ts';
import { isLabelPhoto } from '../../shelf/labelPhotos.ts';
import { buildThumbnailUrl } from '../itemState.ts';
import { type BorderKind, compareByShotTime, getBorderKind, type StoredBorders, startsItem } from './storedBorders.ts';

type SheetContext = Pick<ItemsContext, 'table' | 'account' | 'estimateBorders' | 'log' | 'notifyWindows'>;

type ChangeReads = Pick<ItemChangeLog, 'mark' | 'since'>;

/** An item on the sheet, and its photos. `looks` changes when the photos or what they show change. */
type SheetItem = { item: SheetItemRow; photoIds: string[]; looks: string; takenAt: number | null; name: string };
type SheetPhotos = Omit<SheetItem, 'item'>;
type BorderKinds = ReadonlyMap<string, BorderKind>;

/** Returns the photos of these items. Items whose photos can no longer be arranged are left out. */
const readSheetPhotos = (
  { table }: Pick<SheetContext, 'table'>,
  itemIds: readonly string[],
): Map<string, SheetPhotos> =>
  new Map(
    table
      .sheetItems(itemIds)
      .map(({ item_id, photo_ids: photoIds, looks, taken_at: takenAt, name }) => [
        item_id,
        { photoIds, looks: `${photoIds.join()} ${looks}`, takenAt, name },
      ]),
  );

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

/** While photos are being prepared, a gap is not marked as uncertain, because its border can still change. */
const findUnsureIds = ({ item, photoIds }: SheetItem, place: SheetPlace, kinds: BorderKinds): string[] =>
  place.preparing.has(item.item_id)
    ? []
    : photoIds.filter((photoId, at) => {
        const isFollowing = at > 0 || (place.before !== undefined && !place.preparing.has(place.before.item.item_id));
        const kind = isFollowing ? kinds.get(photoId) : undefined;
        return kind !== undefined && isUncertainGap(kind, at === 0);
      });

/** `before` is the previous item on the sheet. */
type SheetPlace = { before: SheetItem | undefined; preparing: ReadonlySet<string> };

/** The items of the sheet in order, those that are being prepared, and the place of each. */
type KeptItems = {
  mark: string;
  items: readonly SheetItem[];
  preparing: ReadonlySet<string>;
  places: ReadonlyMap<string, number>;
};

const buildOrder = ({ items, preparing }: KeptItems, kinds: BorderKinds): ContactSheetOrder => ({
  rows: items.map((one, at) => ({
    itemId: one.item.item_id,
    reviewReason: getReviewReason(one.item.review_reason),
    photoIds: one.photoIds,
    unsureIds: kinds.size === 0 ? [] : findUnsureIds(one, { before: items[at - 1], preparing }, kinds),
  })),
});

const measurePauseMs = (before: SheetPhotoRow | undefined, { taken_at }: SheetPhotoRow): number | null =>
  before === undefined || before.taken_at === null || taken_at === null ? null : Math.abs(taken_at - before.taken_at);

/** Returns one item of the sheet with the details of its photos; null if the sheet does not have it. */
const readRow = (
  { table }: Pick<SheetContext, 'table'>,
  { items, preparing, places }: KeptItems,
  itemId: string,
  kinds: BorderKinds,
): ContactSheetRow | null => {
  const at = places.get(itemId) ?? -1;
  const [before, own] = [items[at - 1], items[at]];
  if (own === undefined) return null;
  const unsure = new Set(findUnsureIds(own, { before, preparing }, kinds));
  const last = before === undefined ? undefined : table.sheetPhotos(before.item.item_id).at(-1);
  const photos = table.sheetPhotos(itemId);
  const { name, review_reason } = own.item;
  return {
    ...{ itemId, name, reviewReason: getReviewReason(review_reason), isPreparing: preparing.has(itemId) },
    photos: photos.map((photo, nth) => {
      const { photo_id: photoId, sha256 } = photo;
      const previous = photos[nth - 1] ?? last;
      const gap = previous && { pauseMs: measurePauseMs(previous, photo), isUnsure: unsure.has(photoId) };
      const thumbUrl = photo.has_thumb === 0 ? null : buildThumbnailUrl(photoId, sha256);
      return { photoId, name: photo.name, thumbUrl, isLabel: isLabelPhoto(photo), gap: gap ?? null };
    }),
  };
};

/** Reading the photos of this many items takes a few milliseconds. */
const itemsPerSlice = 100;

/** `known` are the photos that were read before, `changed` the items whose photos must be read. */
type SheetChanges = {
  mark: string;
  known: ReadonlyMap<string, SheetPhotos>;
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
    const known = new Map(last?.items.map((one) => [one.item.item_id, one]));
    const items = context.table.pages.onSheet(account);
    const changed = items.flatMap(({ item_id: id }) => (isChanged(id) || !known.has(id) ? [id] : []));
    return { mark: now, known, items, changed };
  };
  const keepItems = (
    { mark: now, known, items, changed }: SheetChanges,
    fresh: ReadonlyMap<string, SheetPhotos>,
  ): KeptItems => {
    const isFresh = new Set(changed);
    const all = items.flatMap((item): SheetItem[] => {
      const photos = (isFresh.has(item.item_id) ? fresh : known).get(item.item_id);
      return photos === undefined ? [] : [{ ...photos, item }];
    });
    all.sort(compareByShotTime);
    const places = new Map(all.map(({ item }, at) => [item.item_id, at]));
    last = { mark: now, items: all, preparing: listPreparingItems(all), places };
    return last;
  };
  return {
    release: (): void => {
      last = null;
    },
    read: (): KeptItems => {
      const changes = findChanges();
      return 'changed' in changes ? keepItems(changes, readSheetPhotos(context, changes.changed)) : changes;
    },
    /** Reads the photos of many items in slices. What changes between two slices is left to `read`. */
    load: async (): Promise<void> => {
      const changes = findChanges();
      if (!('changed' in changes) || changes.changed.length <= itemsPerSlice) return;
      const fresh = new Map<string, SheetPhotos>();
      for (const itemIds of cutIntoSlices(changes.changed, itemsPerSlice)) {
        await immediate();
        for (const [itemId, photos] of readSheetPhotos(context, itemIds)) fresh.set(itemId, photos);
      }
      await immediate();
      keepItems(changes, fresh);
      await immediate();
    },
  };
};

const toBorderKinds = (borders: StoredBorders): BorderKinds =>
  new Map(borders.photoIds.map((photoId, at) => [photoId, getBorderKind(borders, at)]));

/** Adding this many photo ids to a map takes a millisecond. */
const photosPerSlice = 2_000;

/** Returns the same as `toBorderKinds`. Other work runs between slices of the photos. */
const toBorderKindsInSlices = async (borders: StoredBorders): Promise<BorderKinds> => {
  const kinds = new Map<string, BorderKind>();
  for (const [at, photoId] of borders.photoIds.entries()) {
    if (at % photosPerSlice === 0) await immediate();
    kinds.set(photoId, getBorderKind(borders, at));
  }
  return kinds;
};

/** What reads the contact sheet with these borders. */
type SheetReads = {
  readOrder: () => ContactSheetOrder;
  readRow: (itemId: string) => ContactSheetRow | null;
};

/** Creates the reads of a contact sheet with these borders. It has one row per item whose grouping must be reviewed. */
export const createBorderedSheet = (
  context: Pick<SheetContext, 'table' | 'account'>,
  changes: ChangeReads,
  readBorders: () => StoredBorders,
): SheetReads => {
  const { read } = createSheetItemReader(context, changes);
  return {
    readOrder: () => buildOrder(read(), toBorderKinds(readBorders())),
    readRow: (itemId) => readRow(context, read(), itemId, toBorderKinds(readBorders())),
  };
};

/** Estimates the borders again if the photos or their order have changed. */
const createBorderRefresher = (context: SheetContext) => {
  let kinds: BorderKinds = new Map();
  let checked: readonly SheetItem[] = [];
  let estimated = '';
  let running: AbortController | null = null;
  const estimate = async (signal: AbortSignal): Promise<void> => {
    const found = await context.estimateBorders({ account: context.account() }, signal);
    const next = found && (await toBorderKindsInSlices(found));
    if (next === null || signal.aborted) return;
    kinds = next;
    context.notifyWindows();
  };
  return {
    release: (): void => {
      [kinds, checked, estimated] = [new Map(), [], ''];
    },
    kinds: (): BorderKinds => kinds,
    refresh: (items: readonly SheetItem[]): void => {
      if (running !== null || checked === items) return;
      checked = items;
      const isBusy = items.some(({ item }) => item.step === 'photos' && item.is_stopped === 0);
      const order = items.map(({ looks }) => looks).join();
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
  let last: { sheet: KeptItems; kinds: BorderKinds; order: ContactSheetOrder } | null = null;
  const borders = createBorderRefresher(context);
  const readSheet = (): KeptItems => {
    const sheet = items.read();
    borders.refresh(sheet.items);
    return sheet;
  };
  return {
    stop: borders.stop,
    /** Forgets what was read. The next reader reads it again. */
    release: (): void => {
      items.release();
      borders.release();
      last = null;
    },
    /** Reads many changed items in slices between which other work runs, so that the other reads are quick. */
    load: (): Promise<void> => (loading ??= items.load().finally(() => (loading = null))),
    readOrder: (): ContactSheetOrder => {
      const [sheet, kinds] = [readSheet(), borders.kinds()];
      if (last?.sheet !== sheet || last.kinds !== kinds) last = { sheet, kinds, order: buildOrder(sheet, kinds) };
      return last.order;
    },
    readRow: (itemId: string): ContactSheetRow | null => readRow(context, readSheet(), itemId, borders.kinds()),
  };
};
