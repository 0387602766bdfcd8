import type { Page } from 'playwright/test';
import { expect, test } from '../page.ts';

const getTiles = (page: Page) => page.getByRole('region', { name: 'Photos to arrange' }).locator('[data-tile]');
const listTileNames = (page: Page): Promise<(string | undefined)[]> =>
  getTiles(page).evaluateAll((all) => all.map((tile) => (tile as HTMLElement).dataset.tile));
const getRows = (page: Page) => page.getByRole('list', { name: 'Items' }).getByRole('listitem');

test('changes to photos by keyboard can be undone', async ({ open }) => {
  const page = await open('#/items/fox', { items: 'guessed' });
  await getTiles(page).first().focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('m');
  await expect.poll(() => listTileNames(page)).toEqual(['fox-2', 'fox-0', 'fox-1', 'fox-3', 'fox-4']);
  await getTiles(page).first().focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Space');
  await page.keyboard.press('s');
  await expect(getRows(page)).toHaveCount(4);
  await expect(getTiles(page)).toHaveCount(3);
  await page.keyboard.press('Control+z');
  await expect(getRows(page)).toHaveCount(3);
  await page.keyboard.press('Control+z');
  await expect.poll(() => listTileNames(page)).toEqual(['fox-0', 'fox-1', 'fox-2', 'fox-3', 'fox-4']);
});

test('a photo is dragged to another position and onto another item', async ({ open }) => {
  const page = await open('#/items/fox', { items: 'guessed' });
  await getTiles(page).nth(3).dragTo(getTiles(page).nth(0));
  await expect.poll(() => listTileNames(page)).toEqual(['fox-3', 'fox-0', 'fox-1', 'fox-2', 'fox-4']);
  await getTiles(page)
    .nth(0)
    .dragTo(getRows(page).filter({ hasText: 'old compacts' }));
  await expect(getTiles(page)).toHaveCount(4);
  const moved = await page.evaluate(() => window.fake.items.find(({ itemId }) => itemId === 'camera')?.photos.length);
  expect(moved).toBe(4);
});

test('a photo can be rotated, cropped, set aside, removed and restored', async ({ open }) => {
  const page = await open('#/items/fox', { items: 'guessed' });
  const edits = () => page.evaluate(() => window.fake.items[0]?.photos[1]?.edits);
  await getTiles(page).nth(1).click();
  await page.getByRole('button', { name: 'Look closer' }).click();
  await page.getByLabel('From the left').fill('20');
  // A rotation that the window hears of later rotates the unsaved crop with the picture.
  await page.evaluate(() => window.companion?.call('photos.turn', { photoIds: ['fox-1'], by: 1 }));
  await expect(page.getByLabel('From the top')).toHaveValue('20');
  await page.getByLabel('From the left').fill('10');
  await page.getByRole('button', { name: 'Keep this' }).click();
  await expect.poll(async () => (await edits())?.crop).toEqual({ left: 0.1, top: 0.2, width: 0.9, height: 0.8 });
  expect((await edits())?.quarterTurns).toBe(1);
  await page.getByRole('button', { name: 'Turn right' }).click();
  await expect.poll(async () => (await edits())?.crop).toEqual({ left: 0, top: 0.1, width: 0.8, height: 0.9 });
  await page.getByRole('button', { name: 'Turn left' }).click();
  await expect.poll(async () => (await edits())?.quarterTurns).toBe(1);
  await page.getByRole('button', { name: 'Turn right' }).click();
  await page.getByRole('button', { name: 'Turn right' }).click();
  await expect.poll(async () => (await edits())?.quarterTurns).toBe(3);
  await page.getByRole('button', { name: 'Set aside' }).click();
  await expect(getTiles(page).nth(1)).toHaveAccessibleName(/You set this one aside/);
  await page.getByRole('button', { name: 'Take out' }).click();
  await expect(getTiles(page)).toHaveCount(4);
  await page.getByRole('button', { name: 'Put back IMG_2015.jpg' }).click();
  await expect(getTiles(page)).toHaveCount(5);
});

test('merged items are started with a button', async ({ open }) => {
  const page = await open('#/items/fox', { items: 'guessed' });
  await expect(page.getByText('3 items found')).toBeVisible();
  await page.getByRole('button', { name: 'Join with…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'old compacts' }).click();
  await expect(getRows(page)).toHaveCount(2);
  await expect(getTiles(page)).toHaveCount(8);
  await page.getByRole('button', { name: 'Start this item' }).click();
  await expect(page.getByText('1 item found')).toBeVisible();
  await page.getByRole('button', { name: 'Start it' }).click();
  await expect(page.getByText(/items? found/)).toHaveCount(0);
});
