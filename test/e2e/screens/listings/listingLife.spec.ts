import { expect, test } from '../page.ts';

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
  const title = pane.getByLabel('Title', { exact: true });
  await expect(title).toHaveAttribute('readonly', '');
  expect(await title.evaluate((field) => getComputedStyle(field).borderTopColor)).toBe('rgba(0, 0, 0, 0)');
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

test('a long condition note is fully visible', async ({ open }) => {
  const page = await open('#/items/shoes', {});
  const words = 'Worn on two dry runs; a light scuff on the left heel, as the last photo shows; the laces are new.';
  await page.evaluate((conditionDescription) => {
    const { fake } = window;
    fake.listings.lst_shoes = { ...fake.listings.lst_shoes, conditionDescription };
    fake.changed('listings');
  }, words);
  const field = page.getByLabel('About its condition');
  await expect(field).toHaveValue(words);
  await expect.poll(() => field.evaluate((one) => one.scrollHeight - one.clientHeight)).toBeLessThanOrEqual(0);
  expect(await field.evaluate((one) => one.scrollWidth - one.clientWidth)).toBeLessThanOrEqual(0);
});
