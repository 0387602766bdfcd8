import { readFileSync } from 'node:fs';
import type { Page } from 'playwright/test';
import { expect, test } from './page.ts';

test('a lower number of extras requires a new approval', async ({ open }) => {
  const page = await open('', { waiting: ['extras'] });
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'One fewer' }).click();
  await dialog.getByRole('button', { name: 'Lower to 1' }).click();
  await expect(page.getByRole('dialog', { name: 'Set aside 1 extra listing' })).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Approve up to US$0.40' })).toBeDisabled();
  await expect(dialog.getByRole('button', { name: 'Approve up to US$0.40' })).toBeEnabled();
  const sent = await page.evaluate(() => window.fake.asked.find(({ name }) => name === 'approvals.lower')?.input);
  expect(sent).toEqual({ approvalId: 'apr_4', digest: 'digest-4-3', count: 1 });
});

test('extras that are off must be turned on before they can be approved', async ({ open }) => {
  const extras = { available: true, enabled: false, rateCents: 40, approval: null };
  const page = await open('#/account', { standing: { allowance: { remaining: 1, creditBalance: 3, extras } } });
  const plan = page.getByRole('region', { name: 'Plan and extras' });
  await expect(plan.getByRole('button', { name: 'Turn extras on…' })).toHaveCount(1);
  await expect(plan.getByLabel('Extras to set aside, 1 to 50')).toHaveCount(0);
  await plan.getByRole('button', { name: 'Turn extras on…' }).click();
  await expect(page.getByRole('dialog', { name: 'Turn extra listings on' })).toBeVisible();
});

test('extras that were turned off elsewhere must be turned on again before approval', async ({ open }) => {
  const page = await open('#/account', {});
  const plan = page.getByRole('region', { name: 'Plan and extras' });
  const count = plan.getByLabel('Extras to set aside, 1 to 50');
  await count.fill('51');
  await plan.getByRole('button', { name: 'Set aside extras…' }).click();
  await expect(count).toHaveAttribute('aria-invalid', 'true');
  await page.evaluate(
    () => (window.fake.standing.allowance.extras = { enabled: false, available: true, rateCents: 40 }),
  );
  await count.fill('5');
  await expect(count).not.toHaveAttribute('aria-invalid', 'true');
  await plan.getByRole('button', { name: 'Set aside extras…' }).click();
  await expect(plan).toContainText('Extras are off. Turn them on first');
  await plan.getByRole('button', { name: 'Turn extras on…' }).last().click();
  await expect(page.getByRole('dialog', { name: 'Turn extra listings on' })).toBeVisible();
});

test('extras must be turned on again if their confirmation e-mail was not sent', async ({ open }) => {
  const page = await open('#/account', {});
  await page.evaluate(() => {
    window.fake.onApprove = (one) => ({
      ...one,
      state: 'failed',
      decidedAt: Date.now(),
      outcome: { sentence: 'The mail was never sent.', code: 'EXTRAS_ON_UNCONFIRMED', url: null },
    });
  });
  const plan = page.getByRole('region', { name: 'Plan and extras' });
  await plan.getByLabel('Extras to set aside, 1 to 50').fill('5');
  await plan.getByRole('button', { name: 'Set aside extras…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Set aside 5 extra listings' });
  await dialog.getByRole('button', { name: /^Approve up to/ }).click();
  const refused = page.getByRole('dialog', { name: 'Refused by the service' });
  await expect(refused.getByRole('button', { name: 'Turn extras on again…' })).toBeVisible();
  await page.keyboard.press('Escape');
  await plan.getByRole('button', { name: 'Turn extras on again…' }).click();
  await page.evaluate(() => (window.fake.onApprove = null));
  await page
    .getByRole('dialog', { name: 'Turn extra listings on' })
    .getByRole('button', { name: 'Turn extras on at US$0.40 each' })
    .click();
  await page.keyboard.press('Escape');
  await expect(plan.getByRole('button', { name: 'Turn extras on again…' })).toHaveCount(0);
  expect(await listRequests(page, 'setExtras')).toEqual([{ body: { enabled: true, acknowledgedRateCents: 40 } }]);
});

