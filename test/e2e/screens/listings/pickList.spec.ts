import type { Page } from 'playwright/test';
import { installClock, scan } from '../../handSpeed.ts';
import { expectNoAxeProblem } from '../accessibility/axe.ts';
import { expect, test, type Open } from '../page.ts';

const day = 86_400_000;

/** Opens the pick list with sold items in boxes A1, A2, … of four items each. */
const openPickList = async (open: Open, count: number, look: Parameters<Open>[2] = {}): Promise<Page> => {
  const page = await open('#/listings', {}, look);
  await page.getByRole('link', { name: /^To send/ }).waitFor();
  await page.evaluate(
    async ([sold, dayMs]) => {
      const { fake } = window;
      fake.rows = fake.rows.map((row, at) => ({
        ...row,
        status: at < sold ? ('sold' as const) : ('published' as const),
        endedAt: at < sold ? Date.now() - dayMs : null,
      }));
      for (let at = 0; at < sold; at += 1) {
        // The newest listings are in the last boxes.
        const place = `A${Math.ceil((sold - at) / 4)}`;
        const changes = { place, sku: `${place}-${((sold - at - 1) % 4) + 1}` };
        await window.companion?.call('shelf.change', { listingIds: [`lst_${at}`], changes });
      }
      fake.changed('listings');
    },
    [count, day] as const,
  );
  await page.getByRole('link', { name: /^To send/ }).press('Enter');
  await expect(page.getByRole('list', { name: 'Parcels, by place' }).getByRole('listitem')).toHaveCount(count);
  await expect(page.locator('main li b + b').filter({ hasText: /^A\d-\d$/ })).toHaveCount(count);
  await installClock(page);
  return page;
};

/** A person needs longer than this from a code to the next key. */
const passTime = (page: Page): Promise<void> => page.clock.runFor(200);

const listSkus = (page: Page): Promise<string[]> => page.locator('main li b + b').allTextContents();
const getStatus = (page: Page) => page.locator('main').getByRole('status');

test('twenty sold items are picked and ticked with the scanner alone', async ({ open }) => {
  const page = await openPickList(open, 20);
  const skus = await listSkus(page);
  expect(skus.slice(0, 5)).toEqual(['A1-1', 'A1-2', 'A1-3', 'A1-4', 'A2-1']);
  expect(skus.at(-1)).toBe('A5-4');
  await expect(page.getByText('20 parcels to send')).toBeVisible();
  for (const sku of skus) {
    await passTime(page);
    await scan(page, sku);
    await expect(getStatus(page)).toContainText(` · ${sku} · `);
  }
  await expect(page.getByText('Everything is sent.')).toBeVisible();
  await expect(page.getByRole('checkbox', { checked: true })).toHaveCount(20);
  const stored = await page.evaluate(async () => window.companion?.call('shelf.pickList', {}));
  expect(JSON.stringify(stored).match(/"sentAt":\d+/g)).toHaveLength(20);
});

test('a scan says what is not sold and what is already ticked, and a tick can be taken back', async ({ open }) => {
  const page = await openPickList(open, 3);
  await passTime(page);
  await scan(page, 'a1-2');
  const line = page.getByRole('checkbox', { name: /^Sent: A1 · A1-2 · / });
  await expect(line).toBeChecked();
  await passTime(page);
  await scan(page, 'A1-2');
  await expect(getStatus(page)).toHaveText('A1-2: already ticked');
  await passTime(page);
  await scan(page, 'Z9-1');
  await expect(getStatus(page)).toHaveText('Z9-1: not sold');
  await passTime(page);
  await line.press('Space');
  await passTime(page);
  await expect(line).not.toBeChecked();
  await expect(page.getByText('3 parcels to send')).toBeVisible();
});

test('the keyboard moves through the lines, and Escape returns to the listings', async ({ open }) => {
  const page = await openPickList(open, 3);
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  const second = page.getByRole('checkbox').nth(1);
  await expect(second).toBeFocused();
  await page.keyboard.press('Space');
  await expect(second).toBeChecked();
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(/#\/listings$/);
  await expect(page.getByRole('link', { name: 'To send (2)' })).toBeVisible();
});

test('a sold row of Listings shows place and SKU before its title, and other rows do not', async ({ open }) => {
  const page = await openPickList(open, 1);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('link', { name: /^A1 · A1-1 · Film camera, blue, no. 1$/ })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Paperback novel, red, no. 2', exact: true })).toBeVisible();
});

test('an empty pick list says what will be here', async ({ open }) => {
  const page = await open('#/listings/to-send', { listings: 0 });
  await expect(page.getByRole('heading', { name: 'Nothing to send' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Print' })).toHaveCount(0);
});

test('the printed list has only the lines to send, without the sidebar and on white paper', async ({ open }) => {
  const page = await openPickList(open, 3, { colorScheme: 'dark' });
  await passTime(page);
  await scan(page, 'A1-1');
  await expect(page.getByText('2 parcels to send')).toBeVisible();
  await page.evaluate(() => {
    window.print = () => void (document.title = 'printed');
  });
  await passTime(page);
  await page.getByRole('button', { name: 'Print' }).press('Enter');
  await expect(page).toHaveTitle('printed');
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await expect(page.getByRole('listitem').filter({ hasText: 'A1-1' })).toBeHidden();
  await expect(page.getByRole('listitem').filter({ hasText: 'A1-2' })).toBeVisible();
  await expect(page.getByRole('navigation').first()).toBeHidden();
  await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(255, 255, 255)');
  await page.emulateMedia({ media: 'screen' });
});

test('the pick list has no accessibility problem and fits 480 px', async ({ open }) => {
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await openPickList(open, 5, { colorScheme, width: 480, instead: true });
    await scan(page, 'A1-1');
    await expect(page.getByText('4 parcels to send')).toBeVisible();
    await expectNoAxeProblem(page, { dark: colorScheme === 'dark' });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(480);
  }
});
