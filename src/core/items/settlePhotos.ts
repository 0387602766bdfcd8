import { choosePhotos } from './choosePhotos.ts';
import type { ItemsContext } from './context.ts';
import type { PhotoRow } from '../storage/tables/itemsTable.ts';

const isPrepared = (photo: PhotoRow): boolean => photo.state === 'ready' || photo.state === 'aside';

/** Decides anew which prepared photos of an item go to the listing, and writes down what changed. Answers those that go, in order. */
export const settlePhotos = ({ table }: Pick<ItemsContext, 'table'>, itemId: string, cap: number): PhotoRow[] => {
  const prepared = table.photos(itemId).filter(isPrepared);
  const chosen = choosePhotos(prepared, cap);
  const changed = prepared.flatMap((photo) => {
    const choice = chosen.get(photo.photo_id);
    const same = choice?.state === photo.state && choice.aside === photo.aside && choice.sentence === photo.sentence;
    return choice && !(same && choice.duplicate_of === photo.duplicate_of) ? [{ photo, choice }] : [];
  });
  if (changed.length > 0)
    table.atomically(() => changed.forEach(({ photo, choice }) => table.changePhoto(photo.photo_id, choice)));
  return prepared.filter((photo) => chosen.get(photo.photo_id)?.state === 'ready');
};
