import { useEffect, type RefObject } from 'react';

/** Returns the siblings of an element and of each of its ancestors. */
const listSurroundings = (element: HTMLElement): HTMLElement[] => {
  const { parentElement } = element;
  if (parentElement === null || element === document.body) return [];
  const siblings = [...parentElement.children].filter(
    (sibling): sibling is HTMLElement => sibling instanceof HTMLElement && sibling !== element && !sibling.inert,
  );
  return [...siblings, ...listSurroundings(parentElement)];
};

/**
 * Makes everything outside of the dialog around `inside` inert. A dialog does not see the Tab key in a frame, so the
 * focus could otherwise leave the dialog.
 */
export const useInertSurroundings = (inside: RefObject<HTMLElement | null>): void =>
  useEffect(() => {
    const dialog = inside.current?.closest<HTMLElement>('[role=dialog]');
    const surroundings = dialog ? listSurroundings(dialog) : [];
    for (const element of surroundings) element.inert = true;
    return () => surroundings.forEach((element) => (element.inert = false));
  }, [inside]);
