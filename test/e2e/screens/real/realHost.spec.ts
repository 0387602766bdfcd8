import { prepareItemToPublish } from '../../askToPublish.ts';
import { dropCamera } from '../../drawItem.ts';
import { expect, test } from '../../host.ts';

test('with a real companion, a listing is published and repriced from the table', async ({ host, keep }, info) => {
  const { page } = host;
  await dropCamera(host, info);
  await expect(page.getByRole('listitem', { name: /review/i })).toBeVisible({ timeout: 60_000 });

  await page.getByRole('link', { name: 'Listings' }).click();
  await page.getByLabel('Find a listing').fill('canon');
  const row = page.getByRole('rowgroup').getByRole('row').first();
  await expect(row).toContainText('To review');
  await row.getByRole('link').click();
  await page.getByRole('button', { name: 'Publish…' }).click();
  const prompt = page.getByRole('dialog', { name: /^Publish/ });
  await prompt.getByRole('button', { name: /^Publish (for|free)|^Publish, fee unknown/ }).click();
  const result = page.getByRole('dialog', { name: /^Live on/ });
  await expect(result).toBeVisible({ timeout: 60_000 });
  await result.getByRole('button', { name: 'Close' }).click();
  await page.keyboard.press('Escape');

  await expect(row).toContainText(/live/i);
  await row.getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Change 1…' }).click();
  await page.getByLabel('How', { exact: true }).selectOption('set');
  await page.getByLabel('New price').fill('123.45');
  await page.getByRole('button', { name: 'Change 1 live listing…' }).click();
  const change = page.getByRole('dialog', { name: /^Change the live listing/ });
  const yes = change.getByRole('button').last();
  await expect(yes).toBeEnabled();
  await yes.click();
  const changed = page.getByRole('dialog', { name: 'Changed' });
  await expect(changed).toBeVisible({ timeout: 60_000 });
  await changed.getByRole('button', { name: 'Close' }).click();
  await expect(row).toContainText('123.45');
  await keep('listings');

  await row.getByRole('link').click();
  await expect(page.getByRole('list', { name: 'History of this listing' }).getByRole('listitem').first()).toContainText(
    'Changed',
  );
});

test('with a real companion, a read-only assistant cannot request a publish', async ({ host, keep }, info) => {
  const { page } = host;
  const { assistant, listing } = await prepareItemToPublish(host, info);
  await page.getByRole('link', { name: 'Assistants' }).click();
  const rows = page.getByRole('list', { name: 'Newest first' }).getByRole('listitem');
  await expect(rows.first()).toContainText(/listing/);
  await page.getByRole('button', { name: 'Change limits' }).click();
  await page.getByLabel('It may').selectOption('read');
  await page.getByRole('button', { name: 'Save limits' }).click();
  await expect(page.getByText('May only read')).toBeVisible();
  const answer = await assistant.call('POST', `/listings/${listing.listingId}/channels/publish`, {});
  expect(answer.status).toBe(403);
  await expect(rows.first()).toContainText('Refused');
  await keep('assistants');
});
