import { randomUUID } from 'node:crypto';
import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { person } from '../../base/request.ts';
import { findDiskProblem, createProblem } from '../../base/problem.ts';
import type { NewPhoto, PhotoRow } from '../../storage/tables/itemsTable.ts';
import { createItemLike } from '../arranging/arrangementActions.ts';
import { discardNewPhotos, listNewPhotoIds } from './newPhotos.ts';
import { isRunningChange, isUnsettledChange } from '../../storage/tables/photos/photoChangesTable.ts';
import type { PhotoChangesContext } from './photoChanges.ts';

type CopiedPhoto = NewPhoto & { edits: PhotoRow['edits'] };

/**
 * Copies of originals are deleted once their listing is written, so the prepared photo takes their place. It already
 * contains the edits.
 */
const copyPhoto = async (copiesDir: string, photo: PhotoRow): Promise<CopiedPhoto> => {
  const { name, source, root, path, edits } = photo;
  const photoId = `ph_${randomUUID()}`;
  if (photo.owned === 0) return { photoId, name, source, root, owned: false, edits };
  const copy = join(copiesDir, randomUUID());
  await mkdir(copiesDir, { recursive: true });
  await copyFile(path ?? source, copy).catch((error: unknown) => {
    throw findDiskProblem(error) ?? createProblem('NOT_FOUND.photo');
  });
  return { photoId, name, source: copy, root: null, owned: true, edits: path === null ? edits : null };
};

/**
 * Creates an item from the new photos of a change that the service has not accepted. The new item waits for the person,
 * because its listing uses another listing of the allowance. Returns its id.
 */
export const createItemFromWishedPhotos = async (
  { context, reads, runner }: PhotoChangesContext,
  itemId: string,
): Promise<string> => {
  const { table, copiesDir } = context;
  const item = reads.need(itemId);
  const change = table.photoChanges.read(itemId);
  if (change === null || isRunningChange(change)) throw createProblem('PHOTOS_UPLOADING');
  const photos = change.wished.flatMap((photoId) => table.photo(photoId) ?? []);
  const copies = await Promise.all(photos.map((photo) => copyPhoto(copiesDir, photo)));
  const madeId = table.atomically(() => {
    const made = createItemLike(context, { ...item, by: person, review_reason: 'requested' }, item.name);
    table.addPhotos(
      made,
      copies.map(({ edits: _edits, ...photo }) => photo),
    );
    for (const { photoId, edits } of copies) if (edits !== null) table.changePhoto(photoId, { edits });
    // An unsettled change stays, because the listing might show other photos than its item.
    if (!isUnsettledChange(change)) table.photoChanges.remove(itemId);
    return made;
  });
  if (!isUnsettledChange(change)) await discardNewPhotos(context, listNewPhotoIds(change));
  runner.start(madeId);
  context.notifyItemChanged(itemId);
  context.notifyItemChanged(madeId);
  return madeId;
};
