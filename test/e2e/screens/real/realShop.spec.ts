import { expect, test } from '../../host.ts';

test('practice starts in a shop with sales history', async ({ host }) => {
  const { page } = host;
  await page.getByRole('button', { name: 'Try it with practice data' }).click();
  await expect(page.getByRole('region', { name: 'Drop photos here' })).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);

  await page.getByRole('link', { name: 'Listings' }).click();
  await expect(page.getByText('60 listings')).toBeVisible();
  await page.getByLabel('Find a listing').fill('tovalind');
  const rows = page.getByRole('rowgroup').getByRole('row');
  await expect(rows.filter({ hasText: 'Tovalind' })).toHaveCount(2);
  const picture = rows.first().locator('img').first();
  await expect.poll(() => picture.evaluate((one: HTMLImageElement) => one.naturalWidth)).toBeGreaterThan(0);

  await page.getByRole('link', { name: 'Insights' }).click();
  for (const currency of ['US$', '£', '€'])
    await expect(page.getByRole('main').getByText(currency).first()).toBeVisible();
  await page.getByRole('link', { name: /^Notifications/ }).click();
  const sales = page.getByRole('list', { name: 'Sales, newest first' }).getByRole('listitem');
  await expect(sales.first()).toContainText(/Sale · .+[€£$]\d/);
});

test('practice can start with an empty shop', async ({ host }) => {
  const { page } = host;
  await page.getByRole('button', { name: 'Start with an empty shop' }).click();
  await page.getByRole('link', { name: 'Listings' }).click();
  await expect(page.getByRole('heading', { name: 'Your listings will be here' })).toBeVisible();
  await expect(page.getByText('60 listings')).toHaveCount(0);
});

test('a different practice shop is chosen in the settings after a confirmation', async ({ host, keep }) => {
  const { page } = host;
  const main = page.getByRole('main');
  const go = (name: string | RegExp) => page.getByRole('link', { name }).click();
  await page.getByRole('button', { name: 'Try it with practice data' }).click();
  await go(/^Assistants/);
  const assistant = main.getByText('Practice assistant');
  await expect(assistant).toBeVisible();
  await keep('practice assistant');

  await go('Settings');
  const choice = page.getByRole('region', { name: 'Practice shop' });
  await choice.getByRole('button', { name: 'Empty shop' }).click();
  await choice.getByRole('button', { name: 'Keep' }).click();
  await go('Listings');
  await expect(page.getByText('60 listings')).toBeVisible();
  await go('Settings');
  await choice.getByRole('button', { name: 'Empty shop' }).click();
  await keep('choice of a practice shop');
  await choice.getByRole('button', { name: 'Leave this shop and start' }).click();
  await expect(choice).toContainText('This is your new shop.');
  await go('Listings');
  await expect(page.getByRole('heading', { name: 'Your listings will be here' })).toBeVisible();
  await go(/^Assistants/);
  await expect(main.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(assistant).toHaveCount(0);

  await go('Settings');
  await choice.getByRole('button', { name: 'Busy shop' }).click();
  await choice.getByRole('button', { name: 'Leave this shop and start' }).click();
  await go('Listings');
  await expect(page.getByText('60 listings')).toBeVisible();
  await go(/^Assistants/);
  await expect(assistant).toBeVisible();
});
