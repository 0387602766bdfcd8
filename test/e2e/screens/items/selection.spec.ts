import type { Page } from 'playwright/test';
import { languageCodes } from '../../../../src/i18n/languages.ts';
import { expect, listRequests, setLanguage, test } from '../page.ts';

const getPrompt = (page: Page) => page.getByRole('dialog', { name: /^Publish/ });
const listInputs = (page: Page, name: string): Promise<unknown[]> =>
  page.evaluate((wanted) => window.fake.asked.filter((one) => one.name === wanted).map(({ input }) => input), name);
const selectFirstItems = async (page: Page, count: number): Promise<void> => {
  await page.getByRole('listitem', { name: /figurine no. 1 / }).waitFor();
  for (let at = 0; at < count; at += 1) {
    await page.keyboard.press('j');
    await page.keyboard.press('x');
  }
  await expect(page.getByText(`${count} selected`)).toBeVisible();
};

test('no row moves while the window still reads which items can be published', async ({ open }) => {
  for (const items of ['sheet60', 'ready6'] as const) {
    const page = await open('#/help', { items }, { instead: true });
    await page.evaluate(() => {
      window.fake.slow = ['items.ready'];
      location.hash = '#/';
    });
    const row = page.getByRole('list', { name: 'Items' }).getByRole('listitem').first();
    await expect(row).toBeVisible();
    const before = await row.boundingBox();
    await expect.poll(() => listInputs(page, 'items.ready')).toHaveLength(1);
    await page.evaluate(() => {
      window.fake.slow = [];
      window.fake.answer();
    });
    await expect.poll(() => page.evaluate(() => window.fake.answered)).toContain('items.ready');
    await expect(page.getByRole('button', { name: 'Select all ready to review (6)' })).toHaveCount(
      items === 'ready6' ? 1 : 0,
    );
    expect((await row.boundingBox())?.y).toBe(before?.y);
  }
});

test('an approved batch clears the selection, including the listings that were left out', async ({ open }) => {
  const page = await open('', { items: 'ready6' });
  await page.evaluate(() => (window.fake.beatMs = 20));
  await selectFirstItems(page, 3);
  await page.keyboard.press('p');
  const prompt = page.getByRole('dialog');
  await prompt.getByRole('checkbox').last().uncheck();
  await prompt.getByRole('button', { name: /^Publish 2/ }).click();
  await expect(prompt.getByRole('button', { name: 'Close' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(prompt).toHaveCount(0);
  await expect(page.getByText(/\d selected/)).toHaveCount(0);
  await expect(page.getByRole('checkbox', { name: /^Select /, checked: true })).toHaveCount(0);
});

test('a click on a row with Shift selects the items up to it, and opens no other window', async ({ open }) => {
  const page = await open('', { items: 'ready6' });
  await selectFirstItems(page, 1);
  const address = page.url();
  const lastRow = page.getByRole('listitem', { name: /no\. 4 / }).getByRole('link');
  await lastRow.click({ modifiers: ['Shift'] });
  await expect(page.getByText('4 selected')).toBeVisible();
  expect(page.url()).toBe(address);
  expect(page.context().pages()).toHaveLength(1);
});

test('P publishes only the selected items that the search shows, and Show brings the others back', async ({ open }) => {
  const page = await open('', { items: 'ready6' });
  await selectFirstItems(page, 2);
  await page.getByLabel('Find an item').fill('no. 2');
  await expect(page.getByText('2 selected · 1 not in view')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Publish 1…' })).toBeVisible();
  await page.getByLabel('Find an item').fill('no. 3');
  await expect(page.getByText('2 selected · 2 not in view')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Publish \d/ })).toHaveCount(0);
  await page
    .getByRole('listitem', { name: /no\. 3 / })
    .getByRole('link')
    .focus();
  await page.keyboard.press('p');
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await expect(page.getByLabel('Find an item')).toHaveValue('');
  await expect(page.getByText('2 selected')).toHaveText('2 selected');
  await expect(page.getByRole('checkbox', { name: /^Select .*no\. [12]$/, checked: true })).toHaveCount(2);
  expect(await listInputs(page, 'batch.ask')).toEqual([]);
  await page.keyboard.press('p');
  await expect(getPrompt(page)).toBeVisible();
  expect(await listInputs(page, 'batch.ask')).toHaveLength(1);
});

/** Stores a listing with a price for each item. */
const storeListings = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const { fake } = window;
    for (const { listingId, title } of fake.items)
      if (listingId !== null) fake.listings[listingId] = { ...fake.listings.lst_fox, listingId, title };
    fake.changed('listings');
  });
const openMoreActs = (page: Page) => page.getByRole('button', { name: 'More actions' }).press('Enter');

