import type { Locator, Page } from 'playwright/test';
import { installClock, pressFast, scan } from '../handSpeed.ts';
import { expect, test } from './page.ts';

/** Writes the place and the SKU of listings into the core of the page. */
const putOnShelf = (page: Page, shelves: readonly { id: string; place: string; sku: string }[]): Promise<void> =>
  page.evaluate(async (all) => {
    for (const { id, place, sku } of all) {
      const targets = id.startsWith('lst_') ? { listingIds: [id] } : { itemIds: [id] };
      await window.companion?.call('shelf.change', { ...targets, changes: { place, sku } });
    }
  }, shelves);

/** The names of the calls, and for a request to the service that of its route. */
const listCalls = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    window.fake.asked.map(({ name, input }) =>
      name === 'service.perform' ? String((input as { route?: unknown }).route) : name,
    ),
  );

test('a scan opens the item with its SKU from any screen', async ({ open }) => {
  const page = await open('#/insights', { items: 'ready' });
  await page.getByRole('heading', { name: 'Insights', level: 1 }).waitFor();
  await putOnShelf(page, [{ id: 'ready-3', place: 'A04', sku: 'A04-3' }]);
  await scan(page, 'a04-3');
  await expect(page).toHaveURL(/#\/items\/ready-3$/);
});

test('a scanned SKU that consists of shortcut letters requests, publishes and changes nothing', async ({ open }) => {
  for (const hash of ['#/items/fox', '#/', '#/listings', '#/items/grouping', '#/listings/lst_4']) {
    const page = await open(hash, { items: hash.endsWith('grouping') ? 'sheet' : 'all' }, { instead: true });
    await page.locator('main h1, main h2').first().waitFor({ state: 'attached' });
    await page.locator('main').focus();
    const before = await listCalls(page);
    await scan(page, 'pgwupedxcnrsu?0-1');
    await expect(page.getByRole('alert').filter({ hasText: 'No item has the SKU' })).toBeVisible();
    const asked = (await listCalls(page)).slice(before.length);
    expect(asked.join(' ')).not.toMatch(
      /ask|approve|change|check\b|remove|begin|mark|number|cancel|undo|split|merge|edit/i,
    );
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(page.getByText('selected', { exact: false })).toHaveCount(0);
    await expect(page.locator('main input:focus, main textarea:focus')).toHaveCount(0);
  }
});

test('the Enter of a scan does not press the focused button', async ({ open }) => {
  const page = await open('#/items/fox', { items: 'all' });
  await page.getByRole('button', { name: 'Publish…' }).focus();
  expect((await pressFast(page, [...'X-1', 'Enter'])).at(-1)).toBe(true);
});

test('single keys and two fast keys still act, in their order', async ({ open }) => {
  const page = await open('#/items/fox', { items: 'all' });
  await page.getByLabel('Title', { exact: true }).waitFor();
  await page.keyboard.press('e');
  await expect(page.getByLabel('Title', { exact: true })).toBeFocused();
  await page.keyboard.press('Escape');
  await pressFast(page, ['k', '?']);
  await expect(page.getByRole('dialog', { name: 'Keys' })).toBeVisible();
});

test('characters without Enter at the speed of a scanner do nothing', async ({ open }) => {
  const page = await open('#/items/fox', { items: 'all' });
  await page.getByLabel('Title', { exact: true }).waitFor();
  await installClock(page);
  await pressFast(page, [...'?pe']);
  await page.clock.runFor(500);
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await pressFast(page, ['?']);
  await page.clock.runFor(500);
  await expect(page.getByRole('dialog', { name: 'Keys' })).toBeVisible();
});

test('Tab ends a scan as Enter does', async ({ open }) => {
  const page = await open('#/items/fox', { items: 'all' });
  await page.getByRole('button', { name: 'Publish…' }).focus();
  expect(await pressFast(page, [...'pdg-1', 'Tab'])).not.toContain(false);
  await expect(page.getByRole('alert').filter({ hasText: 'No item has the SKU pdg-1.' })).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('letters of a scan do not act as shortcuts even if another key or a click interrupts the scan', async ({
  open,
}) => {
  const page = await open('#/items/fox', { items: 'all' });
  await page.getByLabel('Title', { exact: true }).waitFor();
  await installClock(page);
  await pressFast(page, [...'?pd', 'ArrowDown', ...'?e', 'Enter']);
  await page.clock.runFor(500);
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await pressFast(page, [...'?pd']);
  await page.evaluate(() => document.body.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true })));
  await page.clock.runFor(500);
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await pressFast(page, ['?']);
  await page.clock.runFor(500);
  await expect(page.getByRole('dialog', { name: 'Keys' })).toBeVisible();
});

