import { readFileSync } from 'node:fs';
import type { Page } from 'playwright/test';
import { expect, test } from '../page.ts';
import { takeRenderedRows, watchRenderedRows } from '../renderedRows.ts';
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

test('the listings of a further page do not render the visible rows again', async ({ open }) => {
  const page = await open('#/listings', { listings: 1_000 });
  await watchRenderedRows(page, 'label');
  await page.reload();
  await expect(getRows(page).getByRole('link').first()).toBeVisible();
  await takeRenderedRows(page);
  await page.evaluate(() => {
    const frame = document.querySelector('[role=table]')?.parentElement;
    frame?.scrollTo(0, 85 * 48);
  });
  await expect(page.getByRole('row').and(page.locator('[aria-rowindex="103"]')).getByRole('link')).toBeAttached();
  const rendered = (await takeRenderedRows(page)).filter((name) => /no\. \d+$/.test(name));
  expect(rendered.length).toBeGreaterThan(15);
  expect(rendered).toEqual([...new Set(rendered)]);
});

test('a key in the search is shown before the rows render, and a tab that is chosen at once keeps it', async ({
  open,
}) => {
  const page = await open('#/listings', { listings: 1_000 });
  await watchRenderedRows(page, 'label');
  await page.reload();
  await expect(getRows(page).getByRole('link').first()).toBeVisible();
  const field = page.getByLabel('Find a listing');
  await field.focus();
  const tab = await page.getByRole('tab', { name: /^Sold/ }).elementHandle();
  const atOnce = await field.evaluate((input, sold) => {
    window.drawnRows.length = 0;
    document.execCommand('insertText', false, 'c');
    const seen = { text: (input as HTMLInputElement).value, rendered: window.drawnRows.splice(0) };
    (sold as HTMLElement | null)?.click();
    return seen;
  }, tab);
  expect(atOnce).toEqual({ text: 'c', rendered: [] });
  await expect.poll(() => readLastInput(page, 'listings.search')).toMatchObject({ q: 'c', statuses: ['sold'] });
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

test('tabs count and filter the listings by status, and the arrow keys move between the tabs', async ({ open }) => {
  const page = await open('#/listings', {});
  await expect(page.getByRole('tab')).toHaveText([
    'All 60',
    'To review 10',
    'Live 20',
    'Sold 10',
    'Ended 10',
    'Failed 0',
  ]);
  await page.getByRole('tab', { name: /^Live/ }).click();
  await expect(page.getByText('20 listings')).toBeVisible();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('tab', { name: /^Sold/ })).toBeFocused();
  await expect(page.getByRole('tab', { name: /^Sold/ })).toHaveAttribute('aria-selected', 'true');
  await expect(getRows(page).first()).toContainText('Sold');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('tab').and(page.locator(':focus'))).toHaveCount(0);
});

/** Adds a filter with the keyboard only. */
const addFilter = async (page: Page, name: string): Promise<void> => {
  await page.getByRole('button', { name: 'Add filter' }).press('Enter');
  await page.getByRole('menuitem', { name, exact: true }).press('Enter');
};

test('filters appear when they are added, narrow the list and can be cleared', async ({ open }) => {
  const page = await open('#/listings', {});
  await expect(getRows(page).first()).toBeVisible();
  for (const label of ['Site', 'Age', 'Price to', 'Other status'])
    await expect(page.getByLabel(label, { exact: true })).toHaveCount(0);
  await page.getByRole('tab', { name: /^Sold/ }).click();
  await addFilter(page, 'Site');
  await expect(page.getByLabel('Site', { exact: true })).toBeFocused();
  await page.getByLabel('Site', { exact: true }).selectOption('MKT_GB');
  await addFilter(page, 'Price');
  await expect(page.getByLabel('Price from')).toBeFocused();
  await page.getByLabel('Price to').fill('80');
  await expect(getRows(page).first()).toContainText('Sold');
  expect(await readLastInput(page, 'listings.search')).toMatchObject({
    statuses: ['sold'],
    site: 'MKT_GB',
    maxCents: 8_000,
  });
  await page.getByRole('button', { name: 'Remove the filter “Site”' }).press('Enter');
  await expect(page.getByLabel('Site', { exact: true })).toHaveCount(0);
  await expect.poll(() => readLastInput(page, 'listings.search')).toMatchObject({ site: null, maxCents: 8_000 });
  await page.getByLabel('Price to').fill('0,01');
  await expect(page.getByText('No listings match.')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).last().click();
  await expect(page.getByText('60 listings')).toBeVisible();
  await expect(page.getByLabel('Price to')).toHaveCount(0);
});

