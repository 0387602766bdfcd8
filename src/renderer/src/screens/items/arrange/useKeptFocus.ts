import { useLayoutEffect, useRef, type FocusEvent } from 'react';

/**
 * Keeps the focus among the photos when the one that had it, or the button that was pressed, moves or goes: on the same
 * photo where it is still there, else on the one in its place.
 */
export const useKeptFocus = (order: readonly string[]) => {
  const section = useRef<HTMLElement>(null);
  const last = useRef<{ tile: string; at: number } | null>(null);
  const places = order.join();
  useLayoutEffect(() => {
    if (last.current === null || document.activeElement !== document.body) return;
    const tiles = [...(section.current?.querySelectorAll<HTMLElement>('[data-tile]') ?? [])];
    const { tile, at } = last.current;
    (tiles.find((one) => one.dataset.tile === tile) ?? tiles[Math.min(at, tiles.length - 1)])?.focus();
  }, [places]);
  return {
    ref: section,
    onFocus: ({ target }: FocusEvent<HTMLElement>): void => {
      const { tile } = target.dataset;
      if (tile) last.current = { tile, at: order.indexOf(tile) };
    },
    onBlur: ({ relatedTarget }: FocusEvent<HTMLElement>): void => {
      if (relatedTarget && !section.current?.contains(relatedTarget)) last.current = null;
    },
  };
};
