import type { Page } from 'playwright/test';
import { getFindResults, openFindDialog } from './findDialog.ts';
import { expect, test } from './page.ts';

const listHeadings = (page: Page) => page.getByRole('main').getByRole('heading', { level: 2 });

for (const [name, hash] of [
  ['Settings', '#/settings'],
  ['Selling setup', '#/selling'],
  ['Account', '#/account'],
] as const) {
  test(`${name} lists its sections at the left, and none is higher than 720 pixels`, async ({ open }) => {
    const page = await open(hash, {});
    const index = page.getByRole('navigation', { name: 'Sections of this screen' });
    await expect(page.locator('main [aria-busy=true]')).toHaveCount(0);
    await expect(listHeadings(page).nth(4)).toBeVisible();
    // Some sections appear only when their data have been read.
    await expect(async () => {
      const titles = await listHeadings(page).allTextContents();
      expect(titles.length).toBeGreaterThan(4);
      await expect(index.getByRole('button')).toHaveText(titles, { timeout: 1_000 });
    }).toPass();
    const heights = await page
      .locator('main section:has(> h2)')
      .evaluateAll((all) => all.map((one) => [one.getAttribute('aria-label'), one.clientHeight] as const));
    expect(heights.filter(([, height]) => height > 720)).toEqual([]);
    await index.getByRole('button').last().press('Enter');
    await expect(listHeadings(page).last()).toBeFocused();
    await expect(listHeadings(page).last()).toBeInViewport();
  });

  test(`the Find dialog reaches each section of ${name}`, async ({ open }) => {
    const page = await open(hash, {});
    await expect(page.locator('main [aria-busy=true]')).toHaveCount(0);
    await expect(listHeadings(page).nth(4)).toBeVisible();
    for (const title of await listHeadings(page).allTextContents()) {
      await openFindDialog(page);
      await page.keyboard.type(title);
      await expect(getFindResults(page).getByText(title, { exact: true }).first()).toBeVisible();
      await page.keyboard.press('Escape');
    }
  });
}

test('a chosen section stays in view while those above it load, until the person scrolls', async ({ open }) => {
  const page = await open('#/settings', {});
  await page.evaluate(() => {
    window.fake.slow.push('readStanding', 'listKeys', 'listPlans', 'readUser');
    location.hash = '#/account';
  });
  const last = listHeadings(page).last();
  await expect(last).toHaveText('Disconnect');
  await page.getByRole('navigation', { name: 'Sections of this screen' }).getByText('Disconnect').press('Enter');
  await expect(last).toBeFocused();
  const loading = page.locator('main [aria-busy=true]');
  expect(await loading.count()).toBeGreaterThan(1);
  await expect(async () => {
    await page.evaluate(() => window.fake.answer());
    await expect(loading).toHaveCount(0, { timeout: 200 });
  }).toPass();
  await expect(last).toBeInViewport();

  await page.mouse.move(700, 400);
  await page.mouse.wheel(0, -10_000);
  await expect(last).not.toBeInViewport();
  await page.setViewportSize({ width: 1000, height: 700 });
  await expect(page.getByRole('heading', { level: 1 })).toBeInViewport();
  await expect(last).not.toBeInViewport();
});

test('Help lists its sections at the left', async ({ open }) => {
  const page = await open('#/help', {});
  const index = page.getByRole('navigation', { name: 'Sections of this screen' });
  await expect(listHeadings(page).first()).toBeVisible();
  await expect(index.getByRole('button')).toHaveText(await listHeadings(page).allTextContents());
  await index.getByRole('button', { name: 'Keys' }).press('Enter');
  await expect(page.getByRole('heading', { name: 'Keys' })).toBeFocused();
});

test('a setting is one row of 56 pixels with its control of 240 pixels at the right', async ({ open }) => {
  const page = await open('#/settings', {});
  const theme = page.getByLabel('Theme', { exact: true });
  const row = page.locator('.mantine-InputWrapper-root').filter({ has: theme });
  await expect(theme).toBeVisible();
  const [control, whole] = [await theme.boundingBox(), await row.boundingBox()];
  expect(control?.width).toBe(240);
  expect(Math.round(whole?.height ?? 0)).toBeGreaterThanOrEqual(56);
  expect((control?.x ?? 0) + (control?.width ?? 0)).toBeCloseTo((whole?.x ?? 0) + (whole?.width ?? 0), 0);
});

test('the plan shows how many of its listings are left', async ({ open }) => {
  const page = await open('#/account', {});
  const meter = page.getByRole('meter', { name: 'Left this period' });
  await expect(meter).toHaveAttribute('aria-valuenow', /\d+/);
  await expect(meter).toHaveAttribute('aria-valuemax', /\d+/);
});