test('a changed price of extras is shown and needs a new approval', async ({ open }) => {
  const page = await open('#/account', {});
  const plan = page.getByRole('region', { name: 'Plan and extras' });
  await expect(plan).toContainText('On, US$0.40 each');
  await page.evaluate(
    () => (window.fake.standing.allowance.extras = { enabled: true, available: true, rateCents: 45 }),
  );
  await plan.getByLabel('Extras to set aside, 1 to 50').fill('5');
  await plan.getByRole('button', { name: 'Set aside extras…' }).click();
  await expect(plan).toContainText('an extra listing now costs US$0.45');
  await plan.getByRole('button', { name: 'Ask again at US$0.45…' }).click();
  await expect(page.getByRole('dialog', { name: 'Set aside 5 extra listings' })).toBeVisible();
});

const listRequests = (page: Page, route: string) =>
  page.evaluate(
    (wanted) =>
      window.fake.asked
        .map(({ input }) => input as { route?: string; input?: unknown } | null)
        .filter((one) => one?.route === wanted)
        .map((one) => one?.input),
    route,
  );

/** A person on the free plan who is offered a trial of another plan. */
const offeredTrial = {
  upgrade: {
    recommended: true,
    suggestedPlan: 'lite',
    offerTrial: true,
    how: { path: '/billing/external-checkout-token', body: { tier: 'lite', trial: true } },
  },
  plan: { code: 'free', name: 'Free', photosPerListing: 4 },
};

test('a change of plan needs approval', async ({ open }) => {
  const page = await open('#/account', { standing: offeredTrial });
  const plans = page.getByRole('region', { name: 'All plans' }).getByRole('row');
  await expect(plans.filter({ hasText: 'Your plan' })).toContainText('Free');
  await expect(plans.filter({ hasText: 'Suggested' })).toContainText('US$14.99');
  await expect(plans.filter({ hasText: 'Pro' })).toContainText('250');
  await expect(page.getByText('5 listing credits US$4.99')).toBeVisible();
  await plans.getByRole('button', { name: 'Try 7 days…' }).press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Get the checkout page' }).click();
  await expect(page.getByRole('link', { name: 'Open the checkout page' })).toBeVisible();
  await page.keyboard.press('Escape');
  await plans.getByRole('button', { name: 'Choose the plan Pro…' }).press('Enter');
  await expect(page.getByRole('dialog', { name: 'Open the checkout for a plan' })).toBeVisible();
  expect(await listRequests(page, 'createCheckoutToken')).toEqual([
    { body: { tier: 'lite', trial: true } },
    { body: { tier: 'pro' } },
  ]);
});

test('in a narrow window the table of plans needs no sideways scrolling', async ({ open }) => {
  const page = await open('#/account', { standing: offeredTrial, language: 'de' }, { width: 480 });
  const table = page.getByRole('group', { name: 'Alle Tarife' });
  await expect(table.getByRole('button', { name: /wählen/i }).first()).toBeVisible();
  const beside = await table.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
  expect(beside).toBe(0);
});

test('a person who already had a trial is not offered another trial', async ({ open }) => {
  const page = await open('#/account', { tried: true, standing: offeredTrial });
  const plans = page.getByRole('region', { name: 'All plans' });
  // The credit packs arrive in the same answer as the right to a trial.
  await expect(plans.getByText('5 listing credits US$4.99')).toBeVisible();
  await expect(plans.getByRole('button', { name: /^Try/ })).toHaveCount(0);
  await plans.getByRole('button', { name: 'Choose the plan Lite…' }).press('Enter');
  await expect(page.getByRole('dialog', { name: 'Open the checkout for a plan' })).toBeVisible();
  expect(await listRequests(page, 'createCheckoutToken')).toEqual([{ body: { tier: 'lite' } }]);
});

