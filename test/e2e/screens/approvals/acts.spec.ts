import type { Page } from 'playwright/test';
import type { Scenario } from '../../../helpers/fakes/fakeCompanion.ts';
import { getFindDialog, getFindResults, openFindDialog, runInFindDialog } from '../findDialog.ts';
import { handSpeed } from '../../handSpeed.ts';
import { expect, putStatus, test } from '../page.ts';

const fox = 'Vintage Red Fox Ceramic Figurine, Hand Painted, 12 cm, Sitting';
const shoes = 'Nike Air Zoom Pegasus 38 Running Shoes, Men’s EU 43, Blue';
const listRoutes = (page: Page): Promise<(string | undefined)[]> =>
  page.evaluate(() => window.fake.asked.map(({ input }) => (input as { route?: string } | null)?.route));
const expectPerformed = (route: string) => (page: Page) => expect.poll(() => listRoutes(page)).toContain(route);
const expectCalled = (name: string) => (page: Page) =>
  expect.poll(() => page.evaluate(() => window.fake.asked.map((one) => one.name))).toContain(name);
const expectDialog = (name: string | RegExp) => (page: Page) =>
  expect(page.getByRole('dialog', { name })).toBeVisible();
const expectText = (words: string) => (page: Page) => expect(page.getByText(words).first()).toBeVisible();
const expectUrl = (url: RegExp) => (page: Page) => expect(page).toHaveURL(url);
const expectFocused = (role: 'textbox' | 'combobox', name: string) => (page: Page) =>
  expect(page.getByRole(role, { name, exact: true })).toBeFocused();

type Action = {
  words: string;
  name: string;
  then: (page: Page) => Promise<void>;
  /** The scenario, if it is not the default. */
  scenario?: Scenario;
};

/** Opens an item or a listing and runs each action from the Find dialog. */
const testActions = (
  what: string,
  at: { hash: string; of: string; status?: [string, string] },
  all: Action[],
): void => {
  for (const { words, name, then, scenario = {} } of all)
    test(`${what}: the Find dialog runs “${name}” by keyboard`, async ({ open }) => {
      const page = await open(at.hash, scenario);
      if (at.status) await putStatus(page, ...at.status);
      const fieldOrFacts = page.getByLabel('Title', { exact: true }).or(page.getByRole('region', { name: 'Facts' }));
      await expect(fieldOrFacts).toBeVisible();
      await runInFindDialog(page, words, at.of === '' ? name : `${name}, ${at.of}`);
      await then(page);
    });
};

testActions('a listing in review', { hash: '#/items/fox', of: fox }, [
  { words: 'publish vin', name: 'Publish…', then: expectText('Shipping needs the packed weight. Enter it') },
  { words: 'looks', name: 'Looks right', then: expectFocused('combobox', 'Packed weight') },
  { words: 'discard', name: 'Discard…', then: expectText('This cannot be undone.') },
  { words: 'edit title', name: 'Edit the title', then: expectFocused('textbox', 'Title') },
  { words: 'edit desc', name: 'Edit description', then: expectFocused('textbox', 'Description') },
  { words: 'look closer', name: 'Look closer', then: expectDialog(/Photo 1 of/) },
  {
    words: 'next photo',
    name: 'Next photo',
    then: (page) => expect(page.getByRole('button', { name: /^Look closer at Photo 2 of 4/ })).toBeVisible(),
  },
  { words: 'changed', name: '4 fields changed since it was written', then: expectText('As written') },
  { words: 'similar', name: 'Similar items', then: expectText('not what they sold for') },
  { words: 'how it', name: 'How it sells', then: expectText('Buyers may offer less than the price.') },
  { words: 'adapt', name: 'Adapt to another site…', then: expectText('The listing is rewritten in the language') },
  { words: 'publish there', name: 'Publish there…', then: expectDialog(/./) },
  { words: 'remove from', name: 'Remove from this list', then: expectCalled('items.remove') },
  { words: 'hide', name: 'Hide it', then: expectPerformed('setListingVisibility') },
]);
testActions('the list of items', { hash: '#/items/fox', of: '' }, [
  { words: 'next item', name: 'Next item', then: expectUrl(/items\/frame$/) },
  { words: 'previous item', name: 'Previous item', then: expectUrl(/items\/fox$/) },
]);
testActions('a live listing', { hash: '#/items/shoes', of: shoes }, [
  { words: 'edit', name: 'Edit live…', then: expectFocused('textbox', 'New title') },
  { words: 'end', name: 'End listing…', then: expectText('This cannot be undone.') },
  { words: 'sell', name: 'Sell another like this', then: expectPerformed('createListing') },
  { words: 'refresh', name: 'Refresh from the marketplace', then: expectText('Refreshed from the marketplace') },
]);
testActions('an ended listing', { hash: '#/listings/lst_shoes', of: shoes, status: ['lst_shoes', 'ended'] }, [
  { words: 'bring', name: 'Bring back for review', then: expectPerformed('relistListing') },
  { words: 'another', name: 'Sell another like this', then: expectPerformed('createListing') },
]);
testActions('a failed listing', { hash: '#/listings/lst_fox', of: fox, status: ['lst_fox', 'failed'] }, [
  { words: 'take', name: 'Take it back for review', then: expectPerformed('revertListing') },
]);
testActions('a draft', { hash: '#/listings/lst_fox', of: fox, status: ['lst_fox', 'draft'] }, [
  { words: 'write', name: 'Write the listing', then: expectPerformed('generateListing') },
  { words: 'change photos', name: 'Change photos', then: expectUrl(/items\/fox$/) },
]);

