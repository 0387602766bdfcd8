import type { Page } from 'playwright/test';
import { expectNoAxeProblem } from '../accessibility/axe.ts';
import { expect, test } from '../page.ts';

const listInputs = (page: Page, name: string): Promise<unknown[]> =>
  page.evaluate((wanted) => window.fake.asked.filter((one) => one.name === wanted).map(({ input }) => input), name);

/** Defers the fox item, with a note from its folder name and a text file from its folder. */
const deferFox = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const fox = window.fake.items.find(({ itemId }) => itemId === 'fox');
    if (fox)
      Object.assign(fox, {
        reviewReason: 'overCap',
        note: 'fox figurine, hand painted',
        text: { name: 'about.txt', text: 'Bought in 1987.\nA chip at the rim.', used: false },
      });
    window.fake.changed('items');
  });

test('a text file found with the photos is used only after the person ticks it', async ({ open }) => {
  const page = await open('#/items/fox', { items: 'guessed' });
  await deferFox(page);
  await expect(page.getByText('more photos than your plan takes for one item')).toBeVisible();
  const note = page.getByLabel('Anything the photos do not show');
  await expect(note).toHaveValue('fox figurine, hand painted');
  await note.fill('fox figurine, 12 cm');
  await note.press('ControlOrMeta+Enter');
  expect(await listInputs(page, 'items.change')).toEqual([{ itemId: 'fox', changes: { note: 'fox figurine, 12 cm' } }]);
  const tick = page.getByRole('checkbox', { name: 'Also use “about.txt”' });
  await expect(tick).not.toBeChecked();
  await expect(page.getByText('A chip at the rim.')).toBeVisible();
  await tick.focus();
  await page.keyboard.press('Space');
  await expect(tick).toBeChecked();
  expect(await listInputs(page, 'items.useText')).toEqual([{ itemId: 'fox', used: true }]);
  await expectNoAxeProblem(page, { dark: true });
});

test('an item can be deferred by a button, and all drops by a checkbox', async ({ open }) => {
  const page = await open('#/items/fox', { items: 'guessed' });
  await page.evaluate(() => {
    const fox = window.fake.items.find(({ itemId }) => itemId === 'fox');
    if (fox) Object.assign(fox, { step: 'photos', reviewReason: null, deferrable: true });
    window.fake.changed('items');
  });
  await page.getByRole('button', { name: 'Wait until I’ve checked them' }).press('Enter');
  await expect(page.getByText('Nothing is uploaded before you start')).toBeVisible();
  expect(await listInputs(page, 'items.defer')).toEqual([{ itemId: 'fox' }]);
  const zone = page.getByRole('region', { name: 'Drop photos here' });
  await zone.getByRole('button', { name: 'For the next photos' }).press('Enter');
  await zone.getByRole('checkbox', { name: 'Wait until I’ve checked them' }).press('Space');
  await expect(zone.getByRole('checkbox')).toBeChecked();
  expect(await listInputs(page, 'app.settings')).toEqual([{ deferDrops: true }]);
});

test('the number of remaining listings is shown beside the drop zone', async ({ open }) => {
  const page = await open('', {});
  const zone = page.getByRole('region', { name: 'Drop photos here' });
  await expect(zone).toContainText('84 listings left until December 22, 3 prepaid · 3 in progress are counted');
  const empty = { remaining: 0, credits: 0, resetsAt: '2026-12-22T12:00:00Z', photosPerListing: 16 };
  const used = await open('', { state: { allowance: empty } });
  const there = used.getByRole('region', { name: 'Drop photos here' });
  await expect(there).toContainText('No listings left until December 22.');
  // An item without remaining listings shows the same text and the ways to get more.
  await used.evaluate(() => {
    const [item] = window.fake.items;
    if (item)
      item.stop = {
        kind: 'failed',
        code: 'ALLOWANCE_USED',
        sentence: 'Nothing was written.',
        next: ['retry', 'remove'],
      };
    window.fake.changed('items');
  });
  const item = used.getByRole('region', { name: 'Item', exact: true });
  await expect(item).toContainText('Nothing was written.');
  await expect(item).toContainText('No listings left until December 22.');
  await expect(item.getByRole('link', { name: 'Extras and plans' })).toBeVisible();
  await expectNoAxeProblem(used, { dark: true });
  await there.getByRole('link', { name: 'Extras and plans' }).click();
  await expect(used.getByRole('region', { name: 'Plan and extras' })).toBeVisible();
});

test('a deferred item fits in a narrow window in German', async ({ open }) => {
  const page = await open('#/items/fox', { items: 'guessed', language: 'de' }, { width: 480 });
  await deferFox(page);
  await expect(page.getByRole('checkbox', { name: 'Auch „about.txt“ verwenden' })).toBeVisible();
  const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(over).toBeLessThanOrEqual(0);
});
