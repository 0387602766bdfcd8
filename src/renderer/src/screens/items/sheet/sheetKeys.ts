import { useMemo, useState, type KeyboardEvent } from 'react';
import { flushSync } from 'react-dom';
import type { SheetItem } from '../../../api/call.ts';
import type { ArrangeCommands } from '../arrange/ArrangeBar.tsx';
import { nothingPicked, pickPhoto, shiftPickedPhotos, type PickMode } from '../arrange/photoSelection.ts';
import { readSheetPhotoId } from './sheetPlace.ts';
import type { ItemPlace, SheetLayout } from './sheetView.ts';

/** Each action is a single change that can be undone. */
export type SheetActions = {
  splitBefore: (photoId: string) => void;
  splitOff: (photoIds: string[]) => void;
  joinBefore: (itemId: string) => void;
  join: (itemIds: string[]) => void;
  /** -1 moves the photos to the end of the previous item, 1 to the start of the next item. */
  shift: (photoIds: string[], by: 1 | -1) => void;
  /** -1 moves the photos one position earlier in their item, 1 one position later. */
  order: (photoIds: string[], by: 1 | -1) => void;
  turn: (photoIds: string[]) => void;
};

export const createSheetActions = (rows: readonly SheetItem[], arrange: ArrangeCommands): SheetActions => {
  const findRowIndex = (photoId: string) => rows.findIndex(({ photoIds }) => photoIds.includes(photoId));
  return {
    splitBefore: (photoId) => {
      const ids = rows[findRowIndex(photoId)]?.photoIds ?? [];
      const from = ids.indexOf(photoId);
      if (from > 0) arrange.split(ids.slice(from));
    },
    splitOff: arrange.split,
    joinBefore: (itemId) => {
      const before = rows[rows.findIndex((row) => row.itemId === itemId) - 1];
      if (before) arrange.merge([before.itemId, itemId]);
    },
    join: arrange.merge,
    shift: (photoIds, by) => {
      const at = findRowIndex((by === 1 ? photoIds.at(-1) : photoIds[0]) ?? '');
      const to = rows[at + by];
      if (at !== -1 && to) arrange.move(to.itemId, photoIds, by === 1 ? (to.photoIds[0] ?? null) : null);
    },
    order: (photoIds, by) => {
      const row = rows[findRowIndex(photoIds[0] ?? '')];
      if (row) arrange.setOrder(row.itemId, shiftPickedPhotos(row.photoIds, new Set(photoIds), by));
    },
    turn: (photoIds) => arrange.turn(photoIds, 1),
  };
};

export const useSheetSelection = (rows: readonly SheetItem[]) => {
  const [picked, setPicked] = useState(nothingPicked);
  const [at, setAt] = useState(readSheetPhotoId);
  const order = useMemo(() => rows.flatMap(({ photoIds }) => photoIds), [rows]);
  const here = useMemo(() => (at !== null && order.includes(at) ? at : (order[0] ?? null)), [order, at]);
  return {
    order,
    here,
    /** The place of the current photo's item in the list; -1 if there is no photo. */
    current: useMemo(() => rows.findIndex(({ photoIds }) => here !== null && photoIds.includes(here)), [rows, here]),
    goTo: setAt,
    ids: useMemo(() => order.filter((id) => picked.ids.has(id)), [order, picked]),
    has: (photoId: string): boolean => picked.ids.has(photoId),
    pick: (photoId: string, how: PickMode): void => {
      setAt(photoId);
      // A range without an anchor starts at the current photo.
      setPicked(
        pickPhoto(order, how === 'upTo' && picked.from === null ? { ...picked, from: here } : picked, photoId, how),
      );
    },
    clear: () => setPicked(nothingPicked),
  };
};
export type SheetSelection = ReturnType<typeof useSheetSelection>;

const findPhotoInDirection = (given: SheetKeyContext, here: string, key: string): string | undefined => {
  const { order: all } = given.selection;
  const places: Readonly<Record<string, () => string | undefined>> = {
    ArrowRight: () => all[all.indexOf(here) + 1],
    ArrowLeft: () => all[all.indexOf(here) - 1],
    ArrowDown: () => findPhotoInNextLine(given, here, 1),
    ArrowUp: () => findPhotoInNextLine(given, here, -1),
    Home: () => all[0],
    End: () => all.at(-1),
    u: () => findPhotoAfterUnsureGap(given, here),
  };
  return places[key]?.();
};

type PhotoPosition = { photoId: string; x: number; y: number };

