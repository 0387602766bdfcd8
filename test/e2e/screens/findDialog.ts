import type { Locator, Page } from 'playwright/test';
import { handSpeed } from '../handSpeed.ts';
import { expect } from './page.ts';

/** The dialog opened by Ctrl+K. */
export const getFindDialog = (page: Page): Locator => page.getByRole('dialog', { name: 'Find anything' });
/** The search field of the Find dialog. */
export const getFindField = (page: Page): Locator =>
  getFindDialog(page).getByRole('combobox', { name: 'Find anything' });
/** The results in the Find dialog. */
export const getFindResults = (page: Page): Locator => getFindDialog(page).getByRole('option');

/** Opens the Find dialog as soon as a screen is shown. */
export const openFindDialog = async (page: Page): Promise<void> => {
  await expect(page.locator('main :is(h1, h2)').first()).toBeAttached();
  await page.keyboard.press('Control+k');
  await expect(getFindField(page)).toBeFocused();
};

/** Types the words into the Find dialog and presses Enter on the expected first result. */
export const runInFindDialog = async (page: Page, words: string, first: string | RegExp): Promise<void> => {
  await openFindDialog(page);
  await page.keyboard.type(words, handSpeed);
  await expect(getFindResults(page).first()).toHaveAccessibleName(first);
  await page.keyboard.press('Enter');
  await expect(getFindDialog(page)).toBeHidden();
};
