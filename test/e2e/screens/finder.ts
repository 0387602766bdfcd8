import type { Locator, Page } from 'playwright/test';
import { expect } from './page.ts';

/** The dialog that finds anything. */
export const finder = (page: Page): Locator => page.getByRole('dialog', { name: 'Find anything' });
/** The field in which one types what is wanted. */
export const finderField = (page: Page): Locator => finder(page).getByRole('combobox', { name: 'Find anything' });
/** What was found. */
export const hits = (page: Page): Locator => finder(page).getByRole('option');

/** Ctrl+K, as soon as there is a screen. */
export const openFinder = async (page: Page): Promise<void> => {
  await expect(page.locator('main :is(h1, h2)').first()).toBeAttached();
  await page.keyboard.press('Control+k');
  await expect(finderField(page)).toBeFocused();
};

/** Ctrl+K, the words, Enter on what is found first. */
export const pressInFinder = async (page: Page, words: string, first: string | RegExp): Promise<void> => {
  await openFinder(page);
  await page.keyboard.type(words);
  await expect(hits(page).first()).toHaveAccessibleName(first);
  await page.keyboard.press('Enter');
  await expect(finder(page)).toBeHidden();
};
