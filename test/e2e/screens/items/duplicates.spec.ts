import type { Page } from 'playwright/test';
import { expectNoAxeProblem } from '../accessibility/axe.ts';
import { expect, test } from '../page.ts';

test('a listing in review is shown beside the live listing that it looks like, until the person says that they differ', async ({
  open,
}) => {
  const page = await open('#/items/fox', {});
  await expect(page.getByRole('region', { name: 'Shelf' })).toBeVisible();
  await page.evaluate(() => {
    const { fake } = window;
    const title = 'Red fox figure made of porcelain';
    const own = Object.entries(fake.listings).find(([id]) => id.includes('fox'));
    const live = Object.entries(fake.listings).find(([id]) => id !== own?.[0]);
    if (!own || !live) throw new Error(Object.keys(fake.listings).join(' '));
    fake.listings[own[0]] = { ...own[1], title };
    fake.listings[live[0]] = { ...live[1], title, status: 'published' };
    fake.changed('listings');
  });
  const warning = page.getByRole('button', { name: 'It looks like a listing that is live' });
  await warning.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Is it the same as this live listing?' });
  await expect(dialog.getByRole('region', { name: 'Live' })).toContainText('Red fox figure made of porcelain');
  await page.setViewportSize({ width: 480, height: 800 });
  const [added, live] = await Promise.all(
    ['New', 'Live'].map((name) => dialog.getByRole('region', { name, exact: true }).boundingBox()),
  );
  expect(added?.y).toBe(live?.y);
  expect((added?.x ?? NaN) + (added?.width ?? NaN)).toBeLessThan(live?.x ?? NaN);
  await expectNoAxeProblem(page, { dark: true });
  await dialog.getByRole('button', { name: 'Different item' }).press('Enter');
  await expect(dialog).toHaveCount(0);
  await expect(warning).toHaveCount(0);
});

const title = 'Red fox figure made of porcelain';

/** Makes the first item look like a live listing with this title. */
const holdAsDuplicate = (page: Page): Promise<void> =>
  page.evaluate((name) => {
    const { fake } = window;
    const live = fake.listings.lst_shoes;
    const [item] = fake.items;
    if (!live || !item) throw new Error('There is no listing or no item.');
    const barcode = '9780306406157';
    fake.listings.lst_shoes = { ...live, title: name, status: 'published', itemSpecifics: { ISBN: barcode } };
    Object.assign(item, { step: 'arranging', title: null, listingId: null, reviewReason: 'liveDuplicate' });
    Object.assign(item, { arrangeable: true, checked: false, progress: null, stop: null });
    item.barcodes = [{ value: barcode, format: 'EAN-13', photoId: item.photos[0]?.photoId ?? '', state: 'offered' }];
    fake.changed('listings');
    fake.changed('items');
  }, title);