test('the Find dialog opens the web page of a live listing', async ({ open }) => {
  const page = await open('#/items/shoes', {});
  await expect(page.getByRole('link', { name: 'Open listing' })).toBeVisible();
  const there = page.waitForEvent('popup');
  await runInFindDialog(page, 'open listing', `Open listing, ${shoes}`);
  expect((await there).url()).toMatch(/market\.example|about:blank|chrome-error/);
});

for (const [words, name, asks] of [
  ['change corner', 'Change there, on Corner shop (practice)…', 'Change on Corner shop (practice)'],
  ['end corner', 'End there, on Corner shop (practice)…', 'End the listing on “Corner shop (practice)”'],
  ['remove corner', 'Remove from Corner shop (practice)…', 'Remove the listing from “Corner shop (practice)”'],
] as const)
  test(`the Find dialog runs “${name}” for a listing on another channel`, async ({ open }) => {
    const page = await open('#/listings/lst_shoes', { onCorner: true });
    await expect(page.getByRole('region', { name: 'Channels', exact: true })).toContainText('Corner shop');
    await runInFindDialog(page, words, `${name}, ${shoes}`);
    await expect(page.locator(`[aria-label="${asks}"]`).or(page.getByRole('dialog', { name: asks }))).toBeVisible();
  });

test('the Find dialog marks an item as checked and opens the next item', async ({ open }) => {
  const page = await open('', { items: 'ready' });
  await page.getByRole('list', { name: 'Items' }).waitFor();
  await page.evaluate(() => {
    const { fake } = window;
    for (const { listingId, title } of fake.items)
      fake.listings[listingId ?? ''] = {
        ...fake.listings.lst_fox,
        listingId,
        title,
        packageWeightGrams: 350,
        publishBlockers: [],
      };
  });
  await page.keyboard.press('n');
  await expect(page.getByLabel('Title', { exact: true })).toBeVisible();
  await runInFindDialog(page, 'looks', 'Looks right, Red fox figurine no. 1');
  await expect(page).toHaveURL(/items\/ready-1$/);
  // The opened row has the focus, as after the key; the checked item has moved below the unchecked ones.
  const rows = page.getByRole('list', { name: 'Items' });
  await expect(rows.getByRole('link', { name: /^Film camera no\. 2 / })).toBeFocused();
  await rows.getByRole('link', { name: /^Red fox figurine no\. 1 .*Checked/ }).press('Enter');
  await expect(page).toHaveURL(/items\/ready-0$/);
  await runInFindDialog(page, 'check again', 'Check again, Red fox figurine no. 1');
  await expect(page.getByRole('button', { name: 'Looks right' })).toBeVisible();
});

test('the Find dialog lists the open item’s actions first and omits impossible actions', async ({ open }) => {
  const page = await open('#/listings/lst_shoes', {});
  await putStatus(page, 'lst_shoes', 'ended');
  await expect(page.getByRole('button', { name: 'Bring back for review' })).toBeVisible();
  await openFindDialog(page);
  await expect(getFindResults(page).first()).toHaveAccessibleName(`Bring back for review, ${shoes}`);
  await expect(getFindResults(page).nth(1)).toHaveAccessibleName(`Sell another like this, ${shoes}`);
  for (const name of ['Bring back for review', 'Sell another like this']) {
    const words = getFindResults(page).getByText(name, { exact: true });
    expect(await words.evaluate((one) => one.scrollWidth - one.clientWidth), name).toBeLessThanOrEqual(0);
  }
  for (const name of [/^Edit live/, /^End listing/, /^Publish…/, /^Discard…/, /^Edit the title/, /^Edit description/])
    await expect(getFindResults(page).filter({ hasText: name })).toHaveCount(0);
  await page.keyboard.press('Escape');
  // The actions of the listing are gone after leaving its screen.
  await page.evaluate(() => (location.hash = '/settings'));
  await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible();
  await openFindDialog(page);
  await expect(getFindResults(page).filter({ hasText: shoes })).toHaveCount(0);
});