const placePhotos = ({ photoIds }: SheetItem, { left, top }: ItemPlace, layout: SheetLayout): PhotoPosition[] =>
  photoIds.map((photoId, at) => ({
    photoId,
    x: left + (at % layout.perLine) * layout.pitch,
    y: top + Math.floor(at / layout.perLine) * layout.lineHeight,
  }));

/** Returns the nearest photo below (`by` is 1) or above (`by` is -1), in the same item or in the next line of items. */
const findPhotoInNextLine = (
  { rows, layout, selection: { current } }: SheetKeyContext,
  here: string,
  by: 1 | -1,
): string | undefined => {
  const line = layout.lines.findLastIndex(({ first }) => first <= current);
  const { first = 0, count = 0 } = layout.lines[line + by] ?? {};
  const seen = [current, ...Array.from({ length: count }, (_, at) => first + at)].flatMap((at) => {
    const [row, place] = [rows[at], layout.places[at]];
    return row && place ? placePhotos(row, place, layout) : [];
  });
  const from = seen.find(({ photoId }) => photoId === here);
  if (!from) return undefined;
  // The horizontal distance has more weight, because photos of different items are not exactly aligned.
  const computePhotoDistance = (one: PhotoPosition): number =>
    Math.abs(one.y - from.y) + 1.5 * Math.abs(one.x - from.x);
  const ahead = seen.filter(({ y }) => (y - from.y) * by > layout.lineHeight / 2);
  return ahead.toSorted((a, b) => computePhotoDistance(a) - computePhotoDistance(b))[0]?.photoId;
};

/** After the last photo, continues with the first photo. */
const findPhotoAfterUnsureGap = ({ rows, selection }: SheetKeyContext, here: string): string | undefined => {
  const { order: all } = selection;
  const at = all.indexOf(here);
  const unsure = new Set(rows.flatMap(({ unsureIds }) => unsureIds));
  return [...all.slice(at + 1), ...all.slice(0, at + 1)].find((photoId) => unsure.has(photoId));
};

export const findPhotoTile = (photoId: string): HTMLElement | null =>
  document.querySelector<HTMLElement>(`[data-tile="${CSS.escape(photoId)}"]`);

type SheetKeyContext = {
  rows: readonly SheetItem[];
  layout: SheetLayout;
  selection: SheetSelection;
  acts: SheetActions;
  open: (itemId: string, photoId: string) => void;
};

const findSheetKeyAction = (
  { rows, selection, acts, open }: SheetKeyContext,
  here: string,
  key: string,
): (() => void) | undefined => {
  const row = rows[selection.current];
  if (!row) return undefined;
  const ids = selection.has(here) ? selection.ids : [here];
  const pickedRows = rows.filter(({ photoIds }) => photoIds.some((photoId) => ids.includes(photoId)));
  const clearSelectionAfter = (act: () => void) => (): void => {
    act();
    selection.clear();
  };
  const acting: Readonly<Record<string, () => void>> = {
    s: clearSelectionAfter(() => (ids.length > 1 ? acts.splitOff(ids) : acts.splitBefore(here))),
    j: clearSelectionAfter(() =>
      pickedRows.length > 1 ? acts.join(pickedRows.map(({ itemId }) => itemId)) : acts.joinBefore(row.itemId),
    ),
    ' ': () => selection.pick(here, 'toggle'),
    r: () => acts.turn(ids),
    'alt+ArrowUp': clearSelectionAfter(() => acts.shift(ids, -1)),
    'alt+ArrowDown': clearSelectionAfter(() => acts.shift(ids, 1)),
    'alt+ArrowLeft': () => acts.order(ids, -1),
    'alt+ArrowRight': () => acts.order(ids, 1),
    Enter: () => open(row.itemId, here),
    ...(selection.ids.length > 0 && { Escape: selection.clear }),
  };
  return acting[key];
};

export const handleSheetKey = (event: KeyboardEvent<HTMLElement>, given: SheetKeyContext): boolean => {
  const { here } = given.selection;
  if (here === null || event.ctrlKey || event.metaKey) return false;
  const name = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const beside = event.altKey ? undefined : findPhotoInDirection(given, here, name);
  if (beside !== undefined) {
    // An item far away renders its photos when one of them is the current photo.
    flushSync(() => (event.shiftKey ? given.selection.pick(beside, 'upTo') : given.selection.goTo(beside)));
    findPhotoTile(beside)?.focus();
    return true;
  }
  const act = findSheetKeyAction(given, here, `${event.altKey ? 'alt+' : ''}${name}`);
  // A key that is held down repeats the navigation, but no action.
  if (!event.repeat) act?.();
  return act !== undefined;
};
