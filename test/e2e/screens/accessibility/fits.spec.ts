import type { Page } from 'playwright/test';
import type { Language } from '../../../../src/i18n/languages.ts';
import { getScreenAt, screenDefinitions, screenIds } from '../../../../src/ipc/screens.ts';
import { expect, setLanguage, test } from '../page.ts';
import { findCutOptions } from './findCutOptions.ts';

const routes = [
  ...screenIds.map((id) => screenDefinitions[id].path),
  '/items/fox',
  '/items/shoes',
  '/listings/lst_fox',
];

/** Returns the path of the sidebar link for a route: a listing belongs to the listings, an item to the items. */
const getSidebarPath = (route: string): string => `${screenDefinitions[getScreenAt(route).id].path}$`;

/** Returns what is wider than its container: the page, or the text of a control or heading. */
const findOverflows = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const found: string[] = [];
    for (const room of document.querySelectorAll('html, main, main > div')) {
      const { scrollWidth, clientWidth } = room;
      // Panels that slide in from the side are clipped and cannot be scrolled to.
      const isClipped = getComputedStyle(room).overflowX === 'clip';
      if (!isClipped && scrollWidth > clientWidth) found.push(`the page: ${scrollWidth} in ${clientWidth}`);
    }
    const controls =
      'button, [role=button], [role=tab], [role=menuitem], [type=radio] + label, th, [role=columnheader]';
    for (const control of document.querySelectorAll<HTMLElement>(`${controls}, nav a`))
      for (const part of [control, ...control.querySelectorAll<HTMLElement>('*')]) {
        const { display, clipPath } = getComputedStyle(part);
        const isUnseen = clipPath !== 'none' || display === 'inline' || part.clientWidth === 0;
        // Allows one pixel for rounding.
        if (!isUnseen && part.scrollWidth > part.clientWidth + 1)
          found.push(`“${control.textContent}”: ${part.scrollWidth} in ${part.clientWidth}`);
      }
    return [...new Set(found)];
  });

const windowSizes: { width: number; height: number; languages: Language[] }[] = [
  { width: 900, height: 600, languages: ['de', 'pl', 'fr'] },
  { width: 640, height: 400, languages: ['en', 'pl'] },
  { width: 480, height: 800, languages: ['en', 'de'] },
];

test('every screen fits in small windows in several languages', async ({ open }) => {
  const page = await open('', { pairings: true, offers: true }, { width: 900 });
  await page.locator('main').waitFor();
  const found: string[] = [];
  for (const { width, height, languages } of windowSizes) {
    await page.setViewportSize({ width, height });
    for (const language of languages) {
      await setLanguage(page, language);
      for (const route of routes) {
        await page.evaluate((hash) => (window.location.hash = hash), route);
        await expect(page.locator('nav [aria-current=page]')).toHaveAttribute(
          'href',
          new RegExp(getSidebarPath(route)),
        );
        await page.locator('main :is(h1, h2)').first().waitFor({ state: 'attached' });
        await expect(page.locator('main [aria-busy=true]')).toHaveCount(0);
        const cut = [...(await findOverflows(page)), ...(await findCutOptions(page))];
        found.push(...cut.map((words) => `${language} ${width} ${route} ${words}`));
      }
    }
  }
  expect(found).toEqual([]);
});

test('the current screen’s name stays on one line in the sidebar', async ({ open }) => {
  const page = await open('', { language: 'de' }, { width: 1280 });
  const current = page.locator('nav [aria-current=page]');
  for (const id of screenIds) {
    const { path } = screenDefinitions[id];
    await page.evaluate((hash) => (window.location.hash = hash), path);
    await expect(current).toHaveAttribute('href', new RegExp(`${path}$`));
    const lines = await current.evaluate((link) => {
      const words = document.createRange();
      words.selectNodeContents([...link.querySelectorAll('span')].at(0) ?? link);
      return new Set([...words.getClientRects()].map(({ top }) => Math.round(top))).size;
    });
    expect(lines, path).toBe(1);
  }
});
