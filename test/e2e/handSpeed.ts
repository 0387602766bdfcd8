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

/**
 * Presses keys in one moment, as a scanner does. All have the same time stamp, because a slow computer delays the handling
 * of real keys but not their time stamps. A character that no listener handles chooses an option of a focused list, or is
 * typed into a focused field, as in the browser. Returns which keys the window handles.
 */
export const pressFast = (page: Page, keys: readonly string[]): Promise<boolean[]> =>
  page.evaluate((all) => {
    const { timeStamp } = new Event('keydown');
    const dispatch = (kind: string, key: string): boolean => {
      const event = new KeyboardEvent(kind, { key, bubbles: true, cancelable: true });
      Object.defineProperty(event, 'timeStamp', { value: timeStamp });
      return (document.activeElement ?? document.body).dispatchEvent(event);
    };
    const typeChar = (char: string): void => {
      const active = document.activeElement;
      if (!(active instanceof HTMLSelectElement)) return void document.execCommand('insertText', false, char);
      active.selectedIndex = (active.selectedIndex + 1) % active.options.length;
      for (const kind of ['input', 'change']) active.dispatchEvent(new Event(kind, { bubbles: true }));
    };
    return all.map((key) => {
      const isUnhandled = dispatch('keydown', key);
      if (isUnhandled && key.length === 1) typeChar(key);
      dispatch('keyup', key);
      return !isUnhandled;
    });
  }, keys);

/** Scans a code: its characters, and Enter after them. */
export const scan = async (page: Page, code: string): Promise<void> => void (await pressFast(page, [...code, 'Enter']));

/** Replaces the clock of the page, and lets the time stamps of events follow it. */
export const installClock = async (page: Page): Promise<void> => {
  await page.clock.install();
  await page.evaluate(() => Object.defineProperty(Event.prototype, 'timeStamp', { get: () => performance.now() }));
};
