import { useCallback, useLayoutEffect, useRef, useState } from 'react';

/** The widths of a photo in the contact sheet. */
export const photoSizes = [72, 96, 128, 160] as const;
export type PhotoSize = (typeof photoSizes)[number];

/** The same sizes as in the style sheet. */
const photoGap = 6;
const itemStart = 20;
const textLine = 16;
const rowGap = 4;

type Room = { width: number; height: number };

const measureRows = (photoCounts: readonly number[], size: PhotoSize, { width }: Room): number => {
  const pitch = size + photoGap;
  const perLine = Math.max(1, Math.floor((width - itemStart + photoGap) / pitch));
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
  return { size, choose, list };
};
