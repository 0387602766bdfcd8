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

/** As they were photographed: by time, and behind those the ones that say no time, by the names of their files. */
const asTaken = (one: Guessed, other: Guessed): number => {
  const [a, b] = [one.photos[0], other.photos[0]];
  const [from, to] = [a?.taken_at ?? Infinity, b?.taken_at ?? Infinity];
  return from === to ? compareNaturally(a?.name ?? '', b?.name ?? '') : from - to;
};

/** Among more items than these, one is judged by itself: each that is prepared would have all others looked at again. */
const mostAmong = 200;

/** The items that were put together by a guess and can still be arranged, in the order of their shots. */
const guessedItems = ({ table }: ItemsContext, itemIds: readonly string[]): Guessed[] =>
  itemIds
    .flatMap((itemId): Guessed[] => {
      const item = table.read(itemId);
      const photos = table.photos(itemId);
      return item && photos.length > 0 && isArrangeable(item, photos) ? [{ item, photos }] : [];
    })
    .toSorted(asTaken);

/** Each photo's border to the one before it, over all items: what is usual is seen only among all. */
const bordersOf = (all: readonly Guessed[]): Map<string, Border> => {
  const photos = all.flatMap((one) => one.photos);
  const borders = findBorders(photos.map(factsOf));
  return new Map(borders.flatMap((border, before) => [[photos[before + 1]?.photo_id ?? '', border] as const]));
};

/** Where other items begin inside of a guessed one, by its photos, all of which are prepared: indexes of its photos, 0 first. */
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

/** Whether others would have drawn the border elsewhere: a gap inside of an item looks like an end, or the other way round. */
const isDoubtful = (border: Border, isEnd: boolean): boolean =>
  isUnsure(border) || (isEnd ? !begins(border) : begins(border));

const isPreparing = (one: Guessed | undefined): boolean => one?.item.step === 'photos';

/** The gap before a photo. Of photos that are still being looked at too little is known to call it worth a look. */
const gapOf = (border: Border | undefined, isEnd: boolean, isKnown: boolean): SheetRow['photos'][number]['gap'] =>
  border === undefined ? null : { pauseMs: border.pauseMs, isUnsure: isKnown && isDoubtful(border, isEnd) };

/** All that waits for the person's look at how it was put together, on one sheet: a row an item. */
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
