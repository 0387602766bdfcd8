import { readFileSync } from 'node:fs';
import type { Page } from 'playwright/test';
import { expect, test } from './page.ts';

const countRequests = (page: Page, route: string): Promise<number> =>
  page.evaluate(
    (name) => window.fake.asked.filter(({ input }) => (input as { route?: string } | null)?.route === name).length,
    route,
  );

test('sales are summed by currency and shown as a chart and a table', async ({ open }) => {
  const page = await open('#/insights', {});
  const sales = page.getByRole('region', { name: 'Sales', exact: true });
  await expect(sales.getByRole('tab')).toHaveCount(2);
  await expect(sales.getByRole('tab', { name: /period before$/ })).toHaveCount(2);
  await expect(
    sales
      .getByRole('img', { name: /^Revenue in/ })
      .locator('path')
      .first(),
  ).toBeVisible();
  await expect(sales.getByRole('row')).toHaveCount(0);
  await sales.getByText('Show as a table').click();
  await expect(sales.getByRole('group', { name: 'Sales over time' }).getByRole('row')).toHaveCount(31);
  // Five weeks, the 30 days before together, and then each day.
  expect(await countRequests(page, 'readInsightsSummary')).toBe(36);
  await sales.getByRole('tab').first().press('ArrowRight');
  await sales.getByText('Show as a table').click();
  await expect(sales.getByRole('row').filter({ hasText: '€59.00' }).first()).toBeVisible();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    sales.getByRole('button', { name: 'Export CSV' }).click(),
  ]);
  // The day of the sale depends on the day of the test.
  expect(readFileSync(await download.path(), 'utf8').split('\r\n')).toContainEqual(
    expect.stringMatching(/^\d{4}-\d{2}-\d{2},\d{4}-\d{2}-\d{2},1,1,59,EUR$/),
  );
});

test('the sales sums need six requests, and only weeks with sales are read by day', async ({ open }) => {
  const page = await open('#/insights', {});
  const sales = page.getByRole('region', { name: 'Sales', exact: true });
  await expect(
    sales
      .getByRole('img', { name: /^Revenue in/ })
      .locator('path')
      .first(),
  ).toBeVisible();
  const spans = await page.evaluate(() =>
    window.fake.asked.flatMap(({ input }) => {
      const { route, input: sent } = input as { route?: string; input?: { query: { from: string; to: string } } };
      return route === 'readInsightsSummary' && sent ? [sent.query] : [];
    }),
  );
  expect(spans.slice(0, 6).filter(({ from, to }) => from === to)).toEqual([]);
  expect(spans.slice(6).filter(({ from, to }) => from !== to)).toEqual([]);
  const empty = await open('#/insights', { listings: 0, noSales: true }, { instead: true });
  await expect(empty.getByText('No sales in this period.')).toBeVisible();
  expect(await countRequests(empty, 'readInsightsSummary')).toBe(6);
});

test('sales by item and by day are read only on request', async ({ open }) => {
  const page = await open('#/insights', {});
  await expect(page.getByRole('region', { name: 'Inventory' }).first()).toContainText('112');
  expect([await countRequests(page, 'readItemSales'), await countRequests(page, 'readDaySales')]).toEqual([0, 0]);
  await page.getByRole('button', { name: 'Show sales by item' }).click();
  await expect(page.getByRole('region', { name: 'Items that sold' }).last().getByRole('row').nth(1)).toContainText(
    'Film camera, blue',
  );
  await page.getByLabel('Day', { exact: true }).fill('2026-11-03');
  await page.getByLabel('Day', { exact: true }).press('Enter');
  await expect(page.getByRole('region', { name: 'One day' }).last()).toContainText('€59.00');
  expect([await countRequests(page, 'readItemSales'), await countRequests(page, 'readDaySales')]).toEqual([1, 1]);
});

test('figures are right-aligned, and one CSV row is exported per sale', async ({ open }) => {
  const page = await open('#/insights', {});
  await page.getByRole('button', { name: 'Show sales by item' }).click();
  const day = page.getByRole('region', { name: 'One day' }).last();
  await day.getByRole('button', { name: 'Show the day' }).click();
  await expect(day.getByRole('row')).not.toHaveCount(0);
  for (const cell of await page.getByRole('cell').all()) {
    const text = (await cell.textContent()) ?? '';
    if (/^[\p{Sc}A-Z]*[\d.,]+$/u.test(text)) await expect(cell).toHaveCSS('text-align', 'end');
  }
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    day.getByRole('button', { name: 'Export CSV' }).click(),
  ]);
  const [head, ...lines] = readFileSync(await download.path(), 'utf8')
    .trim()
    .split('\r\n');
  expect(head).toMatch(/Listing,Time,Item,Items,Price,Total,Currency$/);
  expect(lines).toHaveLength((await day.getByRole('row').count()) - 1);
});

test('without sales the oldest live listings are still listed', async ({ open }) => {
  const page = await open('#/insights', { noSales: true });
  await expect(page.getByText('No sales in this period.')).toBeVisible();
  const slow = page.getByRole('region', { name: 'Oldest live listings' }).last();
  await expect(slow.getByRole('row')).toHaveCount(11);
});

test('totals, chart and inventory are visible without scrolling at 1280 × 800', async ({ open }) => {
  const page = await open('#/insights', {});
  const chart = page.getByRole('img', { name: /^Revenue in/ });
  await expect(page.getByRole('tab').first()).toBeInViewport({ ratio: 1 });
  await expect(chart).toBeInViewport({ ratio: 1 });
  expect((await chart.boundingBox())?.height).toBe(240);
  const inventory = page.getByRole('region', { name: 'Inventory' });
  await expect(inventory.getByRole('list')).toBeInViewport({ ratio: 1 });
  await expect(inventory.getByText(/^Asking value of what is live: US\$/)).toBeInViewport({ ratio: 1 });
});

test('a fall in sales has a minus sign beside its arrow', async ({ open }) => {
  const page = await open('#/insights', {});
  const sales = page.getByRole('region', { name: 'Sales', exact: true });
  const period = sales.getByRole('combobox');
  const tabs = sales.getByRole('tab', { name: /period before$/ });
  await expect(tabs).toHaveCount(2);
  const falls: string[] = [];
  // Months have different numbers of days, so some sell less than the period before.
  for (const name of (await period.locator('option').allTextContents()).slice(4)) {
    const former = await tabs.first().elementHandle();
    await period.selectOption(name);
    await page.waitForFunction((tab) => tab?.isConnected === false, former);
    await expect(tabs).toHaveCount(2);
    falls.push(...(await tabs.allTextContents()).flatMap((text) => /↓.*/.exec(text) ?? []));
    if (falls.length > 0) break;
  }
  expect(falls[0]).toMatch(/^↓ −\d/);
});