test('the keys that follow a scan at once press nothing', async ({ open }) => {
  const page = await open('#/items/fox', { items: 'all' });
  await page.getByLabel('Title', { exact: true }).waitFor();
  await installClock(page);
  const enter = 'Enter';
  for (const keys of [
    [...'A04-3', enter, enter, 'Tab', 'p', enter],
    ['p', enter, ' ', ...'abc', enter, ...'abc', enter, 'Tab', 'Tab', enter],
  ]) {
    await page.getByRole('button', { name: 'Publish…' }).focus();
    expect(await pressFast(page, keys)).not.toContain(false);
    await page.clock.runFor(500);
    await expect(page.getByRole('dialog')).toHaveCount(0);
  }
});

test('a code of one or two characters is a scan too', async ({ open }) => {
  const page = await open('#/items/fox', { items: 'all' });
  await page.getByLabel('Title', { exact: true }).waitFor();
  // The last part of the open item to be rendered reads this.
  await expect.poll(() => listCalls(page)).toContain('searchCategories');
  await installClock(page);
  const before = await listCalls(page);
  for (const code of ['7', 'BA', 'd4', 'p']) {
    await scan(page, code);
    await expect(page.getByRole('alert').filter({ hasText: `No item has the SKU ${code}.` })).toBeVisible();
    await page.clock.runFor(500);
  }
  await expect(page.getByRole('dialog')).toHaveCount(0);
  // The open item is read again from time to time, and the window reports that it is used.
  const isOther = (call: string): boolean => /^(read|list)/.test(call) || call === 'app.used';
  expect(new Set((await listCalls(page)).slice(before.length).filter((call) => !isOther(call)))).toEqual(
    new Set(['shelf.find']),
  );
});

test('a scan is typed into an edited field, and opens the item from a search field', async ({ open }) => {
  const page = await open('#/items/fox', { items: 'all' });
  await putOnShelf(page, [{ id: 'frame', place: 'B1', sku: 'B1-22' }]);
  const title = page.getByLabel('Title', { exact: true });
  await title.fill('');
  await title.pressSequentially('B1-22');
  await title.press('Enter');
  await expect(title).toHaveValue('B1-22');
  await expect(page).toHaveURL(/items\/fox$/);
  const find = page.getByLabel('Find an item');
  await find.fill('fox');
  await find.focus();
  await scan(page, 'B1-22');
  await expect(page).toHaveURL(/items\/frame$/);
  await expect(find).toHaveValue('fox');
});

