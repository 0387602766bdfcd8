import type { Page } from 'playwright/test';
import { expect, putStatus, test } from '../page.ts';

const getPrompt = (page: Page) => page.getByRole('dialog');
const listInputs = (page: Page, name: string) =>
  page.evaluate((wanted) => window.fake.asked.filter((one) => one.name === wanted).map(({ input }) => input), name);
const setUndoWindow = (page: Page, ms: number) => page.evaluate((holdMs) => (window.fake.holdMs = holdMs), ms);

test('an approved end of a listing can be undone with the focused button', async ({ open }) => {
  const page = await open('', { waiting: ['end'] });
  await setUndoWindow(page, 60_000);
  const yes = getPrompt(page).getByRole('button', { name: 'End for good' });
  await expect(yes).toBeEnabled();
  const before = await getPrompt(page).boundingBox();
  await yes.press('Enter');
  await expect(getPrompt(page).getByText(/^Ending in \d+ s$/)).toBeVisible();
  await expect(getPrompt(page).getByRole('button', { name: 'Take it back' })).toBeFocused();
  await expect(getPrompt(page).getByRole('status')).toHaveText(/you can still take it back/);
  expect(await getPrompt(page).boundingBox()).toEqual(before);
  await page.keyboard.press('Enter');
  await expect(getPrompt(page)).toContainText('You took it back');
  expect(await listInputs(page, 'approvals.takeBack')).toEqual([{ approvalId: 'apr_3' }]);
});

test('an approved end of a listing is sent when its undo window expires', async ({ open }) => {
  const page = await open('', { waiting: ['end'] });
  await setUndoWindow(page, 300);
  await getPrompt(page).getByRole('button', { name: 'End for good' }).click();
  await expect(getPrompt(page).getByRole('heading', { name: 'Ended' })).toBeVisible();
  await expect(getPrompt(page).getByRole('button', { name: 'Take it back' })).toHaveCount(0);
});

test('the undo countdown continues in a banner after the prompt is closed', async ({ open }) => {
  const page = await open('', { waiting: ['end'] });
  await setUndoWindow(page, 60_000);
  await getPrompt(page).getByRole('button', { name: 'End for good' }).click();
  await expect(getPrompt(page).getByRole('button', { name: 'Take it back' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByText(/Ending in \d+ s · Vintage Red Fox/)).toBeVisible();
  await page.getByRole('button', { name: 'Take it back' }).click();
  await expect(page.getByText(/Ending in/)).toHaveCount(0);
  expect(await listInputs(page, 'approvals.decline')).toEqual([]);
});

test('a live listing that differs from the approval raises an alarm on every screen', async ({ open }) => {
  const page = await open('#/listings', { waiting: ['differing'] });
  await putStatus(page, 'lst_fox', 'published');
  const line = page.getByRole('alert').filter({ hasText: 'What is live differs' });
  await expect(line).toContainText('Vintage Red Fox');
  await page.getByRole('link', { name: /^Approvals/ }).click();
  await expect(line).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'Look at these' })).toContainText('Live differs');
  await page.getByRole('link', { name: 'Listings' }).click();
  await line.getByRole('button', { name: 'Show' }).click();
  const alarm = getPrompt(page).getByRole('alert');
  await expect(alarm.getByRole('row', { name: /^Price/ })).toHaveText('PriceUS$34.99US$3.49');
  await alarm.getByRole('button', { name: 'End it now…' }).click();
  await expect(page.getByRole('dialog', { name: 'End the live listing' })).toBeVisible();
  await expect(getPrompt(page).getByRole('button', { name: 'Not now' })).toBeFocused();
  await getPrompt(page).getByRole('button', { name: 'Not now' }).click();
  await expect(line).toHaveCount(0);
});

test('a listing that is locked because of an unknown outcome can be unlocked after a warning', async ({ open }) => {
  const page = await open('#/approvals?approval=apr_7', { waiting: ['unknown'] });
  await expect(getPrompt(page)).toContainText('Check the marketplace first');
  await getPrompt(page).getByRole('button', { name: 'Unlock the listing' }).click();
  await expect.poll(() => listInputs(page, 'approvals.unlock')).toEqual([{ approvalId: 'apr_7' }]);
});

