import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page, Route } from 'playwright/test';
import sharp from 'sharp';
import { takeRenderedRows, watchRenderedRows } from '../renderedRows.ts';
import { expect, test } from '../page.ts';

/** Creates a photo that is identified by its width. */
const createPhoto = (width: number): Promise<Buffer> =>
  sharp({ create: { width, height: 10, channels: 3, background: '#888' } })
    .jpeg()
    .toBuffer();

/** Holds back all uploads, in the order of their arrival. */
const holdPhotos = async (page: Page): Promise<Route[]> => {
  const waiting: Route[] = [];
  await page.route('**/intake', (route) => void waiting.push(route));
  return waiting;
};

/** Chooses a folder with a photo at each of these paths. */
const chooseFolder = async (page: Page, paths: readonly string[]): Promise<void> => {
  const folder = test.info().outputPath('photos being added');
  for (const path of paths) {
    await mkdir(join(folder, path, '..'), { recursive: true });
    await writeFile(join(folder, path), await createPhoto(10));
  }
  await page.getByLabel('Choose folders').first().setInputFiles(folder);
};

const letThrough = async (waiting: Route[]): Promise<void> =>
  waiting.shift()?.fulfill({ json: { uploadId: crypto.randomUUID() } });

/** Waits until the list has its final content, which is read before the open item, and forgets the rows until then. */
const waitForRows = async (page: Page): Promise<void> => {
  await page.getByLabel('Title', { exact: true }).waitFor();
  await takeRenderedRows(page);
};

test('only the row of the sent photo is rendered again', async ({ open }) => {
  const page = await open('', {});
  await watchRenderedRows(page);
  await page.reload();
  const items = page.getByRole('list', { name: 'Items' });
  await items.getByRole('listitem').first().waitFor();
  const waiting = await holdPhotos(page);
  await chooseFolder(page, ['lamp/1.jpg', 'lamp/2.jpg', 'pot/1.jpg', 'vase/1.jpg']);
  const coming = page.getByRole('list', { name: 'Adding' }).getByRole('listitem');
  await expect(coming).toHaveCount(3);
  await expect.poll(() => waiting.length).toBe(3);
  await waitForRows(page);
  await letThrough(waiting);
  const sent = coming.filter({ hasText: /1 of/ });
  await expect(sent).toHaveCount(1);
  expect(await takeRenderedRows(page)).toEqual([await sent.getAttribute('aria-label')]);
});

test('many folders that come in leave space for the items', async ({ open }) => {
  const page = await open('', { items: 'ready200' });
  await holdPhotos(page);
  const paths = Array.from({ length: 30 }, (_, at) => `box ${at}/1.jpg`);
  await chooseFolder(page, paths);
  const coming = page.getByRole('list', { name: 'Adding' });
  await expect(coming.getByRole('listitem')).toHaveCount(30);
  await expect(page.getByRole('list', { name: 'Items' }).getByRole('listitem').first()).toBeInViewport({ ratio: 1 });
  await coming.press('End');
  await expect(coming.getByRole('listitem').last()).toBeInViewport();
});

test('a row shows the photo whose name sorts first, not the photo that was sent first', async ({ open }) => {
  const page = await open('', {});
  const waiting = await holdPhotos(page);
  const widths = { 'IMG_10.jpg': 100, 'IMG_2.jpg': 20, 'IMG_3.jpg': 30 };
  const files = Object.entries(widths).map(async ([name, width]) => {
    return { name, mimeType: 'image/jpeg', buffer: await createPhoto(width) };
  });
  await page
    .getByLabel('Choose photos')
    .first()
    .setInputFiles(await Promise.all(files));
  await expect.poll(() => waiting.length).toBe(3);
  const row = page.getByRole('list', { name: 'Adding' }).getByRole('listitem');
  const widthOf = (): Promise<number> => row.locator('img').evaluate((img: HTMLImageElement) => img.naturalWidth);
  await letThrough(waiting);
  await expect(row).toHaveAttribute('aria-label', /1 of 3/);
  await expect.poll(widthOf).toBeGreaterThan(0);
  expect(await widthOf()).toBe(20);
});