test('an unknown SKU is named and can be searched, and a shared SKU shows all its items', async ({ open }) => {
  const page = await open('#/listings', { items: 'ready' });
  await page.getByText('60 listings').waitFor();
  await installClock(page);
  await scan(page, 'NOPE-1');
  await page.clock.runFor(500);
  const alert = page.getByRole('alert').filter({ hasText: 'No item has the SKU NOPE-1.' });
  await alert.waitFor();
  // What follows a scan at once is dropped.
  await page.clock.runFor(200);
  await alert.getByRole('button', { name: 'Search' }).press('Enter');
  const find = page.getByRole('combobox', { name: 'Find anything' });
  await expect(find).toHaveValue('NOPE-1');
  await page.keyboard.press('Escape');
  await putOnShelf(page, [
    { id: 'ready-3', place: 'A04', sku: 'A04-3' },
    { id: 'lst_2', place: 'A05', sku: 'A04-3' },
  ]);
  await scan(page, 'A04-3');
  await expect(find).toHaveValue('sku:"A04-3"');
  await expect(page.getByRole('option', { name: /no\. 4, Item/ })).toBeVisible();
  await expect(page.getByRole('option', { name: /^Running shoes, green, no\. 3, Listing/ })).toBeVisible();
  // A scan in the dialog closes it and opens the item.
  await putOnShelf(page, [{ id: 'lst_2', place: 'A05', sku: 'A05-1' }]);
  await scan(page, 'A05-1');
  await expect(page).toHaveURL(/listings\/lst_2$/);
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('a scan while a dialog is open leaves the dialog as it is', async ({ open }) => {
  const page = await open('#/items/fox', { items: 'all', waiting: ['publish'] });
  const prompt = page.getByRole('dialog');
  await prompt.waitFor();
  await scan(page, 'A04-3');
  await expect(page.getByText('Close the open dialog, then scan again.')).toBeVisible();
  await expect(prompt).toBeVisible();
  expect(await listCalls(page)).not.toContain('shelf.find');
});

test('each press of Space still presses the focused button or ticks a box once', async ({ open }) => {
  const page = await open('#/listings', { items: 'ready' });
  const box = page.getByRole('checkbox').first();
  await box.press('Space');
  await expect(box).toBeChecked();
  await box.focus();
  await page.keyboard.down('Space');
  await page.keyboard.down('Space');
  await page.keyboard.down('Space');
  await page.keyboard.up('Space');
  await expect(box).not.toBeChecked();
});

test('the Space at the beginning of a scanned code presses no button', async ({ open }) => {
  const page = await open('#/items/fox', { items: 'all' });
  await page.getByRole('button', { name: 'Publish…' }).focus();
  expect(await pressFast(page, [' ', ...'X-1', 'Enter'])).not.toContain(false);
  await expect(page.getByRole('alert').filter({ hasText: 'No item has the SKU X-1.' })).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

/** Presses keys in one moment in a list of options, and returns its value. */
const chooseFast = async (list: Locator, keys: readonly string[]): Promise<string> => {
  await list.focus();
  await pressFast(list.page(), keys);
  return list.inputValue();
};

test('a scan does not change a focused list of options, but a typed letter does', async ({ open }) => {
  const page = await open('#/settings', {});
  const list = page.getByLabel('Language');
  const before = await list.inputValue();
  await installClock(page);
  const asked = await listCalls(page);
  await chooseFast(list, [...'D4-1', 'Enter']);
  await expect(page.getByRole('alert').filter({ hasText: 'No item has the SKU D4-1.' })).toBeVisible();
  await page.clock.runFor(500);
  await chooseFast(list, [...'d4-1']);
  await page.clock.runFor(500);
  await expect(list).toHaveValue(before);
  const isSaved = (call: string): boolean => /settings|change/i.test(call);
  expect((await listCalls(page)).slice(asked.length).filter(isSaved)).toEqual([]);
  const chosen = await chooseFast(list, ['d']);
  expect(chosen).toBe('de');
  await page.clock.runFor(500);
  await expect(page.getByRole('heading', { name: 'Einstellungen', level: 1 })).toBeVisible();
  await expect.poll(async () => (await listCalls(page)).filter(isSaved)).not.toEqual([]);
});

test('letters at the speed of a scanner do nothing without Enter, even after a key that only moves the focus', async ({
  open,
}) => {
  const page = await open('#/items/fox', { items: 'all' });
  await page.getByLabel('Title', { exact: true }).waitFor();
  await installClock(page);
  for (const code of ['j?d', 'kp?', 'jpe']) await pressFast(page, [...code]).then(() => page.clock.runFor(500));
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.locator('main input:focus')).toHaveCount(0);
});

test('J moves through rows and Enter opens them at any typing speed', async ({ open }) => {
  const page = await open('#/listings', { items: 'ready' });
  await page.getByText('60 listings').waitFor();
  await page.keyboard.press('j');
  const pressed = await pressFast(page, [...'jjj', 'Enter']);
  expect(pressed.at(-1)).toBe(false);
  await expect(page.getByRole('alert').filter({ hasText: 'No item has the SKU' })).toHaveCount(0);
});
