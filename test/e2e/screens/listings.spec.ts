import { z } from 'zod';
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright/test';
import { expect, test } from './page.ts';

const rows = (page: Page) => page.getByRole('rowgroup').getByRole('row');
const asked = (page: Page, call: string): Promise<unknown> =>
  page.evaluate((name) => window.fake.asked.filter((one) => one.name === name).at(-1)?.input, call);

test('100,000 listings are one table: drawn where one looks, found by a word, ended at by the scroll bar', async ({
  open,
}) => {
  const page = await open('#/listings', { listings: 100_000 });
  await expect(page.getByText('100,000 listings')).toBeVisible();
  await expect(page.getByRole('table', { name: 'Listings' })).toHaveAttribute('aria-rowcount', '100001');
  expect(await rows(page).count()).toBeLessThan(60);
  await page.evaluate(() => {
    const frame = document.querySelector('[role=table]')?.parentElement;
    frame?.scrollTo(0, frame.scrollHeight);
  });
  await expect(page.getByRole('link', { name: /no\. 100000$/ })).toBeVisible();
  await page.keyboard.press('/');
  await page.keyboard.type('camera 99996');
  await expect(page.getByText('1 listing', { exact: false }).first()).toBeVisible();
  await expect(rows(page)).toHaveCount(1);
});

