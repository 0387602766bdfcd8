import type { Page } from 'playwright/test';
import { expect, test } from './page.ts';

type Request = { route?: string; input?: { body?: unknown } } | null;

const listBodies = (page: Page, route: string): Promise<unknown[]> =>
  page.evaluate(
    (name) =>
      window.fake.asked.flatMap(({ input }) => {
        const given = input as Request;
        return given?.route === name ? [given.input?.body ?? null] : [];
      }),
    route,
  );

/** Approves the open prompt and closes it. */
const sayYes = async (page: Page, name: string): Promise<void> => {
  const dialog = page.getByRole('dialog');
  const yes = dialog.getByRole('button', { name, exact: true });
  await expect(yes).toBeEnabled();
  await yes.press('Enter');
  await expect(dialog.getByRole('status')).toContainText(/^(Done|Live|Ended|Changed|Deleted)/);
  await dialog.getByRole('button', { name: 'Close' }).press('Enter');
  await expect(dialog).toBeHidden();
};

const getRegion = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

test('selling is set up from nothing in three steps', async ({ open }) => {
  const page = await open('#/selling', { selling: { bare: true } });
  const market = getRegion(page, 'Marketplace');
  await expect(market).toContainText('Not connected');
  const steps = market.getByRole('list', { name: 'Three steps to selling' }).getByRole('listitem');
  await expect(steps).toHaveText([/^Sign in/, /^Shipping, payment and return/, /^Where your items are/]);
  await expect(steps.nth(0)).toHaveAttribute('aria-current', 'step');
  await expect(getRegion(page, 'Policies')).toContainText('once the marketplace is connected');

  await market.getByRole('button', { name: 'Sign in at the marketplace…' }).press('Enter');
  await expect(market.getByRole('link', { name: 'Open the sign-in page' })).toHaveAttribute(
    'href',
    /^https:\/\/service\.example\/person\/market\//,
  );
  await expect(market.getByRole('link', { name: 'Open the sign-in page' })).toBeFocused();
  await expect(market).toContainText(/\d+ min left/);
  const before = (await listBodies(page, 'readMarketStatus')).length;
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  await expect(market).toContainText('Connected, but not ready to publish yet');
  expect(await listBodies(page, 'readMarketStatus')).toHaveLength(before + 1);
  // Once connected, returning to the window reads nothing.
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  expect(await listBodies(page, 'readMarketStatus')).toHaveLength(before + 1);

  await expect(steps.nth(0)).toContainText('Done');
  await expect(steps.nth(1)).toHaveAttribute('aria-current', 'step');
  await market.getByRole('button', { name: 'Go to policies' }).press('Enter');
  await expect(page.getByRole('heading', { name: 'Policies' })).toBeFocused();
  await getRegion(page, 'Policies').getByRole('button', { name: 'Create starter policies…' }).press('Enter');
  await expect(page.getByRole('dialog')).toContainText('United States');
  await sayYes(page, 'Create the policies');
  await expect(getRegion(page, 'Policies')).toContainText('Flat postage, United States');

  await market.getByRole('button', { name: 'Enter the location' }).press('Enter');
  await page.getByLabel('Country').selectOption('United States');
  await page.getByLabel('Postcode').fill('94107');
  await page.getByLabel('Postcode').press('Enter');
  await sayYes(page, 'Save the defaults');
  expect(await listBodies(page, 'updateSellerDefaults')).toEqual([
    { location: { country: 'US', postalCode: '94107' } },
  ]);
  await expect(market).toContainText('Connected and ready to publish');
  await expect(steps).toHaveText([/Done$/, /Done$/, /Done$/]);

  await market.getByRole('button', { name: 'Acknowledge what the marketplace requires…' }).press('Enter');
  await sayYes(page, 'I have read it');
  await expect(market).toContainText('Acknowledged just now');
});

