import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page, Route } from 'playwright/test';
import sharp from 'sharp';
import { drawnRows, watchRows } from './drawnRows.ts';
import { expect, test } from './page.ts';

/** A photo that is told apart by its width. */
const photo = (width: number): Promise<Buffer> =>
  sharp({ create: { width, height: 10, channels: 3, background: '#888' } })
    .jpeg()
    .toBuffer();

/** Chooses a folder with these photos in it, by their paths and widths; every one waits to be let through, in the order of the folder. */
const choose = async (page: Page, photos: Readonly<Record<string, number>>): Promise<Route[]> => {
  const waiting: Route[] = [];
  await page.route('**/intake', (route) => void waiting.push(route));
  const folder = test.info().outputPath('photos');
  for (const [path, width] of Object.entries(photos)) {
    await mkdir(join(folder, path, '..'), { recursive: true });
    await writeFile(join(folder, path), await photo(width));
  }
  await page.locator('input[webkitdirectory]').first().setInputFiles(folder);
  await expect.poll(() => waiting.length).toBeGreaterThan(0);
  return waiting;
};

const letThrough = async (waiting: Route[], which: (waiting: Route[]) => Route | undefined): Promise<void> => {
  const route = which(waiting);
  if (route === undefined) throw new Error('Nothing waits to be sent.');
  waiting.splice(waiting.indexOf(route), 1);
  await route.fulfill({ json: { uploadId: crypto.randomUUID() } });
};

test('while photos come in, only the row whose photo was sent is drawn again', async ({ open }) => {
  const page = await open('', {});
  await watchRows(page);
  await page.reload();
  const items = page.getByRole('list', { name: 'Items' });
  await items.getByRole('listitem').first().waitFor();
  const waiting = await choose(page, { 'lamp/1.jpg': 10, 'lamp/2.jpg': 10, 'pot/1.jpg': 10, 'vase/1.jpg': 10 });
  const coming = page.getByRole('list', { name: 'Adding' }).getByRole('listitem');
  await expect(coming).toHaveCount(3);
  await drawnRows(page);
  await letThrough(waiting, ([one]) => one);
  const lamp = coming.filter({ hasText: 'lamp' });
  await expect(lamp).toHaveAttribute('aria-label', /1 of 2/);
  expect(await drawnRows(page)).toEqual([await lamp.getAttribute('aria-label')]);
});

test('a row shows the photo that comes first by its name, whichever was sent first', async ({ open }) => {
  const page = await open('', {});
  const waiting = await choose(page, { 'lamp/IMG_10.jpg': 100, 'lamp/IMG_2.jpg': 20, 'lamp/IMG_3.jpg': 30 });
  await expect.poll(() => waiting.length).toBe(3);
  const widthOf = (): Promise<number> =>
    page
      .getByRole('list', { name: 'Adding' })
      .locator('img')
      .evaluate((img: HTMLImageElement) => img.naturalWidth);
  await letThrough(waiting, (all) => all.at(-1));
  await expect.poll(widthOf).toBe(20);
  await letThrough(waiting, (all) => all[0]);
  await expect(page.getByRole('listitem', { name: /lamp.*2 of 3/ })).toBeVisible();
  expect(await widthOf()).toBe(20);
});

test('when an item changes, only its row is drawn again', async ({ open }) => {
  const page = await open('', { items: 'many' });
  await watchRows(page);
  await page.reload();
  await expect(page.getByRole('listitem').nth(5)).toBeVisible();
  await expect.poll(() => drawnRows(page)).toEqual([]);
  await page.evaluate(() => {
    const { fake } = window;
    const shown = document.querySelectorAll<HTMLElement>('[data-item]')[2]?.dataset.item;
    const item = fake.items.find(({ itemId }) => itemId === shown);
    if (item) item.title = 'Renamed meanwhile';
    fake.changed('items');
  });
  const renamed = page.getByRole('listitem', { name: /Renamed meanwhile/ });
  await expect(renamed).toBeVisible();
  expect(new Set(await drawnRows(page))).toEqual(new Set([await renamed.getAttribute('aria-label')]));
});
