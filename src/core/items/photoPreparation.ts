import { getAbortReason } from '../base/raceWithAbort.ts';
import { isUnreadableNow } from '../../photoContract/refusals.ts';
import type { RefusalCode } from '../../photoContract/refusedPhoto.ts';
import type { PhotoWorkers } from '../photos/photoWorkers.ts';
import { createProblem } from '../base/problem.ts';
import type { Gate } from '../base/gate.ts';
import type { PhotoRow } from '../storage/tables/itemsTable.ts';
import { createSemaphore } from '../base/semaphore.ts';
import { noEdits } from '../../photoContract/constants.ts';
import { createLabelChoice } from './choosePhotos.ts';
import { isLabelPhoto, recogniseLabelSku, type LabelContext } from '../shelf/labelPhotos.ts';
import type { PhotoEdits } from '../../photoContract/messages.ts';
import type { PreparedPhoto } from '../photos/preparedPhotos.ts';

type PreparationContext = LabelContext & {
  workers: PhotoWorkers;
  gate: Gate;
  preparedDir: string;
  notifyItemChanged: (itemId: string) => void;
};
type RunInTurn = <T>(photoId: string, signal: AbortSignal, work: () => Promise<T>) => Promise<T>;
type PreparationJob = { done: Promise<PreparationResult>; abort: AbortController; waiting: number };

type PreparationResult = 'settled' | 'unreadable';

/**
 * At most this many photos are sent to the photo process at a time. The others wait in a queue, where they can be
 * paused or aborted.
 */
const maxPhotosWithWorkers = 8;

const createPreparationQueue = (gate: Gate): RunInTurn => {
  const places = createSemaphore(maxPhotosWithWorkers);
  return async (photoId, signal, work) => {
    const leave = await places.acquire(photoId, signal);
    try {
      await gate.waitWhilePaused(signal);
      return await work();
    } finally {
      leave();
    }
  };
};

export type PhotoPreparation = ReturnType<typeof createPhotoPreparation>;

/**
 * Creates the preparation of photos. Each photo is prepared once, even if it moves to another item. The work is aborted
 * after all callers have aborted.
 */
export const createPhotoPreparation = (parts: PreparationContext) => {
  const under = new Map<string, PreparationJob>();
  const turns = { thumbnail: createPreparationQueue(parts.gate), prepare: createPreparationQueue(parts.gate) };

  const startPreparationJob = (photoId: string): PreparationJob => {
    const abort = new AbortController();
    const done = prepareWaitingPhoto(parts, turns, photoId, abort.signal).finally(() => {
      if (under.get(photoId)?.abort === abort) under.delete(photoId);
    });
    const work: PreparationJob = { done, abort, waiting: 0 };
    under.set(photoId, work);
    return work;
  };

  return {
    isIdle: (): boolean => under.size === 0,
    /**
     * Waits until the photo is prepared, refused or unreadable. Rejects with the signal's reason or a problem of the
     * disk or machine.
     */
    photo: async (photoId: string, signal: AbortSignal): Promise<PreparationResult> => {
      signal.throwIfAborted();
      const work = under.get(photoId) ?? startPreparationJob(photoId);
      work.waiting += 1;
      const left = Promise.withResolvers<never>();
      const rejectWaitingCaller = (): void => left.reject(getAbortReason(signal));
      signal.addEventListener('abort', rejectWaitingCaller, { once: true });
      try {
        return await Promise.race([work.done, left.promise]);
      } finally {
        signal.removeEventListener('abort', rejectWaitingCaller);
        work.waiting -= 1;
        if (work.waiting === 0 && under.get(photoId) === work) {
          under.delete(photoId);
          work.done.catch(() => undefined);
          work.abort.abort(signal.reason);
        }
      }
    },
  };
};

const prepareWaitingPhoto = async (
  parts: PreparationContext,
  turns: { thumbnail: RunInTurn; prepare: RunInTurn },
  photoId: string,
  signal: AbortSignal,
): Promise<PreparationResult> => {
  const { table, workers, preparedDir: outDir } = parts;
  const before = table.photo(photoId);
  if (before?.state !== 'waiting') return 'settled';
  const { source, root } = before;
  if (before.thumb_path === null) {
    const seen = await turns.thumbnail(photoId, signal, () => workers.thumbnail({ source, root, outDir }, signal));
    signal.throwIfAborted();
    if (seen) changePreparedPhoto(parts, photoId, { thumb_path: seen.thumbPath });
  }
  let edits: PhotoEdits = noEdits;
  const made = await turns.prepare(photoId, signal, () => {
    edits = table.photo(photoId)?.edits ?? noEdits;
    const { longEdgePx, photoFormat: format } = parts.settings();
    return workers.prepare({ source, root, outDir, longEdgePx, format, edits }, signal);
  });
  signal.throwIfAborted();
  const now = table.photo(photoId);
  // If the edits have changed during the preparation, the caller prepares the photo again.
  if (!now || JSON.stringify(now.edits ?? noEdits) !== JSON.stringify(edits)) return 'settled';
  if (!made.ok) throwIfMachineProblem(made.code);
  const isUnreadable = !made.ok && isUnreadableNow(made.code);
  changePreparedPhoto(
    parts,
    photoId,
    isUnreadable ? { code: made.code, sentence: made.sentence } : toPhotoChanges(parts, now, made),
  );
  return isUnreadable ? 'unreadable' : 'settled';
};

/** These problems are not caused by the photo, so it stays unprepared and the step is retried. */
const throwIfMachineProblem = (code: RefusalCode): void => {
  if (code === 'NO_SPACE') throw createProblem('DISK_FULL');
  if (code === 'CANNOT_WRITE') throw createProblem('DATA_UNWRITABLE');
  if (code === 'MACHINE_BUSY') throw createProblem('MACHINE_BUSY');
};

const changePreparedPhoto = (
  { table, notifyItemChanged }: PreparationContext,
  photoId: string,
  changes: Partial<Omit<PhotoRow, 'photo_id'>>,
): void => {
  table.notePhoto(photoId, changes);
  const photo = table.photo(photoId);
  if (photo) notifyItemChanged(photo.item_id);
};

const readLabelFacts = (
  parts: PreparationContext,
  { item_id, choice }: PhotoRow,
  texts: readonly string[],
): Partial<Omit<PhotoRow, 'photo_id'>> => {
  const item = parts.table.read(item_id);
  const label_sku = item === null ? null : recogniseLabelSku(parts, item, texts);
  const chosen = isLabelPhoto({ label_sku, choice })
    ? createLabelChoice()
    : { state: 'ready' as const, aside: null, sentence: null };
  return { ...chosen, label_sku, label_texts: [...texts] };
};

const toPhotoChanges = (
  parts: PreparationContext,
  photo: PhotoRow,
  made: PreparedPhoto,
): Partial<Omit<PhotoRow, 'photo_id'>> =>
  made.ok
    ? {
        ...readLabelFacts(parts, photo, made.labelTexts),
        code: null,
        path: made.path,
        thumb_path: made.thumbPath,
        content_type: made.contentType,
        width: made.width,
        height: made.height,
        bytes: made.bytes,
        sha256: made.sha256,
        original_bytes: made.original.bytes ?? null,
        original_sha256: made.original.sha256,
        hash64: made.hash64,
        colours: made.colours,
        palette: made.palette,
        sheet: made.sheet ? 1 : 0,
        warnings: made.warnings,
        barcodes: made.barcodes,
        taken_at: made.original.takenAt ?? null,
      }
    : { state: 'refused', aside: null, code: made.code, sentence: made.sentence };
