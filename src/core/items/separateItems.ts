import { itemStarts } from '../photos/itemStarts.ts';
import { stemOf } from '../photos/byName.ts';
import { makeItemLike, placePhotos, recordChange } from './arrangement.ts';
import type { ItemsContext } from './context.ts';
import type { ItemRow } from '../storage/tables/itemsTable.ts';

/**
 * Splits an item of guessed photos where barcodes or sheets of paper plainly begin new ones; the person can take it back.
 * Not when the person has arranged its photos already. The new items wait for the person's look as this one does.
 */
export const separateItems = (context: ItemsContext, item: ItemRow): void => {
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
