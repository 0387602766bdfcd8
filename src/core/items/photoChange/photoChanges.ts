import { randomUUID } from 'node:crypto';
import { publishFailpointsAround } from '../../base/failpoints.ts';
import { createProblem, Problem } from '../../base/problem.ts';
import { createMessage } from '../../../i18n/message.ts';
import { formatEnglishText } from '../../../i18n/english.ts';
import type { ItemView } from '../../storage/tables/itemRecord.ts';
import type { ItemRow, NewPhoto } from '../../storage/tables/itemsTable.ts';
import {
  isRunningChange,
  isUnsettledChange,
  type PhotoChangeRow,
} from '../../storage/tables/photos/photoChangesTable.ts';
import type { ItemsContext } from '../itemsContext.ts';
import type { ItemRunner } from '../itemRunner.ts';
import { canChangeListingPhotos, type ItemReader } from '../itemView.ts';
import { isLabelPhoto } from '../../shelf/labelPhotos.ts';
import { discardNewPhotos, listNewPhotoIds } from './newPhotos.ts';
import type { PhotoChangeRunner } from './photoChangeRunner.ts';

export type PhotoChangesContext = {
  context: ItemsContext;
  reads: Pick<ItemReader, 'need' | 'view'>;
  photoRunner: PhotoChangeRunner;
  runner: Pick<ItemRunner, 'start'>;
};

const readView = ({ reads }: PhotoChangesContext, itemId: string): ItemView => reads.view(reads.need(itemId));

const requireChangeableItem = ({ context, reads }: PhotoChangesContext, itemId: string): ItemRow => {
  const item = reads.need(itemId);
  if (!canChangeListingPhotos(item, context.table.photos(itemId))) throw createProblem('TOO_LATE.listingPhotos');
  return item;
};

const requireNoRunningChange = ({ context }: PhotoChangesContext, itemId: string): PhotoChangeRow | null => {
  const change = context.table.photoChanges.read(itemId);
  if (isRunningChange(change)) throw createProblem('PHOTOS_UPLOADING');
  return change;
};

const requireChange = ({ context }: PhotoChangesContext, itemId: string): PhotoChangeRow => {
  const change = context.table.photoChanges.read(itemId);
  if (change === null) throw createProblem('TOO_LATE.listingPhotos');
  return change;
};

/** Returns the draft of an item. Creates it from the photos that the listing has, if the item has none. */
const openDraft = (parts: PhotoChangesContext, itemId: string): PhotoChangeRow => {
  const { table } = parts.context;
  const item = requireChangeableItem(parts, itemId);
  const change = requireNoRunningChange(parts, itemId);
  // The item must not show photos that the listing might not have.
  if (isUnsettledChange(change)) throw createProblem('PHOTOS_UPLOADING');
  if (change?.stage === 'draft') return change;
  const before = table.photos(itemId).flatMap(({ photo_id: id, state }) => (state === 'ready' ? [id] : []));
  // The new photos of a change that the service has not accepted stay in the draft.
  const wished = change !== null && change.stage !== 'taken' ? change.wished : before;
  const { account, listing_id: listingId } = item;
  table.photoChanges.draft({ item_id: itemId, account, listing_id: listingId ?? '', before, wished });
  return requireChange(parts, itemId);
};

const orderWishedPhotos = (parts: PhotoChangesContext, itemId: string, photoIds: readonly string[]): ItemView => {
  const { context } = parts;
  const { wished } = openDraft(parts, itemId);
  const named = photoIds.filter((photoId) => wished.includes(photoId));
  context.table.photoChanges.change(itemId, { wished: [...new Set([...named, ...wished])] });
  context.notifyItemChanged(itemId);
  return readView(parts, itemId);
};

export type ReplacementPhoto = Omit<NewPhoto, 'photoId'>;

const prepareInBackground = ({ context }: PhotoChangesContext, photoId: string, itemId: string): void => {
  const { preparing, log, notifyItemChanged } = context;
  preparing
    .photo(photoId, new AbortController().signal)
    .catch(() => log('warn', 'a new photo of a listing could not be prepared yet'))
    .finally(() => notifyItemChanged(itemId));
};

/** The new photo is stored among the removed photos until the listing shows it. */
const replaceWishedPhoto = async (
  parts: PhotoChangesContext,
  itemId: string,
  photoId: string,
  photo: ReplacementPhoto,
): Promise<ItemView> => {
  const { context } = parts;
  const { table, clock } = context;
  const { wished, before } = openDraft(parts, itemId);
  if (!wished.includes(photoId)) throw createProblem('NOT_FOUND.photo');
  const newId = `ph_${randomUUID()}`;
  table.atomically(() => {
    table.addPhotos(itemId, [{ ...photo, photoId: newId }]);
    table.changePhoto(newId, { removed_at: clock.now() });
    table.photoChanges.change(itemId, { wished: wished.map((id) => (id === photoId ? newId : id)) });
  });
  if (!before.includes(photoId)) await discardNewPhotos(context, [photoId]);
  prepareInBackground(parts, newId, itemId);
  context.notifyItemChanged(itemId);
  return readView(parts, itemId);
};

/** A label is private, so it is refused like a photo that cannot be used. */
const refuseUnusablePhotos = ({ table }: ItemsContext, { wished }: PhotoChangeRow): void => {
  for (const photoId of wished) {
    const photo = table.photo(photoId);
    if (photo?.state === 'aside' && isLabelPhoto(photo))
      throw new Problem('PHOTO_REFUSED', formatEnglishText('aside.label'), { says: createMessage('aside.label') });
    if (photo?.state !== 'refused') continue;
    throw new Problem('PHOTO_REFUSED', photo.sentence ?? formatEnglishText('problems.PHOTO_REFUSED'), {
      says: photo.code === null ? createMessage('problems.PHOTO_REFUSED') : { key: `refusals.${photo.code}` },
    });
  }
};

