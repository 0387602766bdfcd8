import type { Page, Route } from 'playwright/test';
import { languages, type Language } from '../../../../src/i18n/languages.ts';
import { drawSample } from '../../../helpers/sample.ts';
import { expectNoAxeProblem } from '../accessibility/axe.ts';
import { expect, test } from '../page.ts';

const getRows = (page: Page) => page.getByRole('list', { name: 'Items to check' }).getByRole('listitem');
const getTile = (page: Page, photoId: string) => page.locator(`[data-tile="${photoId}"]`);
const getSelectedTiles = (page: Page) => page.locator('[data-tile][aria-pressed=true]');
const getNumber = (page: Page, at: number) => getRows(page).getByRole('link', { name: new RegExp(`^Item ${at},`) });
/** Returns the number of photos in each row. */
const countPhotos = (page: Page): Promise<number[]> =>
  getRows(page).evaluateAll((all) => all.map((row) => row.querySelectorAll('[data-tile]').length));

test('the contact sheet shows each item in a numbered row with the time between photos', async ({ open }) => {
  const page = await open('', { items: 'sheet' });
  await page.getByRole('link', { name: 'Check the grouping' }).click();
  await expect(page.getByText('12 items found; nothing is sent until you start.')).toBeVisible();
  await expect(getRows(page)).toHaveCount(12);
  await expect(getRows(page).nth(1)).toHaveAccessibleName('Item 2, 5 photos');
  await expect(page.getByRole('button', { name: 'New item from IMG_1001.jpg on, 3 sec' })).toBeAttached();
  await expect(page.getByText('1 place is worth a look.')).toBeVisible();
  await page.keyboard.press('u');
  await expect(getTile(page, 'sheet9-0')).toBeFocused();
});

test('items on the contact sheet are split and merged with the mouse', async ({ open }) => {
  const page = await open('#/items/grouping', { items: 'sheet' });
  await page.getByRole('button', { name: 'New item from IMG_1002.jpg on, 3 sec' }).click();
  await expect.poll(() => countPhotos(page)).toEqual([2, 3, ...Array.from({ length: 11 }, () => 5)]);
  await page.getByRole('button', { name: 'Undo: Split' }).click();
  await expect(getRows(page)).toHaveCount(12);
  await getRows(page).nth(1).getByRole('button', { name: 'Join with the item before' }).click();
  await expect.poll(() => countPhotos(page)).toEqual([10, ...Array.from({ length: 10 }, () => 5)]);
  await page.keyboard.press('ControlOrMeta+z');
  await expect(getRows(page)).toHaveCount(12);
  await getTile(page, 'sheet1-0').dragTo(getTile(page, 'sheet0-0'));
  await expect.poll(async () => (await countPhotos(page)).slice(0, 3)).toEqual([6, 4, 5]);
  // A whole item is moved by dragging its number.
  await getNumber(page, 2).dragTo(getNumber(page, 3));
  await expect.poll(async () => (await countPhotos(page)).slice(0, 2)).toEqual([6, 9]);
});

test('items on the contact sheet are split and merged by keyboard', async ({ open }) => {
  const page = await open('#/items/grouping', { items: 'sheet' });
  await expect(getTile(page, 'sheet0-0')).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('s');
  await expect.poll(async () => (await countPhotos(page)).slice(0, 2)).toEqual([2, 3]);
  await expect(getTile(page, 'sheet0-2')).toBeFocused();
  await page.keyboard.press('j');
  await expect(getRows(page)).toHaveCount(12);
  await expect(getTile(page, 'sheet0-2')).toBeFocused();
  for (const at of [3, 4, 0, 1, 2]) {
    await page.keyboard.press('ArrowRight');
    await expect(getTile(page, `sheet${at > 2 ? 0 : 1}-${at}`)).toBeFocused();
  }
  await page.keyboard.press('Alt+ArrowUp');
  await expect.poll(async () => (await countPhotos(page)).slice(0, 2)).toEqual([6, 4]);
  await expect(getTile(page, 'sheet1-2')).toBeFocused();
  await page.keyboard.press('ControlOrMeta+z');
  await expect.poll(async () => (await countPhotos(page)).slice(0, 2)).toEqual([5, 5]);
  await expect(getTile(page, 'sheet1-2')).toBeFocused();
  // The selection spans the item in between; S makes one item of it.
  await page.keyboard.press('Shift+ArrowDown');
  await expect(getTile(page, 'sheet3-2')).toBeFocused();
  await expect(getSelectedTiles(page)).toHaveCount(11);
  await page.keyboard.press('s');
  await expect.poll(async () => (await countPhotos(page)).slice(0, 4)).toEqual([5, 2, 11, 2]);
  await expect(getSelectedTiles(page)).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(/#\/$/);
});

/** Returns the position of a photo in the window. */
const readPosition = (page: Page, photoId: string) =>
  getTile(page, photoId).evaluate((one) => {
    const { x, y } = one.getBoundingClientRect();
    return { x, y };
  });

test('the up and down keys move to the photo directly above or below', async ({ open }) => {
  const page = await open('#/items/grouping', { items: 'sheet' });
  // Items with 5, 2, 3 and 5 photos: their photos are not aligned in columns.
  await getTile(page, 'sheet1-2').click();
  await page.keyboard.press('s');
  await expect(getRows(page)).toHaveCount(13);
  const here = (): Promise<string> => page.evaluate(() => document.activeElement?.getAttribute('data-tile') ?? '');
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowUp', 'ArrowUp']) {
    const from = await readPosition(page, await here());
    await page.keyboard.press(key);
    const to = await readPosition(page, await here());
    expect(Math.sign(to.y - from.y), key).toBe(key === 'ArrowDown' ? 1 : -1);
    expect(Math.abs(to.y - from.y), key).toBeLessThan(110);
    expect(Math.abs(to.x - from.x), key).toBeLessThan(72);
  }
});

