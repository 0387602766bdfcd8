import type { Page } from 'playwright/test';
import { languages, type Language } from '../../../src/i18n/languages.ts';
import { sampleOf } from '../../helpers/sample.ts';
import { expectNothingForAxe } from './accessibility/axe.ts';
import { expect, test } from './page.ts';

const rows = (page: Page) => page.getByRole('list', { name: 'Items to check' }).getByRole('listitem');
const tile = (page: Page, photoId: string) => page.locator(`[data-tile="${photoId}"]`);
const picked = (page: Page) => page.locator('[data-tile][aria-pressed=true]');
/** The photos of each row. */
const sizes = (page: Page): Promise<number[]> =>
  rows(page).evaluateAll((all) => all.map((row) => row.querySelectorAll('[data-tile]').length));

test('from the list to the sheet: every item is a row with its number and the time between shots', async ({ open }) => {
  const page = await open('', { items: 'sheet' });
  await page.getByRole('link', { name: 'Check the grouping' }).click();
  await expect(page.getByText('12 items found. Check them, then start; nothing is sent until then.')).toBeVisible();
  await expect(rows(page)).toHaveCount(12);
  await expect(rows(page).nth(1)).toHaveAccessibleName('Item 2, 5 photos');
  await expect(page.getByRole('button', { name: 'New item from IMG_1001.jpg on, 8 sec' })).toHaveText('8 sec');
  await expect(page.getByText('1 place is worth a look.')).toBeVisible();
  await page.keyboard.press('u');
  await expect(tile(page, 'sheet9-0')).toBeFocused();
});

test('by mouse: a click in a gap splits, a click on a border joins, a drag moves a photo or a row', async ({
  open,
}) => {
  const page = await open('#/items/grouping', { items: 'sheet' });
  await page.getByRole('button', { name: 'New item from IMG_1002.jpg on, 8 sec' }).click();
  await expect.poll(() => sizes(page)).toEqual([2, 3, ...Array.from({ length: 11 }, () => 5)]);
  await page.getByRole('button', { name: 'Undo: Split' }).click();
  await expect(rows(page)).toHaveCount(12);
  await rows(page).nth(1).getByRole('button', { name: 'Join with the item above' }).click();
  await expect.poll(() => sizes(page)).toEqual([10, ...Array.from({ length: 10 }, () => 5)]);
  await page.keyboard.press('ControlOrMeta+z');
  await expect(rows(page)).toHaveCount(12);
  await tile(page, 'sheet1-0').dragTo(tile(page, 'sheet0-0'));
  await expect.poll(async () => (await sizes(page)).slice(0, 3)).toEqual([6, 4, 5]);
  // A whole row by its head.
  await rows(page).nth(1).getByText('Item 2').dragTo(rows(page).nth(2).getByText('Item 3'));
  await expect.poll(async () => (await sizes(page)).slice(0, 2)).toEqual([6, 9]);
});

test('by keys: S splits, J joins, Alt and arrows move, Shift and arrows select over rows, and focus stays', async ({
  open,
}) => {
  const page = await open('#/items/grouping', { items: 'sheet' });
  await expect(tile(page, 'sheet0-0')).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('s');
  await expect.poll(async () => (await sizes(page)).slice(0, 2)).toEqual([2, 3]);
  await expect(tile(page, 'sheet0-2')).toBeFocused();
  await page.keyboard.press('j');
  await expect(rows(page)).toHaveCount(12);
  await expect(tile(page, 'sheet0-2')).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(tile(page, 'sheet1-2')).toBeFocused();
  await page.keyboard.press('Alt+ArrowUp');
  await expect.poll(async () => (await sizes(page)).slice(0, 2)).toEqual([6, 4]);
  await expect(tile(page, 'sheet1-2')).toBeFocused();
  await page.keyboard.press('ControlOrMeta+z');
  await expect.poll(async () => (await sizes(page)).slice(0, 2)).toEqual([5, 5]);
  await expect(tile(page, 'sheet1-2')).toBeFocused();
  // From the third photo of one row to the third of the next; S makes these one item.
  await page.keyboard.press('Shift+ArrowDown');
  await expect(picked(page)).toHaveCount(6);
  await page.keyboard.press('s');
  await expect.poll(async () => (await sizes(page)).slice(0, 4)).toEqual([5, 2, 6, 2]);
  await expect(picked(page)).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(/#\/$/);
});

test('all that is on the sheet is started at once, and nothing before', async ({ open }) => {
  const page = await open('#/items/grouping', { items: 'sheet' });
  const begun = () => page.evaluate(() => window.fake.asked.filter(({ name }) => name === 'items.begin').length);
  await expect(rows(page)).toHaveCount(12);
  expect(await begun()).toBe(0);
  await page.getByRole('button', { name: 'Start all 12' }).click();
  await expect(page.getByText('Nothing is left to check.')).toBeVisible();
  expect(await begun()).toBe(1);
});

test('the sheet fits in narrow windows in every language, and axe has nothing to say', async ({ open }) => {
  for (const language of sampleOf('languages', Object.keys(languages) as Language[], 2)) {
    const page = await open('#/items/grouping', { items: 'sheet', language }, { width: 480 });
    await page.locator('[data-tile]').first().waitFor();
    const over = await page.evaluate(
      () =>
        [...document.querySelectorAll('html, main, main > div, main section')].filter(
          (room) => room.scrollWidth > room.clientWidth,
        ).length,
    );
    expect(over, language).toBe(0);
  }
  const page = await open('#/items/grouping', { items: 'sheet' });
  await page.locator('[data-tile]').nth(1).click();
  await expectNothingForAxe(page, { dark: true });
});
