import { expect, test } from '../../host.ts';

test('with a real companion, the tour leads in, and the account is what the practice service says', async ({
  host,
  keep,
}) => {
  const { page } = host;
  await page.getByRole('button', { name: 'Try it with practice data' }).click();
  const tour = page.getByRole('region', { name: 'Tour' });
  await expect(tour.getByRole('button', { name: 'Next' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(tour).toHaveCount(0);

  await page.getByRole('link', { name: 'Account' }).press('Enter');
  const plans = page.getByRole('region', { name: 'All plans' }).getByRole('row');
  await expect(plans).toHaveCount(7);
  await expect(plans.filter({ hasText: 'Your plan' })).toHaveCount(1);
  await expect(plans.filter({ hasText: 'Scale' })).toContainText('US$459.99');
  const keys = page.getByRole('region', { name: 'Assistants connected at the service' });
  await expect(keys.getByRole('row').filter({ hasText: 'This companion' })).toHaveCount(1);
  await expect(page.getByText('Nobody has joined by it yet.')).toBeVisible();
  await page.getByRole('button', { name: 'Read the invoices' }).press('Enter');
  await expect(
    page.getByText('There is no invoice yet.').or(page.getByRole('group', { name: 'Invoices' })),
  ).toBeVisible();

  const profile = page.getByRole('region', { name: 'Profile at the service' });
  await profile.getByLabel('Name').fill('Robin Fox');
  await profile.getByLabel('Name').press('Tab');
  await expect(profile).toContainText('Saved');
  const delist = profile.getByRole('switch', { name: 'Take sold items off my other channels' });
  const before = await delist.isChecked();
  await delist.press('Space');
  const sheet = page.getByRole('dialog', { name: 'Change what happens after a sale' });
  await sheet.getByRole('button', { name: 'Save the setting' }).click();
  await sheet.getByRole('button', { name: 'Close' }).last().press('Enter');
  await expect(delist).toBeChecked({ checked: !before });
  const news = page.getByRole('group', { name: 'By e-mail' }).getByRole('switch', { name: 'News and offers' });
  await news.press('Space');
  await expect(news).toBeChecked();
  await keep('account');

  await page.getByRole('link', { name: /^Notifications/ }).press('Enter');
  await expect(page.getByRole('heading', { name: 'Your notifications will be here' })).toBeVisible();
  await keep('notifications');
});
