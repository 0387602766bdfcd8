import type { Page } from 'playwright/test';
import { languages, type Language } from '../../../src/i18n/languages.ts';
import { screenDefinitions, screenIds } from '../../../src/ipc/screens.ts';
import { getFindDialog, getFindField, getFindResults, openFindDialog, runInFindDialog } from './findDialog.ts';
import { handSpeed } from '../handSpeed.ts';
import { expect, test } from './page.ts';

const listInputs = (page: Page, call: string): Promise<unknown[]> =>
  page.evaluate((name) => window.fake.asked.filter((one) => one.name === name).map(({ input }) => input), call);

test('Ctrl+K opens the Find dialog on every screen, and Escape restores the focus', async ({ open }) => {
  const page = await open('', {});
  for (const id of screenIds) {
    const { path } = screenDefinitions[id];
    await page.evaluate((hash) => (window.location.hash = hash), path);
    const link = page.locator(`nav a[href$="#${path}"]`);
    await expect(link).toHaveAttribute('aria-current', 'page');
    await link.focus();
    await page.keyboard.press('Control+k');
    await expect(getFindField(page)).toBeFocused();
    await expect(getFindResults(page).first()).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(getFindDialog(page)).toBeHidden();
    await expect(link).toBeFocused();
  }
  await page.evaluate(() => (window.location.hash = '/listings'));
  const find = page.getByLabel('Find a listing');
  await find.fill('fox');
  await page.keyboard.press('Control+k');
  // Until the dialog has the focus, Escape would clear the search field.
  await expect(getFindField(page)).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(find).toBeFocused();
  await expect(find).toHaveValue('fox');
});

test('the Find dialog opens items, listings, screens and sections of the settings', async ({ open }) => {
  const page = await open('#/insights', {});
  await runInFindDialog(
    page,
    'vintage red',
    'Vintage Red Fox Ceramic Figurine, Hand Painted, 12 cm, Sitting, Item, Ready to review',
  );
  await expect.poll(() => page.evaluate(() => location.hash)).toBe('#/items/fox');
  await runInFindDialog(page, 'no. 7', 'Tin robot, green, no. 7, Listing, Live, US$49.22');
  await expect.poll(() => page.evaluate(() => location.hash)).toBe('#/listings/lst_6');
  await runInFindDialog(page, 'assis', 'Assistants, Screen');
  await expect(page.getByRole('heading', { name: 'Assistants', level: 1 })).toBeVisible();
  await runInFindDialog(page, 'time to de', 'Time to decide, Settings');
  await expect(page.getByLabel('Time to decide')).toBeFocused();
  await runInFindDialog(page, 'policies', 'Policies, Selling setup');
  await expect(page.getByRole('heading', { name: 'Policies', exact: true })).toBeFocused();
});

test('the Find dialog runs actions: publish, pause, theme and new item', async ({ open }) => {
  const page = await open('#/items/fox', {});
  await expect(page.getByLabel('Title', { exact: true })).toBeVisible();
  await runInFindDialog(
    page,
    'publish vin',
    'Publish…, Vintage Red Fox Ceramic Figurine, Hand Painted, 12 cm, Sitting',
  );
  await expect(page.getByText('Shipping needs the packed weight. Enter it', { exact: false })).toBeVisible();
  await runInFindDialog(page, 'pause', 'Pause everything');
  expect(await listInputs(page, 'app.pause')).toEqual([{ paused: true }]);
  await runInFindDialog(page, 'dark', 'Theme: Dark');
  expect(await listInputs(page, 'app.settings')).toEqual([{ theme: 'dark' }]);
  // Wait for the event before the press: the file dialog opens asynchronously.
  const chooser = page.waitForEvent('filechooser');
  await runInFindDialog(page, 'new item', 'New item from photos…');
  expect((await chooser).isMultiple()).toBe(true);
});

test('the Find dialog publishes all ready items with one prompt', async ({ open }) => {
  const page = await open('#/settings', { items: 'ready6' });
  await runInFindDialog(page, 'publish all', 'Publish all 6 that are ready…');
  await expect(page.getByRole('dialog', { name: 'Publish 6 listings' })).toBeVisible();
});

test('the Find dialog opens the prompt for a single item if only one item is ready', async ({ open }) => {
  const page = await open('#/settings', { items: 'ready6' });
  await openFindDialog(page);
  await page.keyboard.type('publish all', handSpeed);
  await expect(getFindResults(page).first()).toHaveAccessibleName('Publish all 6 that are ready…');
  // The other items go live now, and the window has not been notified.
  await page.evaluate(() => {
    window.fake.items.length = 1;
  });
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: /^Publish on/ })).toBeVisible();
});