test('a paid plan is changed on the billing pages', async ({ open }) => {
  const paid = await open('#/account', {
    standing: { upgrade: { how: { method: 'POST', path: '/subscriptions/portal', body: {} } } },
  });
  await expect(paid.getByRole('button', { name: /^Choose the plan/ })).toHaveCount(0);
  await paid.getByRole('button', { name: 'Change the plan…' }).press('Enter');
  await expect(paid.getByRole('dialog', { name: 'Open the billing pages' })).toBeVisible();
  const store = await open('#/account', {
    standing: { upgrade: { how: { openApp: true, tellThePerson: 'Open the app store to change it.' } } },
  });
  await expect(store.getByText('Open the app store to change it.')).toBeVisible();
});

test('an invoice has the same day on the screen and in its file in every time zone', async ({ open }) => {
  // In each zone, the local day differs from the day in UTC for half of the day or almost half of it.
  for (const timezoneId of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
    const page = await open('#/account', {}, { instead: true });
    const session = await page.context().newCDPSession(page);
    await session.send('Emulation.setTimezoneOverride', { timezoneId });
    await page.getByRole('button', { name: 'Show invoices' }).click();
    const table = page.getByRole('group', { name: 'Invoices' });
    const days = table.getByRole('row').locator('td:first-child');
    await expect(days.first()).toBeVisible();
    const shown = await days.allTextContents();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      table.getByRole('button', { name: 'Export CSV' }).click(),
    ]);
    await session.send('Emulation.setTimezoneOverride', { timezoneId: '' });
    const rows = readFileSync(await download.path(), 'utf8')
      .trim()
      .split('\r\n')
      .slice(1);
    const format = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' });
    expect(shown).toEqual(rows.map((row) => format.format(Date.parse(row.slice(0, 10)))));
  }
});

test('invoices are loaded only on request, and the validity of a promo code is shown', async ({ open }) => {
  const page = await open('#/account', {});
  const money = page.getByRole('region', { name: 'Invoices and codes' });
  await expect(money).toContainText('https://service.example/r/robin');
  await expect(money).toContainText('2 people have joined with it.');
  expect(await listRequests(page, 'listInvoices')).toEqual([]);
  await money.getByRole('button', { name: 'Show invoices' }).press('Enter');
  await expect(money.getByRole('row')).toHaveCount(3);
  await expect(money.getByRole('row').nth(1)).toContainText('US$49.99');
  await money.getByLabel('Promo code').last().fill('SPRING');
  await money.getByLabel('Promo code').last().press('Enter');
  await expect(money).toContainText('This code is not valid.');
  await money.getByLabel('Promo code').last().fill('PRACTICE10');
  await money.getByLabel('Promo code').last().press('Enter');
  await expect(money).toContainText('This code is valid: 10% off.');
  expect(await listRequests(page, 'checkPromoCode')).toEqual([
    { body: { code: 'SPRING' } },
    { body: { code: 'PRACTICE10' } },
  ]);
});

