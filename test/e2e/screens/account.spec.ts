import { readFileSync } from 'node:fs';
import { expect, test } from './page.ts';

test('fewer extras are a fresh question', async ({ open }) => {
  const page = await open('', { waiting: ['extras'] });
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'One less' }).click();
  await dialog.getByRole('button', { name: 'Lower to 1' }).click();
  await expect(page.getByRole('dialog', { name: 'Set aside 1 extra listing' })).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Approve up to US$0.40' })).toBeDisabled();
  await expect(dialog.getByRole('button', { name: 'Approve up to US$0.40' })).toBeEnabled();
  const sent = await page.evaluate(() => window.fake.asked.find(({ name }) => name === 'approvals.lower')?.input);
  expect(sent).toEqual({ approvalId: 'apr_4', digest: 'digest-4-3', count: 1 });
});

test('a changed rate of extras is said with the new one and asked about again', async ({ open }) => {
  const page = await open('#/settings', {});
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

test('a bigger plan is a question first, then a page that a click opens', async ({ open }) => {
  const page = await open('#/settings', {});
  await page.getByRole('button', { name: 'Try a bigger plan…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Make the checkout page' }).click();
  await expect(page.getByRole('link', { name: 'Open the checkout page' })).toBeVisible();
});

test('a plan of an app store is explained', async ({ open }) => {
  const page = await open('#/settings', {
    standing: { upgrade: { how: { openApp: true, tellThePerson: 'Open the app store to change it.' } } },
  });
  await expect(page.getByText('Open the app store to change it.')).toBeVisible();
});

test('the history is searched, goes on, says that it was changed, and is exported', async ({ open }) => {
  const page = await open('#/approvals', { brokenAt: 118 });
  const rows = page.getByRole('list', { name: 'Rows of the history' }).getByRole('listitem');
  await expect(
    page.getByText('The record was changed outside the companion at row 118. It is shown as it is.'),
  ).toBeVisible();
  await expect(rows).toHaveCount(50);
  await page.getByRole('button', { name: 'Load more' }).click();
  await expect(rows).toHaveCount(100);
  await page.getByLabel('Search the history').fill('MARKET_REFUSED');
  await expect(rows.first()).toContainText('Refused by the service (MARKET_REFUSED)');
  await expect(rows).toHaveCount(11);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export CSV' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('companion-history.csv');
  expect(readFileSync(await download.path(), 'utf8')).toContain('seq,at,kind');
});

test('an assistant is paused, and its limits are changed', async ({ open }) => {
  const page = await open('#/assistants', {});
  const row = page.getByRole('region', { name: 'Let in' }).getByRole('listitem').filter({ hasText: 'Garage helper' });
  await expect(row).toContainText('Today: 3 of 10 publishes, US$1.05 of US$5.00 spent');
  await row.getByRole('button', { name: 'Pause' }).click();
  await expect(row).toContainText('Paused');
  await row.getByRole('button', { name: 'Resume' }).click();
  await row.getByRole('button', { name: 'Change limits' }).click();
  await row.getByLabel('Publishes a day').fill('');
  await row.getByLabel('US$ a day').fill('2,50');
  await row.getByLabel('May touch').selectOption('all');
  await row.getByRole('button', { name: 'Save limits' }).click();
  await expect(row).toContainText('Today: 3 publishes, US$1.05 of US$2.50 spent');
  const sent = await page.evaluate(() => window.fake.asked.filter(({ name }) => name === 'assistants.change').at(-1));
  expect(sent?.input).toEqual({ assistantId: 'ast_1', publishesPerDay: null, moneyCentsPerDay: 250, touches: 'all' });
});
