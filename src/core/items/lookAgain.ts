import { limits } from '../../contract/index.ts';
import type { ItemsContext } from './context.ts';
import type { PhotoRow } from '../storage/tables/itemsTable.ts';

/** Shrunk photos lose small barcodes; what was not shrunk has been read in full already. */
const wasShrunk = (photo: PhotoRow, longEdgePx: number): boolean =>
  Math.max(photo.width ?? 0, photo.height ?? 0) >= longEdgePx;

/**
 * Looks for barcodes on the originals of an item on whose prepared photos there are none, one photo after the other until
 * one is found. Goes on behind everything else, and gives up without a word: the item does not wait for it.
 */
export const lookAgain = async (context: ItemsContext, itemId: string, signal: AbortSignal): Promise<void> => {
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
