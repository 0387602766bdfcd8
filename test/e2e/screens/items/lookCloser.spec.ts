import type { Page } from 'playwright/test';
import { expect, test } from '../page.ts';

const dialog = (page: Page) => page.getByRole('dialog');
const frame = (page: Page) => dialog(page).locator('[data-photo-frame]');
const readWidth = async (page: Page): Promise<number> => (await frame(page).boundingBox())?.width ?? 0;
const readPictureWidth = (page: Page): Promise<number> =>
  frame(page)
    .getByRole('img')
    .evaluate((picture) => (picture as HTMLImageElement).naturalWidth / devicePixelRatio);
const listPhotos = (page: Page): Promise<(string | undefined)[]> =>
  page.evaluate(
    () =>
      window.fake.items
        .find(({ itemId }) => itemId === 'fox')
        ?.photos.slice(0, 5)
        .map(({ photoId }) => photoId) ?? [],
  );

/** The place of the photo, in fractions of its sides, that is in the middle of the stage. */
const readMiddle = (page: Page): Promise<{ x: number; y: number }> =>
  frame(page).evaluate((element) => {
    const photo = element.getBoundingClientRect();
    const stage = element.parentElement?.getBoundingClientRect() ?? photo;
    return {
      x: (stage.left + stage.width / 2 - photo.left) / photo.width,
      y: (stage.top + stage.height / 2 - photo.top) / photo.height,
    };
  });

const openPhoto = async (page: Page): Promise<void> => {
  await page.getByRole('region', { name: 'Photos to arrange' }).locator('[data-tile]').nth(1).focus();
  await page.keyboard.press('Enter');
  await expect(frame(page).getByRole('img')).toBeVisible();
};

test('a photo uses the whole window, and keys and buttons show its actual size', async ({ open }) => {
  const page = await open('#/items/fox', { items: 'guessed' });
  await page.setViewportSize({ width: 900, height: 600 });
  await openPhoto(page);
  const { width, height } = (await dialog(page).boundingBox()) ?? { width: 0, height: 0 };
  expect({ width, height }).toEqual({ width: 900, height: 600 });
  const whole = await readWidth(page);
  const actual = await readPictureWidth(page);
  expect(actual).toBeGreaterThan(whole * 1.5);
  await page.keyboard.press('z');
  await expect.poll(() => readWidth(page)).toBeCloseTo(actual, 0);
  await expect(page.getByRole('button', { name: 'Actual size' })).toHaveAttribute('aria-pressed', 'true');
  const middle = await readMiddle(page);
  expect(middle.x).toBeCloseTo(0.5, 2);
  expect(middle.y).toBeCloseTo(0.5, 2);
  await page.keyboard.press('0');
  await expect.poll(() => readWidth(page)).toBeCloseTo(whole, 0);
  await page.keyboard.press('+');
  await expect.poll(() => readWidth(page)).toBeCloseTo(whole * 1.25, 0);
  await page.keyboard.press('-');
  await expect.poll(() => readWidth(page)).toBeCloseTo(whole, 0);
});

test('the wheel enlarges what is under the pointer, and a drag moves the photo', async ({ open }) => {
  const page = await open('#/items/fox', { items: 'guessed' });
  await page.setViewportSize({ width: 900, height: 600 });
  await openPhoto(page);
  const box = await frame(page).boundingBox();
  if (!box) throw new Error('The photo is not drawn.');
  const at = { x: box.x + box.width * 0.25, y: box.y + box.height * 0.75 };
  await page.mouse.move(at.x, at.y);
  await page.mouse.wheel(0, -500);
  await expect.poll(() => readWidth(page)).toBeGreaterThan(box.width * 3);
  const larger = await frame(page).boundingBox();
  if (!larger) throw new Error('The photo is not drawn.');
  expect((at.x - larger.x) / larger.width).toBeCloseTo(0.25, 1);
  expect((at.y - larger.y) / larger.height).toBeCloseTo(0.75, 1);
  await page.mouse.down();
  await page.mouse.move(at.x + 60, at.y - 40, { steps: 4 });
  await page.mouse.up();
  const moved = await frame(page).boundingBox();
  expect((moved?.x ?? 0) - larger.x).toBeCloseTo(60, -1);
  expect((moved?.y ?? 0) - larger.y).toBeCloseTo(-40, -1);
  await page.mouse.dblclick(at.x, at.y);
  await page.keyboard.press('0');
  await expect.poll(() => readWidth(page)).toBeCloseTo(box.width, 0);
});

test('the order of the photos can be changed beside the large photo, also by keyboard', async ({ open }) => {
  const page = await open('#/items/fox', { items: 'guessed' });
  await openPhoto(page);
  await page.keyboard.press('Alt+ArrowRight');
  await expect.poll(() => listPhotos(page)).toEqual(['fox-0', 'fox-2', 'fox-1', 'fox-3', 'fox-4']);
  await expect(dialog(page)).toContainText('Photo 3 of 5');
  await dialog(page).getByRole('button', { name: 'Make it the main photo' }).click();
  await expect.poll(() => listPhotos(page)).toEqual(['fox-1', 'fox-0', 'fox-2', 'fox-3', 'fox-4']);
  await expect(dialog(page)).toContainText('Photo 1 of 5');
  await dialog(page).getByRole('button', { name: 'Move later' }).click();
  await expect.poll(() => listPhotos(page)).toEqual(['fox-0', 'fox-1', 'fox-2', 'fox-3', 'fox-4']);
});