/** Opens a draft in the Find dialog, where "Write the listing" comes first and needs no confirmation. */
const openDraft = async (page: Page): Promise<void> => {
  await putStatus(page, 'lst_fox', 'draft');
  await expect(page.getByRole('button', { name: 'Write the listing' })).toBeVisible();
  await openFindDialog(page);
  await expect(getFindResults(page).first()).toHaveAccessibleName(`Write the listing, ${fox}`);
};
const renameFox = (page: Page, title: string): Promise<void> =>
  page.evaluate((given) => {
    const { fake } = window;
    fake.listings.lst_fox = { ...fake.listings.lst_fox, title: given };
    for (const item of fake.items) if (item.listingId === 'lst_fox') item.title = given;
    for (const topic of ['listings', 'items'] as const) fake.changed(topic);
  }, title);

test('a renamed listing does not move the selection in the Find dialog', async ({ open }) => {
  const page = await open('#/listings/lst_fox', {});
  await openDraft(page);
  const chosen = getFindResults(page).and(page.locator('[aria-selected=true]'));
  await expect(async () => {
    await page.keyboard.press('ArrowDown');
    await expect(chosen).toHaveAccessibleName(`Change photos, ${fox}`, { timeout: 100 });
  }).toPass();
  await renameFox(page, 'Another name');
  await expect(getFindResults(page).first()).toHaveAccessibleName('Write the listing, Another name');
  await expect(chosen).toHaveAccessibleName('Change photos, Another name');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/items\/fox$/);
  expect(await listRoutes(page)).not.toContain('generateListing');
});

test('Enter in the Find dialog runs nothing if the selected action is no longer possible', async ({ open }) => {
  const page = await open('#/listings/lst_fox', {});
  await openDraft(page);
  await putStatus(page, 'lst_fox', 'failed');
  await expect(getFindResults(page).first()).toHaveAccessibleName(`Take it back for review, ${fox}`);
  await page.keyboard.press('Enter');
  await expect(getFindResults(page).and(page.locator('[aria-selected=true]'))).toHaveCount(0);
  await expect(getFindDialog(page)).toBeVisible();
  expect(await listRoutes(page)).not.toContain('revertListing');
  await page.keyboard.press('ArrowDown');
  await expect(getFindResults(page).first()).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expectPerformed('revertListing')(page);
});

test('Enter in the Find dialog runs nothing if another item was opened behind the dialog', async ({ open }) => {
  const page = await open('#/items/fox', {});
  await expect(page.getByLabel('Title', { exact: true })).toBeVisible();
  await openFindDialog(page);
  await page.keyboard.type('remove from', handSpeed);
  await expect(getFindResults(page).first()).toHaveAccessibleName(`Remove from this list, ${fox}`);
  // Until all results have arrived, Enter applies to the future first result.
  await expect(getFindDialog(page).getByRole('listbox')).toHaveAttribute('aria-busy', 'false');
  // A link to the app or a notification changes the route like this.
  await page.evaluate(() => (location.hash = '/items/shoes'));
  await expect(getFindResults(page).first()).toHaveAccessibleName(`Remove from this list, ${shoes}`);
  await page.keyboard.press('Enter');
  await expect(getFindResults(page).and(page.locator('[aria-selected=true]'))).toHaveCount(0);
  await expect(getFindDialog(page)).toBeVisible();
  expect(await page.evaluate(() => window.fake.asked.map((one) => one.name))).not.toContain('items.remove');
});

test('after an action in the Find dialog, the focus returns to the field it came from', async ({ open }) => {
  const page = await open('#/items/fox', {});
  const price = page.getByLabel('Price', { exact: true });
  await price.focus();
  await runInFindDialog(page, 'hide', `Hide it, ${fox}`);
  await expect(page.getByText('It is hidden from your lists')).toBeAttached();
  await expect(price).toBeFocused();
});

test('the Find dialog publishes the selected items', async ({ open }) => {
  const page = await open('', { items: 'ready6' });
  await page.getByRole('listitem', { name: /figurine no. 1 / }).waitFor();
  for (const key of ['j', 'x', 'j', 'x']) await page.keyboard.press(key);
  await expect(page.getByText('2 selected')).toBeVisible();
  await runInFindDialog(page, 'publish 2', 'Publish 2…, 2 selected');
  await expect(page.getByRole('dialog', { name: 'Publish 2 listings' })).toBeVisible();
});

const selectRows = async (page: Page, ...rows: number[]): Promise<void> => {
  await page.getByRole('row').nth(1).waitFor();
  for (const row of rows) await page.getByRole('row').nth(row).getByRole('checkbox').press('Space');
};
for (const [words, name, rows, then] of [
  ['end 2', 'End 2 listings…', [1, 2], expectDialog(/End 2/)],
  ['change 2', 'Change 2…', [1, 2], expectDialog(/Change 2/)],
  ['price', 'Price −10%…', [1, 2], expectDialog(/Change 2/)],
  ['discard', 'Discard 2…', [5, 6], expectDialog(/2/)],
] as const)
  test(`the Find dialog runs “${name}” for the selected listings`, async ({ open }) => {
    const page = await open('#/listings', {});
    await selectRows(page, ...rows);
    await runInFindDialog(page, words, `${name}, 2 selected`);
    await then(page);
    await expect(getFindDialog(page)).toBeHidden();
  });
