import type { Page } from 'playwright/test';
import { expectNoAxeProblem } from '../accessibility/axe.ts';
import { expect, test } from '../page.ts';

const listInputs = (page: Page, name: string) =>
  page.evaluate((wanted) => window.fake.asked.filter((one) => one.name === wanted).map(({ input }) => input), name);

/** Stops the desk lamp item because its template was deleted. */
const stopLamp = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const { fake } = window;
    const lamp = fake.items.find(({ itemId }) => itemId === 'lamp');
    if (!lamp) throw new Error('There is no lamp.');
    Object.assign(lamp, {
      template: { templateId: 'tpl_gone', mayChange: true },
      stop: {
        kind: 'failed',
        code: 'TEMPLATE_GONE',
        sentence: 'The template for this item is gone.',
        says: { key: 'stops.TEMPLATE_GONE' },
        next: ['no_template', 'remove'],
      },
    });
    fake.changed('items');
  });

test('photos are added with the template chosen beside the drop zone', async ({ open }) => {
  const page = await open('', {});
  const drop = page.getByRole('region', { name: 'Drop photos here' });
  await drop.getByRole('button', { name: 'For the next photos' }).press('Enter');
  const begin = drop.getByLabel('Start with');
  await expect(begin.getByRole('option')).toHaveText([
    'As in Settings',
    'No template',
    'Small ceramics',
    'Shoes, boxed',
  ]);
  const choose = drop.getByLabel('Choose photos');
  const file = { name: 'lamp.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('a') };
  await page.route('**/intake', (route) => route.fulfill({ json: { uploadId: '0' } }));
  await choose.setInputFiles(file);
  await expect.poll(() => listInputs(page, 'items.add')).toHaveLength(1);
  await begin.selectOption('Shoes, boxed');
  await choose.setInputFiles(file);
  await begin.selectOption('No template');
  await choose.setInputFiles(file);
  await expect.poll(() => listInputs(page, 'items.add')).toHaveLength(3);
  const templates = (await listInputs(page, 'items.add')).map(
    (input) => (input as { templateId?: unknown }).templateId,
  );
  expect(templates).toEqual([undefined, 'tpl_2', null]);
});

test('an item whose template was deleted can start with another or no template', async ({ open }) => {
  const page = await open('#/items/lamp', {});
  await page.getByRole('heading', { name: 'desk lamp' }).waitFor();
  await stopLamp(page);
  const item = page.getByRole('region', { name: 'Item', exact: true });
  await expect(item).toContainText('The template for this item is gone.');
  const begin = item.getByLabel('Start with');
  await expect(begin.getByRole('option', { selected: true })).toHaveText('A deleted template');
  await expectNoAxeProblem(page, { dark: true });
  await begin.focus();
  await begin.selectOption('Small ceramics');
  await expect(item.getByRole('button', { name: 'Start without a template' })).toHaveCount(0);
  await expect(begin.getByRole('option', { selected: true })).toHaveText('Small ceramics');
  await stopLamp(page);
  await item.getByRole('button', { name: 'Start without a template' }).press('Enter');
  await expect(begin.getByRole('option', { selected: true })).toHaveText('No template');
  expect(await listInputs(page, 'items.beginWith')).toEqual([
    { itemId: 'lamp', templateId: 'tpl_1' },
    { itemId: 'lamp', templateId: null },
  ]);
});

test('a generated listing names its template', async ({ open }) => {
  const page = await open('#/items/fox', {});
  await page.getByRole('button', { name: 'Publish…' }).waitFor();
  await expect(page.getByRole('region', { name: 'Template', exact: true })).toHaveCount(0);
  await page.evaluate(() => {
    const { fake } = window;
    fake.listings.lst_fox = { ...fake.listings.lst_fox, templateId: 'tpl_1' };
    fake.changed('listings');
  });
  await expect(page.getByRole('region', { name: 'Template', exact: true })).toContainText('Small ceramics');
});

test('the default template and the watched folder’s template can be set', async ({ open }) => {
  const page = await open('#/settings', {});
  const usual = page.getByLabel('Template for new listings');
  await usual.selectOption('Shoes, boxed');
  await expect(usual.getByRole('option', { selected: true })).toHaveText('Shoes, boxed');
  await usual.selectOption('No template');
  await usual.selectOption('The one you used last');
  const watch = page.getByRole('form', { name: 'Watched folder' });
  await expect(watch.getByLabel('Template for photos from this folder')).toHaveCount(0);
  await watch.getByRole('textbox').fill('/home/robin/Photos');
  await watch.getByRole('textbox').press('Enter');
  await watch.getByLabel('Template for photos from this folder').selectOption('Small ceramics');
  await expect
    .poll(() => listInputs(page, 'app.settings'))
    .toEqual([
      { templateId: 'tpl_2' },
      { templateId: '' },
      { templateId: null },
      { watchFolder: '/home/robin/Photos' },
      { watchTemplateId: 'tpl_1' },
    ]);
});

test('the profile picture can be uploaded and removed, and a failed upload is reported', async ({ open }) => {
  const page = await open('#/account', {});
  const picture = page.getByRole('group', { name: 'Your picture' });
  await page.route('**/intake', (route) => route.fulfill({ json: { uploadId: crypto.randomUUID() } }));
  const jpeg = { name: 'me.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('a') };
  await picture.getByLabel('Choose a picture').setInputFiles(jpeg);
  await expect(picture).toContainText('Saved');
  await expect(picture.getByLabel('Choose another picture')).toBeAttached();
  await page.route('**/intake', (route) => route.fulfill({ status: 400, json: { error: 'The disk is full.' } }));
  await picture.getByLabel('Choose another picture').setInputFiles(jpeg);
  await expect(picture).toContainText('The disk is full.');
  await expect(picture).not.toContainText('Saved');
  await expectNoAxeProblem(page, { dark: true });
  await picture.getByRole('button', { name: 'Remove the picture' }).press('Enter');
  await expect(picture.getByLabel('Choose a picture')).toBeAttached();
  await expect(picture.getByRole('button', { name: 'Remove the picture' })).toHaveCount(0);
});
