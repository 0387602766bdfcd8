import type { RunStep } from './context.ts';
import { lookAgain } from './lookAgain.ts';
import { separateItems } from './separateItems.ts';
import { settlePhotos } from './settlePhotos.ts';
import { advance } from './stepParts.ts';
import { stopFor } from './itemErrors.ts';

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