test('statuses without a tab are a filter', async ({ open }) => {
  const page = await open('#/listings', {});
  await addFilter(page, 'Other status');
  await page.getByLabel('Other status', { exact: true }).selectOption('draft');
  await expect(page.getByText('10 listings')).toBeVisible();
  await expect(page.getByRole('tab', { name: /^All/ })).toHaveAttribute('aria-selected', 'true');
  await page.getByRole('button', { name: 'Clear filters' }).press('Enter');
  await expect(page.getByText('60 listings')).toBeVisible();
});

test('with a single site the table has no site column and no site filter', async ({ open }) => {
  const page = await open('#/listings', {});
  await expect(page.getByRole('columnheader', { name: 'Site' })).toBeVisible();
  await page.evaluate(() => {
    window.fake.rows = window.fake.rows.map((row) => ({ ...row, site: 'MKT_DE' }));
    window.fake.changed('listings');
  });
  await expect(page.getByRole('columnheader', { name: 'Site' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Add filter' }).press('Enter');
  await expect(page.getByRole('menuitem')).toHaveText(['Age', 'Price', 'Other status']);
});

for (const [width, height, atLeast] of [
  [1280, 800, 12],
  [1920, 1080, 18],
] as const)
  test(`at ${width} × ${height} at least ${atLeast} whole rows of 48 px are in view`, async ({ open }) => {
    const page = await open('#/listings', {}, { width });
    await page.setViewportSize({ width, height });
    await expect(getRows(page).nth(atLeast - 1)).toBeInViewport({ ratio: 1 });
    const heights = await getRows(page).evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().height));
    expect(new Set(heights)).toEqual(new Set([48]));
    const title = getRows(page).first().getByRole('link');
    expect(await title.evaluate((link) => getComputedStyle(link).fontWeight)).toBe('400');
  });

/** Returns the positions of the header and of the rows that the window shows. Other lines can load later. */
const readPlaces = (page: Page): Promise<number[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('main h1, main [role=tab], main [role=columnheader], main [role=row], main li')]
      .map((one) => one.getBoundingClientRect().y)
      .filter((y) => y < window.innerHeight),
  );

/** Reads the positions once they no longer change, because some lines load after the rows. */
const readSettledPlaces = async (page: Page): Promise<number[]> => {
  let places: number[] = [];
  await expect
    .poll(async () => {
      const before = places;
      places = await readPlaces(page);
      return places.length > 0 && String(places) === String(before);
    })
    .toBe(true);
  return places;
};

test('a live listing says how long it has been live, with a dot in the colour of text', async ({ open }) => {
  const page = await open('#/listings', {});
  const cell = getRows(page).first().getByRole('cell').nth(2);
  await expect(cell).toHaveText('Live for 2 days');
  const [dot, ink] = await cell.evaluate((one) => [
    getComputedStyle(one, '::before').backgroundColor,
    getComputedStyle(document.body).color,
  ]);
  expect(dot).toBe(ink);
});

for (const [where, path, scenario, part] of [
  ['listings', '#/listings', {}, { role: 'table', name: 'Listings' }],
  ['items', '', { items: 'ready' }, { role: 'region', name: 'Shelf' }],
] as const)
  test(`selecting ${where} moves nothing, because the bar floats over the list`, async ({ open }) => {
    const page = await open(path, scenario);
    const rows = page.getByRole('main').getByRole('checkbox', { name: /^Select / });
    await rows.nth(1).waitFor();
    await page.getByRole(part.role, { name: part.name }).waitFor();
    const before = await readSettledPlaces(page);
    await rows.nth(1).check({ force: true });
    await expect(page.getByText('1 selected')).toBeInViewport({ ratio: 1 });
    expect(await readPlaces(page)).toEqual(before);
    await page.getByRole('button', { name: /^Select all/ }).press('Enter');
    await expect(page.getByText('1 selected')).toHaveCount(0);
    expect(await readPlaces(page)).toEqual(before);
    await page.getByRole('button', { name: 'Clear', exact: true }).press('Enter');
    await expect(page.getByText(/\d+ selected/)).toHaveCount(0);
    expect(await readPlaces(page)).toEqual(before);
  });

