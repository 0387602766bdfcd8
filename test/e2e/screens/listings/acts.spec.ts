import type { Page } from 'playwright/test';
import { expect, test } from '../page.ts';
import { readLastInput, getRows, selectListings } from './page.ts';

test('drafts are discarded with one prompt', async ({ open }) => {
  const page = await open('#/listings', {});
  await selectListings(page, 5, 6);
  await page.getByRole('button', { name: 'Discard 2…' }).click();
  await expect(page.getByRole('dialog', { name: /2/ })).toBeVisible();
  expect(await readLastInput(page, 'batch.askFor')).toMatchObject({
    requests: [{ route: 'deleteListing' }, { route: 'deleteListing' }],
  });
});

test('a listing whose state has changed since it was selected is not discarded', async ({ open }) => {
  const page = await open('#/listings', {});
  await selectListings(page, 5, 6);
  await page.evaluate(() => {
    const { fake } = window;
    // The listing went live elsewhere; the selection is stale.
    fake.rows = fake.rows.map((row) => (row.listingId === 'lst_4' ? { ...row, status: 'published' } : row));
  });
  await page.getByRole('button', { name: 'Discard 2…' }).click();
  await expect.poll(() => readLastInput(page, 'service.perform')).toMatchObject({ route: 'deleteListing' });
  expect(await readLastInput(page, 'service.perform')).toMatchObject({ input: { params: { listingId: 'lst_5' } } });
  await expect(page.getByText(/It was changed in the meantime/)).toBeVisible();
  await page.getByRole('dialog').getByRole('button', { name: 'Not now' }).click();
  await expect(page.getByText('1 selected')).toBeVisible();
  await expect(page.getByRole('button', { name: 'End 1 listing…' })).toBeVisible();
});

test('live listings are ended with one prompt, and ended listings are relisted without a prompt', async ({ open }) => {
  const page = await open('#/listings', {});
  await page.getByLabel('Select Film camera, blue, no. 1', { exact: true }).check();
  await page.getByRole('button', { name: 'Select all shown' }).click();
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'End 20 listings…' }).click();
  await expect(page.getByRole('dialog', { name: 'End 20 listings' })).toBeVisible();
  await page.getByRole('button', { name: 'Not now' }).click();
  await page.getByRole('tab', { name: /^Ended/ }).click();
  // Until the ended listings are read, the list still shows live ones.
  await expect(getRows(page).first()).toContainText('Ended');
  await getRows(page).getByRole('checkbox').first().check();
  await page.getByRole('button', { name: 'Bring back 1' }).click();
  await expect(page.getByText('1 listing is back for review.')).toBeVisible();
});

test('a listing that cannot be relisted stays selected without blocking other listings', async ({ open }) => {
  const page = await open('#/listings', {});
  await page.getByRole('tab', { name: /^Ended/ }).click();
  for (const at of [0, 1]) await getRows(page).getByRole('checkbox').nth(at).check();
  await page.evaluate(() => {
    const { fake } = window;
    const first = fake.rows.find(({ status }) => status === 'ended')?.listingId;
    // The listing was brought back elsewhere; the selection is stale.
    fake.rows = fake.rows.map((row) => (row.listingId === first ? { ...row, status: 'pending_review' } : row));
  });
  await page.getByRole('button', { name: 'Bring back 2' }).click();
  await expect(page.getByText('1 listing is back for review.')).toBeVisible();
  await expect(page.getByText('This listing is waiting for review; it cannot be relisted now.')).toBeVisible();
  await expect(page.getByText('1 selected')).toBeVisible();
});

test('only the ready drafts of a selection are published, with one prompt', async ({ open }) => {
  const page = await open('#/listings', {});
  await selectListings(page, 5, 11, 6);
  await page.getByRole('button', { name: 'Publish 2…' }).click();
  const batch = page.getByRole('dialog', { name: /2 listings/ });
  await expect(batch.getByRole('listitem')).toHaveCount(2);
  expect(await readLastInput(page, 'batch.ask')).toEqual({ listingIds: ['lst_4', 'lst_10'] });
  await batch.getByRole('button', { name: 'Not now' }).click();
  await expect(page.getByText('1 selected')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Publish/ })).toHaveCount(0);

  await page.getByRole('table').evaluate((table) => table.parentElement?.scrollTo(0, 300));
  await selectListings(page, 17);
  await page.keyboard.press('p');
  await expect(page.getByRole('dialog', { name: /^Publish/ })).toBeVisible();
  expect(await readLastInput(page, 'service.perform')).toMatchObject({
    route: 'publishListing',
    input: { params: { listingId: 'lst_16' } },
  });
});

test('two quick presses of P open one prompt', async ({ open }) => {
  const page = await open('#/listings', {});
  await selectListings(page, 5, 11);
  await page.evaluate(() => {
    const press = (): boolean => window.dispatchEvent(new KeyboardEvent('keydown', { key: 'p', cancelable: true }));
    press();
    press();
  });
  await expect(page.getByRole('dialog', { name: /2 listings/ })).toBeVisible();
  expect(await page.evaluate(() => window.fake.asked.filter(({ name }) => name === 'batch.ask').length)).toBe(1);
});

const readChosenColour = (page: Page): Promise<string> =>
  page
    .locator('[data-chosen]')
    .first()
    .evaluate((row) => getComputedStyle(row).backgroundColor);

test('selected listings and selected items have the same colour', async ({ open }) => {
  for (const colorScheme of ['light', 'dark'] as const) {
    const listings = await open('#/listings', {}, { colorScheme, instead: true });
    await selectListings(listings, 1);
    const items = await open('', { items: 'ready' }, { colorScheme });
    await items.getByRole('list', { name: 'Items' }).getByRole('checkbox').first().press('Space');
    for (const page of [listings, items]) await page.mouse.move(0, 0);
    // A colour changes in a transition.
    await expect.poll(async () => (await readChosenColour(items)) === (await readChosenColour(listings))).toBe(true);
    const colour = await readChosenColour(listings);
    expect(colour).not.toBe(await listings.evaluate(() => getComputedStyle(document.body).getPropertyValue('--lc-is')));
    expect(new Set(colour.match(/\d+/g)).size).toBeGreaterThan(1);
  }
});
