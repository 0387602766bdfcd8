import { mapConcurrently } from '../base/semaphore.ts';
import { readFile } from 'node:fs/promises';
import { discardFile, removeFile } from '../../disk/changeFiles.ts';
import { limits } from '../../contract/index.ts';
import { hashSha256 } from '../photos/preparedPhotos.ts';
import { findDiskProblem, createProblem } from '../base/problem.ts';
import { findItemTrouble } from './itemState.ts';
import { type ItemsContext, type RunStep, advanceItemStep, requireListingId, sendItemRequest } from './itemsContext.ts';
import type { ItemRow, PhotoRow } from '../storage/tables/itemsTable.ts';
import { storeChosenPhotosInSlices } from './choosePhotos.ts';

const maxFailedRounds = 3;
const maxParallelUploads = 3;
/** An upload takes time, so a slot is not used shortly before it expires. */
const slotUsableMs = limits.uploadWindowMs - 2 * 60_000;
const progressIntervalMs = 250;

/** `order` has the index of each photo in the listing. `listMissing` returns the photos that must still be uploaded. */
type UploadPlan = { order: ReadonlyMap<string, number>; listMissing: () => PhotoRow[] };

/**
 * Uploads photos of a listing. Slots and uploaded photos are stored, so that after a restart only missing photos are
 * uploaded. If a prepared file is missing or damaged, its photo is marked as waiting and not uploaded.
 */
export const uploadListingPhotos = async (
  context: ItemsContext,
  item: ItemRow,
  { order, listMissing }: UploadPlan,
  signal: AbortSignal,
): Promise<void> => {
  for (let inVain = 0, left = listMissing(); left.length > 0;) {
    await requestMissingSlots(context, item, { missing: left, order }, signal);
    const failed = await uploadMissingPhotos(context, item, left, signal);
    const before = left.length;
    left = listMissing();
    inVain = left.length < before ? 0 : inVain + 1;
    if (failed === null) continue;
    // The runner retries transient errors and shows them to the person. After a refusal, another slot might work.
    if (findItemTrouble(failed) !== null || inVain >= maxFailedRounds) throw failed;
    await context.clock.sleep(context.pacing.getRandomDelayMs('uploadRound') * (inVain + 1), signal);
  }
};

export const runUploadStep: RunStep = async (context, item, signal) => {
  const cap = (await context.readPhotoCap(signal)) - item.photos_from;
  const chosen = await storeChosenPhotosInSlices(context, item.item_id, cap);
  signal.throwIfAborted();
  const order = new Map(chosen.map((photo, index) => [photo.photo_id, item.photos_from + index]));
  const listMissing = (): PhotoRow[] =>
    context.table
      .photos(item.item_id)
      .filter((photo) => photo.state !== 'waiting' && order.has(photo.photo_id) && photo.uploaded_at === null);
  await uploadListingPhotos(context, item, { order, listMissing }, signal);
  // A prepared file that is missing or damaged must be prepared again.
  if (context.table.photos(item.item_id).some((photo) => photo.state === 'waiting'))
    return advanceItemStep(context, item, 'photos');
  advanceItemStep(context, item, 'line');
};

const getSlotTimeKey = ({ photo_id: id }: PhotoRow): string => `slot of ${id}`;

const isSlotUsable = (context: ItemsContext, photo: PhotoRow): boolean =>
  photo.slot !== null && context.ages.ageMs(getSlotTimeKey(photo), photo.slot_at ?? 0) <= slotUsableMs;

const requestMissingSlots = async (
  context: ItemsContext,
  item: ItemRow,
  { missing, order }: { missing: PhotoRow[]; order: ReadonlyMap<string, number> },
  signal: AbortSignal,
): Promise<void> => {
  const without = missing.filter((photo) => !isSlotUsable(context, photo));
  if (without.length === 0) return;
  const files = without.map((photo) => ({
    contentType: getUploadContentType(photo),
    index: order.get(photo.photo_id) ?? 0,
  }));
  const asked = context.clock.now();
  const slots = await sendItemRequest(
    context,
    item,
    { route: 'requestUploads', input: { body: { listingId: requireListingId(item), files } } },
    signal,
  );
  context.table.noteTogether(() => {
    for (const [index, photo] of without.entries()) {
      const slot = slots[index];
      if (!slot) throw createProblem('UPLOAD_SLOTS');
      context.table.changePhoto(photo.photo_id, { slot, slot_at: asked });
      context.ages.note(getSlotTimeKey(photo));
    }
  });
};

