import type { Page } from 'playwright/test';
import { screenDefinitions } from '../../../../src/ipc/screens.ts';
import { expect, test } from '../page.ts';

/** Returns the visible elements of the window that are drawn in a green, except photos. */
const listGreenElements = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const isGreen = (colour: string): boolean => {
      const [red = 0, green = 0, blue = 0, alpha = 1] = (colour.match(/[\d.]+/g) ?? []).map(Number);
      return alpha > 0 && green >= red + 8 && green >= blue + 8;
    };
    const hasGreen = (element: Element, pseudo?: string): boolean => {
      const { content, color, backgroundColor, borderTopColor, outlineColor } = getComputedStyle(element, pseudo);
      const isDrawn = pseudo === undefined || content !== 'none';
      return isDrawn && [color, backgroundColor, borderTopColor, outlineColor].some(isGreen);
    };
    return [...document.querySelectorAll('body *')]
      .filter((element) => element.checkVisibility({ visibilityProperty: true }))
      .filter((element) => hasGreen(element) || hasGreen(element, '::before') || hasGreen(element, '::after'))
      .map((element) => `${element.tagName} ${element.textContent}`);
  });

for (const colorScheme of ['light', 'dark'] as const)
  test(`only the yes of a prompt is green in the ${colorScheme} theme`, async ({ open }) => {
    const page = await open('', {}, { colorScheme });
    for (const { path } of Object.values(screenDefinitions)) {
      await page.evaluate((hash) => (window.location.hash = hash), path);
      await expect(page.locator('nav [aria-current=page]')).toHaveAttribute('href', new RegExp(`${path}$`));
      await expect(page.locator('main [aria-busy=true]')).toHaveCount(0);
      expect(await listGreenElements(page), path).toEqual([]);
    }
    await page.evaluate(() => (window.location.hash = '/items/fox'));
    await page.getByLabel('Title', { exact: true }).waitFor();
    // A comparison of texts, and a message.
    await page.getByRole('button', { name: /changed since it was written/ }).click();
    await page.getByRole('columnheader', { name: 'As written' }).waitFor();
    await expect(async () => {
      await page.keyboard.press('n');
      await expect(page.getByText('Nothing else to review.').first()).toBeVisible({ timeout: 1_000 });
    }).toPass();
    expect(await listGreenElements(page)).toEqual([]);
    await page.evaluate(() => {
      window.fake.approvals = [window.fake.publish()];
      window.fake.changed('approvals');
    });
    const yes = page.getByRole('dialog').getByRole('button', { name: /^Publish for/ });
    await expect(yes).toBeEnabled();
    const words = (await yes.textContent()) ?? '';
    const greens = await listGreenElements(page);
    expect(greens).toContain(`BUTTON ${words}`);
    expect(greens.filter((element) => !element.endsWith(` ${words}`))).toEqual([]);
  });
