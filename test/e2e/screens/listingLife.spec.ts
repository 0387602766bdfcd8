import { expect, test } from './page.ts';

const route = (input: unknown): string | undefined => (input as { route?: string } | null)?.route;

test('an item whose photos could not be read: they are changed first, and written again on a press', async ({
  open,
}) => {
  const page = await open('#/items/laptop', {});
  await page.getByRole('button', { name: 'Change photos' }).last().press('Enter');
  await expect(page.getByText('Nothing is uploaded or written until you choose “Have it written”.')).toBeVisible();
  await expect(page.getByLabel('Add photos…')).toBeEnabled();
  const asked = (): Promise<string[]> => page.evaluate(() => window.fake.asked.map(({ name }) => name));
  expect(await asked()).not.toContain('items.resume');
  await page.getByRole('button', { name: 'Have it written' }).press('Enter');
  await expect.poll(asked).toContain('items.begin');
});

test('a draft that was made elsewhere offers to add photos, to write and to discard', async ({ open }) => {
  const page = await open('#/listings', {});
  await page.evaluate(() => {
    window.fake.listings.lst_draft = { ...window.fake.listings.lst_fox, listingId: 'lst_draft', status: 'draft' };
    location.hash = '#/listings/lst_draft';
  });
  const pane = page.getByRole('region', { name: 'Listing', exact: true });
  await expect(pane.getByLabel('Add photos…')).toBeAttached();
  await expect(pane.getByRole('button', { name: 'Discard…' })).toBeVisible();
});

test('what is over says so: no frames to edit in, and the way back stands in the row and in the pane', async ({
  open,
}) => {
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
  const title = pane.getByLabel('Title', { exact: true });
  await expect(title).toHaveAttribute('readonly', '');
  expect(await title.evaluate((field) => getComputedStyle(field).borderTopColor)).toBe('rgba(0, 0, 0, 0)');
  await pane.getByRole('button', { name: 'Sell another like this' }).press('Enter');
  const sent = (): Promise<unknown[]> =>
    page.evaluate(() =>
      window.fake.asked.map(({ input }) => input).filter((input) => JSON.stringify(input).includes('createListing')),
    );
  // What is kept of the listing is read first, so the call follows the press and does not come with it.
  await expect.poll(async () => (await sent()).map(route)).toEqual(['createListing']);
  expect(JSON.stringify(await sent())).toContain('Brand: Nike');
});
