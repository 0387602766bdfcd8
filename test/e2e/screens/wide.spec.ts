import type { Page } from 'playwright/test';
import { screenDefinitions } from '../../../src/ipc/screens.ts';
import { expect, test } from './page.ts';

/** Returns the texts that are cut with an ellipsis if the right half of the screen has no content, otherwise nothing. */
const findNeedlesslyCutTexts = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const main = document.querySelector('main') ?? document.body;
    const { left, right } = main.getBoundingClientRect();
    const isShown = (element: Element): boolean => {
      const { width, height } = element.getBoundingClientRect();
      return width > 1 && height > 1 && element.checkVisibility({ visibilityProperty: true });
    };
    const hasOwnText = (element: Element): boolean =>
      [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim());
    const shown = [...main.querySelectorAll('*')].filter(isShown);
    const measureTextEnd = (element: Element): number => {
      const range = document.createRange();
      range.selectNodeContents(element);
      return Math.min(range.getBoundingClientRect().right, element.getBoundingClientRect().right);
    };
    const ends = shown.flatMap((element) => {
      if (element.matches('img, svg, canvas, input, select, textarea, button'))
        return element.getBoundingClientRect().right;
      return hasOwnText(element) ? measureTextEnd(element) : [];
    });
    if (Math.max(left, ...ends) > (left + right) / 2) return [];
    return shown
      .filter((element) => element.scrollWidth > element.clientWidth + 1)
      .filter((element) => getComputedStyle(element).textOverflow === 'ellipsis')
      .map((element) => element.textContent.slice(0, 80));
  });

const screenPaths = Object.values(screenDefinitions).map(({ path }) => path);

const wideSizes = [
  { width: 1920, height: 1080 },
  { width: 2560, height: 1440 },
];

for (const path of ['/listings/lst_fox', ...screenPaths])
  test(`${path} cuts no text while half of a wide window is empty`, async ({ open }) => {
    const page = await open(
      `#${path}`,
      { items: 'many', listings: 400, pairings: true, offers: true },
      { width: 1920 },
    );
    for (const size of wideSizes) {
      await page.setViewportSize(size);
      await expect(page.getByRole('main').getByRole('heading').first()).toBeVisible();
      await expect(page.locator('main [aria-busy=true]')).toHaveCount(0);
      await expect.poll(() => findNeedlesslyCutTexts(page)).toEqual([]);
    }
  });

test('the facts of a listing stand beside its photo, at the left of every wide window', async ({ open }) => {
  const page = await open('#/listings/lst_0', {}, { width: 1920 });
  const photo = page.getByRole('region', { name: 'Photos' }).getByRole('img').first();
  const price = page.getByText('US$5.00').last();
  for (const size of wideSizes) {
    await page.setViewportSize(size);
    await expect(price).toBeVisible();
    await expect(photo).toBeVisible();
    const [main, large, facts] = await Promise.all([
      page.getByRole('main').boundingBox(),
      photo.boundingBox(),
      price.boundingBox(),
    ]);
    if (!main || !large || !facts) throw new Error('The listing is not drawn');
    expect(large.x - main.x).toBe(24);
    expect(facts.x - large.x - large.width).toBeCloseTo(32, 0);
  }
});

test('a wide window shows how long ago each item was added, and cuts no title for it', async ({ open }) => {
  const page = await open('', {}, { width: 1280 });
  const first = page.getByRole('list', { name: 'Items' }).getByRole('listitem').first();
  await expect(first.getByText('4 photos')).toBeVisible();
  await expect(first.getByText('today')).toBeHidden();
  const wide = await open('', {}, { width: 1920, instead: true });
  const row = wide.getByRole('list', { name: 'Items' }).getByRole('listitem').first();
  await expect(row.getByText('today')).toBeVisible();
  await expect(row.getByText('United States')).toBeVisible();
  // A title of 62 characters fits beside these columns.
  const title = row.getByText('Vintage Red Fox Ceramic Figurine, Hand Painted, 12 cm, Sitting');
  const lines = title.locator('xpath=ancestor-or-self::*[@data-lines or contains(@class, "name")][1]');
  const { shown, needed } = await lines.evaluate(({ clientHeight, scrollHeight }) => ({
    shown: clientHeight,
    needed: scrollHeight,
  }));
  expect(shown).toBeGreaterThan(20);
  expect(needed).toBeLessThanOrEqual(shown + 1);
});
