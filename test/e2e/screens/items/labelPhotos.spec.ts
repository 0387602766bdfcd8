import type { Page } from 'playwright/test';
import { expectNoAxeProblem } from '../accessibility/axe.ts';
import { expect, test } from '../page.ts';

const getLabelTile = (page: Page) => page.locator('[data-tile="book-0"]');

test('the photo of a label says that it is not sent, and one press makes it a photo like the others', async ({
  open,
}) => {
  const page = await open('#/items/book', { items: 'guessed' });
  await expect(getLabelTile(page)).toHaveAccessibleName(/Label photo, not sent\.$/);
  await expect(page.locator('[data-tile="book-1"]')).toHaveAccessibleName(/Main photo/);
  await expectNoAxeProblem(page, { dark: true });
  await page.getByRole('button', { name: 'Use IMG_2014.jpg as a photo' }).press('Enter');
  await expect(page.getByText('Label photo, not sent')).toHaveCount(0);
  await expect(getLabelTile(page)).toBeFocused();
  await expect(getLabelTile(page)).toHaveAccessibleName(/Main photo/);
  await page.keyboard.press('ControlOrMeta+z');
  await expect(page.getByRole('button', { name: 'Use IMG_2014.jpg as a photo' })).toBeVisible();
});

test('the contact sheet marks the photo of a label, and an item begins at that photo', async ({ open }) => {
  const page = await open('#/items/grouping', { items: 'guessed' });
  await expect(getLabelTile(page)).toHaveAccessibleName(/: label photo, not sent$/);
  await expect(page.locator('[data-tile="book-1"]')).not.toHaveAccessibleName(/label photo/);
  await expect(page.getByRole('button', { name: /^New item from IMG_2015\.jpg on/ }).last()).not.toHaveAccessibleName(
    /Worth a look/,
  );
  await expectNoAxeProblem(page, { dark: true });
});
