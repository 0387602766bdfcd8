import type { Page } from 'playwright/test';
import { expect, test } from '../page.ts';
import { readLastInput, listChangedIds, getPreviewRow, getRows, selectListings } from './page.ts';

test('a bulk edit reports and skips a listing that an assistant has changed', async ({ open }) => {
  const page = await open('#/listings', {});
  await selectListings(page, 5, 6);
  await page.getByRole('button', { name: 'Change 2…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change 2 at once' });
  await dialog.getByLabel('What', { exact: true }).selectOption('itemSpecifics');
  await dialog.getByLabel('Name').fill('Colour');
  await dialog.getByLabel('Value').fill('red');
  await page.evaluate(async () => {
    const body = { itemSpecifics: { Brand: 'Acme', Size: 'M' } };
    const input = { params: { listingId: 'lst_4' }, body };
    await window.companion?.call('service.perform', { route: 'updateListing', input, waitId: crypto.randomUUID() });
  });
  await dialog.getByRole('button', { name: 'Change 2 drafts' }).click();
  await expect(page.getByText(/It was changed in the meantime/)).toBeVisible();
  expect(await listChangedIds(page)).toEqual(['lst_4', 'lst_5']);
  await expect(page.getByText('Last changed together: Item specifics, 1 listing.')).toBeVisible();
});

test('the preview of a bulk edit stays stable while listings change', async ({ open }) => {
  const page = await open('#/listings', {});
  await selectListings(page, 1, 2);
  await page.getByRole('button', { name: 'Change 2…' }).click();
  await page.getByLabel('Percent (−10 lowers by 10 %)').fill('-20');
  await expect(getPreviewRow(page, 1)).toContainText('US$4.00');
  await page.evaluate(() => {
    const { fake } = window;
    fake.rows = fake.rows.map((row) => (row.listingId === 'lst_0' ? { ...row, priceCents: 450 } : row));
    fake.changed('listings');
  });
  // The list behind the dialog shows the new price.
  await expect(page.getByText('US$4.50', { exact: true }).first()).toBeAttached();
  await expect(getPreviewRow(page, 1)).toContainText('US$5.00');
  await expect(getPreviewRow(page, 1)).toContainText('US$4.00');
  await page.getByRole('button', { name: 'Change 2 live listings…' }).click();
  await expect(page.getByText(/It was changed in the meantime/)).toBeVisible();
  expect(await listChangedIds(page)).toEqual(['lst_1']);
});

test('a bulk edit continues after its dialog closes, and reports each error once', async ({ open }) => {
  const page = await open('#/listings', {});
  await selectListings(page, 5, 6, 11, 12);
  await page.getByRole('button', { name: 'Change 4…' }).click();
  await page.getByRole('button', { name: '−10%', exact: true }).click();
  await page.evaluate(() => {
    const { fake } = window;
    fake.slow = ['updateListing'];
    fake.deciding = ['lst_11'];
    const changed = ['lst_5', 'lst_10'];
    fake.rows = fake.rows.map((row) => (changed.includes(row.listingId) ? { ...row, priceCents: 1 } : row));
  });
  await page.getByRole('button', { name: 'Change 4 drafts' }).click();
  await expect.poll(() => readLastInput(page, 'service.perform')).toMatchObject({ route: 'updateListing' });
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await selectListings(page, 1);
  await page.evaluate(() => {
    window.fake.slow = [];
    window.fake.answer();
  });
  const said = page.getByRole('alert').filter({ hasText: '3 could not be changed' });
  await expect(said).toContainText('2 listings: It was changed in the meantime');
  await expect(said).toContainText('1 listing: This listing is being decided.');
  await expect(page.getByText('1 selected')).toBeVisible();
});

