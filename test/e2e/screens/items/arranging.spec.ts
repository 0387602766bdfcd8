import type { Page } from 'playwright/test';
import { formatEnglishMessage } from '../../../../src/i18n/english.ts';
import { languages, type Language } from '../../../../src/i18n/languages.ts';
import { createMessage } from '../../../../src/i18n/message.ts';
import { expectNoAxeProblem } from '../accessibility/axe.ts';
import { expect, test } from '../page.ts';

const getTiles = (page: Page) => page.getByRole('region', { name: 'Photos to arrange' }).locator('[data-tile]');
const getRows = (page: Page) => page.getByRole('list', { name: 'Items' }).getByRole('listitem');
const getSelectedTiles = (page: Page) => page.locator('[data-tile][aria-pressed=true]');
const listInputs = (page: Page, name: string): Promise<unknown[]> =>
  page.evaluate((wanted) => window.fake.asked.filter((one) => one.name === wanted).map(({ input }) => input), name);

test('selected items are merged, and the merge is undone', async ({ open }) => {
  const page = await open('', { items: 'guessed' });
  await expect(page.getByText('3 items found. Check them, then start')).toBeVisible();
  await page.getByLabel('Select fox figurine').check({ force: true });
  await page.getByLabel('Select old compacts').check({ force: true });
  await page.getByRole('button', { name: 'Merge 2 into one' }).click();
  await expect(getRows(page)).toHaveCount(2);
  expect(await listInputs(page, 'items.merge')).toEqual([{ itemIds: ['fox', 'camera'] }]);
  await page.getByRole('button', { name: 'Undo: Merge' }).click();
  await expect(getRows(page)).toHaveCount(3);
  await page.getByRole('button', { name: 'Start old compacts' }).click();
  await expect(page.getByText('2 items found')).toBeVisible();
  await page.getByRole('button', { name: 'Start all 2' }).click();
  await expect(page.getByText(/items? found/)).toHaveCount(0);
  expect(await listInputs(page, 'items.begin')).toEqual([{ itemIds: ['camera'] }, {}]);
});

test('the selection count says how many selected items the search hides', async ({ open }) => {
  const page = await open('', { items: 'sheet60' });
  await page.getByLabel('Select IMG_1000.jpg').check({ force: true });
  await page.getByLabel('Select IMG_1005.jpg').check({ force: true });
  await expect(page.getByText('2 selected')).toHaveText('2 selected');
  await page.getByLabel('Find an item').fill('1005');
  await expect(page.getByText('2 selected · 1 not in view')).toBeVisible();
  await page.getByLabel('Find an item').fill('');
  await expect(page.getByText('2 selected')).toHaveText('2 selected');
});