/**
 * Stores that the change runs, and drops the prompts about the listing. From then on, no approval of the listing is
 * requested or sent. Throws BEING_DECIDED while an approval of the listing is being sent.
 */
const startPhotoChange = async (
  parts: PhotoChangesContext,
  { item_id: itemId, listing_id: listingId, stage }: PhotoChangeRow,
  changes: Partial<PhotoChangeRow>,
): Promise<ItemView> => {
  const { context, photoRunner } = parts;
  const { table, clock, photoUploads, pacing } = context;
  photoUploads.close(listingId);
  if (photoUploads.inFlight(listingId)) throw createProblem('PHOTOS_UPLOADING', { retryAfterS: 5 });
  await context.runListingWrite(listingId, async () => {
    // The person might have cancelled or started the change during the wait.
    if (table.photoChanges.read(itemId)?.stage !== stage) throw createProblem('PHOTOS_UPLOADING');
    publishFailpointsAround(`photo change ${changes.stage}`);
    table.atomically(() => {
      table.photoChanges.change(itemId, { problem: null, ...changes });
      table.change(itemId, { checked_at: null }, clock.now());
    });
    context.dropPrompts(listingId);
  });
  pacing.hurry();
  photoRunner.start(itemId);
  context.notifyItemChanged(itemId);
  return readView(parts, itemId);
};

const sendWishedPhotos = async (parts: PhotoChangesContext, itemId: string): Promise<ItemView> => {
  requireChangeableItem(parts, itemId);
  requireNoRunningChange(parts, itemId);
  const change = requireChange(parts, itemId);
  refuseUnusablePhotos(parts.context, change);
  return startPhotoChange(parts, change, { stage: 'preparing', rounds: 0, cancelled: 0, baseline: [], shown: [] });
};

const retryPhotoChange = async (parts: PhotoChangesContext, itemId: string): Promise<ItemView> => {
  requireChangeableItem(parts, itemId);
  requireNoRunningChange(parts, itemId);
  const change = requireChange(parts, itemId);
  return startPhotoChange(parts, change, { stage: 'checking', rounds: Math.min(1, change.rounds) });
};

const forgetPhotoChange = async (parts: PhotoChangesContext, change: PhotoChangeRow): Promise<ItemView> => {
  const { context } = parts;
  context.table.photoChanges.remove(change.item_id);
  if (change.stage !== 'taken') await discardNewPhotos(context, listNewPhotoIds(change));
  context.notifyItemChanged(change.item_id);
  return readView(parts, change.item_id);
};

/** Forgets a draft, or a change that has ended. */
const closePhotoChange = async (parts: PhotoChangesContext, itemId: string): Promise<ItemView> => {
  const change = requireNoRunningChange(parts, itemId);
  if (isUnsettledChange(change)) throw createProblem('PHOTOS_UPLOADING');
  return change === null ? readView(parts, itemId) : forgetPhotoChange(parts, change);
};

/**
 * Cancels a change. If photos were already sent, the former photos are sent again. A change that has ended by now keeps
 * its result.
 */
const cancelPhotoChange = async (parts: PhotoChangesContext, itemId: string): Promise<ItemView> => {
  const { context, photoRunner, reads } = parts;
  reads.need(itemId);
  await photoRunner.halt(itemId);
  const change = context.table.photoChanges.read(itemId);
  if (isUnsettledChange(change)) return restoreFormerPhotos(parts, itemId);
  if (change === null || !isRunningChange(change)) return readView(parts, itemId);
  if (change.rounds === 0 && change.cancelled === 0) return forgetPhotoChange(parts, change);
  if (change.cancelled === 0)
    context.table.photoChanges.change(itemId, { stage: 'checking', cancelled: 1, rounds: 0, problem: null });
  photoRunner.start(itemId);
  context.notifyItemChanged(itemId);
  return readView(parts, itemId);
};

/** Sends the former photos again, after the service has accepted only some of the new ones. */
const restoreFormerPhotos = async (parts: PhotoChangesContext, itemId: string): Promise<ItemView> => {
  requireChangeableItem(parts, itemId);
  requireNoRunningChange(parts, itemId);
  const change = requireChange(parts, itemId);
  return startPhotoChange(parts, change, { stage: 'checking', cancelled: 1, rounds: 0 });
};

/**
 * Creates the functions with which the person changes the photos of a listing in review. Each returns the item. They
 * throw TOO_LATE if the photos can no longer be changed.
 */
export const createPhotoChanges = (parts: PhotoChangesContext) => ({
  /** Sets the new order. Nothing is sent. */
  order: (itemId: string, photoIds: readonly string[]) => orderWishedPhotos(parts, itemId, photoIds),
  /** Puts a new photo in the place of a photo. Nothing is sent. */
  replace: (itemId: string, photoId: string, photo: ReplacementPhoto) =>
    replaceWishedPhoto(parts, itemId, photoId, photo),
  send: (itemId: string) => sendWishedPhotos(parts, itemId),
  /** Reads the photos of the listing again, and sends those that it does not show. */
  retry: (itemId: string) => retryPhotoChange(parts, itemId),
  cancel: (itemId: string) => cancelPhotoChange(parts, itemId),
  close: (itemId: string) => closePhotoChange(parts, itemId),
  restore: (itemId: string) => restoreFormerPhotos(parts, itemId),
});
