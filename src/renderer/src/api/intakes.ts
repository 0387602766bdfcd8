import { startTransition, useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import { createStore } from './createStore.ts';

/** Photos that are being uploaded from this browser to the core, shown as a placeholder row. */
export type Intake = { intakeId: string; name: string; total: number };

/** The progress of a row: how many of its photos the host has, and a thumbnail once there is one. */
export type IntakeProgress = { sent: number; thumbUrl: string | null };

type PictureUrls = {
  /** Returns the URL of a picture that browsers can show; null for other formats. */
  make: (file: File) => string | null;
  free: (url: string) => void;
};

/** The rows of one drop, and how many of them are shown so far. */
type PhotoDrop = { rows: readonly Intake[]; shown: number };

/** How many more rows are shown at a time: drawing one takes up to a millisecond. */
const rowsAtOnce = 10;
/** Changes within this time are reported together, because hundreds of photos are sent per second. */
const notifyMs = 50;

const noProgress: IntakeProgress = { sent: 0, thumbUrl: null };

const createDropList = () => {
  let drops: PhotoDrop[] = [];
  return {
    add: (rows: readonly Intake[]): void => void (drops = [{ rows, shown: 0 }, ...drops]),
    remove: (rows: readonly Intake[]): void => void (drops = drops.filter((drop) => drop.rows !== rows)),
    /** Shows some more rows of each drop. Returns all shown rows, and whether more remain. */
    showMore: (): { rows: readonly Intake[]; isMore: boolean } => {
      for (const drop of drops) drop.shown = Math.min(drop.rows.length, drop.shown + rowsAtOnce);
      const rows = drops.flatMap((drop) => drop.rows.slice(0, drop.shown));
      return { rows, isMore: drops.some((drop) => drop.shown < drop.rows.length) };
    },
  };
};

/**
 * Creates the store of photos that are being uploaded. Listeners are notified at most every 50 ms: of new rows, a few
 * at a time; of a row's progress, only the listeners of that row.
 */
export const createIntakes = (pictures: PictureUrls) => {
  const drops = createDropList();
  const shown = createStore<readonly Intake[]>([]);
  const progress = new Map<string, IntakeProgress>();
  const rowListeners = new Map<string, () => void>();
  const changedRows = new Set<string>();
  let areRowsChanged = false;
  const unused: string[] = [];
  let timer: ReturnType<typeof setTimeout> | null = null;

  const notifyListeners = (): void => {
    timer = null;
    if (areRowsChanged) {
      const { rows, isMore } = drops.showMore();
      areRowsChanged = isMore;
      shown.set(rows);
    }
    for (const intakeId of changedRows) rowListeners.get(intakeId)?.();
    changedRows.clear();
    // Revoking a URL takes half a millisecond.
    for (const url of unused.splice(0, rowsAtOnce)) pictures.free(url);
    if (areRowsChanged || unused.length > 0) notifyListenersSoon();
  };
  const notifyListenersSoon = (): void => {
    timer ??= setTimeout(notifyListeners, notifyMs);
  };

  return {
    rows: shown.get,
    onRows: shown.subscribe,
    progress: (intakeId: string): IntakeProgress => progress.get(intakeId) ?? noProgress,
    add: (more: readonly Intake[]): void => {
      drops.add(more);
      areRowsChanged = true;
      notifyListenersSoon();
    },
    /**
     * Counts one more uploaded photo of a row. The thumbnail is made at the first one, because making those of all rows
     * at once is slow.
     */
    countSent: (intakeId: string, first: File): void => {
      const before = progress.get(intakeId);
      const thumbUrl = before === undefined ? pictures.make(first) : before.thumbUrl;
      progress.set(intakeId, { sent: (before?.sent ?? 0) + 1, thumbUrl });
      changedRows.add(intakeId);
      notifyListenersSoon();
    },
    /** Removes the rows of a drop. Their pictures are freed later, a few at a time. */
    drop: (gone: readonly Intake[]): void => {
      drops.remove(gone);
      for (const { intakeId } of gone) {
        const url = progress.get(intakeId)?.thumbUrl;
        if (url) unused.push(url);
        progress.delete(intakeId);
      }
      areRowsChanged = true;
      notifyListenersSoon();
    },
    onRow: (intakeId: string, listener: () => void): (() => void) => {
      rowListeners.set(intakeId, listener);
      return () => void rowListeners.delete(intakeId);
    },
  };
};

/** The uploads of this window. A HEIC photo has no picture until the core has made its thumbnail. */
export const intakes = createIntakes({
  make: (file) => (/^image\/(jpeg|png|webp|gif|avif)$/.test(file.type) ? URL.createObjectURL(file) : null),
  free: (url) => URL.revokeObjectURL(url),
});

/** Returns the rows that are being uploaded. Updates are transitions, so that they never delay key presses. */
export const useIntakeRows = (): readonly Intake[] => {
  const [rows, setRows] = useState(intakes.rows);
  useEffect(() => {
    const readIntakeRows = (): void => startTransition(() => setRows(intakes.rows()));
    readIntakeRows();
    return intakes.onRows(readIntakeRows);
  }, []);
  return rows;
};

/** Returns the progress of one row; a change rerenders only that row. */
export const useIntakeProgress = (intakeId: string): IntakeProgress =>
  useSyncExternalStore(
    useCallback((listener) => intakes.onRow(intakeId, listener), [intakeId]),
    () => intakes.progress(intakeId),
  );
