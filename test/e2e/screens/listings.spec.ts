import { readFileSync } from 'node:fs';
import type { Page } from 'playwright/test';
import { expect, test } from './page.ts';

const rows = (page: Page) => page.getByRole('rowgroup').getByRole('row');
const asked = (page: Page, call: string): Promise<unknown> =>
  page.evaluate((name) => window.fake.asked.filter((one) => one.name === name).at(-1)?.input, call);

test('100,000 listings are one table: drawn where one looks, found by a word, ended at by the scroll bar', async ({
  open,
}) => {
  const page = await open('#/listings', { listings: 100_000 });
  await expect(page.getByText('100,000 listings')).toBeVisible();
  await expect(page.getByRole('table', { name: 'Listings' })).toHaveAttribute('aria-rowcount', '100001');
  expect(await rows(page).count()).toBeLessThan(60);
  await page.evaluate(() => {
    const frame = document.querySelector('[role=table]')?.parentElement;
    frame?.scrollTo(0, frame.scrollHeight);
  });
  await expect(page.getByRole('link', { name: /no\. 100000$/ })).toBeVisible();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('camera 99996');
  await expect(page.getByText('1 listing', { exact: false }).first()).toBeVisible();
  await expect(rows(page)).toHaveCount(1);
});

test('filters narrow the list, say how many each has, and are cleared at once', async ({ open }) => {
  const page = await open('#/listings', {});
  await expect(page.getByLabel('State').getByRole('option')).toContainText(['Any state (60)', 'Live (20)']);
  await page.getByLabel('State').selectOption('sold');
  await page.getByLabel('Site').selectOption('MKT_GB');
  await page.getByLabel('Price to').fill('80');
  await expect(rows(page).first()).toContainText('Sold');
  expect(await asked(page, 'listings.search')).toMatchObject({ statuses: ['sold'], site: 'MKT_GB', maxCents: 8_000 });
  await page.getByLabel('Price to').fill('0,01');
  await expect(page.getByText('No listing is like this.')).toBeVisible();
  await page.getByRole('button', { name: 'Clear the filters' }).first().click();
  await expect(page.getByText('60 listings')).toBeVisible();
});

test('columns are chosen and remembered, and the same listings are seen as photos', async ({ open }) => {
  const page = await open('#/listings', {});
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'SKU' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Site' }).click();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('columnheader')).toHaveText(['Selection', 'Title', 'State', 'Price', 'SKU', 'Made']);
  await page.reload();
  await expect(page.getByRole('columnheader', { name: 'SKU' })).toBeVisible();
  await page.getByText('Photos', { exact: true }).click();
  await expect(page.getByRole('list', { name: 'Listings' }).getByRole('listitem').first()).toContainText('US$5.00');
});

test('prices of many are changed by keyboard: seen before, asked once, answered line by line', async ({ open }) => {
  const page = await open('#/listings', {});
  await expect(rows(page).first()).toBeVisible();
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await page.getByRole('button', { name: 'Change price of 2…' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Change prices' });
  await expect(dialog.getByRole('row').nth(1)).toContainText('US$4.50');
  await dialog.getByLabel('Percent, less than 0 lowers').fill('-20');
  await expect(dialog.getByRole('row').nth(1)).toContainText('US$4.00');
  await page.keyboard.press('Enter');
  const batch = page.getByRole('dialog', { name: 'Change 2 listings' });
  await expect(batch.getByRole('listitem').first()).toContainText('US$5.00 → US$4.00');
  expect(await asked(page, 'batch.askFor')).toMatchObject({
    requests: [{ route: 'reviseListing', input: { params: { listingId: 'lst_0' }, body: { price: 400 } } }, {}],
  });
  const yes = batch.getByRole('button', { name: 'Change 2' });
  await expect(yes).toBeEnabled();
  await yes.click();
  await expect(batch.getByRole('status')).toContainText('2 changed.');
});

test('one listing is asked about by itself; a price that is no number is said', async ({ open }) => {
  const page = await open('#/listings', {});
  await page.getByLabel('Select Film camera, blue, no. 1', { exact: true }).check();
  await page.getByRole('button', { name: 'Change price of 1…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change prices' });
  await dialog.getByLabel('How').selectOption('set');
  await dialog.getByLabel('New price').fill('cheap');
  await expect(dialog).toContainText('Write a number like 2.50.');
  await expect(dialog.getByRole('button', { name: /^Ask to change/ })).toBeDisabled();
  await dialog.getByLabel('New price').fill('7,25');
  await dialog.getByRole('button', { name: 'Ask to change 1 price…' }).click();
  await expect(page.getByRole('dialog', { name: 'Change the live listing' })).toBeVisible();
  expect(await asked(page, 'service.perform')).toMatchObject({
    route: 'reviseListing',
    input: { body: { price: 725 } },
  });
});

test('live ones are ended in one question in red, ended ones are brought back without one', async ({ open }) => {
  const page = await open('#/listings', {});
  await page.getByLabel('Select Film camera, blue, no. 1', { exact: true }).check();
  await page.getByRole('button', { name: 'Select all shown' }).click();
  await page.getByRole('button', { name: 'End 20…' }).click();
  await expect(page.getByRole('dialog', { name: 'End 20 listings' })).toBeVisible();
  await page.getByRole('button', { name: 'Not now' }).click();
  await page.getByLabel('State').selectOption('ended');
  await page.getByRole('checkbox').first().check();
  await page.getByRole('button', { name: 'Bring back 1' }).click();
  await expect(page.getByText('1 listing is back for review.')).toBeVisible();
});

test('what is found is taken out as CSV', async ({ open }) => {
  const page = await open('#/listings', {});
  await page.getByLabel('Find a listing').fill('robot');
  await expect(rows(page).first()).toContainText('Tin robot');
  await page.getByRole('button', { name: 'More' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Export CSV' }).click(),
  ]);
  expect(readFileSync(await download.path(), 'utf8').split('\r\n')).toHaveLength(9);
});

test('a listing opens with its fields and its own history, and Esc goes back to where one was', async ({ open }) => {
  const page = await open('#/listings', {});
  await page.getByRole('link', { name: 'Film camera, blue, no. 1', exact: true }).click();
  await expect(page.getByRole('region', { name: 'Listing', exact: true })).toBeVisible();
  await expect(page.getByRole('region', { name: 'History of this listing' })).toBeVisible();
  expect(await asked(page, 'history.search')).toMatchObject({ listingId: 'lst_0' });
  await page.keyboard.press('Escape');
  await expect(page.getByRole('table', { name: 'Listings' })).toBeVisible();
});

test('without listings the screen says what will be here', async ({ open }) => {
  const page = await open('#/listings', { listings: 0 });
  await expect(page.getByRole('heading', { name: 'Your listings will be here' })).toBeVisible();
});