test('unsaved defaults survive a visit to another screen and are saved after approval', async ({ open }) => {
  const page = await open('#/selling', {});
  const form = page.getByRole('form', { name: 'Defaults' });
  await expect(form.getByRole('button', { name: 'Save the defaults…' })).toBeDisabled();
  await form.getByLabel('Return period in days').fill('400');
  await form.getByLabel('Auto-decline below (USD)').fill('20');
  await form.getByLabel('Auto-accept from (USD)').fill('15,50');
  await expect(form).toContainText('3 changes are not saved');
  await form.getByRole('button', { name: 'Save the defaults…' }).press('Enter');
  await expect(form).toContainText('Enter a whole number from 0 to 365.');
  await expect(form).toContainText('The auto-decline amount must be below');
  await expect(form.getByLabel('Return period in days')).toBeFocused();
  expect(await listBodies(page, 'updateSellerDefaults')).toEqual([]);

  await page.getByRole('link', { name: 'Insights' }).press('Enter');
  await page.getByRole('link', { name: 'Selling setup' }).press('Enter');
  await expect(form.getByLabel('Auto-accept from (USD)')).toHaveValue('15.50');
  await expect(form.getByText('changed', { exact: true })).toHaveCount(3);
  await form.getByLabel('Return period in days').fill('60');
  await form.getByLabel('Auto-decline below (USD)').fill('9');
  await form.getByRole('button', { name: 'Save the defaults…' }).press('Enter');
  // The unchanged fields of a changed record are sent, too.
  expect(await listBodies(page, 'updateSellerDefaults')).toEqual([
    { returns: { accepted: true, days: 60 }, bestOffer: { autoAcceptCents: 1_550, autoDeclineCents: 900 } },
  ]);
  await expect(page.getByRole('dialog')).toContainText('Before');
  await sayYes(page, 'Save the defaults');
  await expect(form.getByText('changed', { exact: true })).toHaveCount(0);
  await expect(form.getByLabel('Return period in days')).toHaveValue('60');
  // Fields known only to the service are shown read-only.
  await expect(getRegion(page, 'Defaults')).toContainText('The fox shop');
});

test('a refused change of the defaults is reported in the UI language', async ({ open }) => {
  const page = await open('#/selling', { language: 'de' });
  await page.evaluate(() => {
    window.fake.onApprove = (one) => ({
      ...one,
      state: 'failed',
      decidedAt: Date.now(),
      outcome: {
        sentence: 'There is no such file or folder.',
        says: { key: 'problems.MISSING_PATH.asked' },
        code: 'MISSING_PATH',
        url: null,
      },
    });
  });
  const form = page.getByRole('form', { name: 'Vorgaben' });
  await form.getByLabel('Rücknahmefrist in Tagen').fill('60');
  await form.getByRole('button', { name: 'Vorgaben speichern…' }).press('Enter');
  const dialog = page.getByRole('dialog');
  const yes = dialog.getByRole('button', { name: 'Vorgaben speichern' });
  await expect(yes).toBeEnabled();
  await yes.press('Enter');
  await dialog.getByRole('button', { name: 'Schließen', exact: true }).last().press('Enter');
  await expect(form).toContainText('Diese Datei oder diesen Ordner gibt es nicht.');
});

test('a template can be checked, created, changed and deleted', async ({ open }) => {
  const page = await open('#/selling', {});
  const templates = getRegion(page, 'Templates');
  await templates.getByRole('button', { name: 'New template' }).press('Enter');
  const form = page.getByRole('form', { name: 'New template' });
  await expect(form.getByLabel('Name')).toBeFocused();
  await form.getByLabel('Site').selectOption('MKT_DE');
  await form.getByLabel('Shipping policy').selectOption('pol_f1');
  await form.getByRole('button', { name: 'Save the template…' }).press('Enter');
  await expect(form).toContainText('This is required.');
  await form.getByLabel('Name').fill('Letters');
  expect(await listBodies(page, 'validateTemplate')).toHaveLength(0);
  await form.getByRole('button', { name: 'Check' }).press('Enter');
  await expect(form).toContainText('is a policy of United States, not of Germany');
  await form.getByRole('button', { name: 'Close' }).press('Enter');
  await expect(templates).toContainText('A template you started is kept.');
  await expect(templates.getByRole('button', { name: 'Continue with it' })).toBeFocused();
  await page.keyboard.press('Enter');
  await form.getByLabel('Site').selectOption('MKT_US');
  await form.getByRole('button', { name: 'Check' }).press('Enter');
  await expect(templates).toContainText('No problems found.');
  expect(await listBodies(page, 'validateTemplate')).toHaveLength(2);
  await form.getByRole('button', { name: 'Save the template…' }).press('Enter');
  await sayYes(page, 'Save the template');
  await expect(form).toBeHidden();
  expect(await listBodies(page, 'createTemplate')).toEqual([
    { name: 'Letters', marketplaceId: 'MKT_US', fulfillmentPolicyId: 'pol_f1' },
  ]);

  await templates.getByRole('button', { name: 'Edit Letters' }).press('Enter');
  const edit = page.getByRole('form', { name: 'Edit' });
  await expect(edit.getByText('in lb and oz')).toBeVisible();
  await edit.getByLabel('Packed weight').fill('2 oz');
  await edit.getByLabel('Shipping policy').selectOption('');
  await edit.getByRole('button', { name: 'Save the template…' }).press('Enter');
  await sayYes(page, 'Change the template');
  expect(await listBodies(page, 'updateTemplate')).toEqual([{ fulfillmentPolicyId: null, packageWeightGrams: 57 }]);

  await templates.getByRole('button', { name: 'Delete Letters…' }).press('Enter');
  await expect(page.getByRole('dialog')).toContainText('This cannot be undone.');
  await sayYes(page, 'Delete the template for good');
  await expect(templates.getByRole('listitem')).toHaveCount(2);
});

