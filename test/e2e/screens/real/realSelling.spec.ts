import type { Page } from 'playwright/test';
import { expect, test } from '../../host.ts';

const sayYes = async (page: Page, name: string): Promise<void> => {
  const dialog = page.getByRole('dialog');
  const yes = dialog.getByRole('button', { name, exact: true });
  await expect(yes).toBeEnabled();
  await yes.click();
  // A failure shows the whole text of the prompt.
  await expect(dialog).toContainText(/Done|Changed/, { timeout: 60_000 });
  await dialog.getByRole('button', { name: 'Close' }).click();
};

test('with a real companion, a person connects the marketplace and sets defaults', async ({ host, keep }) => {
  const { page } = host;
  await page.getByRole('button', { name: 'Start with an empty shop' }).click();
  await page.getByRole('link', { name: 'Selling setup' }).click();
  const market = page.getByRole('region', { name: 'Marketplace', exact: true });
  await expect(market.getByText(/onnected/).first()).toBeVisible();
  // The practice account starts fully set up; this test starts without a marketplace.
  await market.getByRole('button', { name: 'Disconnect…' }).click();
  await sayYes(page, 'Disconnect the marketplace');
  await expect(market).toContainText('Not connected');

  await market.getByRole('button', { name: 'Sign in at the marketplace…' }).click();
  const [signIn] = await Promise.all([
    page.waitForEvent('popup'),
    market.getByRole('link', { name: 'Open the sign-in page' }).click(),
  ]);
  await signIn.getByRole('button', { name: 'Connect this account' }).click();
  await expect(signIn.getByText('The account is connected.')).toBeVisible();
  await signIn.close();
  const connected = market.getByText(/^Connected/).first();
  // The companion also checks by timer, and the button disappears if that check comes first.
  await Promise.race([market.getByRole('button', { name: /I’m back/ }).click(), connected.waitFor()]);
  await expect(market).toContainText(/^MarketplaceConnected/);

  const policies = page.getByRole('region', { name: 'Policies', exact: true });
  await policies.getByLabel('Site for starter policies').selectOption('MKT_DE');
  await policies.getByRole('button', { name: 'Create starter policies…' }).click();
  await expect(page.getByRole('dialog')).toContainText('Germany');
  await sayYes(page, 'Create the policies');
  await expect(policies).toContainText('Flat postage, Germany');

  const defaults = page.getByRole('form', { name: 'Defaults' });
  await defaults.getByLabel('Country').selectOption('Germany');
  await defaults.getByLabel('Postcode').fill('10115');
  await defaults.getByLabel('Handling time in days').fill('2');
  await defaults.getByLabel('Site').selectOption('MKT_DE');
  await defaults.getByRole('button', { name: 'Save the defaults…' }).click();
  await expect(page.getByRole('dialog').getByRole('row', { name: /^Postcode/ })).toContainText('10115');
  await sayYes(page, 'Save the defaults');
  await expect(defaults.getByText('changed', { exact: true })).toHaveCount(0);
  await expect(defaults.getByLabel('Country')).toHaveValue('DE');
  await expect(market).toContainText('Connected and ready to publish');
  await expect(market).toContainText('Germany');

  const templates = page.getByRole('region', { name: 'Templates', exact: true });
  await templates.getByRole('button', { name: 'New template' }).click();
  const form = page.getByRole('form', { name: 'New template' });
  await form.getByLabel('Name').fill('Figurines');
  await form.getByLabel('Site').selectOption('MKT_GB');
  await form.getByLabel('Shipping policy').selectOption({ label: 'Flat postage, Germany (not on this site)' });
  await form.getByRole('button', { name: 'Check' }).click();
  await expect(form).toContainText('is a policy of Germany, not of United Kingdom');
  await form.getByLabel('Site').selectOption('MKT_DE');
  await form.getByRole('button', { name: 'Check' }).click();
  await expect(templates).toContainText('No problems found.');
  await keep('selling');
  await form.getByRole('button', { name: 'Save the template…' }).click();
  await sayYes(page, 'Save the template');
  await expect(templates.getByRole('button', { name: 'Edit Figurines' })).toBeVisible();
});
