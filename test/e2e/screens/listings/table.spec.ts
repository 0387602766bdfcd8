import { readFileSync } from 'node:fs';
import { expect, test } from '../page.ts';
import { readLastInput, getRows } from './page.ts';

test('a table of 100,000 listings can be searched and renders only visible rows', async ({ open }) => {
  const page = await open('#/listings', { listings: 100_000 });
  // The fake puts the listings into a database first.
  await expect(page.getByText('100,000 listings')).toBeVisible({ timeout: 60_000 });
  await expect(page.getByRole('table', { name: 'Listings' })).toHaveAttribute('aria-rowcount', '100001');
  expect(await getRows(page).count()).toBeLessThan(60);
  await page.evaluate(() => {
    const frame = document.querySelector('[role=table]')?.parentElement;
    frame?.scrollTo(0, frame.scrollHeight);
  });
  await expect(page.getByRole('link', { name: /no\. 100000$/ })).toBeVisible();
  await page.keyboard.press('/');
  await page.keyboard.type('camera 99996');
  await expect(page.getByText('1 listing', { exact: false }).first()).toBeVisible();
  await expect(getRows(page)).toHaveCount(1);
});

test('a card’s buttons are on its photo, beside the checkbox', async ({ open }) => {
  for (const width of [1280, 1920]) {
    const page = await open('#/listings', {}, { width });
    await page.getByText('Photos', { exact: true }).click();
    const card = page.getByRole('listitem').filter({ hasText: 'Ended' }).first();
    const buttons = card.getByRole('button');
    await expect(buttons).toHaveCount(2);
    const [photo, tick] = [await card.locator('img').boundingBox(), await card.getByRole('checkbox').boundingBox()];
    for (const button of await buttons.all()) {
      const box = await button.boundingBox();
      expect(box?.x).toBeGreaterThan((tick?.x ?? NaN) + (tick?.width ?? NaN));
      expect((box?.x ?? NaN) + (box?.width ?? NaN)).toBeLessThanOrEqual((photo?.x ?? NaN) + (photo?.width ?? NaN));
    }
  }
});

test('filters narrow the list and can all be cleared at once', async ({ open }) => {
  const page = await open('#/listings', {});
  await expect(page.getByLabel('Status').getByRole('option')).toContainText(['Any status (60)', 'Live (20)']);
  await page.getByLabel('Status').selectOption('sold');
  await page.getByLabel('Site').selectOption('MKT_GB');
  await page.getByLabel('Price to').fill('80');
  await expect(getRows(page).first()).toContainText('Sold');
  expect(await readLastInput(page, 'listings.search')).toMatchObject({
    statuses: ['sold'],
    site: 'MKT_GB',
    maxCents: 8_000,
  });
  await page.getByLabel('Price to').fill('0,01');
  await expect(page.getByText('No listings match.')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).first().click();
  await expect(page.getByText('60 listings')).toBeVisible();
});

test('the chosen columns are remembered, and listings can be shown as photos', async ({ open }) => {
  const page = await open('#/listings', {});
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'SKU' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Site' }).click();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('columnheader')).toHaveText(['Selection', 'Title', 'Status', 'Price', 'SKU', 'Created']);
  await page.reload();
  await expect(page.getByRole('columnheader', { name: 'SKU' })).toBeVisible();
  await page.getByText('Photos', { exact: true }).click();
  await expect(page.getByRole('list', { name: 'Listings' }).getByRole('listitem').first()).toContainText('US$5.00');
});

test('search results are exported as CSV', async ({ open }) => {
  const page = await open('#/listings', {});
  await page.getByLabel('Find a listing').fill('robot');
  await expect(getRows(page).first()).toContainText('Tin robot');
  await page.getByRole('button', { name: 'More' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Export CSV' }).click(),
  ]);
  expect(
    readFileSync(await download.path(), 'utf8')
      .trimEnd()
      .split('\r\n'),
  ).toHaveLength(9);
});

test('a listing opens with its own history, and Escape returns to the table', async ({ open }) => {
  const page = await open('#/listings', {});
  await page.getByRole('link', { name: 'Film camera, blue, no. 1', exact: true }).click();
  await expect(page.getByRole('region', { name: 'Listing', exact: true })).toBeVisible();
  await expect(page.getByRole('region', { name: 'History of this listing' })).toBeVisible();
  expect(await readLastInput(page, 'history.search')).toMatchObject({ listingId: 'lst_0' });
  await page.keyboard.press('Escape');
  await expect(page.getByRole('table', { name: 'Listings' })).toBeVisible();
  // A click anywhere in a row opens its listing.
  await getRows(page).nth(1).click();
  await expect(page).toHaveURL(/listings\/lst_1$/);
});

test('without listings the screen explains what it is for', async ({ open }) => {
  const page = await open('#/listings', { listings: 0 });
  await expect(page.getByRole('heading', { name: 'Your listings will be here' })).toBeVisible();
});

