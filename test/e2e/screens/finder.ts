import type { Locator, Page } from 'playwright/test';
import { expect } from './page.ts';

/** The dialog opened by Ctrl+K. */
export const finder = (page: Page): Locator => page.getByRole('dialog', { name: 'Find anything' });
export const finderField = (page: Page): Locator => finder(page).getByRole('combobox', { name: 'Find anything' });
/** The results in the Find dialog. */
export const hits = (page: Page): Locator => finder(page).getByRole('option');

/** Opens the Find dialog as soon as a screen is shown. */
export const openFinder = async (page: Page): Promise<void> => {
  await expect(page.locator('main :is(h1, h2)').first()).toBeAttached();
  await page.keyboard.press('Control+k');
  await expect(finderField(page)).toBeFocused();
};

/** Types the words into the Find dialog and presses Enter on the expected first result. */
export const pressInFinder = async (page: Page, words: string, first: string | RegExp): Promise<void> => {
  await openFinder(page);
  await page.keyboard.type(words);
  await expect(hits(page).first()).toHaveAccessibleName(first);
  await page.keyboard.press('Enter');
  await expect(finder(page)).toBeHidden();
};