test('a bulk edit stores the old values before it sends anything', async ({ open }) => {
  const page = await open('#/listings', {});
  await selectListings(page, 5, 6);
  await page.getByRole('button', { name: 'Change 2…' }).click();
  await page.getByRole('button', { name: '−10%', exact: true }).click();
  await page.getByRole('button', { name: 'Change 2 drafts' }).click();
  await expect(page.getByText('Last changed together: Price, 2 listings.')).toBeVisible();
  const calls = await page.evaluate(() => window.fake.asked.filter(({ name }) => /keepBulkEdit|perform/.test(name)));
  expect(calls[0]).toMatchObject({
    name: 'listings.keepBulkEdit',
    input: { field: 'price', rows: [{ old: { price: 3_448 } }, { old: { price: 4_185 } }] },
  });
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await expect(page.getByText(/Last changed together/)).toHaveCount(0);
});

test('drafts are bulk-edited without a prompt, and their old prices can be restored', async ({ open }) => {
  const page = await open('#/listings', {});
  const getPricedRow = (number: number) => getRows(page).filter({ hasText: new RegExp(`no\\. ${number}(?!\\d)`) });
  await expect(getPricedRow(5)).toContainText('€34.48');
  await selectListings(page, 5, 6);
  await page.getByRole('button', { name: 'Change 2…' }).press('Enter');
  await expect(page.getByLabel('Percent (−10 lowers by 10 %)')).toBeFocused();
  await page.keyboard.type('-50');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(getPricedRow(5)).toContainText('€17.24');
  expect(await page.evaluate(() => window.fake.asked.some(({ name }) => name === 'batch.askFor'))).toBe(false);

  await page.getByRole('button', { name: 'Put the old ones back…' }).press('Enter');
  const back = page.getByRole('dialog', { name: 'Put the old ones back' });
  await expect(getPreviewRow(page, 5)).toContainText('€34.48');
  await back.getByRole('button', { name: 'Change 2 drafts' }).press('Enter');
  await expect(back).toHaveCount(0);
  await expect(getPricedRow(5)).toContainText('€34.48');
});

test('old prices are restored with a prompt, except on live listings changed since the edit', async ({ open }) => {
  const page = await open('#/listings', {});
  await selectListings(page, 1, 2);
  await page.getByRole('button', { name: 'Change 2…' }).click();
  await page.getByRole('button', { name: '−10%', exact: true }).click();
  await page.getByRole('button', { name: 'Change 2 live listings…' }).click();
  await page.getByRole('button', { name: 'Not now' }).click();
  // Nothing has been changed yet, so nothing can be restored.
  await expect(page.getByRole('button', { name: 'Put the old ones back…' })).toHaveCount(0);
  await page.evaluate(() => {
    const { fake } = window;
    const prices: Record<string, number> = { lst_0: 450, lst_1: 999 };
    fake.rows = fake.rows.map((row) => ({ ...row, priceCents: prices[row.listingId] ?? row.priceCents }));
    fake.changed('listings');
  });
  await page.getByRole('button', { name: 'Put the old ones back…' }).click();
  await expect(getPreviewRow(page, 1)).toContainText('US$4.50');
  await expect(getPreviewRow(page, 1)).toContainText('US$5.00');
  await expect(getPreviewRow(page, 2)).toContainText('It has been changed since, so it stays as it is.');
  await page.getByRole('button', { name: 'Change 1 live listing…' }).click();
  await expect
    .poll(() => readLastInput(page, 'service.perform'))
    .toMatchObject({
      route: 'reviseListing',
      input: { params: { listingId: 'lst_0' }, body: { price: 500 } },
    });
});

test('a running export of listings shows its progress, moves no row and can be cancelled', async ({ open }) => {
  const readTop = async (page: Page) => (await page.getByRole('table', { name: 'Listings' }).boundingBox())?.y;
  const before = await readTop(await open('#/listings', {}, { width: 1280 }));
  const running = [{ exportId: 'e1', kind: 'listings' as const, isWaiting: false, done: 1_200, total: 4_500 }];
  const page = await open('#/listings', { exports: running }, { width: 1280, instead: true });
  const progress = page.getByText('Exporting the listings: 1,200 of 4,500.');
  await expect(progress).toBeVisible();
  expect(await readTop(page)).toBe(before);
  await progress.getByRole('button', { name: 'Cancel' }).click();
  await expect(progress).toBeHidden();
});