test('a click on a column name sorts, and a second click reverses the order', async ({ open }) => {
  const page = await open('#/listings', {});
  const header = (name: string) => page.getByRole('columnheader', { name });
  await expect(header('Created')).toHaveAttribute('aria-sort', 'descending');
  await header('Price').getByRole('button').click();
  await expect(header('Price')).toHaveAttribute('aria-sort', 'ascending');
  await expect(header('Created')).toHaveAttribute('aria-sort', 'none');
  await expect(page.getByLabel('Sort by')).toHaveValue('cheapest');
  await header('Price').getByRole('button').press('Enter');
  await expect(header('Price')).toHaveAttribute('aria-sort', 'descending');
  expect(await readLastInput(page, 'listings.search')).toMatchObject({ sort: 'dearest' });
  await header('Title').getByRole('button').click();
  await header('Title').getByRole('button').click();
  await expect(getRows(page).first()).toContainText('Tin robot, red');
  await expect(header('Site')).not.toHaveAttribute('aria-sort');
});

test('listings are selected with X and Space, and a range with Shift+X', async ({ open }) => {
  const page = await open('#/listings', {});
  await expect(getRows(page).first()).toBeVisible();
  await page.keyboard.press('j');
  await page.keyboard.press('Space');
  await expect(page.getByText('1 selected')).toBeVisible();
  for (let times = 0; times < 4; times += 1) await page.keyboard.press('j');
  await page.keyboard.press('Shift+X');
  await expect(page.getByText('5 selected')).toBeVisible();
  await page.keyboard.press('x');
  await expect(page.getByText('4 selected')).toBeVisible();
  const all = page.getByRole('checkbox', { name: 'Select all shown' });
  await expect(all).toHaveJSProperty('indeterminate', true);
  // The checkbox is ticked once all listings have been read.
  await all.click();
  await expect(page.getByText('60 selected')).toBeVisible();
  await all.click();
  await expect(page.getByText('60 selected')).toHaveCount(0);
});

test('Escape clears the search, and a second Escape leaves its field', async ({ open }) => {
  const page = await open('#/listings', {});
  await expect(getRows(page).first()).toBeVisible();
  await page.keyboard.press('/');
  await page.keyboard.type('robot');
  await page.keyboard.press('Escape');
  await expect(page.getByLabel('Find a listing')).toHaveValue('');
  await expect(page.getByLabel('Find a listing')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByLabel('Find a listing')).not.toBeFocused();
  await page.keyboard.press('j');
  await expect(getRows(page).first().getByRole('link')).toBeFocused();
});

test('in a narrow window every row shows its price and state', async ({ open }) => {
  const page = await open('#/listings', {}, { width: 480 });
  const row = page.getByRole('rowgroup').getByRole('row').first();
  await expect(row).toContainText('US$5.00');
  await expect(row).toContainText('Live');
  const beside = await page
    .getByRole('table')
    .evaluate((table) => (table.parentElement?.scrollWidth ?? 0) - (table.parentElement?.clientWidth ?? 0));
  expect(beside).toBe(0);
  for (const said of ['US$5.00', 'Live'])
    await expect(row.getByText(said, { exact: true })).toBeInViewport({ ratio: 1 });
});

test('in a narrow window the filters are collapsed unless a filter is set', async ({ open }) => {
  const page = await open('#/listings', {}, { width: 480 });
  const fold = page.getByRole('button', { name: 'Filters', exact: true });
  await expect(getRows(page).first()).toBeInViewport();
  await expect(page.getByLabel('Status')).toBeHidden();
  await fold.press('Enter');
  await expect(fold).toHaveAttribute('aria-expanded', 'true');
  await page.getByLabel('Status').selectOption('sold');
  await expect(fold).toHaveCount(0);
  await page.getByRole('button', { name: 'Clear filters' }).first().click();
  await fold.press('Enter');
  await expect(page.getByLabel('Status')).toBeHidden();
});

test('a card’s price and state are not covered at any window width', async ({ open }) => {
  const page = await open('#/listings', {}, { width: 480 });
  await page.getByText('Photos', { exact: true }).click();
  const cards = page.getByRole('list', { name: 'Listings' }).getByRole('listitem');
  const fits = (): Promise<boolean> =>
    cards.evaluateAll((all) =>
      all.every((card) => {
        const end = (one: Element | null): number => one?.getBoundingClientRect().bottom ?? NaN;
        const free = end(card) - end(card.querySelector('a'));
        return free >= 0 && free <= 16;
      }),
    );
  for (const width of [480, 900, 1280, 2560]) {
    await page.setViewportSize({ width, height: 800 });
    await expect(cards.nth(1).locator('a')).toBeVisible();
    await expect.poll(fits, { message: `at ${width}` }).toBe(true);
  }
});