test('what can be done with a listing lies on its photo, beside its tick, however wide the window is', async ({
  open,
}) => {
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

test('filters narrow the list, say how many each has, and are cleared at once', async ({ open }) => {
  const page = await open('#/listings', {});
  await expect(page.getByLabel('Status').getByRole('option')).toContainText(['Any status (60)', 'Live (20)']);
  await page.getByLabel('Status').selectOption('sold');
  await page.getByLabel('Site').selectOption('MKT_GB');
  await page.getByLabel('Price to').fill('80');
  await expect(rows(page).first()).toContainText('Sold');
  expect(await asked(page, 'listings.search')).toMatchObject({ statuses: ['sold'], site: 'MKT_GB', maxCents: 8_000 });
  await page.getByLabel('Price to').fill('0,01');
  await expect(page.getByText('No listings match.')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).first().click();
  await expect(page.getByText('60 listings')).toBeVisible();
});

test('columns are chosen and remembered, and the same listings are seen as photos', async ({ open }) => {
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

const select = async (page: Page, ...numbers: number[]): Promise<void> => {
  for (const number of numbers) await page.getByLabel(new RegExp(`^Select .*no\\. ${number}$`)).check();
};
const rowOf = (page: Page, number: number) =>
  page
    .getByRole('dialog')
    .getByRole('row')
    .filter({ hasText: new RegExp(`no\\. ${number}(?!\\d)`) });

test('prices of many are changed by keyboard: seen before, asked once, answered line by line', async ({ open }) => {
  const page = await open('#/listings', {});
  await expect(rows(page).first()).toBeVisible();
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await page.getByRole('button', { name: 'Change 2…' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Change 2 at once' });
  await dialog.getByLabel('Percent (−10 lowers by 10 %)').fill('-20');
  await expect(dialog.getByRole('row').nth(1)).toContainText('US$4.00');
  await page.keyboard.press('Enter');
  const batch = page.getByRole('dialog', { name: 'Change 2 listings' });
  await expect(batch.getByRole('listitem').first()).toContainText('US$5.00 → US$4.00');
  expect(await asked(page, 'batch.askFor')).toMatchObject({
    requests: [{ route: 'reviseListing', input: { params: { listingId: 'lst_0' }, body: { price: 400 } } }, {}],
  });
  const yes = batch.getByRole('button', { name: 'Change 2' });
  await expect(yes).toBeEnabled();
  await yes.click();
  await expect(batch.getByRole('status')).toContainText('2 changed.');
});

test('each row has its photo, its price before and after, and its reason where it stays', async ({ open }) => {
  const page = await open('#/listings', {});
  await select(page, 1, 3, 4, 5);
  await page.getByRole('button', { name: 'Change 2…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change 4 at once' });
  await dialog.getByLabel('How').selectOption('suggested');
  await dialog.getByLabel('Ending').selectOption('99');
  await expect(rowOf(page, 1)).toContainText('US$5.00');
  await expect(rowOf(page, 1)).toContainText('US$7.99');
  await expect(rowOf(page, 1).locator('img')).toHaveCount(1);
  await expect(rowOf(page, 3)).toContainText('It can’t be changed in this status.');
  await expect(rowOf(page, 5)).toContainText('No price is suggested for it.');
  await expect(dialog.getByRole('button', { name: 'Change 1 live listing…' })).toBeEnabled();
  await dialog.getByLabel('What', { exact: true }).selectOption('packageWeightGrams');
  await dialog.getByLabel('New weight, in grams').fill('400');
  await expect(rowOf(page, 1)).toContainText('It is live, and the marketplace no longer lets this be changed.');
  await expect(rowOf(page, 5)).toContainText('400 g');
});

test('a title that the marketplace would not take is left out, by the limit that it names', async ({ open }) => {
  const page = await open('#/listings', {});
  await select(page, 1);
  await page.getByRole('button', { name: 'Change 1…' }).click();
  await page.getByLabel('What', { exact: true }).selectOption('title');
  await page.getByLabel('Words to add').fill('x'.repeat(50));
  await expect(rowOf(page, 1)).toContainText(`no. 1 ${'x'.repeat(50)}`);
  await page.getByLabel('Words to add').fill('x'.repeat(60));
  await expect(rowOf(page, 1)).toContainText('The title would be too long.');
});

const sentChange = z.object({
  name: z.literal('service.perform'),
  input: z.object({
    route: z.enum(['updateListing', 'reviseListing']),
    input: z.object({ params: z.object({ listingId: z.string() }) }),
  }),
});
/** The listings that were sent to be changed, in the order they were. */
const changed = async (page: Page): Promise<string[]> => {
  const all = await page.evaluate(() => window.fake.asked);
  return all.flatMap((one) => sentChange.safeParse(one).data?.input.input.params.listingId ?? []);
};

test('a change of many begins with nothing chosen, and nothing is sent until something is', async ({ open }) => {
  const page = await open('#/listings', {});
  await select(page, 5, 6);
  await page.getByRole('button', { name: 'Change 2…' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Change 2 at once' });
  await expect(dialog.getByLabel('Percent (−10 lowers by 10 %)')).toBeFocused();
  await expect(dialog.getByLabel('Percent (−10 lowers by 10 %)')).toHaveValue('');
  await expect(dialog.getByText('Enter a number')).toHaveCount(0);
  const send = dialog.locator('button[type=submit]');
  await page.keyboard.press('Enter');
  for (const field of ['sku', 'bestOffer', 'quantity', 'title', 'price']) {
    await dialog.getByLabel('What', { exact: true }).selectOption(field);
    await expect(send).toBeDisabled();
  }
  expect(await changed(page)).toEqual([]);
  await dialog.getByRole('button', { name: '−10%', exact: true }).click();
  await expect(dialog.getByLabel('Percent (−10 lowers by 10 %)')).toHaveValue('-10');
  await expect(send).toBeEnabled();
});

test('what an assistant changed since it was shown is left as it is, and said', async ({ open }) => {
  const page = await open('#/listings', {});
  await select(page, 5, 6);
  await page.getByRole('button', { name: 'Change 2…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change 2 at once' });
  await dialog.getByLabel('What', { exact: true }).selectOption('itemSpecifics');
  await dialog.getByLabel('Name').fill('Colour');
  await dialog.getByLabel('Value').fill('red');
  await page.evaluate(async () => {
    const body = { itemSpecifics: { Brand: 'Acme', Size: 'M' } };
    const input = { params: { listingId: 'lst_4' }, body };
    await window.companion?.call('service.perform', { route: 'updateListing', input, waitId: crypto.randomUUID() });
  });
  await dialog.getByRole('button', { name: 'Change 2 drafts' }).click();
  await expect(page.getByText(/It was changed in the meantime/)).toBeVisible();
  expect(await changed(page)).toEqual(['lst_4', 'lst_5']);
  await expect(page.getByText('Last changed together: Item specifics, 1 listing.')).toBeVisible();
});

test('what is shown stays as it is while listings change, and only what still holds is asked about', async ({
  open,
}) => {
  const page = await open('#/listings', {});
  await select(page, 1, 2);
  await page.getByRole('button', { name: 'Change 2…' }).click();
  await page.getByLabel('Percent (−10 lowers by 10 %)').fill('-20');
  await expect(rowOf(page, 1)).toContainText('US$4.00');
  await page.evaluate(() => {
    const { fake } = window;
    fake.rows = fake.rows.map((row) => (row.listingId === 'lst_0' ? { ...row, priceCents: 450 } : row));
    fake.changed('listings');
  });
  // The list behind it shows the new price.
  await expect(page.getByText('US$4.50', { exact: true }).first()).toBeAttached();
  await expect(rowOf(page, 1)).toContainText('US$5.00');
  await expect(rowOf(page, 1)).toContainText('US$4.00');
  await page.getByRole('button', { name: 'Change 2 live listings…' }).click();
  await expect(page.getByText(/It was changed in the meantime/)).toBeVisible();
  expect(await changed(page)).toEqual(['lst_1']);
});

test('drafts are changed at once, by keyboard, and the old prices are put back as they were', async ({ open }) => {
  const page = await open('#/listings', {});
  const price = (number: number) => rows(page).filter({ hasText: new RegExp(`no\\. ${number}(?!\\d)`) });
  await expect(price(5)).toContainText('€34.48');
  await select(page, 5, 6);
  await page.getByRole('button', { name: 'Change 2…' }).press('Enter');
  await expect(page.getByLabel('Percent (−10 lowers by 10 %)')).toBeFocused();
  await page.keyboard.type('-50');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(price(5)).toContainText('€17.24');
  expect(await page.evaluate(() => window.fake.asked.some(({ name }) => name === 'batch.askFor'))).toBe(false);

  await page.getByRole('button', { name: 'Put the old ones back…' }).press('Enter');
  const back = page.getByRole('dialog', { name: 'Put the old ones back' });
  await expect(rowOf(page, 5)).toContainText('€34.48');
  await back.getByRole('button', { name: 'Change 2 drafts' }).press('Enter');
  await expect(back).toHaveCount(0);
  await expect(price(5)).toContainText('€34.48');
});

test('what was before is kept before anything is sent, so that it can be put back whatever happens', async ({
  open,
}) => {
  const page = await open('#/listings', {});
  await select(page, 5, 6);
  await page.getByRole('button', { name: 'Change 2…' }).click();
  await page.getByRole('button', { name: '−10%', exact: true }).click();
  await page.getByRole('button', { name: 'Change 2 drafts' }).click();
  await expect(page.getByText('Last changed together: Price, 2 listings.')).toBeVisible();
  const calls = await page.evaluate(() => window.fake.asked.filter(({ name }) => /keepBulkEdit|perform/.test(name)));
  expect(calls[0]).toMatchObject({
    name: 'listings.keepBulkEdit',
    input: { field: 'price', rows: [{ old: { price: 3_448 } }, { old: { price: 4_185 } }] },
  });
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await expect(page.getByText(/Last changed together/)).toHaveCount(0);
});

test('a run goes on when its dialog is closed, leaves the selection alone, and says each reason once', async ({
  open,
}) => {
  const page = await open('#/listings', {});
  await select(page, 5, 6, 11, 12);
  await page.getByRole('button', { name: 'Change 4…' }).click();
  await page.getByRole('button', { name: '−10%', exact: true }).click();
  await page.evaluate(() => {
    const { fake } = window;
    fake.slow = ['updateListing'];
    fake.deciding = ['lst_11'];
    const changed = ['lst_5', 'lst_10'];
    fake.rows = fake.rows.map((row) => (changed.includes(row.listingId) ? { ...row, priceCents: 1 } : row));
  });
  await page.getByRole('button', { name: 'Change 4 drafts' }).click();
  await expect.poll(() => asked(page, 'service.perform')).toMatchObject({ route: 'updateListing' });
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await select(page, 1);
  await page.evaluate(() => {
    window.fake.slow = [];
    window.fake.answer();
  });
  const said = page.getByRole('alert').filter({ hasText: '3 could not be changed' });
  await expect(said).toContainText('2 listings: It was changed in the meantime');
  await expect(said).toContainText('1 listing: This listing is being decided.');
  await expect(page.getByText('1 selected')).toBeVisible();
});

test('live ones are put back by another question; what was not changed meanwhile stays', async ({ open }) => {
  const page = await open('#/listings', {});
  await select(page, 1, 2);
  await page.getByRole('button', { name: 'Change 2…' }).click();
  await page.getByRole('button', { name: '−10%', exact: true }).click();
  await page.getByRole('button', { name: 'Change 2 live listings…' }).click();
  await page.getByRole('button', { name: 'Not now' }).click();
  // Nothing was changed yet, so there is nothing to put back.
  await expect(page.getByRole('button', { name: 'Put the old ones back…' })).toHaveCount(0);
  await page.evaluate(() => {
    const { fake } = window;
    const prices: Record<string, number> = { lst_0: 450, lst_1: 999 };
    fake.rows = fake.rows.map((row) => ({ ...row, priceCents: prices[row.listingId] ?? row.priceCents }));
    fake.changed('listings');
  });
  await page.getByRole('button', { name: 'Put the old ones back…' }).click();
  await expect(rowOf(page, 1)).toContainText('US$4.50');
  await expect(rowOf(page, 1)).toContainText('US$5.00');
  await expect(rowOf(page, 2)).toContainText('It has been changed since, so it stays as it is.');
  await page.getByRole('button', { name: 'Change 1 live listing…' }).click();
  await expect
    .poll(() => asked(page, 'service.perform'))
    .toMatchObject({
      route: 'reviseListing',
      input: { params: { listingId: 'lst_0' }, body: { price: 500 } },
    });
});

test('a row is left out, or ended in the place of its change, in the one question', async ({ open }) => {
  const page = await open('#/listings', {});
  await select(page, 1, 2, 7);
  await page.getByRole('button', { name: 'Change 3…' }).click();
  await page.getByRole('button', { name: '−10%', exact: true }).click();
  await rowOf(page, 2).getByRole('checkbox').uncheck();
  await rowOf(page, 7)
    .getByRole('button', { name: /^End instead/ })
    .press('Enter');
  await expect(rowOf(page, 7)).toContainText('Ends');
  await page.getByRole('button', { name: 'Change 2 live listings…' }).click();
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Change 1, end 1' })).toBeVisible();
  expect(await asked(page, 'batch.askFor')).toMatchObject({
    requests: [{ route: 'reviseListing' }, { route: 'endListing', input: { params: { listingId: 'lst_6' } } }],
  });
});

test('drafts are discarded in one question', async ({ open }) => {
  const page = await open('#/listings', {});
  await select(page, 5, 6);
  await page.getByRole('button', { name: 'Discard 2…' }).click();
  await expect(page.getByRole('dialog', { name: /2/ })).toBeVisible();
  expect(await asked(page, 'batch.askFor')).toMatchObject({
    requests: [{ route: 'deleteListing' }, { route: 'deleteListing' }],
  });
});

test('what is no longer as it was selected is neither ended nor discarded, and stays selected as it is now', async ({
  open,
}) => {
  const page = await open('#/listings', {});
  await select(page, 5, 6);
  await page.evaluate(() => {
    const { fake } = window;
    // It went live meanwhile, of which the selection has not heard.
    fake.rows = fake.rows.map((row) => (row.listingId === 'lst_4' ? { ...row, status: 'published' } : row));
  });
  await page.getByRole('button', { name: 'Discard 2…' }).click();
  await expect.poll(() => asked(page, 'service.perform')).toMatchObject({ route: 'deleteListing' });
  expect(await asked(page, 'service.perform')).toMatchObject({ input: { params: { listingId: 'lst_5' } } });
  await expect(page.getByText(/It was changed in the meantime/)).toBeVisible();
  await page.getByRole('dialog').getByRole('button', { name: 'Not now' }).click();
  await expect(page.getByText('1 selected')).toBeVisible();
  await expect(page.getByRole('button', { name: 'End 1 listing…' })).toBeVisible();
});

test('offers are taken without limits, too, and a limit that is none says so', async ({ open }) => {
  const page = await open('#/listings', {});
  await select(page, 1);
  await page.getByRole('button', { name: 'Change 1…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change 1 at once' });
  await dialog.getByLabel('What', { exact: true }).selectOption('bestOffer');
  await expect(dialog.locator('button[type=submit]')).toBeDisabled();
  await dialog.getByLabel('How', { exact: true }).selectOption('Allow offers');
  await dialog.getByLabel(/^Auto-accept/).fill('90');
  await expect(rowOf(page, 1)).toContainText('auto-accepts from US$4.50');
  await dialog.getByLabel(/^Auto-decline/).fill('95');
  await expect(dialog).toContainText('The auto-decline amount must be below the auto-accept amount.');
  await dialog.getByLabel(/^Auto-decline/).fill('most');
  await expect(dialog).toContainText('Enter a percentage of up to 100.');
  await dialog.getByLabel(/^Auto-decline/).fill('');
  await dialog.getByLabel(/^Auto-accept/).fill('');
  await dialog.getByRole('button', { name: 'Change 1 live listing…' }).click();
  await expect(page.getByRole('dialog', { name: 'Change the live listing' })).toBeVisible();
  const { route, input } = (await asked(page, 'service.perform')) as { route: string; input: { body: unknown } };
  expect([route, input.body]).toEqual(['reviseListing', { bestOffer: { enabled: true } }]);
});

test('one listing is asked about by itself; a price that is no number is said', async ({ open }) => {
  const page = await open('#/listings', {});
  await select(page, 1);
  await page.getByRole('button', { name: 'Change 1…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change 1 at once' });
  await dialog.getByLabel('How').selectOption('set');
  await dialog.getByLabel('New price').fill('cheap');
  await expect(dialog).toContainText('Enter a number like 2.50.');
  await expect(dialog.getByRole('button', { name: /^Change \d/ })).toBeDisabled();
  await dialog.getByLabel('New price').fill('7,25');
  await dialog.getByRole('button', { name: 'Change 1 live listing…' }).click();
  await expect(page.getByRole('dialog', { name: 'Change the live listing' })).toBeVisible();
  expect(await asked(page, 'service.perform')).toMatchObject({
    route: 'reviseListing',
    input: { body: { price: 725 } },
  });
});

test('live ones are ended in one question in red, ended ones are brought back without one', async ({ open }) => {
  const page = await open('#/listings', {});
  await page.getByLabel('Select Film camera, blue, no. 1', { exact: true }).check();
  await page.getByRole('button', { name: 'Select all shown' }).click();
  await page.getByRole('button', { name: 'End 20 listings…' }).click();
  await expect(page.getByRole('dialog', { name: 'End 20 listings' })).toBeVisible();
  await page.getByRole('button', { name: 'Not now' }).click();
  await page.getByLabel('Status').selectOption('ended');
  await rows(page).getByRole('checkbox').first().check();
  await page.getByRole('button', { name: 'Bring back 1' }).click();
  await expect(page.getByText('1 listing is back for review.')).toBeVisible();
});

test('what is found is taken out as CSV', async ({ open }) => {
  const page = await open('#/listings', {});
  await page.getByLabel('Find a listing').fill('robot');
  await expect(rows(page).first()).toContainText('Tin robot');
  await page.getByRole('button', { name: 'More' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Export CSV' }).click(),
  ]);
  expect(readFileSync(await download.path(), 'utf8').split('\r\n')).toHaveLength(9);
});

test('a listing opens with its fields and its own history, and Esc goes back to where one was', async ({ open }) => {
  const page = await open('#/listings', {});
  await page.getByRole('link', { name: 'Film camera, blue, no. 1', exact: true }).click();
  await expect(page.getByRole('region', { name: 'Listing', exact: true })).toBeVisible();
  await expect(page.getByRole('region', { name: 'History of this listing' })).toBeVisible();
  expect(await asked(page, 'history.search')).toMatchObject({ listingId: 'lst_0' });
  await page.keyboard.press('Escape');
  await expect(page.getByRole('table', { name: 'Listings' })).toBeVisible();
  // The row lights up as a whole, and opens as a whole.
  await rows(page).nth(1).click();
  await expect(page).toHaveURL(/listings\/lst_1$/);
});

test('without listings the screen says what will be here', async ({ open }) => {
  const page = await open('#/listings', { listings: 0 });
  await expect(page.getByRole('heading', { name: 'Your listings will be here' })).toBeVisible();
});

test('a column sorts by a click on its name, and again the other way round', async ({ open }) => {
  const page = await open('#/listings', {});
  const header = (name: string) => page.getByRole('columnheader', { name });
  await expect(header('Created')).toHaveAttribute('aria-sort', 'descending');
  await header('Price').getByRole('button').click();
  await expect(header('Price')).toHaveAttribute('aria-sort', 'ascending');
  await expect(header('Created')).toHaveAttribute('aria-sort', 'none');
  await expect(page.getByLabel('Sort by')).toHaveValue('cheapest');
  await header('Price').getByRole('button').press('Enter');
  await expect(header('Price')).toHaveAttribute('aria-sort', 'descending');
  expect(await asked(page, 'listings.search')).toMatchObject({ sort: 'dearest' });
  await header('Title').getByRole('button').click();
  await header('Title').getByRole('button').click();
  await expect(rows(page).first()).toContainText('Tin robot, red');
  await expect(header('Site')).not.toHaveAttribute('aria-sort');
});

test('one way to select: X and Space, Shift for all between, and the tick above them all', async ({ open }) => {
  const page = await open('#/listings', {});
  await expect(rows(page).first()).toBeVisible();
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
  // It is ticked once all of them are known.
  await all.click();
  await expect(page.getByText('60 selected')).toBeVisible();
  await all.click();
  await expect(page.getByText('60 selected')).toHaveCount(0);
});

test('Esc in the search clears it, and then leaves it', async ({ open }) => {
  const page = await open('#/listings', {});
  await expect(rows(page).first()).toBeVisible();
  await page.keyboard.press('/');
  await page.keyboard.type('robot');
  await page.keyboard.press('Escape');
  await expect(page.getByLabel('Find a listing')).toHaveValue('');
  await expect(page.getByLabel('Find a listing')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByLabel('Find a listing')).not.toBeFocused();
  await page.keyboard.press('j');
  await expect(rows(page).first().getByRole('link')).toBeFocused();
});

test('in a narrow window every row says its price and state, and nothing lies beside the window', async ({ open }) => {
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
