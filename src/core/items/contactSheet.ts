import { begins, findBorders, isUnsure, type Border, type PhotoFacts } from '../photos/borders.ts';
import { compareNaturally } from '../../i18n/naturalOrder.ts';
import type { ContactSheet, SheetRow } from '../storage/tables/itemRecord.ts';
import type { ItemRow, PhotoRow } from '../storage/tables/itemsTable.ts';
import { noEdits } from '../../photoContract/constants.ts';
import { isArrangeable } from './arranging.ts';
import type { ItemsContext } from './itemsContext.ts';
import { thumbUrl } from './itemState.ts';

type Guessed = { item: ItemRow; photos: PhotoRow[] };

const factsOf = ({ name, taken_at, hash64, colours }: PhotoRow): PhotoFacts => ({
  name,
  takenAt: taken_at,
  hash64,
  colours,
});

/** Orders items by the time of their first photo. Photos without a time come last, by file name. */
const asTaken = (one: Guessed, other: Guessed): number => {
  const [a, b] = [one.photos[0], other.photos[0]];
  const [from, to] = [a?.taken_at ?? Infinity, b?.taken_at ?? Infinity];
  return from === to ? compareNaturally(a?.name ?? '', b?.name ?? '') : from - to;
};

/**
 * Above this number of items, each is judged on its own: comparing every prepared item with all others would be
 * quadratic.
 */
const mostAmong = 200;

/** Returns the items that were grouped by a guess and can still be arranged, in the order of their shots. */
const guessedItems = ({ table }: ItemsContext, itemIds: readonly string[]): Guessed[] =>
  itemIds
    .flatMap((itemId): Guessed[] => {
      const item = table.read(itemId);
      const photos = table.photos(itemId);
      return item && photos.length > 0 && isArrangeable(item, photos) ? [{ item, photos }] : [];
    })
    .toSorted(asTaken);

/** Returns the border before each photo. Computed over all items, because a usual pause shows only among all photos. */
const bordersOf = (all: readonly Guessed[]): Map<string, Border> => {
  const photos = all.flatMap((one) => one.photos);
  const borders = findBorders(photos.map(factsOf));
  return new Map(borders.flatMap((border, before) => [[photos[before + 1]?.photo_id ?? '', border] as const]));
};

/**
 * Returns the indexes of the photos at which a new item seems to begin, 0 first. All photos of the item must be
 * prepared.
 */
export const startsByLooks = (context: ItemsContext, itemId: string): number[] => {
  const itemIds = context.table.pages.guessed(context.account());
  const all = guessedItems(context, itemIds.length > mostAmong ? [itemId] : itemIds);
  const borders = bordersOf(all);
  const photos = all.find(({ item }) => item.item_id === itemId)?.photos ?? [];
  return photos.flatMap(({ photo_id }, at) => {
    const border = borders.get(photo_id);
    return at === 0 || (border !== undefined && begins(border)) ? [at] : [];
  });
};

/** Tells whether a border may be wrong: it is unsure, or the measured gap contradicts the grouping. */
const isDoubtful = (border: Border, isEnd: boolean): boolean =>
  isUnsure(border) || (isEnd ? !begins(border) : begins(border));

const isPreparing = (one: Guessed | undefined): boolean => one?.item.step === 'photos';

/** Returns the gap before a photo. While photos are being prepared too little is known to mark it as unsure. */
const gapOf = (border: Border | undefined, isEnd: boolean, isKnown: boolean): SheetRow['photos'][number]['gap'] =>
  border === undefined ? null : { pauseMs: border.pauseMs, isUnsure: isKnown && isDoubtful(border, isEnd) };

/** Returns the contact sheet: one row for each item whose grouping the person must review. */
export const contactSheet = (context: ItemsContext): ContactSheet => {
  const all = guessedItems(context, context.table.pages.guessed(context.account()));
  const borders = bordersOf(all);
  return {
    rows: all.map(({ item, photos }, nth) => ({
      itemId: item.item_id,
      name: item.name,
      isPreparing: isPreparing(all[nth]),
      photos: photos.map((photo, at) => ({
        photoId: photo.photo_id,
        name: photo.name,
        edits: photo.edits ?? noEdits,
        thumbUrl: photo.thumb_path === null ? null : thumbUrl(photo.photo_id, photo.sha256),
        gap: gapOf(
          borders.get(photo.photo_id),
          at === 0,
          !isPreparing(all[nth]) && (at > 0 || !isPreparing(all[nth - 1])),
        ),
      })),
    })),
  };
};