test('photos selected with Shift and Ctrl are moved to another item', async ({ open }) => {
  const page = await open('#/items/fox', { items: 'guessed' });
  await getTiles(page).nth(0).click();
  await getTiles(page)
    .nth(2)
    .click({ modifiers: ['Shift'] });
  await expect(getSelectedTiles(page)).toHaveCount(3);
  await getTiles(page)
    .nth(1)
    .click({ modifiers: ['ControlOrMeta'] });
  await expect(getSelectedTiles(page)).toHaveCount(2);
  await page.getByRole('button', { name: 'Move to…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'old compacts' }).click();
  await expect(getTiles(page)).toHaveCount(3);
  expect(await listInputs(page, 'items.movePhotos')).toMatchObject([
    { itemId: 'camera', photoIds: ['fox-0', 'fox-2'] },
  ]);
});

test('photos are selected, moved and rotated by keyboard', async ({ open }) => {
  const page = await open('#/items/fox', { items: 'guessed' });
  await getTiles(page).first().focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('Shift+ArrowRight');
  await expect(getSelectedTiles(page)).toHaveCount(2);
  await page.keyboard.press('Alt+ArrowRight');
  await expect
    .poll(() => listInputs(page, 'items.order'))
    .toEqual([{ itemId: 'fox', photoIds: ['fox-2', 'fox-0', 'fox-1', 'fox-3', 'fox-4'] }]);
  await page.keyboard.press('Escape');
  await expect(getSelectedTiles(page)).toHaveCount(0);
  await expect(page).toHaveURL(/items\/fox/);
  // A held key rotates the photo only once.
  await page.keyboard.down('r');
  for (let at = 0; at < 4; at += 1) await page.keyboard.down('r');
  await page.keyboard.up('r');
  await page.keyboard.press('ControlOrMeta+z');
  await expect.poll(() => listInputs(page, 'items.undo')).toHaveLength(1);
  expect(await listInputs(page, 'photos.turn')).toHaveLength(1);
  await page.keyboard.press('ControlOrMeta+z');
  await expect(getTiles(page).first()).toHaveAttribute('data-tile', 'fox-0');
  // In the note field the same keys edit the text.
  await getTiles(page).first().focus();
  await page.keyboard.press('Delete');
  await expect(getTiles(page)).toHaveCount(4);
  await expect(getTiles(page).first()).toBeFocused();
  await page.getByLabel('Anything the photos do not show').focus();
  await page.keyboard.press('ControlOrMeta+z');
  expect(await listInputs(page, 'items.undo')).toHaveLength(2);
});

test('warnings about photos are shown before anything is sent', async ({ open }) => {
  const page = await open('#/items/fox', { items: 'guessed' });
  await expect(page.getByText('Your plan takes 4 photos; 1 stays here.')).toBeVisible();
  await expect(getTiles(page).nth(1)).toHaveAccessibleName(/Blurred/);
  await expect(getTiles(page).nth(4)).toHaveAccessibleName(/Beyond the plan/);
  await page.getByRole('listitem', { name: /old compacts/ }).click();
  await expect(getTiles(page).nth(2)).toHaveAccessibleName(/Copy of IMG_2014\.jpg/);
});

test('a barcode is used for an item only after the person confirms the barcode', async ({ open }) => {
  const page = await open('#/items/book', { items: 'guessed' });
  await expect(page.getByText('9780306406157', { exact: true })).toBeVisible();
  expect(await listInputs(page, 'items.barcode')).toEqual([]);
  await page.getByRole('button', { name: 'Use barcode 9780306406157' }).click();
  await expect(page.getByText('9780306406157 is used.')).toBeVisible();
  await page.getByRole('button', { name: 'Leave barcode 9780306406157 out' }).click();
  await expect(page.getByText('9780306406157')).toHaveCount(0);
});

test('edits made in the enlarged photo are saved on moving to the next photo', async ({ open }) => {
  const page = await open('#/items/fox', { items: 'guessed' });
  const kept = () => listInputs(page, 'photos.edit');
  await getTiles(page).nth(1).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: /Photo 2 of 5/ });
  await expect(dialog.getByText('This photo looks blurred')).toBeVisible();
  await page.keyboard.press('r');
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('dialog', { name: /Photo 3 of 5/ })).toBeVisible();
  await expect.poll(kept).toMatchObject([{ photoId: 'fox-1', edits: { quarterTurns: 1, crop: null } }]);
  await page.getByLabel('Straighten, in degrees').focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.getByLabel('From the left').fill('25');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect
    .poll(kept)
    .toMatchObject([
      {},
      { photoId: 'fox-2', edits: { straightenDeg: 1, crop: { left: 0.25, top: 0, width: 0.75, height: 1 } } },
    ]);
});

