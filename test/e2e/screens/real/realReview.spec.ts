import { dropCamera } from '../../drawItem.ts';
import { expect, test } from '../../host.ts';

test('with a real companion, a listing is reviewed and adapted to another site', async ({ host, keep }, info) => {
  const { page } = host;
  await dropCamera(host, info);
  await expect(page.getByRole('listitem', { name: /review/i })).toBeVisible({ timeout: 60_000 });
  await page.keyboard.press('n');
  const title = page.getByLabel('Title', { exact: true });
  const written = await title.inputValue();

  await page.getByRole('button', { name: 'Similar items' }).press('Enter');
  const similar = page.getByRole('region', { name: 'Similar items' });
  await expect(similar).toContainText('not what they sold for');
  expect(await similar.locator('circle').count()).toBeGreaterThan(3);
  await expect(page.getByRole('region', { name: 'Item specifics' }).getByLabel('Brand required')).toBeVisible();

  await title.fill('My own words');
  await title.press('Escape');
  const since = page.getByRole('region', { name: '1 field changed since it was written' });
  await expect(since).toBeVisible();
  await page.keyboard.press('c');
  await expect(since.getByRole('row', { name: /^Title/ })).toContainText(written);
  await keep('review');
  await since.getByRole('button', { name: 'Put back Title' }).press('Enter');
  await expect(title).toHaveValue(written);
  await expect(since).toHaveCount(0);

  const sells = page.getByRole('region', { name: 'How it sells' });
  await sells.getByRole('button', { name: 'Change…' }).press('Enter');
  await sells.getByRole('switch', { name: 'Best Offer' }).press('Space');
  await page.getByRole('button', { name: 'Ask to change…' }).press('Enter');
  const prompt = page.getByRole('dialog', { name: 'Set Best Offer' });
  const yes = prompt.getByRole('button', { name: 'Save Best Offer' });
  await expect(yes).toBeEnabled();
  await yes.press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).press('Enter');
  await expect(sells).toContainText('Fixed price · Best Offer');

  await page.getByRole('button', { name: 'Adapt to another site…' }).press('Enter');
  await page.getByRole('form', { name: 'Adapt to another site' }).getByLabel('Site').selectOption('MKT_DE');
  await page.getByRole('button', { name: 'Rewrite it' }).press('Enter');
  const site = page.getByRole('region', { name: 'Site', exact: true });
  await expect(site).toContainText('Germany', { timeout: 60_000 });
  await expect(page.getByText('EUR', { exact: true }).first()).toBeVisible();
  await expect(page.getByRole('region', { name: /changed since it was written/ })).toHaveCount(0);
});
