import {
  startsNewItem,
  estimateItemBorders,
  isUncertainBorder,
  type Border,
} from '../../photos/borders/itemBorders.ts';
import type { BorderPhoto } from '../../photos/borders/comparePhotos.ts';
import { compareFileNames } from '../../../i18n/naturalOrder.ts';
import {
  getReviewReason,
  type ContactSheet,
  type ContactSheetOrder,
  type ContactSheetRow,
} from '../../storage/tables/itemRecord.ts';
import type { ItemRow, PhotoRow } from '../../storage/tables/itemsTable.ts';
import { noEdits } from '../../../photoContract/constants.ts';
import { isArrangeable } from './arrangementActions.ts';
import type { ItemChangeLog } from '../itemChanges.ts';
import type { ItemsContext } from '../itemsContext.ts';
import { isLabelPhoto } from '../../shelf/labelPhotos.ts';
import { buildThumbnailUrl } from '../itemState.ts';

export type DeferredItem = { item: ItemRow; photos: PhotoRow[] };

const toBorderPhoto = (photo: PhotoRow): BorderPhoto => ({
  ...{ name: photo.name, takenAt: photo.taken_at },
  ...{ hash64: photo.hash64, colours: photo.colours, palette: photo.palette },
  barcodes: [...photo.barcodes, ...photo.label_texts],
  sheet: photo.sheet === 1,
  isLabel: isLabelPhoto(photo),
});

/** Estimates the borders between photos that follow one another. */
export const estimatePhotoBorders = (photos: readonly PhotoRow[]): Border[] =>
  estimateItemBorders(photos.map(toBorderPhoto));

/** Photos without a time come last, by file name. */
const compareByShotTime = (one: DeferredItem, other: DeferredItem): number => {
  const [a, b] = [one.photos[0], other.photos[0]];
  const [from, to] = [a?.taken_at ?? Infinity, b?.taken_at ?? Infinity];
  return from === to ? compareFileNames(a?.name ?? '', b?.name ?? '') : from - to;
};

/** Returns the items whose photos can be arranged, in the order in which they were taken. */
export const listArrangeableItems = (
  { table }: Pick<ItemsContext, 'table'>,
  itemIds: readonly string[],
): DeferredItem[] =>
  itemIds
    .flatMap((itemId): DeferredItem[] => {
      const item = table.read(itemId);
      const photos = table.photos(itemId);
      return item && photos.length > 0 && isArrangeable(item, photos) ? [{ item, photos }] : [];
    })
    .toSorted(compareByShotTime);

/**
 * Borders are computed from the photos of all items, because the habits of the person are known only from many photos.
 */
const computeBordersByPhoto = (all: readonly DeferredItem[]): Map<string, Border> => {
  const photos = all.flatMap((one) => one.photos);
  return new Map(estimatePhotoBorders(photos).map((border, before) => [photos[before + 1]?.photo_id ?? '', border]));
};

const isUncertainGap = (border: Border, isEnd: boolean): boolean =>
  isUncertainBorder(border) || (isEnd ? !startsNewItem(border) : startsNewItem(border));

/** Returns the items whose photos are being prepared or wait for the other photos of their drop. */
const listPreparingItems = (all: readonly DeferredItem[]): Set<string> => {
  const preparing = all.filter(({ item }) => item.step === 'photos');
  const drops = new Set(preparing.flatMap(({ item }) => (item.stop === null ? (item.drop_id ?? []) : [])));
  const waiting = all.filter(({ item }) => item.drop_id !== null && drops.has(item.drop_id));
  return new Set([...preparing, ...waiting].map(({ item }) => item.item_id));
};

/** While photos are being prepared, a gap is not marked as uncertain, because its border can still change. */
const toPhotoGap = (
  border: Border | undefined,
  isEnd: boolean,
  isKnown: boolean,
): ContactSheetRow['photos'][number]['gap'] =>
  border === undefined ? null : { pauseMs: border.pauseMs, isUnsure: isKnown && isUncertainGap(border, isEnd) };

type SheetContext = Pick<ItemsContext, 'table' | 'account'>;

/** Returns the contact sheet. It has one row per item whose grouping the person must review. */
export const readContactSheet = (context: SheetContext): ContactSheet => {
  const all = listArrangeableItems(context, context.table.pages.deferred(context.account()));
  const borders = computeBordersByPhoto(all);
  const preparing = listPreparingItems(all);
  const isPreparingItem = (one: DeferredItem | undefined): boolean =>
    one !== undefined && preparing.has(one.item.item_id);
  return {
    rows: all.map((one, nth) => ({
      itemId: one.item.item_id,
      name: one.item.name,
      reviewReason: getReviewReason(one.item.review_reason),
      isPreparing: isPreparingItem(one),
      photos: one.photos.map((photo, at) => ({
        photoId: photo.photo_id,
        name: photo.name,
        edits: photo.edits ?? noEdits,
        thumbUrl: photo.thumb_path === null ? null : buildThumbnailUrl(photo.photo_id, photo.sha256),
        gap: toPhotoGap(
          borders.get(photo.photo_id),
          at === 0,
          !isPreparingItem(one) && (at > 0 || !isPreparingItem(all[nth - 1])),
        ),
        isLabel: isLabelPhoto(photo),
      })),
    })),
  };
};

/**
 * Creates the reader of the contact sheet. The sheet of thousands of photos takes long, so it is kept until an item
 * changes.
 */
export const createContactSheetReader = (
  context: SheetContext,
  { mark }: Pick<ItemChangeLog, 'mark'>,
): (() => ContactSheet) => {
  let last: { mark: string; sheet: ContactSheet } | null = null;
  return () => {
    const now = mark(context.account());
    if (last?.mark !== now) last = { mark: now, sheet: readContactSheet(context) };
    return last.sheet;
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
