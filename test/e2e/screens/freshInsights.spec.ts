import { readFileSync } from 'node:fs';
import type { Page } from 'playwright/test';
import { expect, test, type Open } from './page.ts';

const countRequests = (page: Page, route: string): Promise<number> =>
  page.evaluate(
    (name) => window.fake.asked.filter(({ input }) => (input as { route?: string } | null)?.route === name).length,
    route,
  );

const countAskedReads = (page: Page): Promise<number> =>
  page.evaluate(() => window.fake.asked.filter(({ name }) => name === 'listings.counts').length);

const countAnsweredReads = (page: Page): Promise<number> =>
  page.evaluate(() => window.fake.answered.filter((name) => name === 'listings.counts').length);

/** Changes the status of one listing and waits until the window has read the new counts. */
const changeStatus = async (page: Page, from: string, to: 'published' | 'sold' | 'ended'): Promise<void> => {
  const before = await countAskedReads(page);
  await page.evaluate(
    ({ was, is }) => {
      const { fake } = window;
      const row = fake.rows.find(({ status }) => status === was);
      fake.rows = fake.rows.map((one) => (one === row ? { ...one, status: is } : one));
      fake.changed('listings');
    },
    { was: from, is: to },
  );
  await expect.poll(() => countAskedReads(page)).toBeGreaterThan(before);
  await expect.poll(async () => (await countAskedReads(page)) - (await countAnsweredReads(page))).toBe(0);
};

const countFigureReads = async (page: Page): Promise<number[]> => [
  await countRequests(page, 'readInsightsSummary'),
  await countRequests(page, 'readInventory'),
];

/** The bars are drawn when the figures of all days are loaded. */
const waitForChart = (page: Page): Promise<void> =>
  expect(
    page
      .getByRole('img', { name: /^Revenue in/ })
      .locator('path')
      .first(),
  ).toBeVisible();

/** Opens the sales figures at noon, so that the day does not end during a test. */
const openInsightsAtNoon = async (open: Open): Promise<Page> => {
  const page = await open('#/help', {});
  await page.clock.install({ time: new Date().setUTCHours(12, 0, 0, 0) });
  await page.evaluate(() => void (location.hash = '#/insights'));
  return page;
};

test('sales figures are read again after changes, but at most once a minute', async ({ open }) => {
  const page = await openInsightsAtNoon(open);
  await expect(page.getByRole('region', { name: 'Inventory' }).first()).toContainText('112');
  await waitForChart(page);
  expect(await countFigureReads(page)).toEqual([36, 1]);
  await changeStatus(page, 'published', 'sold');
  await changeStatus(page, 'ended', 'published');
  await page.clock.fastForward(10_000);
  expect(await countFigureReads(page)).toEqual([36, 1]);
  await page.clock.fastForward(51_000);
  await expect.poll(() => countFigureReads(page)).toEqual([39, 2]);
  await page.clock.fastForward(300_000);
  await page.evaluate(() => window.fake.changed('listings'));
  await page.clock.fastForward(300_000);
  expect(await countFigureReads(page)).toEqual([39, 2]);
  await changeStatus(page, 'published', 'ended');
  await expect.poll(() => countFigureReads(page)).toEqual([42, 3]);
  expect(await countRequests(page, 'readItemSales')).toBe(0);
});

test('sales made while another screen is open are read when the person returns', async ({ open }) => {
  const page = await openInsightsAtNoon(open);
  await expect(page.getByRole('region', { name: 'Inventory' }).first()).toContainText('112');
  await waitForChart(page);
  await page.getByRole('link', { name: 'Notifications, 2 unread' }).press('Enter');
  await expect(page.getByRole('heading', { name: 'Notifications' })).toBeVisible();
  await page.evaluate(() => {
    window.fake.notices = [
      { ...window.fake.notices[0], notifId: 'ntf_new', kind: 'sale' },
      ...window.fake.notices,
    ] as typeof window.fake.notices;
    window.fake.changed('notifications');
  });
  await page.clock.fastForward(61_000);
  expect(await countFigureReads(page)).toEqual([36, 1]);
  await page.getByRole('link', { name: 'Insights' }).press('Enter');
  await expect.poll(() => countFigureReads(page)).toEqual([39, 2]);
});

test('a return to the screen within the hour does not read past days again', async ({ open }) => {
  const page = await openInsightsAtNoon(open);
  await expect.poll(() => countFigureReads(page)).toEqual([36, 1]);
  await waitForChart(page);
  await page.getByRole('link', { name: 'Assistants' }).press('Enter');
  await expect(page.getByRole('heading', { name: 'Assistants', exact: true })).toBeVisible();
  await page.clock.fastForward(20 * 60_000);
  await page.getByRole('link', { name: 'Insights' }).press('Enter');
  await waitForChart(page);
  expect(await countFigureReads(page)).toEqual([39, 2]);
});

test('sales of a calendar month are read from its first to its last day', async ({ open }) => {
  const page = await open('#/insights', {});
  const sales = page.getByRole('region', { name: 'Sales', exact: true });
  const month = await page.evaluate(() => {
    const now = new Date();
    return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1)).toISOString().slice(0, 7);
  });
  await expect.poll(() => countRequests(page, 'readInsightsSummary')).toBe(36);
  await sales.getByLabel('Period', { exact: true }).selectOption(month);
  const days = new Date(Number(month.slice(0, 4)), Number(month.slice(5)), 0).getDate();
  await sales.getByText('Show as a table').click();
  await expect(sales.getByRole('group', { name: 'Sales over time' }).getByRole('row')).toHaveCount(days + 1);
  const spans = await page.evaluate(
    (wanted) =>
      window.fake.asked
        .map(({ input }) => (input as { input?: { query?: { from?: string; to?: string } } }).input?.query)
        .filter((query) => query?.from !== undefined)
        .filter((query) => query?.from?.startsWith(wanted) && query.to === query.from)
        .map((query) => query?.from)
        .toSorted(),
    month,
  );
  // Days that the last 30 days already contain are not read again.
  expect(spans).toHaveLength(days);
  expect([spans[0], new Set(spans).size]).toEqual([`${month}-01`, days]);
});

test('the sales of one day are exported as CSV with one row per sale', async ({ open }) => {
  const page = await open('#/insights', {});
  await page.getByLabel('Day', { exact: true }).fill('2026-11-03');
  await page.getByLabel('Day', { exact: true }).press('Enter');
  const day = page.getByRole('region', { name: 'One day' }).last();
  await expect(day.getByRole('columnheader')).toHaveText(['Time', 'Item', 'Items', 'Price', 'Total']);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    day.getByRole('button', { name: 'Export CSV' }).click(),
  ]);
  expect(readFileSync(await download.path(), 'utf8').split('\r\n')).toEqual([
    'Listing,Time,Item,Items,Price,Total,Currency',
    'lst_shoes,2026-11-03T09:30:00.000Z,Running shoes,1,59,59,EUR',
    expect.anything(),
  ]);
});

test('a period without sales has no chart', async ({ open }) => {
  const page = await open('#/insights', { noSales: true });
  await expect(page.getByText('No sales in this period.')).toBeVisible();
  await expect(page.getByRole('img', { name: /^Revenue in/ })).toHaveCount(0);
  const inventory = page.getByRole('region', { name: 'Inventory' }).first();
  await expect(inventory.getByRole('listitem').first()).toHaveText(/^Live \d+$/);
});
