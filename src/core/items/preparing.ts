import { abortReason } from '../base/abortable.ts';
import type { Clock } from '../base/ports.ts';
import { isUnreadableNow } from '../../photoContract/refusals.ts';
import type { RefusalCode } from '../../photoContract/refusedPhoto.ts';
import type { PhotoWorkers } from '../photos/workers.ts';
import { problem } from '../base/problem.ts';
import type { Settings } from '../base/settings.ts';
import type { Gate } from '../base/gate.ts';
import type { ItemsTable, PhotoRow } from '../storage/tables/itemsTable.ts';
import { createSemaphore } from '../base/semaphore.ts';
import { noEdits } from '../../photoContract/constants.ts';
import type { PhotoEdits } from '../../photoContract/messages.ts';
import type { PreparedPhoto } from '../photos/keepPrepared.ts';

type Parts = {
  table: ItemsTable;
  workers: PhotoWorkers;
  clock: Clock;
  gate: Gate;
  settings: () => Settings;
  preparedDir: string;
  touched: (itemId: string) => void;
};
type InTurn = <T>(photoId: string, signal: AbortSignal, work: () => Promise<T>) => Promise<T>;
type Work = { done: Promise<Outcome>; abort: AbortController; waiting: number };

/** The result of preparing a photo: settled, or unreadable at the moment. */
type Outcome = 'settled' | 'unreadable';

/**
 * The number of photos given to the worker processes at a time. The others wait here, where they can be paused or
 * aborted at no cost.
 */
const withThreads = 8;

const createTurns = (gate: Gate): InTurn => {
  const places = createSemaphore(withThreads);
  return async (photoId, signal, work) => {
    const leave = await places.take(photoId, signal);
    try {
      await gate.pass(signal);
      return await work();
    } finally {
      leave();
    }
  };
};

export type Preparing = ReturnType<typeof createPreparing>;

/**
 * Prepares each photo once, even if it moves to another item in the process. The work is aborted when the last caller
 * aborts.
 */
export const createPreparing = (parts: Parts) => {
  const under = new Map<string, Work>();
  const turns = { thumbnail: createTurns(parts.gate), prepare: createTurns(parts.gate) };

  const begin = (photoId: string): Work => {
    const abort = new AbortController();
    const done = run(parts, turns, photoId, abort.signal).finally(() => {
      if (under.get(photoId)?.abort === abort) under.delete(photoId);
    });
    const work: Work = { done, abort, waiting: 0 };
    under.set(photoId, work);
    return work;
  };

  return {
    isIdle: (): boolean => under.size === 0,
    /**
     * Waits until the photo is prepared with its current edits, refused, or found to be unreadable. An unreadable photo
     * stays in state `waiting` with a reason. Rejects with the signal's reason, or with a problem of the disk or
     * machine.
     */
    photo: async (photoId: string, signal: AbortSignal): Promise<Outcome> => {
      signal.throwIfAborted();
      const work = under.get(photoId) ?? begin(photoId);
      work.waiting += 1;
      const left = Promise.withResolvers<never>();
      const leave = (): void => left.reject(abortReason(signal));
      signal.addEventListener('abort', leave, { once: true });
      try {
        return await Promise.race([work.done, left.promise]);
      } finally {
        signal.removeEventListener('abort', leave);
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

const run = async (
  parts: Parts,
  turns: { thumbnail: InTurn; prepare: InTurn },
  photoId: string,
  signal: AbortSignal,
): Promise<Outcome> => {
  const { table, workers, preparedDir: outDir } = parts;
  const before = table.photo(photoId);
  if (before?.state !== 'waiting') return 'settled';
  const { source, root } = before;
  if (before.thumb_path === null) {
    const seen = await turns.thumbnail(photoId, signal, () => workers.thumbnail({ source, root, outDir }, signal));
    signal.throwIfAborted();
    if (seen) change(parts, photoId, { thumb_path: seen.thumbPath });
  }
  let edits: PhotoEdits = noEdits;
  const made = await turns.prepare(photoId, signal, () => {
    edits = table.photo(photoId)?.edits ?? noEdits;
    const { longEdgePx, photoFormat: format } = parts.settings();
    return workers.prepare({ source, root, outDir, longEdgePx, format, edits }, signal);
  });
  signal.throwIfAborted();
  const now = table.photo(photoId);
  // If the edits have changed since, the caller prepares the photo again.
  if (!now || JSON.stringify(now.edits ?? noEdits) !== JSON.stringify(edits)) return 'settled';
  if (!made.ok) blameTheMachine(made.code);
  const isUnreadable = !made.ok && isUnreadableNow(made.code);
  change(parts, photoId, isUnreadable ? { code: made.code, sentence: made.sentence } : changesOf(made));
  return isUnreadable ? 'unreadable' : 'settled';
};

/** Throws if the disk or the machine is at fault. The photo stays unprepared and the step is retried. */
const blameTheMachine = (code: RefusalCode): void => {
  if (code === 'NO_SPACE') throw problem('DISK_FULL');
  if (code === 'CANNOT_WRITE') throw problem('DATA_UNWRITABLE');
  if (code === 'MACHINE_BUSY') throw problem('MACHINE_BUSY');
};

const change = ({ table, touched }: Parts, photoId: string, changes: Partial<Omit<PhotoRow, 'photo_id'>>): void => {
  table.notePhoto(photoId, changes);
  const photo = table.photo(photoId);
  if (photo) touched(photo.item_id);
};

const changesOf = (made: PreparedPhoto): Partial<Omit<PhotoRow, 'photo_id'>> =>
  made.ok
    ? {
        state: 'ready',
        aside: null,
        code: null,
        sentence: null,
        path: made.path,
        thumb_path: made.thumbPath,
        content_type: made.contentType,
        width: made.width,
        height: made.height,
        bytes: made.bytes,
        sha256: made.sha256,
        hash64: made.hash64,
        colours: made.colours,
        sheet: made.sheet ? 1 : 0,
        warnings: made.warnings,
        barcodes: made.barcodes,
        taken_at: made.original.takenAt ?? null,
      }
    : { state: 'refused', aside: null, code: made.code, sentence: made.sentence };