test('an upload fails with a message if the companion does not answer', async ({ open }) => {
  const page = await open('', {});
  const waiting = await holdPhotos(page);
  await page.clock.install();
  const file = { name: 'lamp.jpg', mimeType: 'image/jpeg', buffer: await createPhoto(10) };
  await page.getByLabel('Choose photos').first().setInputFiles(file);
  await expect.poll(() => waiting.length).toBe(1);
  await page.clock.fastForward('00:31');
  await expect(page.getByText('“lamp.jpg” could not be added: the companion did not answer in time.')).toBeVisible();
  await page.clock.runFor(1_000);
  await expect(page.getByRole('list', { name: 'Adding' })).toHaveCount(0);
});

test('only the row of a changed item is rendered again', async ({ open }) => {
  const page = await open('', { items: 'many' });
  await watchRenderedRows(page);
  await page.reload();
  await waitForRows(page);
  await page.evaluate(() => {
    const { fake } = window;
    const shown = document.querySelectorAll<HTMLElement>('[data-item]')[2]?.dataset.item;
    const item = fake.items.find(({ itemId }) => itemId === shown);
    if (item) item.title = 'Renamed meanwhile';
    fake.changed('items');
  });
  const renamed = page.getByRole('listitem', { name: /Renamed meanwhile/ });
  await expect(renamed).toBeVisible();
  expect(new Set(await takeRenderedRows(page))).toEqual(new Set([await renamed.getAttribute('aria-label')]));
});

test('scrolling the list does not render the open item again', async ({ open }) => {
  const page = await open('', { items: 'many' });
  await watchRenderedRows(page, 'section');
  await page.reload();
  await page.getByLabel('Title', { exact: true }).waitFor();
  expect(await takeRenderedRows(page)).toContain('Item');
  const list = page.getByRole('list', { name: 'Items' });
  await list.evaluate(({ parentElement: frame }) => frame?.scrollTo({ top: frame.scrollHeight / 2 }));
  await expect(list.getByRole('listitem').first()).toHaveAttribute('aria-posinset', /^1\d\d$/);
  expect(await takeRenderedRows(page)).not.toContain('Item');
});

test('the drop hint is centred and keeps a margin in a narrow window', async ({ open }) => {
  const page = await open('', { language: 'de' }, { width: 480 });
  await expect(page.locator('main h1').first()).toBeAttached();
  await page.evaluate(() => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(['x'], 'a.jpg', { type: 'image/jpeg' }));
    window.dispatchEvent(new DragEvent('dragover', { dataTransfer, cancelable: true }));
  });
  const words = page.getByText('Loslassen, dann geht es los.');
  await expect(words).toBeVisible();
  await expect(words).toHaveCSS('text-align', 'center');
  const { x = 0, width = 0 } = (await words.boundingBox()) ?? {};
  expect(x).toBeGreaterThanOrEqual(24);
  expect(x + width).toBeLessThanOrEqual(480 - 24);
});

test('photos that items already have are added only after the person has answered', async ({ open }) => {
  const repeats = { repeatId: '0b7d8f70-6a3f-4e0c-8a53-0c3b0f0f9a11', count: 6 };
  const page = await open('', { added: { itemIds: [], skipped: 0, sentence: '', repeats } });
  const choosePhoto = (): Promise<void> =>
    page
      .locator('input[type=file]:not([webkitdirectory])')
      .first()
      .setInputFiles([{ name: 'a.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('a') }]);
  const listAnswers = (): Promise<unknown[]> =>
    page.evaluate(() =>
      window.fake.asked.filter(({ name }) => name === 'items.settleRepeats').map(({ input }) => input),
    );
  const dialog = page.getByRole('dialog', { name: '6 items are here already' });
  await choosePhoto();
  await expect(dialog.getByRole('button', { name: 'Skip' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await choosePhoto();
  await dialog.getByRole('button', { name: 'Add anyway' }).click();
  await expect(page.getByText('6 items added')).toBeVisible();
  expect(await listAnswers()).toEqual([
    { repeatId: repeats.repeatId, add: false },
    { repeatId: repeats.repeatId, add: true },
  ]);
});

test('an unanswered question about repeated photos is asked again when the window opens', async ({ open }) => {
  const repeatId = '0b7d8f70-6a3f-4e0c-8a53-0c3b0f0f9a12';
  const page = await open('', { repeats: [{ repeatId, count: 2 }] });
  const dialog = page.getByRole('dialog', { name: '2 items are here already' });
  await dialog.getByRole('button', { name: 'Add anyway' }).press('Enter');
  await expect(page.getByText('6 items added')).toBeVisible();
  await expect(dialog).toHaveCount(0);
});
