import type { Locator, Page } from 'playwright/test';
import { expect, test } from './page.ts';

const listInputs = (page: Page, name: string) =>
  page.evaluate((wanted) => window.fake.asked.filter((one) => one.name === wanted).map(({ input }) => input), name);

test('the sidebar counts unread news, except of items that Items counts', async ({ open }) => {
  const page = await open('', {});
  const bell = page.getByRole('link', { name: 'Notifications, 2 unread' });
  await expect(bell).toHaveText('Notifications2');
  await bell.press('Enter');
  const sales = page.getByRole('list', { name: 'Sales, newest first' }).getByRole('listitem');
  const rows = page.getByRole('list', { name: 'Notifications, newest first' }).locator('> li');
  await expect(sales).toHaveCount(1);
  await expect(sales.first()).toContainText('A04 · A04-3 · Film camera, blueSale · ada‹U+202E›lovelace · 4 min ago');
  await expect(sales.first()).toContainText('US$34.99');
  await expect(sales.first()).toContainText('Unread');
  await expect(rows).toHaveCount(6);
  await expect(rows.nth(1)).toContainText('Unread');
  await expect(rows.nth(4)).toContainText('Not sold');
  await expect(rows.nth(5)).toContainText('Notice');
  await expect.poll(() => listInputs(page, 'notifications.viewed')).toHaveLength(1);
  const main = page.getByRole('main');
  await expect(main.getByRole('status').filter({ hasText: '4 unread' })).toBeVisible();
  await expect(bell).toBeVisible();
  await rows.nth(0).getByRole('button', { name: 'Mark as read' }).click();
  await expect(main.getByRole('status').filter({ hasText: '3 unread' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Notifications, 1 unread' })).toHaveText('Notifications1');
  await main.getByRole('button', { name: 'Mark all as read' }).first().click();
  await expect(page.getByRole('link', { name: 'Notifications', exact: true })).toHaveText('Notifications');
  await expect(main.getByText(/unread/i)).toHaveCount(0);
});

test('keyboard navigation marks a notification as read and opens its listing', async ({ open }) => {
  const page = await open('#/notifications', {});
  const sale = page.getByRole('list', { name: 'Sales, newest first' }).getByRole('listitem');
  const rows = page.getByRole('list', { name: 'Notifications, newest first' }).locator('> li');
  await expect(rows).toHaveCount(6);
  await page.keyboard.press('j');
  await expect(sale.getByRole('link', { name: 'Open the listing' })).toBeFocused();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await expect(rows.nth(0).getByRole('button')).toHaveCount(0);
  await rows.nth(1).getByRole('link').focus();
  await page.keyboard.press('k');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.evaluate(() => location.hash)).toBe('#/listings/lst_fox');
  expect(await listInputs(page, 'notifications.read')).toEqual([{ notifId: 'ntf_31' }, { notifId: 'ntf_4' }]);
});

test('notifications of generated listings are grouped and can be read at once', async ({ open }) => {
  const page = await open('#/notifications', {});
  const group = page.getByRole('listitem').filter({ hasText: '2 listings are ready to review' });
  await expect(group).toContainText('1 unread');
  const line = group.locator('summary');
  while (!(await line.evaluate((one) => one === document.activeElement))) await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  const inside = page.getByRole('list', { name: '2 listings are ready to review' }).getByRole('listitem');
  await expect(inside).toHaveCount(2);
  await page.keyboard.press('j');
  await expect(inside.first().getByRole('link', { name: 'Open the listing' })).toBeFocused();
  await group.getByRole('button', { name: 'Mark all as read' }).press('Enter');
  await expect(group.getByRole('button', { name: 'Mark all as read' })).toHaveCount(0);
  expect(await listInputs(page, 'notifications.read')).toEqual([{ notifId: 'ntf_420' }]);
});

test('without notifications the screen explains what it is for', async ({ open }) => {
  const page = await open('#/notifications', { noNotices: true });
  await expect(page.getByRole('heading', { name: 'Your notifications will be here' })).toBeVisible();
  await page.getByRole('link', { name: 'Look over what is ready' }).press('Enter');
  await expect(page.getByRole('list', { name: 'Items' })).toBeVisible();
});

test('each row has two lines in 56 px, a dot if it is unread, and its amount at the right edge', async ({ open }) => {
  const page = await open('#/notifications', {});
  const sale = page.getByRole('list', { name: 'Sales, newest first' }).getByRole('listitem');
  const rows = page.getByRole('list', { name: 'Notifications, newest first' }).locator('> li');
  await expect(rows).toHaveCount(6);
  const heights = await page
    .locator('main li, main summary')
    .evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().height)).filter((px) => px > 0));
  for (const px of heights) expect([56, 57]).toContain(px);
  await expect(sale.locator('img')).toBeVisible();
  const edge = async (locator: Locator): Promise<number> => {
    const box = await locator.boundingBox();
    return (box?.x ?? NaN) + (box?.width ?? NaN);
  };
  expect(await edge(sale.getByText('US$34.99'))).toBeCloseTo(await edge(sale), 0);
  const isDotted = (row: Locator): Promise<boolean> =>
    row.evaluate(
      (one) => getComputedStyle(one.firstElementChild ?? one, '::before').backgroundColor !== 'rgba(0, 0, 0, 0)',
    );
  expect(await isDotted(sale)).toBe(true);
  expect(await isDotted(rows.nth(4))).toBe(false);
  await sale.click({ position: { x: 500, y: 40 } });
  await expect(page).toHaveURL(/#\/listings\/lst_fox$/);
});