test('a channel shows its limits and can be disconnected and connected again', async ({ open }) => {
  const page = await open('#/selling', {});
  const channels = getRegion(page, 'Other channels');
  await expect(channels).toContainText('Up to 10 photos, titles up to 100 characters');
  await channels.getByRole('button', { name: 'Publishing options' }).press('Enter');
  await expect(channels).toContainText('front (usual), back');
  await channels.getByRole('button', { name: /^Disconnect Corner shop/ }).press('Enter');
  await sayYes(page, 'Disconnect the channel');
  await channels.getByRole('button', { name: 'Connect Corner shop (practice)…' }).press('Enter');
  await expect(channels.getByRole('link', { name: 'Open the page of Corner shop (practice)' })).toBeVisible();
  await channels.getByRole('button', { name: /I’m back/ }).press('Enter');
  await expect(channels.getByRole('button', { name: /^Disconnect Corner shop/ })).toBeVisible();
});

test('a section that failed to load does not affect the others', async ({ open }) => {
  const page = await open('#/selling', { selling: { refused: ['listTemplates'] } });
  const templates = getRegion(page, 'Templates');
  await expect(templates).toContainText('The service cannot be reached.');
  await expect(getRegion(page, 'Marketplace')).toContainText('live changes 2,000 of 2,000');
  await templates.getByRole('button', { name: 'Try again' }).press('Enter');
  await expect(templates.getByRole('listitem')).toHaveCount(2);
  await page.getByLabel('Account for new listings').selectOption('mac_2');
  await expect.poll(() => page.evaluate(() => window.fake.state.settings.marketAccountId)).toBe('mac_2');
});

test('other service settings have translated labels and localised amounts', async ({ open }) => {
  const page = await open('#/selling', { language: 'de' });
  const facts = page.getByRole('region', { name: 'Vorgaben' }).locator('dl');
  await expect(facts).toContainText(/Versandpauschale\s*5,99\sUS\$/);
  await expect(facts).toContainText(/Versandkosten\s*pauschaler Versand/);
  await expect(facts).not.toContainText(/flatMinor|Flat minor/);
  // A field without a translation is shown with the words of its own name.
  await expect(facts).toContainText(/Shipping pickup\s*Ja/);
  await page.getByRole('button', { name: /Small ceramics.*bearbeiten|bearbeiten.*Small ceramics/i }).click();
  await expect(page.getByRole('region', { name: 'Vorlagen' }).locator('dl')).toContainText(
    /Bearbeitungszeit in Tagen\s*3/,
  );
});

test('adjacent fields are aligned even if their labels are long', async ({ open }) => {
  const page = await open('#/selling', { language: 'de' });
  const group = page.getByRole('group', { name: 'Preisvorschlag' });
  await expect(group).toBeVisible();
  const tops = [];
  for (const field of await group.locator('input, select').all()) tops.push((await field.boundingBox())?.y);
  expect(tops.length).toBe(3);
  expect(new Set(tops).size).toBe(1);
});

test('the quotas of the day are behind Details, which the keyboard opens', async ({ open }) => {
  const page = await open('#/selling', {});
  const details = page.getByRole('region', { name: 'Marketplace', exact: true }).locator('summary');
  const quotas = page.getByText('They reset at midnight Pacific time.');
  await expect(details).toHaveText('Details');
  await expect(quotas).toBeHidden();
  await details.press('Enter');
  await expect(quotas).toBeVisible();
});
