import type { Page } from 'playwright/test';
import { installClock } from '../handSpeed.ts';
import { expect, test } from './page.ts';

const getRows = (page: Page) => page.getByRole('list', { name: 'Items' }).getByRole('listitem');

test('Escape closes the keys dialog and restores the focus', async ({ open }) => {
  const page = await open('', { items: 'sheet' });
  const keys = page.getByRole('dialog', { name: 'Keys' });
  await page.getByRole('link', { name: 'Check the grouping' }).waitFor();
  await page.keyboard.press('?');
  await expect(keys).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(keys).toHaveCount(0);
  await page.getByRole('link', { name: 'Check the grouping' }).click();
  const tile = page.locator('[data-tile="sheet0-0"]');
  await expect(tile).toBeFocused();
  await page.keyboard.press('?');
  await expect(keys.locator(':focus')).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(keys).toHaveCount(0);
  await expect(tile).toBeFocused();
});

test('a withdrawn prompt leaves the selection and the focus unchanged', async ({ open }) => {
  const page = await open('', { items: 'ready' });
  await page.getByRole('button', { name: 'Select all ready to review (20)' }).waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('Control+a');
  await expect(page.getByText('20 selected')).toBeVisible();
  await page.keyboard.press('p');
  const prompt = page.getByRole('dialog', { name: /^Publish \d+/ });
  await expect(prompt.locator(':focus')).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(prompt).toHaveCount(0);
  await expect(page.getByText('20 selected')).toBeVisible();
  await expect(getRows(page).first().getByRole('link')).toBeFocused();
});

