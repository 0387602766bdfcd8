import { useEffect, useRef } from 'react';
import type { Rect, Virtualizer } from '@tanstack/react-virtual';

const listAncestors = (element: Element): Element[] => {
  const parent = element.parentElement;
  return parent === null || parent.tagName === 'BODY' ? [] : [parent, ...listAncestors(parent)];
};

/**
 * Scrolls the element into view and focuses it. It stays in view while content above it loads, until the person presses a
 * key, clicks, scrolls or moves the focus.
 */
export const showElement = (element: HTMLElement, block: 'start' | 'center' = 'start'): void => {
  if (/^(H1|H2|MAIN)$/.test(element.tagName)) element.tabIndex = -1;
  const scroll = (): void => element.scrollIntoView({ block });
  scroll();
  element.focus({ preventScroll: true });
  const resized = new ResizeObserver(scroll);
  for (const ancestor of listAncestors(element)) resized.observe(ancestor);
  const stop = new AbortController();
  stop.signal.addEventListener('abort', () => resized.disconnect());
  const abort = (): void => stop.abort();
  element.addEventListener('blur', abort, { signal: stop.signal });
  for (const act of ['keydown', 'pointerdown', 'wheel', 'touchmove'])
    document.addEventListener(act, abort, { capture: true, passive: true, signal: stop.signal });
};

/**
 * Scrolls a list to its top when `search` changes, because the best results are there. A list at its top is not scrolled,
 * because that would lay out the page at once.
 */
export const useTopOfSearch = (list: Virtualizer<HTMLDivElement, Element>, search: unknown): void => {
  const key = JSON.stringify(search);
  const shown = useRef(key);
  useEffect(() => {
    if (shown.current === key) return undefined;
    shown.current = key;
    // Until the next frame, the list does not know that the person has just scrolled it.
    const frame = requestAnimationFrame(() => {
      if (list.scrollOffset !== 0) list.scrollElement?.scrollTo(0, 0);
    });
    return () => cancelAnimationFrame(frame);
  }, [list, key]);
};

/** Measures a list after its layout. The library measures it while it renders, which would lay out the page twice. */
const observeListSize = (
  { scrollElement }: { scrollElement: HTMLElement | null },
  onSize: (size: Rect) => void,
): (() => void) => {
  if (!scrollElement) return () => undefined;
  const observer = new ResizeObserver(() =>
    onSize({ width: scrollElement.clientWidth, height: scrollElement.clientHeight }),
  );
  observer.observe(scrollElement);
  return () => observer.disconnect();
};

/** A list with this number of rows is higher than the window. */
const minRowsOfScrollBar = 100;

/**
 * Returns `true` if a list with this number of rows always shows its scroll bar, otherwise `undefined`, as a data
 * attribute needs it. A bar that appears by itself makes each layout up to ten times as slow, because the browser lays
 * out the rows with and without it.
 */
export const hasSteadyScrollBar = (rows: number): true | undefined => rows >= minRowsOfScrollBar || undefined;

/** Returns the options of a list that renders only the rows in view. */
export const getLongListOptions = () => ({
  // The assumed height until the list is measured.
  initialRect: { width: 0, height: window.innerHeight },
  observeElementRect: observeListSize,
  // Rows that scroll into view render in the next frame. Rows within the overscan are already rendered.
  useFlushSync: false,
});
