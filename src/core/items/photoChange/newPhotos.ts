import { discardFile } from '../../../disk/changeFiles.ts';
import type { PhotoChangeRow } from '../../storage/tables/photos/photoChangesTable.ts';
import type { ItemsContext } from '../itemsContext.ts';

/** Returns the photos that the listing did not have before. */
export const listNewPhotoIds = ({ before, wished }: PhotoChangeRow): string[] =>
  wished.filter((photoId) => !before.includes(photoId));

/** Removes photos that the listing did not get. Deletes copies of the originals but never the person's own files. */
export const discardNewPhotos = async (
  { table }: Pick<ItemsContext, 'table'>,
  photoIds: readonly string[],
): Promise<void> => {
  const owned = photoIds.flatMap((photoId) => {
    const photo = table.photo(photoId);
    return photo?.owned === 1 ? [photo.source] : [];
  });
  table.atomically(() => photoIds.forEach(table.removePhoto));
  await Promise.all(owned.map((source) => discardFile(source)));
};
