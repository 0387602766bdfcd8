import type { ItemView } from '../core/storage/tables/itemRecord.ts';

/** An item as its assistant sees it: where it stands, in words and as data. `stop` says why it stands still. */
export type ItemRecord = {
  itemId: string;
  name: string;
  step: string;
  words: string;
  listingId: string | null;
  progress: { done: number; total: number } | null;
  stop: { code: string; error: string } | null;
  photos: { name: string; state: string; error: string | null }[];
  note: string;
  quantity: number;
};

/** An item without what is only the window's, such as thumbnails and edits. */
export const itemRecord = (item: ItemView): ItemRecord => ({
  itemId: item.itemId,
  name: item.name,
  step: item.step,
  words: item.words,
  listingId: item.listingId,
  progress: item.progress && { done: item.progress.done, total: item.progress.total },
  stop: item.stop && { code: item.stop.code, error: item.stop.sentence },
  photos: item.photos.map(({ name, state, sentence }) => ({ name, state, error: sentence })),
  note: item.note,
  quantity: item.quantity,
});
