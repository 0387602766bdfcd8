import {
  startsNewItem,
  estimateItemBorders,
  isUncertainBorder,
  type Border,
  type BorderPhoto,
} from '../photos/itemBorders.ts';
import { compareFileNames } from '../../i18n/naturalOrder.ts';
import { getReviewReason, type ContactSheet, type ContactSheetRow } from '../storage/tables/itemRecord.ts';
import type { ItemRow, PhotoRow } from '../storage/tables/itemsTable.ts';
import { noEdits } from '../../photoContract/constants.ts';
import { isArrangeable } from './arrangementActions.ts';
import type { ItemsContext } from './itemsContext.ts';
import { isLabelPhoto } from '../shelf/labelPhotos.ts';
import { buildThumbnailUrl } from './itemState.ts';

type DeferredItem = { item: ItemRow; photos: PhotoRow[] };

const toBorderPhoto = ({ name, taken_at, hash64, colours }: PhotoRow): BorderPhoto => ({
  name,
  takenAt: taken_at,
  hash64,
  colours,
});

/** Photos without a time come last, by file name. */
const compareByShotTime = (one: DeferredItem, other: DeferredItem): number => {
  const [a, b] = [one.photos[0], other.photos[0]];
  const [from, to] = [a?.taken_at ?? Infinity, b?.taken_at ?? Infinity];
  return from === to ? compareFileNames(a?.name ?? '', b?.name ?? '') : from - to;
};

/**
 * If more items than this are deferred, the borders between the photos of an item are computed from its own photos only,
 * because comparing the photos of all items would take too long.
 */
const maxComparedItems = 200;

const listDeferredItems = ({ table }: ItemsContext, itemIds: readonly string[]): DeferredItem[] =>
  itemIds
    .flatMap((itemId): DeferredItem[] => {
      const item = table.read(itemId);
      const photos = table.photos(itemId);
      return item && photos.length > 0 && isArrangeable(item, photos) ? [{ item, photos }] : [];
    })
    .toSorted(compareByShotTime);

const noBorder: Border = { pauseMs: null, chance: 0 };

/**
 * A label looks like no item, so it is in no comparison. If the first photo of an item is a label, each label belongs to
 * the photos after it, and their border is before the label.
 */
const moveBordersToLabels = (borders: Map<string, Border>, all: readonly DeferredItem[]): void => {
  let label: string | null = null;
  for (const { photos } of all) {
    const isLabelFirst = photos.slice(0, 1).some(isLabelPhoto);
    for (const photo of photos) {
      const border = borders.get(photo.photo_id);
      if (isLabelPhoto(photo)) {
        borders.set(photo.photo_id, noBorder);
        if (isLabelFirst) label ??= photo.photo_id;
      } else if (label !== null) {
        if (border !== undefined) borders.set(label, border);
        borders.set(photo.photo_id, noBorder);
        label = null;
      }
    }
  }
};

/**
 * Borders are computed from the photos of all items, because the typical pause between shots is known only from many
 * photos.
 */
const computeBordersByPhoto = (all: readonly DeferredItem[]): Map<string, Border> => {
  const photos = all.flatMap((one) => one.photos);
  const compared = photos.filter((photo) => !isLabelPhoto(photo));
  const estimated = estimateItemBorders(compared.map(toBorderPhoto));
  const borders = new Map(estimated.map((border, before) => [compared[before + 1]?.photo_id ?? '', border] as const));
  moveBordersToLabels(borders, all);
  borders.delete(photos[0]?.photo_id ?? '');
  return borders;
};

/**
 * Returns the indexes of the photos that seem to begin a new item; the first is 0. All photos of the item must be
 * prepared.
 */
export const listItemStartsByAppearance = (context: ItemsContext, itemId: string): number[] => {
  const itemIds = context.table.pages.deferred(context.account());
  const all = listDeferredItems(context, itemIds.length > maxComparedItems ? [itemId] : itemIds);
  const borders = computeBordersByPhoto(all);
  const photos = all.find(({ item }) => item.item_id === itemId)?.photos ?? [];
  return photos.flatMap(({ photo_id }, at) => {
    const border = borders.get(photo_id);
    return at === 0 || (border !== undefined && startsNewItem(border)) ? [at] : [];
  });
};

const isUncertainGap = (border: Border, isEnd: boolean): boolean =>
  isUncertainBorder(border) || (isEnd ? !startsNewItem(border) : startsNewItem(border));

const isPreparingItem = (one: DeferredItem | undefined): boolean => one?.item.step === 'photos';

/** While photos are being prepared, a gap is not marked as uncertain, because its border can still change. */
const toPhotoGap = (
  border: Border | undefined,
  isEnd: boolean,
  isKnown: boolean,
): ContactSheetRow['photos'][number]['gap'] =>
  border === undefined ? null : { pauseMs: border.pauseMs, isUnsure: isKnown && isUncertainGap(border, isEnd) };

/** Returns the contact sheet. It has one row per item whose grouping the person must review. */
export const readContactSheet = (context: ItemsContext): ContactSheet => {
  const all = listDeferredItems(context, context.table.pages.deferred(context.account()));
  const borders = computeBordersByPhoto(all);
  return {
    rows: all.map(({ item, photos }, nth) => ({
      itemId: item.item_id,
      name: item.name,
      reviewReason: getReviewReason(item.review_reason),
      isPreparing: isPreparingItem(all[nth]),
      photos: photos.map((photo, at) => ({
        photoId: photo.photo_id,
        name: photo.name,
        edits: photo.edits ?? noEdits,
        thumbUrl: photo.thumb_path === null ? null : buildThumbnailUrl(photo.photo_id, photo.sha256),
        gap: toPhotoGap(
          borders.get(photo.photo_id),
          at === 0,
          !isPreparingItem(all[nth]) && (at > 0 || !isPreparingItem(all[nth - 1])),
        ),
        isLabel: isLabelPhoto(photo),
      })),
    })),
  };
};
