import { compareFileNames } from '../../../i18n/naturalOrder.ts';
import type { BorderPhoto } from '../../photos/borders/comparePhotos.ts';
import { estimateItemBorders, isUncertainBorder, startsNewItem } from '../../photos/borders/itemBorders.ts';
import { isLabelPhoto } from '../../shelf/labelPhotos.ts';
import type { ItemRow, ItemsTable, PhotoRow } from '../../storage/tables/itemsTable.ts';
import { isArrangeable } from '../itemState.ts';

/** Whose photos are compared: all photos on the contact sheet of an account, or those of a drop to be grouped. */
export type BordersQuery = { account: string } | { dropId: string };

/** What is estimated for a photo: whether it begins an item, and whether that is uncertain. */
const borderKinds = ['continues', 'starts', 'uncertainContinuation', 'uncertainStart'] as const;
export type BorderKind = (typeof borderKinds)[number];

/**
 * The estimated borders before the photos, in the order in which they were taken. `kinds` are places in the list of
 * kinds, because a message between threads is then quickly read. `isByMarks`: the photographer marks items.
 */
export type StoredBorders = {
  items: { itemId: string; count: number }[];
  photoIds: string[];
  kinds: Uint8Array;
  isByMarks: boolean;
};

export const getBorderKind = ({ kinds }: StoredBorders, at: number): BorderKind =>
  borderKinds[kinds[at] ?? 0] ?? 'continues';

export const startsItem = (kind: BorderKind): boolean => kind === 'starts' || kind === 'uncertainStart';

type ArrangeableItem = { item: ItemRow; photos: PhotoRow[] };

const toBorderPhoto = (photo: PhotoRow): BorderPhoto => ({
  ...{ name: photo.name, takenAt: photo.taken_at },
  ...{ hash64: photo.hash64, colours: photo.colours, palette: photo.palette },
  barcodes: [...photo.barcodes, ...photo.label_texts],
  sheet: photo.sheet === 1,
  isLabel: isLabelPhoto(photo),
});

type FirstShot = { takenAt: number | null; name: string };

/** Photos without a time come last, by file name. */
export const compareByShotTime = (one: FirstShot, other: FirstShot): number => {
  const [from, to] = [one.takenAt ?? Infinity, other.takenAt ?? Infinity];
  return from === to ? compareFileNames(one.name, other.name) : from - to;
};

const getFirstShot = ({ photos: [first] }: ArrangeableItem): FirstShot => ({
  takenAt: first?.taken_at ?? null,
  name: first?.name ?? '',
});

/** Returns whether an item that the companion is to group still waits for it. */
export const waitsForGrouping = ({ review_reason, step, stop }: ItemRow): boolean =>
  review_reason === 'grouped' && step === 'arranging' && stop === null;

const listItems = (table: ItemsTable, query: BordersQuery, pause: () => void): ArrangeableItem[] => {
  const itemIds = 'account' in query ? table.pages.deferred(query.account) : table.pages.ofDrop(query.dropId);
  return itemIds
    .flatMap((itemId): ArrangeableItem[] => {
      const item = table.read(itemId);
      if (item === null || ('dropId' in query && !waitsForGrouping(item))) return [];
      const photos = table.photos(itemId);
      pause();
      return photos.length > 0 && isArrangeable(item, photos) ? [{ item, photos }] : [];
    })
    .toSorted((one, other) => compareByShotTime(getFirstShot(one), getFirstShot(other)));
};

/**
 * Estimates the borders between stored photos. Runs in a thread, because the photos of all items are compared: the
 * habits of the person are known only from many photos. `pause` is called after each step, so that the thread can rest.
 */
export const estimateStoredBorders = (
  table: ItemsTable,
  query: BordersQuery,
  pause = (): void => undefined,
): StoredBorders => {
  const all = listItems(table, query, pause);
  const photos = all.flatMap((one) => one.photos);
  const borders = estimateItemBorders(photos.map(toBorderPhoto), pause);
  const kinds = borders.map((border): BorderKind => {
    if (!isUncertainBorder(border)) return startsNewItem(border) ? 'starts' : 'continues';
    return startsNewItem(border) ? 'uncertainStart' : 'uncertainContinuation';
  });
  return {
    items: all.map((one) => ({ itemId: one.item.item_id, count: one.photos.length })),
    photoIds: photos.map(({ photo_id }) => photo_id),
    kinds: Uint8Array.from(['starts' as const, ...kinds], (kind) => borderKinds.indexOf(kind)),
    isByMarks: borders.some((border) => border.isAtMark && startsNewItem(border)),
  };
};
