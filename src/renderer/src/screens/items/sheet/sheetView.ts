import { replaceEqualDeep } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { startTransition, useCallback, useLayoutEffect, useMemo, useState, type RefObject } from 'react';
import { getLongListOptions } from '../../../components/showElement.ts';
import type { SheetItem } from '../../../api/call.ts';

/** The widths of a photo in the contact sheet. */
export const photoSizes = [72, 96, 128, 160] as const;
export type PhotoSize = (typeof photoSizes)[number];

/** The same sizes as in the style sheet. */
const photoGap = 6;
const textLine = 16;
/** Between the lines of one item. */
const lineGap = 3;
/** Between the lines of items. */
const itemGap = 1;

/** The space for the items in px. `itemStart` is the width of the number at the start of each item. */
type Room = { width: number; height: number; itemStart: number };

/** The position of an item in the list in px. */
export type ItemPlace = { left: number; top: number; width: number; height: number };

/** Items beside each other. `first` is the place of the first one in the list. */
type SheetLine = { first: number; count: number; height: number };

/** `perLine` is the number of photos in a line of one item. Sizes are in px. */
export type SheetLayout = {
  perLine: number;
  pitch: number;
  lineHeight: number;
  places: readonly ItemPlace[];
  lines: readonly SheetLine[];
  height: number;
};

/** Items flow like words in a text. An item that does not fit into one line has lines of its own. */
export const layOutItems = (photoCounts: readonly number[], size: PhotoSize, room: Room): SheetLayout => {
  const { width, itemStart } = room;
  const pitch = size + photoGap;
  const lineHeight = textLine + size + lineGap;
  const perLine = Math.max(1, Math.floor((width - itemStart + photoGap) / pitch));
  const places: ItemPlace[] = [];
  const lines: SheetLine[] = [];
  let [top, next] = [0, Infinity];
  for (const count of photoCounts) {
    const itemWidth = Math.min(width, itemStart + count * pitch - photoGap);
    const height = Math.ceil(count / perLine) * lineHeight;
    let line = lines.at(-1);
    if (!line || next + itemWidth > width) {
      top += line?.height ?? 0;
      line = { first: places.length, count: 0, height: height + itemGap };
      lines.push(line);
      next = 0;
    }
    places.push({ left: next, top, width: itemWidth, height });
    line.count += 1;
    next += itemWidth;
  }
  return { perLine, pitch, lineHeight, places, lines, height: top + (lines.at(-1)?.height ?? 0) };
};

/** Returns the largest size at which all photos are visible at once, or the smallest size. */
export const findLargestPhotoSize = (photoCounts: readonly number[], room: Room): PhotoSize =>
  photoSizes.findLast((size) => layOutItems(photoCounts, size, room).height <= room.height) ?? photoSizes[0];

/** Returns null until the list has been measured. */
const useRoom = (list: RefObject<HTMLElement | null>, isThere: boolean): Room | null => {
  const [room, setRoom] = useState<Room | null>(null);
  const measure = useCallback((): void => {
    if (list.current === null) return;
    const { clientWidth, clientHeight } = list.current;
    const style = getComputedStyle(list.current);
    const next: Room = {
      width: clientWidth - 2 * Number.parseFloat(style.paddingInline),
      height: clientHeight - Number.parseFloat(style.paddingBlockEnd),
      itemStart: Number.parseFloat(style.getPropertyValue('--item-start')),
    };
    // A screenful of photos renders in parts, so that it blocks no frame.
    startTransition(() => setRoom((before) => replaceEqualDeep(before, next)));
  }, [list]);
  useLayoutEffect(() => {
    measure();
    const observer = new ResizeObserver(measure);
    if (list.current) observer.observe(list.current);
    return () => observer.disconnect();
  }, [list, measure, isThere]);
  return room;
};

const emptyLayout = layOutItems([], photoSizes[0], { width: 0, height: 0, itemStart: 0 });

/** Lays out the items. The size of the photos follows the window until the person chooses one. */
export const useSheetLayout = (rows: readonly SheetItem[], list: RefObject<HTMLElement | null>) => {
  const [chosen, choose] = useState<PhotoSize | null>(null);
  const room = useRoom(list, rows.length > 0);
  const photoCounts = useMemo(() => rows.map(({ photoIds }) => photoIds.length), [rows]);
  const size = useMemo(
    () => chosen ?? (room === null ? photoSizes[0] : findLargestPhotoSize(photoCounts, room)),
    [chosen, photoCounts, room],
  );
  const layout = useMemo(
    () => (room === null ? emptyLayout : layOutItems(photoCounts, size, room)),
    [photoCounts, room, size],
  );
  return { size, choose, layout };
};

/** Returns the places in the list of the items near the visible part, and of the current one. */
export const useNearItems = (
  list: RefObject<HTMLElement | null>,
  { lines }: SheetLayout,
  current: number,
): readonly number[] => {
  const virtualizer = useVirtualizer({
    count: lines.length,
    getScrollElement: () => list.current,
    estimateSize: (at) => lines[at]?.height ?? 0,
    // Other lines have another function, so that their heights are read again.
    getItemKey: useCallback((at: number) => lines[at]?.first ?? at, [lines]),
    overscan: 4,
    ...getLongListOptions(),
  });
  const near = virtualizer.getVirtualItems().flatMap(({ index }) => {
    const { first = 0, count = 0 } = lines[index] ?? {};
    return Array.from({ length: count }, (_, at) => first + at);
  });
  const isMissing = lines.length > 0 && current !== -1 && !near.includes(current);
  return isMissing ? [...near, current].toSorted((a, b) => a - b) : near;
};