test('the selected items are changed together by keyboard, and stay selected to be published', async ({ open }) => {
  const page = await open('', { items: 'ready6' });
  await storeListings(page);
  await selectFirstItems(page, 2);
  await page.getByRole('button', { name: 'Change 2…' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Change 2 at once' });
  await dialog.getByLabel('Percent (−10 lowers by 10 %)').fill('-20');
  await expect(dialog.getByRole('button', { name: 'Change 2 drafts' })).toBeEnabled();
  await page.keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);
  const changed = await listRequests(page, 'updateListing');
  expect(changed).toMatchObject([
    { input: { params: { listingId: 'lst_ready-0' } } },
    { input: { params: { listingId: 'lst_ready-1' } } },
  ]);
  expect((await listInputs(page, 'listings.keepBulkEdit')).at(-1)).toMatchObject({ field: 'price', rows: [{}, {}] });
  await expect(page.getByRole('button', { name: 'Publish 2…' })).toBeVisible();
});

test('the weight of selected items on the US site is in pounds and ounces', async ({ open }) => {
  const page = await open('', { items: 'ready6' });
  await storeListings(page);
  await selectFirstItems(page, 2);
  await page.getByRole('button', { name: 'Change 2…' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Change 2 at once' });
  await dialog.getByLabel('What', { exact: true }).selectOption('packageWeightGrams');
  await expect(dialog.getByText('in lb and oz')).toBeVisible();
  await dialog.getByLabel('New weight').fill('20');
  await expect(dialog.getByRole('row').nth(1)).toContainText('1 lb 4 oz');
  await page.keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);
  expect(await listRequests(page, 'updateListing')).toMatchObject([
    { input: { body: { packageWeightGrams: 567 } } },
    { input: { body: { packageWeightGrams: 567 } } },
  ]);
});

test('Best Offer limits of selected items are set together after one approval', async ({ open }) => {
  const page = await open('', { items: 'ready6' });
  await storeListings(page);
  await selectFirstItems(page, 2);
  await page.getByRole('button', { name: 'Change 2…' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Change 2 at once' });
  await dialog.getByLabel('What', { exact: true }).selectOption('bestOffer');
  await dialog.getByLabel('How', { exact: true }).selectOption('Allow offers');
  await dialog.getByLabel(/^Auto-accept/).fill('90');
  await dialog.getByLabel(/^Auto-decline/).fill('50');
  await dialog.getByRole('button', { name: 'Ask to change 2…' }).press('Enter');
  const prompt = page.getByRole('dialog', { name: /Best Offer/ });
  await expect(prompt.getByRole('button', { name: /Best Offer/ })).toBeVisible();
  const [asked] = await listInputs(page, 'batch.askFor');
  expect(asked).toMatchObject({
    requests: [
      {
        route: 'updateListing',
        input: { params: { listingId: 'lst_ready-0' }, body: { bestOffer: { enabled: true } } },
      },
      { route: 'updateListing', input: { params: { listingId: 'lst_ready-1' } } },
    ],
  });
  expect(await listRequests(page, 'updateListing')).toEqual([]);
});

test('the selected items are discarded only after one approval', async ({ open }) => {
  const page = await open('', { items: 'ready6' });
  await selectFirstItems(page, 2);
  await openMoreActs(page);
  await page.getByRole('menuitem', { name: 'Discard 2…' }).press('Enter');
  await expect(page.getByRole('dialog', { name: 'Delete 2 listings' })).toBeVisible();
  const [asked] = await listInputs(page, 'batch.askFor');
  expect(asked).toMatchObject({ requests: [{ route: 'deleteListing' }, { route: 'deleteListing' }] });
  await expect(page.getByText('2 selected')).toHaveCount(1);
});

test('the selected items are adapted to another site, and those of that site stay as they are', async ({ open }) => {
  const page = await open('', { items: 'ready6' });
  await selectFirstItems(page, 3);
  await openMoreActs(page);
  await page.getByRole('menuitem', { name: 'Adapt to another site…' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: /^Adapt \d to another site$/ });
  const site = dialog.getByLabel('Site');
  await expect(site).toBeFocused();
  await site.selectOption('MKT_DE');
  await expect(dialog).toContainText('It uses none of your listings.');
  await dialog.getByRole('button', { name: /^Rewrite \d$/ }).press('Enter');
  await expect(dialog).toHaveCount(0);
  const adapted = await listRequests(page, 'generateListing');
  expect(adapted.length).toBeGreaterThan(0);
  for (const request of adapted)
    expect(request).toMatchObject({
      input: { body: { intent: 'adapt_marketplace', targetMarketplaceId: 'MKT_DE' } },
    });
});

test('a selected item can be sold another time as a new draft', async ({ open }) => {
  const page = await open('', { items: 'ready6' });
  await selectFirstItems(page, 1);
  await openMoreActs(page);
  await page.getByRole('menuitem', { name: 'Sell another like this' }).press('Enter');
  await expect.poll(async () => (await listRequests(page, 'createListing')).length).toBe(1);
  await expect(page).toHaveURL(/#\/listings\//);
});

test('the selected items that have no draft start with the chosen template', async ({ open }) => {
  const page = await open('', { items: 'guessed' });
  const ticks = page.getByRole('checkbox', { name: /^Select / });
  await ticks.nth(0).check();
  await ticks.nth(1).check();
  await page.getByRole('button', { name: 'Template…' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Shoes, boxed' }).press('Enter');
  await expect.poll(async () => (await listInputs(page, 'items.beginWith')).length).toBe(2);
  expect(await listInputs(page, 'items.beginWith')).toMatchObject([{ templateId: 'tpl_2' }, { templateId: 'tpl_2' }]);
});

test('the actions of the selected items stay inside their bar in every language', async ({ open }) => {
  const page = await open('', { items: 'ready6' }, { width: 1000 });
  await selectFirstItems(page, 2);
  const bar = page.locator('main section').first().locator('[aria-keyshortcuts=P]').locator('xpath=ancestor::div[2]');
  for (const language of languageCodes) {
    await setLanguage(page, language);
    const outside = await bar.evaluate((box) => {
      const { left, right } = box.getBoundingClientRect();
      return [...box.querySelectorAll('button')].flatMap((button) => {
        const own = button.getBoundingClientRect();
        return own.left >= left && own.right <= right ? [] : [button.textContent];
      });
    });
    expect(outside, language).toEqual([]);
    await expect(bar.getByRole('button')).toHaveCount(5);
  }
});