const lockListing = (page: Page, state: 'sending' | 'done') =>
  page.evaluate((to) => {
    window.fake.approvals = [window.fake.publish({ state: to })];
    window.fake.deciding = to === 'sending' ? ['lst_fox'] : [];
    window.fake.changed('approvals');
  }, state);

test('text typed while a listing is being published is saved afterwards', async ({ open }) => {
  const page = await open('#/items/fox', {});
  const title = page.getByLabel('Title', { exact: true });
  await title.waitFor();
  await lockListing(page, 'sending');
  await expect(page.getByRole('region', { name: 'Item', exact: true }).getByText('Being published.')).toBeVisible();
  await expect(page.getByRole('listitem', { name: /Vintage Red Fox.* – Being published/ })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Publish…', exact: true })).toBeDisabled();
  await title.fill('A fox with another title');
  await title.press('Control+Enter');
  await expect(page.getByText('Saved as soon as it is published')).toBeVisible();
  // The text is kept even if the person opens another item meanwhile.
  await page
    .getByRole('listitem', { name: /^old compacts/ })
    .getByRole('link')
    .click();
  await page
    .getByRole('listitem', { name: /Being published/ })
    .getByRole('link')
    .click();
  await expect(title).toHaveValue('A fox with another title');
  await lockListing(page, 'done');
  await expect.poll(() => page.evaluate(() => window.fake.listings.lst_fox?.title)).toBe('A fox with another title');
  await expect(title).toHaveValue('A fox with another title');
});

test('a field shows “Saved” only after its delayed edit is saved', async ({ open }) => {
  const page = await open('#/items/fox', {});
  await page.getByLabel('Quantity').waitFor();
  await lockListing(page, 'sending');
  await page.getByLabel('Quantity').fill('3');
  await page.getByLabel('Quantity').press('Control+Enter');
  await page.getByLabel('Title', { exact: true }).fill('Two edits are one request');
  await page.getByLabel('Title', { exact: true }).press('Control+Enter');
  await expect(page.getByText('Saved as soon as it is published')).toHaveCount(2);
  await lockListing(page, 'done');
  await expect(page.getByText('Saved', { exact: true })).toHaveCount(2);
  const edits = (await listInputs(page, 'service.perform')).filter((input) =>
    JSON.stringify(input).includes('updateListing'),
  );
  expect(edits.at(-1)).toMatchObject({ input: { body: { quantity: 3, title: 'Two edits are one request' } } });
});

test('a row shows that an approved action on its listing is in flight', async ({ open }) => {
  const page = await open('#/listings', {});
  await page.getByRole('table').waitFor();
  await page.evaluate(() => {
    const one = window.fake.publish({ state: 'approved', route: 'endListing' });
    if (one.prompt.target) one.prompt.target.listingId = 'lst_1';
    window.fake.approvals = [one];
    window.fake.changed('approvals');
  });
  await expect(page.getByRole('row', { name: /Paperback novel, red, no. 2/ })).toContainText('Being ended');
});

test('a clock set back does not extend the undo window', async ({ open }) => {
  const page = await open('', { waiting: ['end'] });
  await setUndoWindow(page, 60_000);
  await getPrompt(page).getByRole('button', { name: 'End for good' }).click();
  await expect(getPrompt(page).getByText(/^Ending in [1-6]?\d s$/)).toBeVisible();
  const before = await getPrompt(page)
    .getByText(/^Ending in \d+ s$/)
    .innerText();
  await page.evaluate(() => {
    const now = Date.now;
    Date.now = () => now() - 3_600_000;
  });
  await expect(getPrompt(page).getByText(/^Ending in \d+ s$/)).not.toHaveText(before);
  await expect(getPrompt(page).getByText(/^Ending in [1-6]?\d s$/)).toBeVisible();
});
