import type { Page } from 'playwright/test';
import { expect, putStatus, test } from '../page.ts';

const getRoute = (input: unknown): string | undefined => (input as { route?: string } | null)?.route;

test('“Change photos” sends nothing until the person requests the generation', async ({ open }) => {
  const page = await open('#/items/laptop', {});
  await page.getByRole('button', { name: 'Change photos' }).last().press('Enter');
  await expect(page.getByText('Nothing is uploaded or written until you choose “Have it written”.')).toBeVisible();
  await expect(page.getByLabel('Add photos…')).toBeEnabled();
  const asked = (): Promise<string[]> => page.evaluate(() => window.fake.asked.map(({ name }) => name));
  expect(await asked()).not.toContain('items.resume');
  await page.getByRole('button', { name: 'Have it written' }).press('Enter');
  await expect.poll(asked).toContain('items.begin');
});

test('a draft made elsewhere offers to add photos or discard the draft', async ({ open }) => {
  const page = await open('#/listings', {});
  await page.evaluate(() => {
    window.fake.listings.lst_draft = { ...window.fake.listings.lst_fox, listingId: 'lst_draft', status: 'draft' };
    location.hash = '#/listings/lst_draft';
  });
  const pane = page.getByRole('region', { name: 'Listing', exact: true });
  await expect(pane.getByLabel('Add photos…')).toBeAttached();
  await expect(pane.getByRole('button', { name: 'Discard…' })).toBeVisible();
});

test('an ended listing is read-only and can be relisted or sold again', async ({ open }) => {
  const page = await open('#/listings', {});
  const row = page.getByRole('row').filter({ hasText: 'Ceramic fox, black, no. 4' });
  await row.getByRole('button', { name: /^Bring back/ }).press('Enter');
  await expect
    .poll(() => page.evaluate(() => window.fake.asked.map(({ input }) => (input as { route?: string } | null)?.route)))
    .toContain('relistListing');
  await page.evaluate(() => {
    window.fake.listings.lst_over = { ...window.fake.listings.lst_shoes, listingId: 'lst_over', status: 'ended' };
    location.hash = '#/listings/lst_over';
  });
  const pane = page.getByRole('region', { name: 'Listing', exact: true });
  await expect(pane.getByRole('button', { name: 'Bring back for review' })).toBeVisible();
  await expect(pane.getByRole('button', { name: 'Sell another like this' })).toBeVisible();
  await expect(pane.getByRole('region', { name: 'Facts' })).toBeVisible();
  // Only the shelf, which is about the person's own place and cost, can be changed at any time.
  const fields = 'input, textarea, select';
  await expect(pane.getByRole('region', { name: 'Shelf' }).locator(fields)).toHaveCount(3);
  await expect(pane.locator(fields)).toHaveCount(3);
  await pane.getByRole('button', { name: 'Sell another like this' }).press('Enter');
  const sent = (): Promise<unknown[]> =>
    page.evaluate(() =>
      window.fake.asked.map(({ input }) => input).filter((input) => JSON.stringify(input).includes('createListing')),
    );
  // The local copy of the listing is read first, so the request is sent some time after the press.
  await expect.poll(async () => (await sent()).map(getRoute)).toEqual(['createListing']);
  expect(JSON.stringify(await sent())).toContain('Brand: Nike');
});

test('Escape in the editor of a live listing returns the focus to the edit button', async ({ open }) => {
  const page = await open('#/items/shoes', {});
  const edit = page.getByRole('button', { name: 'Edit live…' });
  await edit.press('Enter');
  const form = page.getByRole('form', { name: 'Edit the live listing' });
  await expect(form.getByLabel('New title')).toBeFocused();
  // The currency is inside the frame of the price field.
  const price = await form.getByLabel('New price').boundingBox();
  const currency = await form.getByText('EUR', { exact: true }).boundingBox();
  expect((currency?.x ?? 0) - (price?.x ?? 0)).toBeGreaterThanOrEqual(8);
  await page.keyboard.press('Escape');
  await expect(form).toHaveCount(0);
  await expect(edit).toBeFocused();
});

test('an ended listing stays on the screen and can be relisted', async ({ open }) => {
  const page = await open('#/items/shoes', {});
  await page.getByRole('button', { name: 'End listing…' }).press('Enter');
  await expect(page.getByText('This cannot be undone.').first()).toBeVisible();
  await page.evaluate(() => {
    const { fake } = window;
    for (const approval of fake.approvals) approval.state = 'done';
    fake.listings.lst_shoes = { ...fake.listings.lst_shoes, status: 'ended' };
    for (const topic of ['approvals', 'listings']) fake.changed(topic);
  });
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).press('Enter');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page).toHaveURL(/items\/shoes$/);
  await expect(page.getByRole('button', { name: 'Bring back for review' })).toBeVisible();
});

/** Returns the value beside a label on the sheet of facts. */
const getFact = (page: Page, name: string) =>
  page
    .getByRole('region', { name: 'Facts' })
    .locator('div')
    .filter({ has: page.locator('dt', { hasText: new RegExp(`^${name}$`) }) })
    .locator('dd');

test('a long condition note is fully visible', async ({ open }) => {
  const page = await open('#/items/shoes', {});
  const words = 'Worn on two dry runs; a light scuff on the left heel, as the last photo shows; the laces are new.';
  await page.evaluate((conditionDescription) => {
    const { fake } = window;
    fake.listings.lst_shoes = { ...fake.listings.lst_shoes, conditionDescription };
    fake.changed('listings');
  }, words);
  const note = getFact(page, 'About its condition');
  await expect(note).toHaveText(words);
  expect(await note.evaluate((one) => one.scrollWidth - one.clientWidth)).toBeLessThanOrEqual(0);
});

test('a live listing is a sheet of facts: price and state in its head, then rows of 32 px', async ({ open }) => {
  const page = await open('#/listings/lst_0', {});
  const pane = page.getByRole('region', { name: 'Listing', exact: true });
  const facts = pane.getByRole('region', { name: 'Facts' }).locator('dl > div');
  await expect(facts.nth(7)).toBeInViewport({ ratio: 1 });
  for (const row of await facts.all()) expect((await row.boundingBox())?.height).toBe(32);
  for (const label of await facts.locator('dt').all()) expect((await label.boundingBox())?.width).toBe(160);
  const price = pane.getByText('US$5.00', { exact: true });
  expect(await price.evaluate((one) => getComputedStyle(one).fontSize)).toBe('24px');
  for (const part of [price, pane.getByText('Live for 2 days'), pane.getByRole('button', { name: 'End listing…' })])
    expect((await part.boundingBox())?.y).toBeLessThan((await facts.first().boundingBox())?.y ?? 0);
  // The first line of the description is in view below the facts.
  const description = await pane.getByTitle('Description as buyers read it').boundingBox();
  expect(description?.y).toBeLessThan(800 - 12 - 20);
});

test('the sheet of a sold listing starts with the buyer, the date and the amount', async ({ open }) => {
  const page = await open('#/listings/lst_fox', {});
  await putStatus(page, 'lst_fox', 'sold');
  const labels = page.getByRole('region', { name: 'Facts' }).locator('dt');
  await expect(labels.nth(2)).toHaveText('Amount');
  expect((await labels.allTextContents()).slice(0, 3)).toEqual(['Buyer', 'Sold', 'Amount']);
  await expect(getFact(page, 'Buyer')).toHaveText('ada‹U+202E›lovelace');
  await expect(getFact(page, 'Amount')).toHaveText('US$34.99');
  await expect(
    page.getByText('Addresses, messages, shipping labels and refunds are on the marketplace.'),
  ).toBeVisible();
});
