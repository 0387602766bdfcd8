import type { Page } from 'playwright/test';
import { expect, test } from '../page.ts';

const getRow = (page: Page, name: RegExp) => page.getByRole('list', { name: 'Items' }).getByRole('listitem', { name });
const listInputs = <T>(page: Page, wanted: string): Promise<T[]> =>
  page.evaluate(
    (name) => window.fake.asked.filter((call) => call.name === name).map(({ input }) => input as never),
    wanted,
  );
/** Gives each ready item its own listing without publish blockers. */
const addListingsForItems = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const { fake } = window;
    for (const { listingId, title } of fake.items)
      fake.listings[listingId ?? ''] = {
        ...fake.listings.lst_fox,
        listingId,
        title,
        packageWeightGrams: 350,
        publishBlockers: [],
      };
    // The window might have read the first listing already.
    fake.changed('listings');
  });

test('a long “Live” section is collapsed by default', async ({ open }) => {
  const page = await open('', { items: 'many' });
  await page.getByRole('list', { name: 'Items' }).waitFor();
  await expect(page.getByRole('button', { name: 'Live 44' })).toHaveAttribute('aria-expanded', 'false');
  await expect(page.getByRole('listitem').first()).toHaveAttribute('aria-setsize', '356');
});

test('a collapsed section of the item list stays collapsed after a reload', async ({ open }) => {
  const page = await open('', {});
  await expect(page.getByRole('heading', { name: /^(To check|Working|Ready|Live)/ })).toHaveText([
    'To check 4',
    'Working 4',
    'Live 1',
  ]);
  await expect(page.getByRole('link', { name: 'Items, 4 waiting' })).toBeVisible();
  await expect(getRow(page, /Nike/)).toContainText('€59.00');
  const live = page.getByRole('button', { name: 'Live 1' });
  await expect(live).toHaveAttribute('aria-expanded', 'true');
  await live.press('Enter');
  await expect(getRow(page, /Nike/)).toHaveCount(0);
  await page.reload();
  await expect(getRow(page, /Vintage Red Fox/)).toBeVisible();
  await expect(getRow(page, /Nike/)).toHaveCount(0);
  // The search also finds items in a collapsed section.
  await page.getByLabel('Find an item').fill('nike');
  await expect(getRow(page, /Nike/)).toBeVisible();
});

test('an item’s row shows its state, price and problems in two lines', async ({ open }) => {
  const page = await open('', {});
  const fox = getRow(page, /Vintage Red Fox/);
  for (const text of ['Ready to review', '$34.99', '4 photos']) await expect(fox).toContainText(text);
  await expect(fox.getByTitle('1 thing to look at')).toBeVisible();
  const box = await fox.getByRole('link').boundingBox();
  expect(box?.height).toBeLessThanOrEqual(72);
});

test('each item is checked with one key, and all are published with one prompt', async ({ open }) => {
  const page = await open('', { items: 'ready6' });
  await getRow(page, /no\. 1 /).waitFor();
  await addListingsForItems(page);
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/items\/ready-0$/);
  for (const at of [0, 1, 2]) {
    await expect(page.getByLabel('Title', { exact: true })).toHaveValue(new RegExp(`no\\. ${at + 1}$`));
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(new RegExp(`items/ready-${at + 1}$`));
  }
  await expect(getRow(page, /no\. 1 – Checked/)).toBeVisible();
  await expect(page.getByRole('heading', { name: /^(To check|Ready)/ })).toHaveText(['To check 3', 'Ready 3']);
  await page.keyboard.press('p');
  await expect(page.getByRole('dialog', { name: /3 listings|Publish 3/ })).toBeVisible();
  expect(await listInputs(page, 'batch.ask')).toEqual([{ listingIds: ['lst_ready-0', 'lst_ready-1', 'lst_ready-2'] }]);
});

test('P publishes the newly selected items instead of the open item', async ({ open }) => {
  const page = await open('', { items: 'ready6' });
  await getRow(page, /no\. 1 /).waitFor();
  await addListingsForItems(page);
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Publish…' })).toBeEnabled();
  await getRow(page, /no\. 3 /)
    .getByRole('checkbox')
    .focus();
  // Immediately, before the window has read which actions the selection allows.
  await page.keyboard.press('Space');
  await page.keyboard.press('p');
  const published = async () =>
    (await listInputs<{ route: string; input: unknown }>(page, 'service.perform'))
      .filter(({ route }) => route === 'publishListing')
      .map(({ input }) => input);
  await expect.poll(published).toEqual([{ params: { listingId: 'lst_ready-2' } }]);
});