test('the items stay in their places when the number of items to select is read', async ({ open }) => {
  const page = await open('#/settings', { items: 'ready' });
  await page.evaluate(() => {
    window.fake.slow.push('items.ready');
    location.hash = '#/';
  });
  const rows = page.getByRole('list', { name: 'Items' }).getByRole('listitem');
  await rows.first().waitFor();
  const before = await rows.first().boundingBox();
  const selectAll = page.getByRole('button', { name: 'Select all ready to review (20)' });
  await expect(selectAll).toHaveCount(0);
  await page.evaluate(() => window.fake.answer());
  await expect(selectAll).toBeVisible();
  expect(await rows.first().boundingBox()).toEqual(before);
});

test('the chosen columns are remembered, and listings can be shown as photos', async ({ open }) => {
  const page = await open('#/listings', {});
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'SKU' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Site' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Created' }).click();
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
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Created' }).click();
  await page.keyboard.press('Escape');
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
  await expect(row).toContainText('Live for 2 days');
  const beside = await page
    .getByRole('table')
    .evaluate((table) => (table.parentElement?.scrollWidth ?? 0) - (table.parentElement?.clientWidth ?? 0));
  expect(beside).toBe(0);
  for (const said of ['US$5.00', 'Live for 2 days'])
    await expect(row.getByText(said, { exact: true })).toBeInViewport({ ratio: 1 });
});

test('in a narrow window rows are in view, and a filter can be added and removed', async ({ open }) => {
  const page = await open('#/listings', {}, { width: 480 });
  await expect(getRows(page).first()).toBeInViewport();
  await addFilter(page, 'Age');
  await page.getByLabel('Age', { exact: true }).selectOption('week');
  await expect(page.getByLabel('Age', { exact: true })).toBeInViewport({ ratio: 1 });
  await page.getByRole('button', { name: 'Clear filters' }).press('Enter');
  await expect(page.getByLabel('Age', { exact: true })).toHaveCount(0);
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

test('filters and sort stay while another screen is open', async ({ open }) => {
  const page = await open('#/listings', {});
  await page.getByRole('tab', { name: /^Sold/ }).click();
  await page.getByLabel('Find a listing').fill('shoes');
  await page.getByLabel('Sort by').selectOption('cheapest');
  await page.getByRole('link', { name: 'Settings' }).click();
  await expect(page.getByRole('tab', { name: /^Sold/ })).toHaveCount(0);
  await page.getByRole('link', { name: /^Listings/ }).click();
  await expect(page.getByRole('tab', { name: /^Sold/ })).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByLabel('Find a listing')).toHaveValue('shoes');
  await expect(page.getByLabel('Sort by')).toHaveValue('cheapest');
});

test('a search and another order show their first results, wherever the list was scrolled', async ({ open }) => {
  const page = await open('#/listings', { listings: 1_000 });
  const getTop = () => page.evaluate(() => document.querySelector('[role=table]')?.parentElement?.scrollTop);
  const scroll = () =>
    page.evaluate(() => document.querySelector('[role=table]')?.parentElement?.scrollTo(0, 400 * 48));
  await expect(getRows(page).getByRole('link').first()).toBeVisible();
  await scroll();
  await expect.poll(getTop).toBe(400 * 48);
  await page.getByLabel('Find a listing').fill('no.');
  await expect.poll(getTop).toBe(0);
  await scroll();
  await expect.poll(getTop).toBe(400 * 48);
  await page.getByRole('button', { name: 'Title' }).click();
  await expect.poll(getTop).toBe(0);
});