test('an item that looks like a live listing is compared before anything is sent, and its answers start or remove it', async ({
  open,
}) => {
  const page = await open('', {});
  await holdAsDuplicate(page);
  const row = page.getByRole('listitem', { name: /– Looks like a live listing$/ });
  await row.getByRole('link').first().click();
  await expect(page.getByText('nothing was uploaded or written yet')).toBeVisible();
  await page.getByRole('button', { name: 'Compare…' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Is it the same as this live listing?' });
  await expect(dialog.getByRole('region', { name: 'Live' })).toContainText(title);
  await expect(dialog.getByRole('region', { name: 'New' })).toContainText('fox');
  await expect(dialog.getByRole('button')).toHaveText(['', 'Add to its quantity…', 'Different item', 'Skip']);
  await expectNoAxeProblem(page, { dark: true });
  await page.keyboard.press('Escape');
  const waits = page.getByText('1 item looks like a live listing and waits until you compare it.');
  await expect(waits).toBeVisible();
  await expect(page.getByRole('button', { name: /^Start (it|all)/ })).toHaveCount(0);
  await page.getByRole('link', { name: 'Check the grouping' }).click();
  await expect(waits).toBeVisible();
  await expect(page.getByRole('button', { name: /^Start (it|all)/ })).toHaveCount(0);
  await expect(page.getByRole('img', { name: 'Looks like a live listing' })).toBeVisible();
  await page.goBack();
  await page.getByRole('button', { name: 'Compare…' }).press('Enter');
  await dialog.getByRole('button', { name: 'Skip', exact: true }).press('Enter');
  await expect(row).toHaveCount(0);
  expect(await page.evaluate(() => window.fake.asked.filter(({ name }) => name === 'items.remove'))).toMatchObject([
    { input: { itemId: 'fox' } },
  ]);
});

const readRemovals = (page: Page): Promise<unknown[]> =>
  page.evaluate(() => window.fake.asked.filter(({ name }) => name === 'items.remove').map(({ input }) => input));

test('a new item is removed once its quantity is added with an approval, and stays without one', async ({ open }) => {
  const page = await open('#/items/fox', {});
  await holdAsDuplicate(page);
  const prompt = page.getByRole('dialog');
  const addQuantity = async (): Promise<void> => {
    await page.getByRole('button', { name: 'Compare…' }).press('Enter');
    await page.getByRole('button', { name: 'Add to its quantity…' }).press('Enter');
    await expect(prompt.getByRole('row', { name: 'Quantity 1 2' })).toBeVisible();
  };
  await addQuantity();
  await prompt.getByRole('button', { name: 'Not now' }).press('Enter');
  await expect(prompt).toHaveCount(0);
  expect(await readRemovals(page)).toEqual([]);
  await addQuantity();
  await prompt.getByRole('button', { name: 'Change it live' }).click();
  await prompt.getByRole('button', { name: 'Close', exact: true }).last().click();
  await expect(page.getByRole('button', { name: 'Compare…' })).toHaveCount(0);
  await expect(page.getByRole('listitem', { name: /– Looks like a live listing$/ })).toHaveCount(0);
  expect(await readRemovals(page)).toEqual([]);
});

/** The service answers with this quantity, while the window still shows the stored one. */
const changeQuantityAtService = (page: Page, quantity: number | null): Promise<void> =>
  page.evaluate((changed) => {
    const { fake } = window;
    const live = fake.listings.lst_shoes;
    if (!live) throw new Error('There is no live listing.');
    fake.listings.lst_shoes = { ...live, quantity: changed };
  }, quantity);

test('after a sale, the new item is added to the quantity that the service names', async ({ open }) => {
  const page = await open('#/items/fox', {});
  await holdAsDuplicate(page);
  await page.getByRole('button', { name: 'Compare…' }).press('Enter');
  const live = page.getByRole('dialog').getByRole('region', { name: 'Live' });
  await expect(live.getByText('1', { exact: true })).toBeVisible();
  await changeQuantityAtService(page, 3);
  await expect(live.getByText('1', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Add to its quantity…' }).press('Enter');
  await expect(page.getByRole('dialog').getByRole('row', { name: 'Quantity 3 4' })).toBeVisible();
});

test('nothing is sent if the service does not name the quantity of the live listing', async ({ open }) => {
  const page = await open('#/items/fox', {});
  await holdAsDuplicate(page);
  await page.getByRole('button', { name: 'Compare…' }).press('Enter');
  const add = page.getByRole('button', { name: 'Add to its quantity…' });
  await expect(add).toBeVisible();
  await changeQuantityAtService(page, null);
  await add.press('Enter');
  await expect(page.getByText('The service does not name the quantity of the live listing')).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  const revisions = await page.evaluate(() =>
    window.fake.asked.filter(({ input }) => JSON.stringify(input).includes('"route":"reviseListing"')),
  );
  expect(revisions).toEqual([]);
  expect(await readRemovals(page)).toEqual([]);
});

test('an item whose live listing was sold while it waited says that it can be started', async ({ open }) => {
  const page = await open('#/items/fox', {});
  await holdAsDuplicate(page);
  await page.evaluate(() => {
    const { fake } = window;
    const live = fake.listings.lst_shoes;
    if (!live) throw new Error('There is no live listing.');
    fake.listings.lst_shoes = { ...live, status: 'sold' };
    fake.changed('listings');
  });
  const compare = page.getByRole('button', { name: 'Compare…' });
  await compare.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'No live listing looks like it any more' });
  await expect(dialog).toContainText('You can start the item.');
  await expectNoAxeProblem(page, { dark: true });
  await dialog.getByRole('button', { name: 'Close' }).last().press('Enter');
  await expect(dialog).toHaveCount(0);
  await expect(compare).toBeFocused();
});