test('Enter on the contact sheet opens the item at the photo, and Escape returns', async ({ open }) => {
  const page = await open('#/items/grouping', { items: 'sheet' });
  const asked = (name: string): Promise<unknown[]> =>
    page.evaluate((wanted) => window.fake.asked.filter((one) => one.name === wanted).map(({ input }) => input), name);
  const order = (): Promise<(string | undefined)[]> =>
    getRows(page)
      .nth(6)
      .locator('[data-tile]')
      .evaluateAll((all) => all.map((one) => (one instanceof HTMLElement ? one.dataset.tile : undefined)));
  await getTile(page, 'sheet6-1').focus();
  await getTile(page, 'sheet6-1').click();
  await page.keyboard.press('r');
  await expect.poll(() => asked('photos.turn')).toEqual([{ photoIds: ['sheet6-1'], by: 1 }]);
  await page.keyboard.press('Alt+ArrowRight');
  await expect.poll(order).toEqual(['sheet6-0', 'sheet6-2', 'sheet6-1', 'sheet6-3', 'sheet6-4']);
  await page.keyboard.press('Alt+ArrowLeft');
  await expect.poll(order).toEqual(['sheet6-0', 'sheet6-1', 'sheet6-2', 'sheet6-3', 'sheet6-4']);
  await page.keyboard.press('Enter');
  const photos = page.getByRole('region', { name: 'Photos to arrange' });
  await expect(photos.locator('[data-tile="sheet6-1"]')).toBeFocused();
  // Cropping and removing photos works as on every other screen.
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(photos.locator('[data-tile="sheet6-1"]')).toBeFocused();
  await page.keyboard.press('Delete');
  await expect(photos.locator('[data-tile]')).toHaveCount(4);
  await page.keyboard.press('ControlOrMeta+z');
  await expect(photos.locator('[data-tile]')).toHaveCount(5);
  await page.keyboard.press('Escape');
  await expect(getRows(page)).toHaveCount(12);
  await expect(getTile(page, 'sheet6-1')).toBeFocused();
});

for (const { width, height, atLeast, screens } of [
  { width: 1920, height: 1080, atLeast: 36, screens: 2 },
  { width: 1280, height: 800, atLeast: 14, screens: 4 },
])
  test(`of 60 items, ${atLeast} are visible at once at ${width} × ${height}`, async ({ open }) => {
    const page = await open('#/items/grouping', { items: 'sheet60' }, { width });
    await page.setViewportSize({ width, height });
    await expect(getRows(page).first()).toHaveAttribute('aria-setsize', '60');
    const seen = await page.getByRole('list', { name: 'Items to check' }).evaluate((list) => {
      const { bottom } = list.getBoundingClientRect();
      return {
        items: [...list.children].filter((one) => one.getBoundingClientRect().bottom <= bottom).length,
        screens: list.scrollHeight / list.clientHeight,
        photo: list.querySelector('[data-tile]')?.getBoundingClientRect().width ?? 0,
      };
    });
    expect(seen.items).toBeGreaterThanOrEqual(atLeast);
    expect(seen.screens).toBeLessThanOrEqual(screens);
    expect(seen.photo).toBeGreaterThanOrEqual(72);
  });

test('the contact sheet keeps its length during scrolling', async ({ open }) => {
  const page = await open('#/items/grouping', { items: 'sheet60' });
  const list = page.getByRole('list', { name: 'Items to check' });
  await expect(getRows(page).first()).toHaveAttribute('aria-setsize', '60');
  const before = await list.evaluate(({ scrollHeight }) => scrollHeight);
  await page.keyboard.press('End');
  await expect(getTile(page, 'sheet59-4')).toBeInViewport();
  expect(await list.evaluate(({ scrollHeight }) => scrollHeight)).toBe(before);
});