test('a photo is cropped with the mouse, and the crop can be discarded', async ({ open }) => {
  const page = await open('#/items/fox', { items: 'guessed' });
  await getTiles(page).nth(0).dblclick();
  const handle = page.locator('[data-at="top left"]');
  // The frame has its final size once the photo has loaded.
  await page.waitForFunction(() =>
    [...document.querySelectorAll('[role=dialog] img')].every(
      (img) => img instanceof HTMLImageElement && img.complete && img.naturalWidth > 0,
    ),
  );
  // `hover` waits until nothing moves any more: the dialog is open and the photo has its size.
  await handle.hover();
  const frame = await page.locator('[data-frame]').boundingBox();
  const box = await handle.boundingBox();
  if (!frame || !box) throw new Error('The picture has no frame.');
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2 + frame.width * 0.2, box.y + box.height / 2 + frame.height * 0.4, {
    steps: 4,
  });
  await page.mouse.up();
  await expect(page.getByLabel('From the left')).toHaveValue('20');
  await expect(page.getByLabel('From the top')).toHaveValue('40');
  await page.getByRole('button', { name: 'Discard these changes' }).click();
  await expect(page.getByLabel('From the left')).toHaveValue('0');
  await page.getByRole('button', { name: 'Done' }).click();
  expect(await listInputs(page, 'photos.edit')).toEqual([]);
});

test('photos of a live item can be enlarged but not edited', async ({ open }) => {
  const page = await open('#/items/shoes', {});
  await page.getByRole('button', { name: /Look closer at Photo 1 of 3/ }).click();
  await expect(page.getByRole('dialog', { name: /Photo 1 of 3/ })).toBeVisible();
  await page.keyboard.press('ArrowRight');
  const dialog = page.getByRole('dialog', { name: /Photo 2 of 3/ });
  await expect(dialog.getByRole('img', { name: /IMG_2015/ })).toBeVisible();
  await page.keyboard.press('r');
  await expect(dialog.getByRole('button', { name: 'Turn right' })).toHaveCount(0);
  await dialog.getByRole('button', { name: 'Done' }).click();
  expect(await listInputs(page, 'photos.edit')).toEqual([]);
});

test('the settings control the photo format, the watched folder and the disk space', async ({ open }) => {
  const page = await open('#/settings', {});
  const photos = page.getByRole('region', { name: 'Photos', exact: true });
  await photos.getByLabel('Format of sent photos').selectOption('webp');
  await photos.getByLabel('Photos grouped automatically').selectOption('start');
  await photos.getByRole('textbox', { name: 'Watched folder' }).fill(' /home/robin/Camera ');
  await photos.getByRole('button', { name: 'Watch it' }).click();
  await photos.getByRole('button', { name: 'Stop watching' }).click();
  await expect(photos.getByRole('textbox', { name: 'Watched folder' })).toHaveValue('');
  expect(await listInputs(page, 'app.settings')).toEqual([
    { photoFormat: 'webp' },
    { groupingReview: false },
    { watchFolder: '/home/robin/Camera' },
    { watchFolder: null },
  ]);
  await expect(photos.getByText('240 files, 61 MB')).toBeVisible();
  await photos.getByRole('button', { name: 'Clean up' }).click();
  await expect(photos.getByText('40 files, 9 MB')).toBeVisible();
});

test('the settings name symbolic links that lead out of the watched folder', async ({ open }) => {
  const says = createMessage('items.linksOutside', { count: 2, names: 'card.jpg, papers' });
  const watch = { folder: '/home/robin/Camera', problem: null, left: { sentence: formatEnglishMessage(says), says } };
  for (const language of Object.keys(languages) as Language[]) {
    const page = await open('#/settings', { language, state: { watch } }, { instead: true });
    const line = page.getByRole('status').filter({ hasText: 'card.jpg, papers' });
    await expect(line).toBeVisible();
  }
});

const places: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  'items to check': async (page) => {
    await getTiles(page).nth(1).click();
    await page.getByLabel('Select old compacts').check({ force: true });
  },
  'the enlarged photo': async (page) => {
    await getTiles(page).nth(1).dblclick();
    await page.getByRole('dialog').waitFor();
  },
  'the dialog that chooses an item': async (page) => {
    await page.getByRole('button', { name: 'Join with…' }).click();
    await page.getByRole('dialog').waitFor();
  },
};

for (const [name, act] of Object.entries(places))
  test(`axe finds no problem, light or dark: ${name}`, async ({ open }) => {
    const page = await open('#/items/fox', { items: 'guessed' });
    await getTiles(page).first().waitFor();
    await act(page);
    await expectNoAxeProblem(page, { dark: true });
  });
