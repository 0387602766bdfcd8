import { mapConcurrently } from '../base/semaphore.ts';
import { readFile } from 'node:fs/promises';
import { discardFile, removeFile } from '../../disk/changeFiles.ts';
import { limits } from '../../contract/index.ts';
import { sha256 } from '../photos/keepPrepared.ts';
import { diskProblem, problem } from '../base/problem.ts';
import { troubleOf } from './itemState.ts';
import { type ItemsContext, type RunStep, advance, listingIdOf, request } from './itemsContext.ts';
import type { ItemRow, PhotoRow } from '../storage/tables/itemsTable.ts';
import { settlePhotos } from './choosePhotos.ts';

/** Rounds in a row in which the service may say no to every photo. */
const roundsInVain = 3;
const uploadsAtOnce = 3;
/** A slot that is nearly over is not used: a photo takes its time, too. */
const slotStandsMs = limits.uploadWindowMs - 2 * 60_000;
/** Bytes that leave are told at most this often. */
const tellEveryMs = 250;

/** Upload: slots are kept with the time they were given; a slot that is over is asked for anew, a photo that is there is not sent again. */
export const uploadStep: RunStep = async (context, item, signal) => {
  const chosen = settlePhotos(context, item.item_id, (await context.photoCapNow(signal)) - item.photos_from);
  const order = new Map(chosen.map((photo, index) => [photo.photo_id, item.photos_from + index]));
  const missing = (): PhotoRow[] =>
    context.table
      .photos(item.item_id)
      .filter((photo) => photo.state !== 'waiting' && order.has(photo.photo_id) && photo.uploaded_at === null);
  for (let inVain = 0, left = missing(); left.length > 0;) {
    await requestSlots(context, item, { missing: left, order }, signal);
    const failed = await putAll(context, item, left, signal);
    const before = left.length;
    left = missing();
    inVain = left.length < before ? 0 : inVain + 1;
    if (failed === null) continue;
    // What passes by itself is waited for where the person sees it. Against a no, another slot may help.
    if (troubleOf(failed) !== null || inVain >= roundsInVain) throw failed;
    await context.clock.sleep(context.pacing.draw('uploadRound') * (inVain + 1), signal);
  }
  // A prepared file that is gone or damaged is made again first.
  if (context.table.photos(item.item_id).some((photo) => photo.state === 'waiting'))
    return advance(context, item, 'photos');
  advance(context, item, 'line');
};

const slotOf = ({ photo_id: id }: PhotoRow): string => `slot of ${id}`;

const standsStill = (context: ItemsContext, photo: PhotoRow): boolean =>
  photo.slot !== null && context.ages.ageMs(slotOf(photo), photo.slot_at ?? 0) <= slotStandsMs;

const requestSlots = async (
  context: ItemsContext,
  item: ItemRow,
  { missing, order }: { missing: PhotoRow[]; order: Map<string, number> },
  signal: AbortSignal,
): Promise<void> => {
  const without = missing.filter((photo) => !standsStill(context, photo));
  if (without.length === 0) return;
  const files = without.map((photo) => ({ contentType: typeOf(photo), index: order.get(photo.photo_id) ?? 0 }));
  const asked = context.clock.now();
  const slots = await request(
    context,
    item,
    { route: 'requestUploads', input: { body: { listingId: listingIdOf(item), files } } },
    signal,
  );
  context.table.noteTogether(() => {
    for (const [index, photo] of without.entries()) {
      const slot = slots[index];
      if (!slot) throw problem('UPLOAD_SLOTS');
      context.table.changePhoto(photo.photo_id, { slot, slot_at: asked });
      context.ages.note(slotOf(photo));
    }
  });
};

const typeOf = (photo: PhotoRow) => limits.photoTypes.find((type) => type === photo.content_type) ?? 'image/jpeg';

/**
 * Puts the photos, a few at a time; answers the last failure. After one that passes by itself no further photo is begun,
 * and the slots stand: the same bytes to the same place are one photo, wherever an answer was lost. A slot that was
 * refused is given up.
 */
const putAll = async (
  context: ItemsContext,
  item: ItemRow,
  missing: PhotoRow[],
  signal: AbortSignal,
): Promise<Error | null> => {
  const { pacing, gate } = context;
  let failure: Error | null = null;
  let mayBegin = true;
  await mapConcurrently(missing, uploadsAtOnce, async ({ photo_id: id }) => {
    if (!mayBegin) return;
    const put = () => putOne(context, listingIdOf(item), id, signal);
    try {
      await pacing.storage.runUnattended('put', put, signal, gate.pass);
    } catch (error) {
      signal.throwIfAborted();
      if (error === notSent) return;
      if (troubleOf(error) !== null) mayBegin = false;
      else context.table.notePhoto(id, { slot: null, slot_at: null });
      failure = error instanceof Error ? error : new Error('A photo could not be put.');
    } finally {
      context.sending.delete(id);
    }
    context.touched(item.item_id);
  });
  return failure;
};

/** Nothing has left, so nothing is known of the place that photos are put to. */
const notSent = new Error('The photo is not sent now.');

/** The bytes of a prepared photo; null when they are gone. Throws where the machine cannot open files now. */
const readPrepared = (path: string): Promise<Buffer | null> =>
  readFile(path).catch((error: unknown) => {
    const passing = diskProblem(error);
    if (passing) throw passing;
    return null;
  });

/** Sends exactly the bytes that were prepared; what is no longer them goes back to be prepared. */
const putOne = async (
  context: ItemsContext,
  listingId: string,
  photoId: string,
  signal: AbortSignal,
): Promise<void> => {
  const { table, clock, sending, photoUploads } = context;
  const photo = table.photo(photoId);
  // A slot that ran out while it waited is asked for anew in the next round.
  if (!photo || !standsStill(context, photo)) throw notSent;
  const bytes = photo.path === null ? null : await readPrepared(photo.path);
  if (!photo.slot || !bytes || (photo.sha256 !== null && sha256(bytes) !== photo.sha256)) {
    if (photo.path !== null) await removeFile(photo.path);
    table.notePhoto(photo.photo_id, { state: 'waiting', slot: null, slot_at: null });
    throw notSent;
  }
  let toldAt = clock.elapsedMs();
  const sent = (count: number): void => {
    sending.set(photo.photo_id, count);
    if (clock.elapsedMs() - toldAt < tellEveryMs) return;
    toldAt = clock.elapsedMs();
    context.touched(photo.item_id);
  };
  const { slot } = photo;
  const upload = {
    listingId,
    slot,
    bytes,
    contentType: typeOf(photo),
    sent,
    breaksOff: true,
    unattended: true,
  } as const;
  await photoUploads.put(upload, signal);
  // Forgotten in a power cut, it is sent again, which is harmless.
  table.notePhoto(photo.photo_id, { uploaded_at: clock.now() });
};

/** The companion's own copies of the originals are no longer needed; the person's files are never touched. */
export const dropCopies = async ({ table }: ItemsContext, { item_id }: ItemRow): Promise<void> => {
  const all = [...table.photos(item_id), ...table.removedPhotos(item_id)];
  await Promise.all(all.filter((photo) => photo.owned === 1).map((photo) => discardFile(photo.source)));
};
