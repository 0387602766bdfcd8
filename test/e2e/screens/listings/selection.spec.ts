import { expect, test } from '../page.ts';
import { getRows, readLastInput, selectListings } from './page.ts';

test('actions leave out selected listings that a filter hides, and Show removes the filter', async ({ open }) => {
  const page = await open('#/listings', {});
  await expect(getRows(page).first()).toBeVisible();
  await page.getByRole('tab', { name: /^To review/ }).click();
  await expect(getRows(page).first()).toContainText('To review');
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await expect(page.getByRole('button', { name: 'Publish 2…' })).toBeVisible();
  await page.getByRole('tab', { name: /^Sold/ }).click();
  await expect(page.getByText('2 selected · 2 not in view')).toBeVisible();
  await expect(page.getByRole('button', { name: /^(Publish|Edit|Discard) \d/ })).toHaveCount(0);
  await page.keyboard.press('p');
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await expect(page.getByRole('tab', { name: /^All/ })).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByText('2 selected')).toHaveText('2 selected');
  expect(await readLastInput(page, 'batch.ask')).toBeUndefined();
  await page.keyboard.press('p');
  await expect(page.getByRole('dialog', { name: 'Publish 2 listings' })).toBeVisible();
});

test('Clear also deselects listings that a search hides', async ({ open }) => {
  const page = await open('#/listings', {});
  await selectListings(page, 1, 2);
  await page.getByLabel('Find a listing').fill('Film camera, blue');
  await expect(page.getByText(/^2 selected · \d not in view$/)).toBeVisible();
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await expect(page.getByText(/\d selected/)).toHaveCount(0);
});