test('after Escape closes a finished batch, no banner about the batch remains', async ({ open }) => {
  const page = await open('', { items: 'ready6' });
  await page.evaluate(() => (window.fake.beatMs = 20));
  await page.getByRole('button', { name: /Select all ready to review/ }).click();
  await page.getByRole('button', { name: /^Publish \d+…/ }).click();
  const prompt = page.getByRole('dialog');
  await prompt.getByRole('button', { name: /^Publish \d/ }).click();
  await expect(prompt.getByRole('button', { name: 'Close' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(prompt).toHaveCount(0);
  await expect.poll(() => page.evaluate(() => window.fake.batches)).toEqual([]);
  await expect(page.getByRole('button', { name: 'Show', exact: true })).toHaveCount(0);
});

test('the focus returns to a listing’s row after the listing is closed', async ({ open }) => {
  const page = await open('#/listings', {});
  const row = page.getByRole('link', { name: 'Film camera, blue, no. 1', exact: true });
  await row.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('region', { name: 'Listing', exact: true }).waitFor();
  await page.keyboard.press('Escape');
  await expect(row).toBeFocused();
});

test('another screen renders after the task that opens it, and a listing of the same screen within it', async ({
  open,
}) => {
  const page = await open('#/listings', {});
  await page.getByRole('link', { name: 'Film camera, blue, no. 1', exact: true }).waitFor();
  /** Returns the names of the screen and of the open listing after the window has handled the new address. */
  const goTo = (hash: string): Promise<(string | null | undefined)[]> =>
    page.evaluate(async (to) => {
      const changed = new Promise((resolve) => window.addEventListener('hashchange', resolve, { once: true }));
      window.location.hash = to;
      await changed;
      const [title, pane] = ['main h1', 'main section[aria-label="Listing"]'].map((one) => document.querySelector(one));
      return [title?.textContent, pane?.ariaLabel];
    }, hash);
  expect(await goTo('#/listings/lst_fox')).toEqual(['Listings', 'Listing']);
  expect(await goTo('#/insights')).toEqual(['Listings', 'Listing']);
  await expect(page.getByRole('heading', { name: 'Insights', level: 1 })).toBeVisible();
});

test('the main region has no outline when focused', async ({ open }) => {
  const page = await open('#/insights', {});
  await page.getByRole('heading', { name: 'Insights', level: 1 }).waitFor();
  await page.keyboard.press('Tab');
  await page.locator('main').focus();
  await expect(page.locator('main')).toHaveCSS('outline-style', 'none');
});

test('“Use suggested” focuses the price, and E focuses the end of the title', async ({ open }) => {
  const page = await open('#/items/fox', {});
  await page.getByRole('button', { name: 'Use suggested' }).press('Enter');
  await expect(page.getByLabel('Price', { exact: true })).toBeFocused();
  await page.keyboard.press('Escape');
  await page.keyboard.press('e');
  const title = page.getByLabel('Title', { exact: true });
  await expect(title).toBeFocused();
  await page.keyboard.type(' 1970');
  await expect(title).toHaveValue(/ 1970$/);
});

test('Escape in the “Sell for real” form returns the focus to the button that opened it', async ({ open }) => {
  const page = await open('', { state: { connection: 'none' } });
  await page.getByRole('button', { name: 'What it takes' }).press('Enter');
  await expect(page.getByLabel('Address of the service')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'What it takes' })).toBeFocused();
});

test('a field keeps its width while its edit waits to be sent', async ({ open }) => {
  const page = await open('#/items/fox', {});
  await page.evaluate(() => window.fake.slow.push('updateListing'));
  const quantity = page.getByLabel('Quantity', { exact: true });
  await page.getByLabel('Title', { exact: true }).fill('Fox');
  await quantity.fill('2');
  const before = await quantity.boundingBox();
  await quantity.press('Tab');
  await expect(page.getByText('Saved after the edit before it')).toBeVisible();
  expect((await quantity.boundingBox())?.width).toBeCloseTo(before?.width ?? 0, 0);
  const words = await page.getByText('Saved after the edit before it').boundingBox();
  expect(words?.width).toBeGreaterThan(100);
});

test('a suggested plan is shown by its name', async ({ open }) => {
  const how = { call: { path: '/billing/external-checkout-token/portal', body: {} } };
  const page = await open('#/account', { standing: { upgrade: { recommended: true, suggestedPlan: 'lite', how } } });
  await expect(page.getByText(/Suggested: Lite\./)).toBeVisible();
});

test('the fields of a bulk edit are in one line', async ({ open }) => {
  const page = await open('#/listings', {});
  await page.getByRole('rowgroup').getByRole('row').nth(4).getByRole('checkbox').click();
  await page.getByRole('rowgroup').getByRole('row').nth(5).getByRole('checkbox').click();
  const change = page.getByRole('button', { name: 'Change 2…' });
  await change.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Change 2 at once' });
  const tops = async (): Promise<number[]> => {
    const fields = ['What', 'How', 'Percent (−10 lowers by 10 %)', 'Ending'];
    const boxes = await Promise.all(fields.map((name) => dialog.getByLabel(name, { exact: true }).boundingBox()));
    return [...new Set(boxes.map((box) => Math.round(box?.y ?? 0)))];
  };
  expect(await tops()).toHaveLength(1);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(change).toBeFocused();
});

test('a pending approval in the history names its action once', async ({ open }) => {
  const page = await open('#/approvals', {});
  await page.getByLabel('Search the history').fill('approval.asked');
  const question = page.getByRole('region', { name: 'History' }).getByRole('button', { name: /Publish on/ });
  await expect(question.first()).not.toHaveText(/Publish on.*Publish on/);
});

test('a dot distinguishes a live listing from an ended one, without green', async ({ open }) => {
  const page = await open('#/listings/lst_fox', {});
  const put = (status: string): Promise<void> =>
    page.evaluate((given) => {
      const { fake } = window;
      fake.listings.lst_fox = { ...fake.listings.lst_fox, status: given, everLive: true };
      fake.changed('listings');
    }, status);
  const pane = page.getByRole('region', { name: 'Listing', exact: true });
  const readDot = (words: string): Promise<string> =>
    pane
      .getByRole('paragraph')
      .filter({ hasText: new RegExp(`^${words}$`) })
      .evaluate((line) => getComputedStyle(line, '::before').content);
  await put('published');
  expect(await readDot('Live')).toBe('""');
  const live = pane.getByRole('paragraph').filter({ hasText: /^Live$/ });
  const colour = await live.evaluate((line) => getComputedStyle(line).color);
  expect(colour).toBe(await page.evaluate(() => getComputedStyle(document.body).color));
  await put('ended');
  expect(await readDot('Ended')).toBe('none');
});

test('changed values are shown above unchanged values in a prompt', async ({ open }) => {
  const page = await open('', { waiting: ['revise'] });
  await page.setViewportSize({ width: 1280, height: 800 });
  const prompt = page.getByRole('dialog');
  const changes = await prompt.getByRole('table', { name: 'What changes' }).getByRole('row').nth(1).boundingBox();
  const answers = await prompt.getByRole('button', { name: 'Not now' }).boundingBox();
  const stays = await prompt.locator('dt').first().boundingBox();
  expect(changes?.y).toBeLessThan(stays?.y ?? 0);
  expect(changes?.y).toBeLessThan(answers?.y ?? 0);
});

test('a long start shows what happens and how far it is, and the window opens when it is over', async ({ open }) => {
  const page = await open('#/', {
    start: { name: 'copyBackup', progress: { done: 300, total: 400 }, isCancellable: true },
  });
  await expect(page.getByText('The copy replaces your data.')).toBeVisible();
  await expect(page.getByRole('progressbar', { name: 'Progress of the start' })).toHaveJSProperty('position', 0.75);
  await page.getByRole('button', { name: 'Cancel and keep the current data' }).click();
  await expect.poll(() => page.evaluate(() => window.fake.asked.map(({ name }) => name))).toContain('start.cancel');
  await page.evaluate(() => {
    window.fake.start = { name: 'update', progress: null, isCancellable: false };
    window.fake.changed('start');
  });
  await expect(page.getByText('Your data is being updated for this version.')).toBeVisible();
  await expect(page.getByRole('button')).toHaveCount(0);
  await page.evaluate(() => {
    window.fake.start = null;
    window.fake.changed('start');
  });
  await expect(page.getByRole('navigation')).toBeVisible();
});

test('damage that a check finds offers a restart, and the start is shown until it is over', async ({ open }) => {
  const page = await open('#/', {
    state: { readOnly: { code: 'DATA_DAMAGED', sentence: 'The companion’s data is damaged. Restart it.' } },
  });
  await page.getByRole('button', { name: 'Restart now' }).click();
  await expect(page.getByText('The companion restarts.')).toBeVisible();
});

test('a check after a crash shows its progress above every screen', async ({ open }) => {
  const page = await open('#/settings', {
    state: {
      readOnly: { code: 'DATA_CHECKING', sentence: 'The data is being checked.' },
      checkProgress: { done: 30, total: 120 },
    },
  });
  await expect(page.getByRole('progressbar', { name: 'Progress of the check' })).toHaveJSProperty('position', 0.25);
});

test('the window reports that the person uses it, at most once a second', async ({ open }) => {
  const page = await open('', { items: 'ready' });
  await installClock(page);
  const countReports = () => page.evaluate(() => window.fake.asked.filter(({ name }) => name === 'app.used').length);
  /** No time passes between the events, because they are in one task. */
  const use = () =>
    page.evaluate(() => {
      const others = ['pointermove', 'wheel', 'scroll'].map((name) => new Event(name));
      for (const event of [new KeyboardEvent('keydown', { key: 'Shift' }), ...others]) document.dispatchEvent(event);
    });
  for (let second = 0; second < 3; second += 1) {
    await page.clock.runFor(1_000);
    const before = await countReports();
    await use();
    expect(await countReports()).toBe(before + 1);
  }
});