const getUploadContentType = (photo: PhotoRow) =>
  limits.photoTypes.find((type) => type === photo.content_type) ?? 'image/jpeg';

/**
 * Uploads the photos. Returns the last error, or null. After a transient error, no other upload starts, and the slots
 * are kept, because an upload to a slot is idempotent.
 */
const uploadMissingPhotos = async (
  context: ItemsContext,
  item: ItemRow,
  missing: PhotoRow[],
  signal: AbortSignal,
): Promise<Error | null> => {
  const { pacing, gate } = context;
  let failure: Error | null = null;
  let mayBegin = true;
  await mapConcurrently(missing, maxParallelUploads, async ({ photo_id: id }) => {
    if (!mayBegin) return;
    const uploadInTurn = () => uploadPreparedPhoto(context, item, id, signal);
    try {
      await pacing.storage.runUnattended('put', uploadInTurn, signal, gate.waitWhilePaused);
    } catch (error) {
      signal.throwIfAborted();
      if (error === photoNotSent) return;
      if (findItemTrouble(error) !== null) mayBegin = false;
      else context.table.notePhoto(id, { slot: null, slot_at: null });
      failure = error instanceof Error ? error : new Error('A photo could not be put.');
    } finally {
      context.sentBytes.delete(id);
    }
    context.notifyItemChanged(item.item_id);
  });
  return failure;
};

/** Thrown if no byte has been sent. The upload then does not count as failed. */
const photoNotSent = new Error('The photo is not sent now.');

const readPreparedBytes = (path: string): Promise<Buffer | null> =>
  readFile(path).catch((error: unknown) => {
    const passing = findDiskProblem(error);
    if (passing) throw passing;
    return null;
  });

const uploadPreparedPhoto = async (
  context: ItemsContext,
  item: ItemRow,
  photoId: string,
  signal: AbortSignal,
): Promise<void> => {
  const { table, clock, sentBytes, photoUploads } = context;
  const photo = table.photo(photoId);
  // The slot can expire while the upload waits. The next round then requests another slot.
  if (!photo || !isSlotUsable(context, photo)) throw photoNotSent;
  const bytes = photo.path === null ? null : await readPreparedBytes(photo.path);
  if (!photo.slot || !bytes || (photo.sha256 !== null && hashSha256(bytes) !== photo.sha256)) {
    if (photo.path !== null) await removeFile(photo.path);
    table.notePhoto(photo.photo_id, { state: 'waiting', slot: null, slot_at: null });
    throw photoNotSent;
  }
  let toldAt = clock.elapsedMs();
  const sent = (count: number): void => {
    sentBytes.set(photo.photo_id, count);
    if (clock.elapsedMs() - toldAt < progressIntervalMs) return;
    toldAt = clock.elapsedMs();
    context.notifyItemChanged(photo.item_id);
  };
  const { slot } = photo;
  // A listing in review could show a photo whose upload was aborted too late.
  const isDraft = item.step === 'upload';
  const upload = {
    listingId: requireListingId(item),
    slot,
    bytes,
    contentType: getUploadContentType(photo),
    sent,
    ...(isDraft && { mayAbort: true as const }),
    unattended: true as const,
  };
  await photoUploads.put(upload, signal);
  // If a power cut loses this row, the photo is uploaded again, which is harmless.
  table.notePhoto(photo.photo_id, { uploaded_at: clock.now() });
};

/** Deletes the companion's copies of the originals. It never deletes the person's own files. */
export const deleteOwnedCopies = async ({ table }: ItemsContext, { item_id }: ItemRow): Promise<void> => {
  const all = [...table.photos(item_id), ...table.removedPhotos(item_id)];
  await Promise.all(all.filter((photo) => photo.owned === 1).map((photo) => discardFile(photo.source)));
};
