import { startTransition, useCallback, useEffect, useState } from 'react';
import { createStore } from './createStore.ts';

export type Intake = { intakeId: string; name: string; total: number };

export type IntakeProgress = { sent: number; thumbUrl: string | null };

type PictureUrls = {
  make: (file: File) => string | null;
  free: (url: string) => void;
};

type PhotoDrop = { rows: readonly Intake[]; shown: number };

/** Drawing a row takes up to a millisecond, so only this number of rows is added at a time. */
const rowsAtOnce = 10;
/** Hundreds of photos are sent per second, so changes within this time are reported together. */
const notifyMs = 50;

const noProgress: IntakeProgress = { sent: 0, thumbUrl: null };

const createDropList = () => {
  let drops: PhotoDrop[] = [];
  return {
    add: (rows: readonly Intake[]): void => void (drops = [{ rows, shown: 0 }, ...drops]),
    remove: (rows: readonly Intake[]): void => void (drops = drops.filter((drop) => drop.rows !== rows)),
    /** Shows more rows of each drop. `isMore` is true if some rows are still hidden. */
    showMore: (): { rows: readonly Intake[]; isMore: boolean } => {
      for (const drop of drops) drop.shown = Math.min(drop.rows.length, drop.shown + rowsAtOnce);
      const rows = drops.flatMap((drop) => drop.rows.slice(0, drop.shown));
      return { rows, isMore: drops.some((drop) => drop.shown < drop.rows.length) };
    },
  };
};

/** Listeners are notified at most every 50 ms. A listener of a row is notified only about that row. */
export const createIntakeStore = (pictures: PictureUrls) => {
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
    // Revoking a URL takes half a millisecond, so only some URLs are revoked at a time.
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
    /** Making all thumbnails at once is slow, so each thumbnail is made when its row gets the first photo. */
    countSent: (intakeId: string, first: File): void => {
      const before = progress.get(intakeId);
      const thumbUrl = before === undefined ? pictures.make(first) : before.thumbUrl;
      progress.set(intakeId, { sent: (before?.sent ?? 0) + 1, thumbUrl });
      changedRows.add(intakeId);
      notifyListenersSoon();
    },
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

/** Browsers cannot show a HEIC photo, so it has no picture until the core creates a thumbnail. */
export const intakes = createIntakeStore({
  make: (file) => (/^image\/(jpeg|png|webp|gif|avif)$/.test(file.type) ? URL.createObjectURL(file) : null),
  free: (url) => URL.revokeObjectURL(url),
});

/** Updates are React transitions, so that they neither delay key presses nor restart the transition of a new screen. */
const useIntakeValue = <Value>(read: () => Value, subscribe: (listener: () => void) => () => void): Value => {
  const [value, setValue] = useState(read);
  useEffect(() => {
    const updateValue = (): void => startTransition(() => setValue(read));
    updateValue();
    return subscribe(updateValue);
  }, [read, subscribe]);
  return value;
};

export const useIntakeRows = (): readonly Intake[] => useIntakeValue(intakes.rows, intakes.onRows);

export const useIntakeProgress = (intakeId: string): IntakeProgress =>
  useIntakeValue(
    useCallback(() => intakes.progress(intakeId), [intakeId]),
    useCallback((listener) => intakes.onRow(intakeId, listener), [intakeId]),
  );
