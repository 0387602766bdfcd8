import { itemStarts } from '../photos/copies.ts';
import { stemOf } from '../photos/groupFiles.ts';
import { makeItemLike, placePhotos, recordChange } from './arranging.ts';
import type { ItemsContext, RunStep } from './context.ts';
import type { ItemRow, PhotoRow } from '../storage/tables/itemsTable.ts';
import { limits } from '../../contract/index.ts';
import { settlePhotos } from './choosePhotos.ts';
import { advance } from './stepParts.ts';
import { stopFor } from './itemErrors.ts';

/**
 * Splits an item of guessed photos where barcodes or sheets of paper plainly begin new ones; the person can take it back.
 * Not when the person has arranged its photos already. The new items wait for the person's look as this one does.
 */
const separateItems = (context: ItemsContext, item: ItemRow): void => {
  const { table } = context;
  if (item.guessed !== 1) return;
  const photos = table.photos(item.item_id);
  const starts = itemStarts(photos.map(({ barcodes, sheet }) => ({ barcodes, sheet: sheet === 1 })));
  if (starts.length < 2) return;
  recordChange(context, 'splitAtMarks', [item.item_id], () =>
    starts.slice(1).map((from, index) => {
      const part = photos.slice(from, starts[index + 2]);
      const made = makeItemLike(context, item, stemOf(part[0]?.name ?? item.name));
      placePhotos(context, made, part);
      table.change(made, { step: 'arranging' }, context.clock.now());
      context.touched(made);
      return made;
    }),
  );
};

/** Shrunk photos lose small barcodes; what was not shrunk has been read in full already. */
const wasShrunk = (photo: PhotoRow, longEdgePx: number): boolean =>
  Math.max(photo.width ?? 0, photo.height ?? 0) >= longEdgePx;

/**
 * Looks for barcodes on the originals of an item on whose prepared photos there are none, one photo after the other until
 * one is found. Goes on behind everything else, and gives up without a word: the item does not wait for it.
 */
const lookAgain = async (context: ItemsContext, itemId: string, signal: AbortSignal): Promise<void> => {
  const { table, workers } = context;
  const photos = table.photos(itemId).filter((photo) => photo.state === 'ready');
  if (photos.some(({ barcodes }) => barcodes.length > 0)) return;
  const { longEdgePx } = context.settings();
  for (const { photo_id, source, root } of photos
    .filter((photo) => wasShrunk(photo, longEdgePx))
    .slice(0, limits.photosPerListing)) {
    const barcodes = await workers.readBarcodes({ source, root }, signal).catch(() => null);
    if (barcodes === null) return;
    const now = table.photo(photo_id);
    if (barcodes.length === 0 || !now) continue;
    table.changePhoto(photo_id, { barcodes });
    return context.touched(now.item_id);
  }
};

/**
 * Photos: all are prepared, each stored as soon as it is there. The person may arrange them meanwhile, so the photos are
 * looked at anew until none is left to prepare. What was put together by a guess then waits for the person's look.
 */
export const photosStep: RunStep = async (context, item, signal) => {
  const { table } = context;
  const itemId = item.item_id;
  for (;;) {
    const waiting = table.photos(itemId).filter((photo) => photo.state === 'waiting');
    if (waiting.length === 0) break;
    await Promise.all(waiting.map((photo) => context.preparing.photo(photo.photo_id, signal)));
  }
  const now = table.read(itemId);
  if (now?.step !== 'photos') return;
  settlePhotos(context, itemId, context.photoCap());
  if (!table.photos(itemId).some((photo) => photo.state === 'ready')) throw stopFor('NO_PHOTOS');
  separateItems(context, now);
  lookAgain(context, itemId, signal).catch(() => context.log('warn', 'a barcode could not be kept'));
  advance(context, item, now.guessed === 0 ? 'draft' : 'arranging');
};
