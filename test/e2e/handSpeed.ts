import type { Page } from 'playwright/test';

/** Characters that follow each other faster, with Enter after them, are those of a scanner. */
export const handSpeed = { delay: 40 } as const;

/** Holds each character down as long as a hand does, so that Enter after it does not make it a scanned code. */
export const pressAsLongAsAHand = (page: Page): Page => {
  const { keyboard } = page;
  const press = keyboard.press.bind(keyboard);
  keyboard.press = (key, options) => press(key, key.length === 1 ? { ...handSpeed, ...options } : options);
  return page;
};
