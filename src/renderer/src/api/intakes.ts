import { startTransition, useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import { createStore } from './createStore.ts';

/** Photos on their way from this browser to the core: what a placeholder row stands for. */
export type Intake = { intakeId: string; name: string; total: number };

/** How far a row is: how many of its photos the host has, and its picture once one can be shown. */
export type IntakeProgress = { sent: number; thumbUrl: string | null };

type Pictures = {
  /** The address of a picture that a browser can show by itself; null for one that it cannot. */
  make: (file: File) => string | null;
  free: (url: string) => void;
};

/** The rows of one drop, and how many of them the window was told of so far. */
type Drop = { rows: readonly Intake[]; shown: number };

/** So many rows more are told of at a time: drawing one takes up to a millisecond. */
const rowsAtOnce = 10;
/** What happens within this time is told together: 300 photos are sent faster than anybody can read. */
const notifyMs = 50;

const nothing: IntakeProgress = { sent: 0, thumbUrl: null };

/** The rows of all drops, the newest drop first. */
const createDrops = () => {
  let drops: Drop[] = [];
  return {
    add: (rows: readonly Intake[]): void => void (drops = [{ rows, shown: 0 }, ...drops]),
    remove: (rows: readonly Intake[]): void => void (drops = drops.filter((drop) => drop.rows !== rows)),
    /** Shows some more of each: all rows that are shown then, and whether there are others. */
    showMore: (): { rows: readonly Intake[]; isMore: boolean } => {
      for (const drop of drops) drop.shown = Math.min(drop.rows.length, drop.shown + rowsAtOnce);
      const rows = drops.flatMap((drop) => drop.rows.slice(0, drop.shown));
      return { rows, isMore: drops.some((drop) => drop.shown < drop.rows.length) };
    },
  };
};

/**
 * What is on its way into the core. Those who look are told at most every 50 ms: of the rows, a few more at a time; of how
 * far a row is, only by that row.
 */
export const createIntakes = (pictures: Pictures) => {
  const drops = createDrops();
  const shown = createStore<readonly Intake[]>([]);
  const progress = new Map<string, IntakeProgress>();
  const rowListeners = new Map<string, () => void>();
  const changedRows = new Set<string>();
  let areRowsChanged = false;
  const unused: string[] = [];
  let timer: ReturnType<typeof setTimeout> | null = null;

  const notify = (): void => {
    timer = null;
    if (areRowsChanged) {
      const { rows, isMore } = drops.showMore();
      areRowsChanged = isMore;
      shown.set(rows);
    }
    for (const intakeId of changedRows) rowListeners.get(intakeId)?.();
    changedRows.clear();
    // One takes half a millisecond.
    for (const url of unused.splice(0, rowsAtOnce)) pictures.free(url);
    if (areRowsChanged || unused.length > 0) notifySoon();
  };
  const notifySoon = (): void => {
    timer ??= setTimeout(notify, notifyMs);
  };

  return {
    rows: shown.get,
    onRows: shown.subscribe,
    progress: (intakeId: string): IntakeProgress => progress.get(intakeId) ?? nothing,
    add: (more: readonly Intake[]): void => {
      drops.add(more);
      areRowsChanged = true;
      notifySoon();
    },
    /** The host has one photo more of a row. From then on the row shows its first one: pictures of all rows at once take long. */
    countSent: (intakeId: string, first: File): void => {
      const before = progress.get(intakeId);
      const thumbUrl = before === undefined ? pictures.make(first) : before.thumbUrl;
      progress.set(intakeId, { sent: (before?.sent ?? 0) + 1, thumbUrl });
      changedRows.add(intakeId);
      notifySoon();
    },
    /** Takes the rows of a drop away. Their pictures are freed after them, bit by bit. */
    drop: (gone: readonly Intake[]): void => {
      drops.remove(gone);
      for (const { intakeId } of gone) {
        const url = progress.get(intakeId)?.thumbUrl;
        if (url) unused.push(url);
        progress.delete(intakeId);
      }
      areRowsChanged = true;
      notifySoon();
    },
    /** Tells one that looks at a row, and only of that row. */
    onRow: (intakeId: string, listener: () => void): (() => void) => {
      rowListeners.set(intakeId, listener);
      return () => void rowListeners.delete(intakeId);
    },
  };
};

/** What is on its way from this window. A HEIC photo waits for the core's thumbnail. */
export const intakes = createIntakes({
  make: (file) => (/^image\/(jpeg|png|webp|gif|avif)$/.test(file.type) ? URL.createObjectURL(file) : null),
  free: (url) => URL.revokeObjectURL(url),
});

/** The rows that are on their way. What they change on the screen waits for keys, so that none is ever kept waiting. */
export const useIntakes = (): readonly Intake[] => {
  const [rows, setRows] = useState(intakes.rows);
  useEffect(() => {
    const read = (): void => startTransition(() => setRows(intakes.rows()));
    read();
    return intakes.onRows(read);
  }, []);
  return rows;
};

/** How far one row is; nothing else is drawn again when it changes. */
export const useIntakeProgress = (intakeId: string): IntakeProgress =>
  useSyncExternalStore(
    useCallback((listener) => intakes.onRow(intakeId, listener), [intakeId]),
    () => intakes.progress(intakeId),
  );