test('the contact sheet renders only the photos near the visible part, and the keys reach all others', async ({
  open,
}) => {
  const page = await open('#/items/grouping', { items: 'sheet60' });
  const [first, last] = [getTile(page, 'sheet0-0'), getTile(page, 'sheet59-4')];
  await expect(getRows(page).first()).toHaveAttribute('aria-setsize', '60');
  await expect(first).toBeFocused();
  await expect(last).toHaveCount(0);
  await page.keyboard.press('End');
  await expect(last).toBeFocused();
  await expect(first).toHaveCount(0);
  await page.keyboard.press('ArrowUp');
  await expect(last).not.toBeFocused();
  await expect(page.locator('[data-tile]:focus')).toBeInViewport();
  await page.keyboard.press('Home');
  await expect(first).toBeFocused();
  await page.getByRole('list', { name: 'Items to check' }).evaluate((list) => list.scrollTo(0, list.scrollHeight));
  await expect(last).toBeInViewport();
});

test('items on the contact sheet start only when the person clicks the start button', async ({ open }) => {
  const page = await open('#/items/grouping', { items: 'sheet' });
  const begun = () => page.evaluate(() => window.fake.asked.filter(({ name }) => name === 'items.begin').length);
  await expect(getRows(page)).toHaveCount(12);
  expect(await begun()).toBe(0);
  await page.getByRole('button', { name: 'Start all 12' }).click();
  await expect(page.getByText(/^\d+ items are in progress\. They appear under “To check”/)).toBeVisible();
  await page.getByRole('link', { name: 'To the items' }).click();
  await expect(page.getByRole('region', { name: 'Drop photos here' })).toBeVisible();
  expect(await begun()).toBe(1);
});

test('the contact sheet fits in a narrow window, and axe finds no problem', async ({ open }) => {
  for (const language of drawSample('languages', Object.keys(languages) as Language[], 2)) {
    const page = await open('#/items/grouping', { items: 'sheet', language }, { width: 480, instead: true });
    await page.locator('[data-tile]').first().waitFor();
    // The items are in one column, each with its five photos in one line.
    const items = await page
      .locator('li:has([data-tile])')
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect()).map(({ left, height }) => [left, height]));
    expect(new Set(items.map(([left]) => left)).size, language).toBe(1);
    expect(items[0]?.[1], language).toBeLessThan(110);
    const over = await page.evaluate(
      () =>
        [...document.querySelectorAll('html, main, main > div, main section')].filter(
          (room) => room.scrollWidth > room.clientWidth,
        ).length,
    );
    expect(over, language).toBe(0);
  }
  const page = await open('#/items/grouping', { items: 'sheet' }, { instead: true });
  await page.locator('[data-tile]').nth(1).click();
  await expectNoAxeProblem(page, { dark: true });
});

test('photos are as large as fits, and a slider changes their size', async ({ open }) => {
  const page = await open('#/items/grouping', { items: 'sheet' });
  const tile = page.locator('[data-tile]').first();
  await expect(tile).toBeVisible();
  await page.setViewportSize({ width: 1920, height: 1080 });
  await expect.poll(async () => (await tile.boundingBox())?.width).toBeGreaterThanOrEqual(128);
  await expect(page.locator('[data-tile]')).toHaveCount(60);
  await expect(page.locator('[data-tile]').last()).toBeInViewport({ ratio: 1 });
  const slider = page.getByRole('slider', { name: 'Size of the photos' });
  await slider.press('Home');
  await expect.poll(async () => (await tile.boundingBox())?.width).toBe(72);
  await page.setViewportSize({ width: 1280, height: 800 });
  await slider.press('End');
  await expect.poll(async () => (await tile.boundingBox())?.width).toBe(160);
  // Pauses are shown only between items and at doubtful places.
  await expect(page.getByText('3 sec', { exact: true })).toHaveCount(0);
  await expect(page.getByText('2 min', { exact: true }).first()).toBeVisible();
});

test('six photos of the contact sheet load at once, and a photo that cannot load delays no other', async ({ open }) => {
  const page = await open('#/settings', { items: 'sheet60' });
  const held: Route[] = [];
  let isHeld = true;
  await page.route(/\/thumb/, (route) => (isHeld ? void held.push(route) : route.continue()));
  await page.evaluate(() => window.location.replace('#/items/grouping'));
  await expect(getTile(page, 'sheet1-0')).toBeVisible();
  await expect.poll(() => held.length).toBe(6);
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  expect(held).toHaveLength(6);
  isHeld = false;
  for (const [at, route] of held.entries()) await (at === 0 ? route.abort() : route.continue());
  const pictures = page.locator('[data-tile] img');
  const countMissing = (): Promise<number> =>
    pictures.evaluateAll((all) => all.filter((one) => (one as HTMLImageElement).naturalWidth === 0).length);
  await expect.poll(countMissing).toBe(1);
  expect(await pictures.count()).toBeGreaterThan(60);
});
