import type { Page } from 'playwright/test';
import * as z from 'zod';
import { dropCamera } from '../../drawItem.ts';
import { expect, test } from '../../host.ts';
import { callInWindow, controlPractice } from '../../practiceControl.ts';

const corner = 'Corner shop (practice)';
const getChannels = (page: Page) => page.getByRole('region', { name: 'Channels', exact: true });
const getCornerRow = (page: Page) => getChannels(page).getByRole('listitem').filter({ hasText: corner });

/** Approves the open prompt and waits for the result, which an undo window may delay. */
const sayYes = async (page: Page, name: string | RegExp): Promise<void> => {
  const dialog = page.getByRole('dialog');
  const yes = dialog.getByRole('button', { name });
  await expect(yes).toBeEnabled();
  await yes.press('Enter');
  await expect(dialog.getByRole('status')).toContainText(/^(Done|Live|Ended|Changed|Deleted)/, { timeout: 30_000 });
  await dialog.getByRole('button', { name: 'Close' }).press('Enter');
};

const rows = z.object({ value: z.object({ rows: z.array(z.object({ listingId: z.string(), status: z.string() })) }) });
const findLiveListing = async (page: Page): Promise<string> => {
  const found = rows.parse(await callInWindow(page, 'listings.search', { statuses: ['published'] }));
  return found.value.rows[0]?.listingId ?? '';
};

const connectCorner = async (page: Page): Promise<void> => {
  await getChannels(page)
    .getByRole('link', { name: `Connect ${corner} in Selling setup` })
    .click();
  const others = page.getByRole('region', { name: 'Other channels', exact: true });
  await others.getByRole('button', { name: `Connect ${corner}…` }).click();
  const [signIn] = await Promise.all([
    page.waitForEvent('popup'),
    others.getByRole('link', { name: `Open the page of ${corner}` }).click(),
  ]);
  await signIn.getByRole('button').first().click();
  await signIn.close();
  const connected = others.getByRole('button', { name: /^Disconnect/ });
  // The companion also checks by timer, and the button disappears if that check comes first.
  await Promise.race([others.getByRole('button', { name: /I’m back/ }).click(), connected.waitFor()]);
  await expect(connected).toBeVisible();
};

test('with a real companion, a sale on a second channel ends the marketplace listing', async ({ host, keep }, info) => {
  const { page } = host;
  await dropCamera(host, info);
  await page.getByRole('listitem', { name: /Ready to review/i }).click({ timeout: 90_000 });
  await page.getByRole('button', { name: 'Publish…' }).click();
  await sayYes(page, /^Publish for/);
  await expect(getChannels(page)).toContainText('Marketplace, United States');
  await expect(getChannels(page).getByRole('link', { name: 'See it there' })).toBeVisible();
  await expect(getChannels(page).getByRole('link', { name: `Connect ${corner} in Selling setup` })).toBeVisible();

  await connectCorner(page);
  await page.goBack();
  const form = page.getByRole('form', { name: 'Publish on more channels' });
  await expect(form.getByRole('checkbox', { name: corner })).toBeChecked();
  const delist = form.getByRole('switch', { name: 'Delist everywhere when it sells' });
  if (!(await delist.isChecked())) await delist.press('Space');

  // A closed prompt leaves everything unchanged.
  await form.getByRole('button', { name: 'Publish there…' }).press('Enter');
  const prompt = page.getByRole('dialog', { name: `Publish on “${corner}”` });
  await expect(prompt).toContainText('This channel’s fees cannot be checked here.');
  await prompt.getByRole('button', { name: 'Not now' }).press('Enter');
  await expect(prompt).toHaveCount(0);
  await expect(getCornerRow(page)).toHaveCount(0);

  // A refusal shows its message and what to do next.
  await controlPractice(page, '/faults', {
    ...{ method: 'POST', path: '/listings/{listingId}/channels/publish', times: 1, status: 400 },
    error: 'The corner shop is closed for today.',
  });
  await form.getByRole('button', { name: 'Publish there…' }).press('Enter');
  const yes = prompt.getByRole('button', { name: 'Publish, fee unknown' });
  await expect(yes).toBeEnabled();
  await yes.press('Enter');
  // The heading of the prompt now names the result.
  const refused = page.getByRole('dialog', { name: 'Refused by the service' });
  await expect(refused).toContainText('The corner shop is closed for today.');
  await refused.getByRole('button', { name: 'Close' }).press('Enter');
  await expect(getChannels(page)).toContainText('The corner shop is closed for today.');
  await expect(getChannels(page).getByRole('link', { name: 'See the channels in Selling setup' })).toBeVisible();

  await form.getByRole('button', { name: 'Publish there…' }).press('Enter');
  await sayYes(page, 'Publish, fee unknown');
  await expect(getCornerRow(page)).toContainText('Live');
  await expect(form).toHaveCount(0);
  await expect(getChannels(page)).not.toContainText('closed for today');
  await expect(getChannels(page)).toContainText('When it sells on one channel, it is delisted on the others.');

  await getCornerRow(page)
    .getByRole('button', { name: /^Change there/ })
    .press('Enter');
  const change = page.getByRole('form', { name: `Change on ${corner}` });
  await change.getByLabel('New price').fill('12.34');
  await change.getByLabel('New SKU').fill('C-7');
  await change.getByRole('button', { name: 'Change it live…' }).press('Enter');
  await expect(page.getByRole('dialog', { name: `Change the listing on “${corner}”` })).toContainText('C-7');
  await sayYes(page, 'Change it live');
  await expect(getCornerRow(page)).toContainText('12.34 there');
  await keep('channels');

  await controlPractice(page, '/sales', { listingId: await findLiveListing(page), channelId: 'corner' });
  await page.reload();
  await expect(getCornerRow(page)).toContainText('Sold');
  await expect(getChannels(page).getByRole('listitem').filter({ hasText: 'Marketplace' })).toContainText('Ended');
});