test('results in the Find dialog are chosen with arrow keys or the mouse', async ({ open }) => {
  const page = await open('', {});
  await openFindDialog(page);
  await page.keyboard.type('theme', handSpeed);
  await expect(getFindField(page)).toHaveAttribute('aria-activedescendant', /./);
  await page.keyboard.press('ArrowDown');
  await expect(getFindResults(page).nth(1)).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  await expect(getFindResults(page).last()).toHaveAttribute('aria-selected', 'true');
  await getFindField(page).fill('xyzzy');
  await expect(getFindDialog(page).getByRole('status')).toHaveText('Nothing found.');
  await getFindField(page).fill('insights');
  await getFindResults(page).first().click();
  await expect(page.getByRole('heading', { name: 'Insights', level: 1 })).toBeVisible();
});

test('in a narrow window a search result has its name above its kind', async ({ open }) => {
  const page = await open('', {}, { width: 480 });
  await openFindDialog(page);
  await page.keyboard.type('vintage', handSpeed);
  await expect(getFindResults(page).first()).toHaveAccessibleName(/, Item, /);
  const [name, about] = await getFindResults(page)
    .first()
    .evaluate((hit) =>
      [...hit.querySelectorAll(':scope > span')].slice(-2).map((one) => {
        const words = document.createRange();
        words.selectNodeContents(one);
        return { start: words.getBoundingClientRect().x, shown: one.getBoundingClientRect() };
      }),
    );
  expect(about?.start).toBeCloseTo(name?.start ?? 0, 0);
  expect(about?.shown.y).toBeGreaterThan(name?.shown.y ?? 0);
  // The name uses the whole line beside the photo.
  const line = (await getFindResults(page).first().boundingBox()) ?? { x: 0, width: 0 };
  expect(name?.shown.right).toBeGreaterThan(line.x + line.width - 16);
});

for (const language of Object.keys(languages) as Language[])
  test(`the Find dialog’s placeholder fits in narrow and wide windows: ${language}`, async ({ open }) => {
    const page = await open('', { language }, { width: 480 });
    await expect(page.locator('main :is(h1, h2)').first()).toBeAttached();
    await page.keyboard.press('Control+k');
    const field = page.getByRole('dialog').getByRole('combobox');
    await expect(field).toBeFocused();
    for (const width of [480, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      const [hint, room] = await field.evaluate((one) => {
        const { placeholder, clientWidth } = one as HTMLInputElement;
        const pen = document.createElement('canvas').getContext('2d');
        if (pen) pen.font = getComputedStyle(one).font;
        return [pen?.measureText(placeholder).width ?? Infinity, clientWidth];
      });
      expect(hint, String(width)).toBeLessThanOrEqual(room);
    }
  });

test('the Find dialog has groups, rows 40 pixels high and shortcut keys, and its first row never publishes', async ({
  open,
}) => {
  const page = await open('#/items/fox', {});
  await expect(page.getByLabel('Title', { exact: true })).toBeVisible();
  await openFindDialog(page);
  await expect(getFindDialog(page).getByRole('group')).toHaveCount(3);
  await expect(getFindDialog(page).getByRole('group').first()).toHaveAccessibleName(/^Vintage Red Fox/);
  for (const words of ['', 'p', 'pub']) {
    await getFindField(page).fill(words);
    await expect(getFindResults(page).first()).not.toHaveAccessibleName(/^Publish( there| all.*)?…/);
  }
  await getFindField(page).fill('');
  const publish = getFindResults(page).filter({ hasText: 'Publish…' });
  await expect(publish.locator('kbd')).toHaveText('P');
  await expect(getFindDialog(page).getByRole('listbox')).toHaveAttribute('aria-busy', 'false');
  for (const width of [1280, 480]) {
    await page.setViewportSize({ width, height: 800 });
    const heights = await getFindResults(page).evaluateAll((rows) => rows.map((row) => row.clientHeight));
    expect(new Set(heights), `at ${width} px`).toEqual(new Set([40]));
  }
});

test('an item that opens late leaves the focus in the Find dialog', async ({ open }) => {
  const page = await open('#/items/ready-1', { items: 'ready' });
  await page.getByLabel('Title', { exact: true }).waitFor();
  await page.evaluate(() => window.fake.slow.push('items.beside'));
  await page.keyboard.press('n');
  await openFindDialog(page);
  await page.evaluate(() => window.fake.answer());
  await expect(page).toHaveURL(/items\/ready-2$/);
  await expect(getFindField(page)).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(getFindDialog(page)).toBeHidden();
});
