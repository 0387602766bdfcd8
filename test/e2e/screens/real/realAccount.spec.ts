import sharp from 'sharp';
import { expect, test } from '../../host.ts';
import { controlPractice } from '../../practiceControl.ts';

test('with a real companion, the account screen shows and saves the service’s data', async ({ host, keep }) => {
  const { page } = host;
  await page.getByRole('button', { name: 'Start with an empty shop' }).click();
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
  await expect(page.getByText('Nobody has joined with it yet.')).toBeVisible();
  await page.getByRole('button', { name: 'Show invoices' }).press('Enter');
  await expect(page.getByText('No invoices yet.').or(page.getByRole('group', { name: 'Invoices' }))).toBeVisible();

  const profile = page.getByRole('region', { name: 'Profile at the service' });
  await profile.getByLabel('Name').fill('Robin Fox');
  await profile.getByLabel('Name').press('Tab');
  await expect(profile).toContainText('Saved');
  const picture = profile.getByRole('group', { name: 'Your picture' });
  const bytes = await sharp({ create: { width: 900, height: 600, channels: 3, background: '#c84' } })
    .png()
    .toBuffer();
  await picture.getByLabel('Choose a picture').setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: bytes });
  await expect(picture).toContainText('Saved');
  await expect(picture.locator('[style*="data:image/jpeg"]')).toBeVisible();
  const delist = profile.getByRole('switch', { name: 'Take sold items off my other channels' });
  const before = await delist.isChecked();
  await delist.press('Space');
  const sheet = page.getByRole('dialog', { name: 'Change what happens after a sale' });
  await sheet.getByRole('button', { name: 'Save the setting' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().press('Enter');
  await expect(delist).toBeChecked({ checked: !before });
  const news = page.getByRole('group', { name: 'By e-mail' }).getByRole('switch', { name: 'News and offers' });
  await news.press('Space');
  await expect(news).toBeChecked();
  await keep('account');

  await page.getByRole('link', { name: /^Notifications/ }).press('Enter');
  await expect(page.getByRole('heading', { name: 'Your notifications will be here' })).toBeVisible();
  await keep('notifications');
});

test('with a real companion, a call to a slow service can be cancelled and repeated', async ({ host }) => {
  const { page } = host;
  await page.getByRole('button', { name: 'Start with an empty shop' }).click();
  await page.getByRole('link', { name: 'Account' }).click();
  const read = page.getByRole('button', { name: 'Show invoices' });
  await expect(read).toBeVisible();
  await controlPractice(page, '/faults', { method: 'GET', path: '/subscriptions/invoices', delayMs: 600_000 });
  await read.click();
  const slow = page.getByRole('alert').filter({ hasText: 'Waiting for the service…' });
  await slow.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByText('You stopped waiting.')).toBeVisible();
  await expect(slow).toBeHidden();
  await read.click();
  await expect(page.getByText('No invoices yet.')).toBeVisible();
});