test('a key held down checks only one item', async ({ open }) => {
  const page = await open('', { items: 'ready6' });
  await getRow(page, /no\. 1 /).waitFor();
  await addListingsForItems(page);
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/items\/ready-0$/);
  await expect(page.getByLabel('Title', { exact: true })).toHaveValue(/no\. 1$/);
  await page.keyboard.down('Enter');
  await expect(page).toHaveURL(/items\/ready-1$/);
  await expect(page.getByLabel('Title', { exact: true })).toHaveValue(/no\. 2$/);
  // A held key repeats without being released.
  for (let at = 0; at < 5; at += 1) await page.keyboard.down('Enter');
  await page.keyboard.up('Enter');
  await page.keyboard.down('j');
  await page.keyboard.down('j');
  await page.keyboard.up('j');
  await expect(page).toHaveURL(/items\/ready-3$/);
  expect(await listInputs(page, 'items.check')).toHaveLength(1);
});

test('a listing that has changed since it was shown is not marked as checked', async ({ open }) => {
  const page = await open('', { items: 'ready6' });
  await getRow(page, /no\. 1 /).waitFor();
  await addListingsForItems(page);
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  const title = page.getByLabel('Title', { exact: true });
  await expect(title).toHaveValue(/no\. 1$/);
  // An assistant changes the listing, and the window has not been notified yet.
  await page.evaluate(() => {
    const { listings } = window.fake;
    listings['lst_ready-0'] = { ...listings['lst_ready-0'], title: 'Something else' };
  });
  await page.keyboard.press('Enter');
  await expect(page.getByText('This listing changed while you looked at it.')).toBeVisible();
  await expect(page).toHaveURL(/items\/ready-0$/);
  await page.evaluate(() => window.fake.changed('listings'));
  await expect(title).toHaveValue('Something else');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/items\/ready-1$/);
});

test('Enter focuses the field that blocks publishing, and Escape returns to the row', async ({ open }) => {
  const page = await open('#/items/fox', {});
  await expect(page.getByLabel('Title', { exact: true })).toBeVisible();
  await page.keyboard.press('Enter');
  const weight = page.getByLabel('Packed weight');
  await expect(weight).toBeFocused();
  expect(await listInputs(page, 'items.check')).toEqual([]);
  await page.keyboard.type('350 g');
  await page.keyboard.press('Escape');
  await expect(getRow(page, /Vintage Red Fox/).getByRole('link')).toBeFocused();
  await expect(page.getByText('Shipping needs the packed weight.')).toHaveCount(0);
  await page.keyboard.press('Enter');
  await expect(page.getByText('Everything is checked. P publishes it.')).toBeVisible();
  await expect(getRow(page, /Vintage Red Fox.* – Checked/)).toBeVisible();
  await page.getByRole('button', { name: 'Check again' }).click();
  await expect(getRow(page, /Vintage Red Fox.* – Ready to review/)).toBeVisible();
});

test('selected items stay selected after a visit to another screen', async ({ open }) => {
  const page = await open('', { items: 'ready6' });
  await getRow(page, /no\. 1 /).waitFor();
  await addListingsForItems(page);
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('Shift+X');
  await expect(page.getByText('3 selected')).toBeVisible();
  await page.keyboard.press('x');
  await expect(page.getByText('2 selected')).toBeVisible();
  await page.getByRole('link', { name: 'Settings' }).click();
  await expect(page.getByText('2 selected')).toHaveCount(0);
  await page.getByRole('link', { name: /^Items/ }).click();
  await expect(page.getByText('2 selected')).toBeVisible();
  await page.keyboard.press('p');
  await expect(page.getByRole('dialog')).toBeVisible();
  expect(await listInputs(page, 'batch.ask')).toEqual([{ listingIds: ['lst_ready-0', 'lst_ready-1'] }]);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.keyboard.press('Control+a');
  await expect(page.getByText('6 selected')).toBeVisible();
});

/**
 * A prompt stays open for minutes and its countdown renders continuously; without a GPU, filters and masks take most of
 * that time.
 */
test('an open prompt uses no CSS filters or masks', async ({ open }) => {
  const page = await open('', { waiting: ['publish'] });
  const costly = await page.getByRole('dialog').evaluate((prompt) => {
    const found: string[] = [];
    for (let part: Element | null = prompt; part; part = part.parentElement) {
      const { filter, backdropFilter, maskImage } = getComputedStyle(part);
      found.push(...[filter, backdropFilter, maskImage].filter((drawn) => drawn !== 'none'));
    }
    return found;
  });
  expect(costly).toEqual([]);
});
