import type { Page } from 'playwright/test';
import { expect, test } from '../page.ts';

/** Returns how often the window has read a listing; each read is one request to the service. */
const countReads = (page: Page): Promise<number> =>
  page.evaluate(
    () => window.fake.asked.filter(({ input }) => JSON.stringify(input).includes('"route":"readListing"')).length,
  );

/** Changes a listing in the core and notifies the window. */
const changeTitle = (page: Page, listingId: string, title: string): Promise<void> =>
  page.evaluate(
    ({ id, words }) => {
      window.fake.listings[id] = { ...window.fake.listings[id], title: words };
      for (const topic of ['listings', 'items']) window.fake.changed(topic);
    },
    { id: listingId, words: title },
  );

for (const [where, hash] of [
  ['an item', '#/items/fox'],
  ['a listing', '#/listings/lst_fox'],
] as const)
  test(`while open, ${where} is read only once even if other listings change often`, async ({ open }) => {
    const page = await open(hash, {});
    const title = page.getByLabel('Title', { exact: true });
    await expect(title).toHaveValue(/Fox/);
    expect(await countReads(page)).toBe(1);
    for (const at of [1, 2, 3]) {
      await changeTitle(page, 'lst_other', `Another one, ${at}`);
      // A locally known change is shown without a request; once it is visible, the earlier change has been processed,
      // too.
      await changeTitle(page, 'lst_fox', `A fox that somebody renamed, ${at}`);
      await expect(title).toHaveValue(`A fox that somebody renamed, ${at}`);
    }
    expect(await countReads(page)).toBe(1);
  });

test('a listing being generated is not read again when other listings change', async ({ open }) => {
  const page = await open('#/items/fox', {});
  await page.getByRole('button', { name: 'Adapt to another site…' }).press('Enter');
  await page.getByRole('button', { name: 'Rewrite it' }).press('Enter');
  await expect.poll(() => countReads(page)).toBe(2);
  await changeTitle(page, 'lst_other', 'Another one');
  await page.evaluate(() => window.fake.endWriting());
  await expect(page.getByLabel('Title', { exact: true })).toHaveValue(/Roter Fuchs/);
  expect(await countReads(page)).toBe(2);
});

test('a listing unknown to the service can be removed by keyboard', async ({ open }) => {
  const page = await open('#/listings', {});
  await page.evaluate(() => {
    window.fake.rows = window.fake.rows.map((row) => (row.listingId === 'lst_3' ? { ...row, isMissing: true } : row));
    window.fake.changed('listings');
    location.hash = '#/listings/lst_3';
  });
  const listing = page.getByRole('region', { name: 'Listing', exact: true });
  await expect(listing.locator('header')).toContainText('Unknown to the service');
  await expect(listing.getByText('The service does not know this listing')).toBeVisible();
  await listing.getByRole('button', { name: 'Remove from this computer' }).press('Enter');
  // The first press only asks for confirmation, and its “Keep” button has the focus.
  await expect(listing.getByRole('button', { name: 'Keep' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(listing.getByRole('button', { name: 'Remove it here' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/#\/listings$/);
  await expect(page.getByRole('table', { name: 'Listings' })).toBeVisible();
  expect(await page.evaluate(() => window.fake.rows.some(({ listingId }) => listingId === 'lst_3'))).toBe(false);
});