test('the profile is saved, and a changed sale setting needs approval', async ({ open }) => {
  const page = await open('#/account', {});
  const profile = page.getByRole('region', { name: 'Profile at the service' });
  await profile.getByLabel('Name').fill('Robin Fox');
  await profile.getByLabel('Name').press('Tab');
  await expect(profile).toContainText('Saved');
  const delist = profile.getByRole('switch', { name: 'Take sold items off my other channels' });
  await delist.press('Space');
  const sheet = page.getByRole('dialog', { name: 'Change what happens after a sale' });
  await expect(delist).toBeChecked();
  await sheet.getByRole('button', { name: 'Save the setting' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().press('Enter');
  await expect(delist).not.toBeChecked();
  const mails = page.getByRole('group', { name: 'By e-mail' });
  await mails.getByRole('switch', { name: 'News and offers' }).press('Space');
  await expect(mails.getByRole('switch', { name: 'News and offers' })).toBeChecked();
  await expect(page.getByRole('switch', { name: 'Weekly digest' })).toBeVisible();
  expect(await listRequests(page, 'updateUserNotificationPreferences')).toEqual([
    { params: { userId: 'usr_1' }, body: { news: true } },
  ]);
});

test('disconnecting needs approval and returns to the first screen', async ({ open }) => {
  const page = await open('#/account', {
    state: { service: { kind: 'remote', url: 'https://service.example' } },
  });
  const keys = page.getByRole('region', { name: 'Assistants connected at the service' });
  await expect(keys.getByRole('row').nth(1)).toContainText('This companion');
  await expect(keys.getByRole('row').nth(2)).toContainText('On the service’s page');
  await expect(keys.getByRole('button')).toHaveCount(0);
  await page.getByRole('button', { name: 'Disconnect…' }).press('Enter');
  const sheet = page.getByRole('dialog', { name: 'Disconnect from the service' });
  await expect(sheet).toContainText('This cannot be undone.');
  await sheet.getByRole('button', { name: 'Disconnect for good' }).click({ timeout: 10_000 });
  await expect(page.getByRole('button', { name: 'Try it with practice data' })).toBeVisible();
});

test('the person can pause an assistant and change its limits', async ({ open }) => {
  const page = await open('#/assistants', {});
  const row = page
    .getByRole('region', { name: 'Connected' })
    .getByRole('listitem')
    .filter({ hasText: 'Garage helper' });
  await expect(row).toContainText('Today, including what is waiting: 3 of 10 publishes, US$1.05 of US$5.00');
  await row.getByRole('button', { name: 'Pause' }).click();
  await expect(row).toContainText('Paused');
  await row.getByRole('button', { name: 'Resume' }).click();
  await row.getByRole('button', { name: 'Change limits' }).click();
  await row.getByLabel('Publishes per day').fill('');
  await row.getByLabel('US$ per day').fill('2,50');
  await row.getByLabel('Works with').selectOption('all');
  await row.getByRole('button', { name: 'Save limits' }).click();
  await expect(row).toContainText('Today, including what is waiting: 3 publishes, US$1.05 of US$2.50');
  const sent = await page.evaluate(() => window.fake.asked.filter(({ name }) => name === 'assistants.change').at(-1));
  expect(sent?.input).toEqual({ assistantId: 'ast_1', publishesPerDay: null, moneyCentsPerDay: 250, touches: 'all' });
});

test('“Sell for real” in practice mode shows the requirements and e-mails no code', async ({ open }) => {
  const page = await open('', { state: { connection: 'none' } });
  await page.getByRole('button', { name: 'What it takes' }).press('Enter');
  const form = page.getByRole('region', { name: 'Sell for real' });
  await expect(form).toContainText('start it again with the address of the real service');
  await expect(form.getByRole('button', { name: 'E-mail me a code' })).toHaveCount(0);
  const address = form.getByLabel('Address of the service');
  await address.fill('http://service.example');
  await expect(form).toContainText('The address begins with https://.');
  await address.fill('https://service.example/$(x)');
  await expect(form.getByText('listing-companion --service')).toHaveCount(0);
  await address.fill('https://service.example/');
  await expect(form).toContainText('listing-companion --service https://service.example');
  await page.getByRole('button', { name: 'Back' }).press('Enter');
  await expect(page.getByRole('button', { name: 'Try it with practice data' })).toBeVisible();

  const inside = await open('#/account', {});
  await inside.getByRole('button', { name: 'Sell for real' }).press('Enter');
  await expect(inside.getByRole('dialog', { name: 'Sell for real' })).toContainText('the practice service');
  const calls = await inside.evaluate(() => window.fake.asked.map(({ name }) => name));
  expect(calls.filter((name) => name.startsWith('connect.'))).toEqual([]);
});
