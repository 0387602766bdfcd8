import type { Page } from 'playwright/test';
import { expect, listRequests, test } from './page.ts';

/** Returns the prices that were sent to the service. */
const listSavedPrices = async (page: Page): Promise<unknown[]> =>
  (await listRequests(page, 'updateListing')).map(({ input }) => input.body?.['price']);

test('an ambiguous amount is saved only after the person chooses its meaning', async ({ open }) => {
  const page = await open('#/items/fox', {});
  const price = page.getByLabel('Price', { exact: true });
  await expect(price).toHaveValue('34.99');
  await price.fill('12.999');
  await price.press('Control+Enter');
  await expect(page.getByText('This can be read in two ways.')).toBeVisible();
  const which = page.getByRole('group', { name: 'Which amount do you mean?' });
  await expect(which.getByRole('button')).toHaveText(['US$12,999.00', 'US$13.00']);
  expect(await listSavedPrices(page)).toEqual([]);
  await which.getByRole('button', { name: 'US$13.00' }).press('Enter');
  await expect(price).toHaveValue('13.00');
  await expect(which).toHaveCount(0);
  await expect.poll(() => listSavedPrices(page)).toEqual([1_300]);
});

test('zero and negative amounts are refused', async ({ open }) => {
  const page = await open('#/items/fox', {});
  const price = page.getByLabel('Price', { exact: true });
  for (const text of ['0', '-5', '0,00']) {
    await price.fill(text);
    await price.press('Control+Enter');
    await expect(page.getByText('It must be more than 0.')).toBeVisible();
  }
  expect(await listSavedPrices(page)).toEqual([]);
  await price.fill('44,50');
  await price.blur();
  await expect(price).toHaveValue('44.50');
  await expect.poll(() => listSavedPrices(page)).toEqual([4_450]);
  await price.fill('1,234');
  await price.blur();
  await expect(price).toHaveValue('1,234.00');
  await expect.poll(() => listSavedPrices(page)).toEqual([4_450, 123_400]);
});

test('German prices have a decimal comma and full stops between thousands', async ({ open }) => {
  const page = await open('#/items/fox', { language: 'de' });
  const price = page.getByLabel('Preis', { exact: true });
  await expect(price).toHaveValue('34,99');
  await price.fill('12.999');
  await price.press('Control+Enter');
  await expect(price).toHaveValue('12.999,00');
  await price.fill('12.99');
  await price.press('Control+Enter');
  await expect(price).toHaveValue('12,99');
  await expect.poll(() => listSavedPrices(page)).toEqual([1_299_900, 1_299]);
  await price.fill('12,999');
  await expect(page.getByRole('group', { name: 'Welchen Betrag meinen Sie?' }).getByRole('button')).toHaveCount(2);
});

test('an ambiguous price in a bulk edit must be clarified before sending', async ({ open }) => {
  const page = await open('#/listings', {});
  await page.getByRole('checkbox', { name: /^Select Film camera, blue, no. 1$/ }).check();
  await page.getByRole('button', { name: 'Change 1…' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Change 1 at once' });
  await dialog.getByLabel('How').selectOption('set');
  await dialog.getByLabel('New price').fill('1.250');
  const ask = dialog.getByRole('button', { name: /^Change(…| \d+ live listing)/ });
  await expect(ask).toBeDisabled();
  await dialog.getByRole('group', { name: 'Which amount do you mean?' }).getByRole('button').first().press('Enter');
  await expect(dialog.getByLabel('New price')).toHaveValue('1,250.00');
  await expect(ask).toBeEnabled();
  await dialog.getByLabel('New price').fill('0');
  await expect(dialog.getByText('It must be more than 0.')).toBeVisible();
  await expect(ask).toBeDisabled();
});
