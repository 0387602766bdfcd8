import { startTransition, useCallback, useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import type { PhotoGrid, SheetItem } from './sheetKeys.ts';

/** The widths of a photo in the contact sheet. */
export const photoSizes = [72, 96, 128, 160] as const;
export type PhotoSize = (typeof photoSizes)[number];

/** The same sizes as in the style sheet. */
const photoGap = 6;
const itemStart = 20;
const textLine = 16;
const rowGap = 4;
/** Between the lines of one item. */
const lineGap = 3;

type Room = { width: number; height: number };

const countPhotosPerLine = (size: PhotoSize, { width }: Room): number =>
  Math.max(1, Math.floor((width - itemStart + photoGap) / (size + photoGap)));

const measureRows = (photoCounts: readonly number[], size: PhotoSize, room: Room): number => {
  const { width } = room;
  const pitch = size + photoGap;
  const perLine = countPhotosPerLine(size, room);
  let lines = 0;
  let used = Infinity;
  for (const count of photoCounts) {
    const itemWidth = Math.min(width, itemStart + count * pitch - photoGap);
    if (used + itemWidth > width) {
      lines += Math.ceil(count / perLine);
      used = itemWidth;
    } else used += itemWidth;
  }
  return lines * (textLine + size + rowGap);
};

const createPhotoGrid = (size: PhotoSize, room: Room | null): PhotoGrid => ({
  perLine: room === null ? Infinity : countPhotosPerLine(size, room),
  pitch: size + photoGap,
  lineHeight: textLine + size + lineGap,
});

/** Returns the largest size at which all photos are visible at once, or the smallest size. */
export const findLargestPhotoSize = (photoCounts: readonly number[], room: Room): PhotoSize =>
  photoSizes.findLast((size) => measureRows(photoCounts, size, room) <= room.height) ?? photoSizes[0];

/** The size follows the window until the person chooses one. */
export const usePhotoSize = (photoCounts: readonly number[]) => {
  const [chosen, choose] = useState<PhotoSize | null>(null);
  const [room, setRoom] = useState<Room | null>(null);
  const list = useRef<HTMLElement | null>(null);
  const isThere = photoCounts.length > 0;
  const measure = useCallback((): void => {
    const element = list.current;
    if (element === null) return;
    const { paddingInline, paddingBlockEnd } = getComputedStyle(element);
    const width = element.clientWidth - 2 * Number.parseFloat(paddingInline);
    setRoom({ width, height: element.clientHeight - Number.parseFloat(paddingBlockEnd) });
  }, []);
  useLayoutEffect(() => {
    measure();
    const observer = new ResizeObserver(measure);
    if (list.current) observer.observe(list.current);
    return () => observer.disconnect();
  }, [measure, isThere]);
  const size = chosen ?? (room === null ? photoSizes[0] : findLargestPhotoSize(photoCounts, room));
  return { size, choose, list, grid: createPhotoGrid(size, room) };
};

/** Observes which items are near the visible part of the list. Only these render their photos. */
export const useNearItems = (list: RefObject<HTMLElement | null>, rows: readonly SheetItem[]): ReadonlySet<string> => {
  const [near, setNear] = useState<ReadonlySet<string>>(new Set());
  const observer = useRef<IntersectionObserver | null>(null);
  useEffect(() => {
    if (list.current === null) return;
    const updateNearItems = (entries: readonly IntersectionObserverEntry[]): void =>
      startTransition(() =>
        setNear((before) => {
          const next = new Set(before);
          for (const { target, isIntersecting } of entries) {
            const itemId = (target instanceof HTMLElement && target.dataset.item) || '';
            if (isIntersecting) next.add(itemId);
            else next.delete(itemId);
          }
          return next;
        }),
      );
    observer.current ??= new IntersectionObserver(updateNearItems, { root: list.current, rootMargin: '100% 0px' });
    // An element that is already observed stays so.
    for (const item of list.current.children) observer.current.observe(item);
  }, [list, rows]);
  useEffect(
    () => () => {
      observer.current?.disconnect();
      observer.current = null;
    },
    [],
  );
  return near;
};

/** As many items as a large screen shows. */
const firstRows = 100;

/** Renders the items of the first screen at once, and those after them in parts that block no frame. */
export const useRowsInParts = (rows: SheetItem[], here: string | null): SheetItem[] => {
  const [isWhole, setWhole] = useState(false);
  const isThere = rows.length > 0;
  useEffect(() => {
    if (isThere) startTransition(() => setWhole(true));
  }, [isThere]);
  if (isWhole) return rows;
  const current = rows.findIndex(({ photoIds }) => here !== null && photoIds.includes(here));
  return rows.slice(0, current + firstRows);
};
