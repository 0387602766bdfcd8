import { useEffect, useRef, type RefObject } from 'react';

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

/** Scrolls a list to its top when `search` changes, because the best results are there. */
export const useTopOfSearch = (list: RefObject<HTMLElement | null>, search: unknown): void => {
  const key = JSON.stringify(search);
  const shown = useRef(key);
  useEffect(() => {
    if (shown.current !== key) list.current?.scrollTo(0, 0);
    shown.current = key;
  }, [list, key]);
};
