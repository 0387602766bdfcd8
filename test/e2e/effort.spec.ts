import { join } from 'node:path';
import type { Locator, Page } from 'playwright/test';
import * as z from 'zod';
import { createShotFolder, createShots } from '../helpers/photos/createShotFolder.ts';
import { pairAssistant } from './assistant.ts';
import { drawTextlessItem } from './drawItem.ts';
import { expect, test } from './host.ts';
import { answerAfterGeneration } from './practiceControl.ts';

/** The maximum number of clicks and keys for each task of a seller. */
const maxPresses = {
  'the first live listing': 4,
  'twelve items from one folder': 3 * 12,
  'a batch of 46 with six corrected titles': 60,
  'a wrong border of the grouping': 3,
  'a packed weight': 6,
  'ten prices and three ends': 8,
  'five asks of an assistant': 12,
} as const;
type Job = keyof typeof maxPresses;

/** Performs a task like a person and counts the presses. */
const countPresses = (page: Page, job: Job) => {
  const presses: string[] = [];
  return {
    click: async (what: Locator, options: { modifiers?: 'Shift'[] } = {}): Promise<void> => {
      await what.click(options);
      presses.push('click');
    },
    press: async (key: string): Promise<void> => {
      await page.keyboard.press(key);
      presses.push(key);
    },
    /** Prints the number of presses and compares it with the maximum. */
    done: (): void => {
      console.log(`${job}: ${presses.length} of ${maxPresses[job]} presses (${presses.join(' ')})`);
      expect(presses.length).toBeLessThanOrEqual(maxPresses[job]);
    },
  };
};

test('the first live listing takes at most four clicks', async ({ host }, info) => {
  test.setTimeout(300_000);
  const { page } = host;
  const seller = countPresses(page, 'the first live listing');
  await seller.click(page.getByRole('button', { name: 'Start with an empty shop' }));
  await expect(page.getByRole('region', { name: 'Drop photos here' })).toBeVisible();
  await answerAfterGeneration(page);
  const folder = info.outputPath('Canon EOS 250D camera');
  await drawTextlessItem(folder);
  await host.dropFolder(folder);
  const item = page.getByRole('listitem', { name: /Ready to review/ });
  await expect(item).toBeVisible({ timeout: 120_000 });
  await seller.click(item);
  await seller.click(page.getByRole('button', { name: 'Publish…' }));
  await seller.click(
    page.getByRole('dialog').getByRole('button', { name: /^Publish (for|free)|^Publish, fee unknown/ }),
  );
  await expect(page.getByRole('link', { name: 'Open listing' }).first()).toBeVisible({ timeout: 120_000 });
  seller.done();
});

test('twelve items are checked and published with at most three keys or clicks each', async ({ host }, info) => {
  // Twelve listings are generated, five at a time.
  test.setTimeout(300_000);
  const { page } = host;
  await page.getByRole('button', { name: 'Start with an empty shop' }).click();
  await expect(page.getByRole('region', { name: 'Drop photos here' })).toBeVisible();
  await answerAfterGeneration(page);
  const folder = await createShotFolder(
    info.outputPath('card'),
    'DCIM',
    createShots(Array.from({ length: 12 }, () => 2)),
  );
  const seller = countPresses(page, 'twelve items from one folder');
  await host.dropFolder(folder);
  const waiting = page.getByRole('listitem', { name: /Ready to check/ });
  await expect(waiting).toHaveCount(12, { timeout: 120_000 });
  for (const row of await waiting.all()) await expect(row).toContainText('2 photos');
  await seller.click(page.getByRole('button', { name: /^Start all/ }));
  await expect(page.getByRole('listitem', { name: /Ready to review/ })).toHaveCount(12, { timeout: 150_000 });

  await seller.press('j');
  await seller.press('Enter');
  for (let at = 1; at <= 12; at += 1) {
    await expect(page.getByLabel('Title', { exact: true })).not.toHaveValue('');
    await seller.press('Enter');
    await expect(page.getByRole('listitem', { name: /– Checked/ })).toHaveCount(at);
  }
  await seller.press('p');
  // The photos show no words, so every title is weak, and the person ticks the rows.
  const prompt = page.getByRole('dialog', { name: /^Publish \d+/ });
  await seller.click(prompt.getByRole('checkbox', { name: '0 of 12 ticked' }));
  const yes = prompt.getByRole('button', { name: /^Publish 12/ });
  await expect(yes).toBeEnabled({ timeout: 120_000 });
  await seller.click(yes);
  await expect(page.getByRole('dialog').getByRole('link', { name: 'Open listing' })).toHaveCount(12, {
    timeout: 120_000,
  });
  seller.done();
});

test('46 items are published in one batch, six of them with a corrected title, with at most 60 keys', async ({
  host,
}, info) => {
  // 46 listings are generated, five at a time.
  test.setTimeout(480_000);
  const { page } = host;
  await page.getByRole('button', { name: 'Start with an empty shop' }).click();
  await expect(page.getByRole('region', { name: 'Drop photos here' })).toBeVisible();
  await answerAfterGeneration(page);
  const folder = info.outputPath('sale');
  const drawNamed = async (count: number, name: string): Promise<void> => {
    for (let at = 1; at <= count; at += 1) await drawTextlessItem(join(folder, `${name} ${at}`));
  };
  await drawNamed(20, 'Canon EOS 250D camera with lens');
  await drawNamed(20, 'Bosch PSB 750 drill with case');
  await drawNamed(6, 'IKEA desk lamp');
  await host.dropFolder(folder);
  const total = page.getByRole('button', { name: 'Select all ready to review (46)' });
  await expect(total).toBeVisible({ timeout: 400_000 });

  const seller = countPresses(page, 'a batch of 46 with six corrected titles');
  const title = page.getByLabel('Title', { exact: true });
  await seller.press('Control+a');
  for (let at = 1; at <= 6; at += 1) {
    await seller.press('w');
    await expect(title).toHaveValue(/^IKEA desk lamp/);
    await seller.press('e');
    await seller.press('Control+a');
    await page.keyboard.type(`Ikea lamp for a desk, white, number ${at}`);
    await seller.press('Escape');
    await seller.click(page.getByRole('button', { name: 'Replace it' }));
    await expect(page.getByRole('list', { name: 'What looks weak' })).toHaveCount(0);
  }
  await seller.press('p');
  const prompt = page.getByRole('dialog', { name: 'Publish 46 listings' });
  await expect(prompt.getByRole('button', { name: /^Publish 46/ })).toBeEnabled({ timeout: 120_000 });
  await seller.press('Control+Enter');
  await expect(page.getByRole('dialog', { name: '46 are live' })).toBeVisible({ timeout: 240_000 });
  seller.done();
});

test('a wrong border takes at most three keys, and a packed weight at most six', async ({ host }, info) => {
  test.setTimeout(300_000);
  const { page } = host;
  await page.getByRole('button', { name: 'Start with an empty shop' }).click();
  await expect(page.getByRole('region', { name: 'Drop photos here' })).toBeVisible();
  await answerAfterGeneration(page);
  await host.dropFolder(await createShotFolder(info.outputPath('card'), 'DCIM', createShots([2, 3, 2])));
  await expect(page.getByRole('listitem', { name: /Ready to check/ })).toHaveCount(3, { timeout: 120_000 });
  await page.getByRole('link', { name: 'Check the grouping' }).click();
  const rows = page.getByRole('list', { name: 'Items to check' }).getByRole('listitem', { name: /^Item \d/ });
  await expect(rows).toHaveCount(3);
  // A border that is wrong: the second item ends after its first photo.
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('s');
  await expect(rows).toHaveCount(4);
  await page.keyboard.press('Home');

  const sorter = countPresses(page, 'a wrong border of the grouping');
  await sorter.press('ArrowDown');
  await sorter.press('ArrowDown');
  await sorter.press('j');
  await expect(rows).toHaveCount(3);
  sorter.done();

  await page.getByRole('button', { name: /^Start all/ }).click();
  await page.keyboard.press('Escape');
  const item = page.getByRole('listitem', { name: /Ready to review/ }).first();
  await expect(item).toBeVisible({ timeout: 120_000 });
  await item.click();
  const weigher = countPresses(page, 'a packed weight');
  const weight = page.getByLabel('Packed weight');
  await weigher.click(weight);
  await page.keyboard.type('1 lb 4 oz');
  await weigher.press('Tab');
  await expect(weight).toHaveValue('1 lb 4 oz');
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  weigher.done();
});

const openShop = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Try it with practice data' }).click();
  await expect(page.getByRole('region', { name: 'Drop photos here' })).toBeVisible();
};

test('ten price changes and three ends take at most eight clicks', async ({ host }) => {
  const { page } = host;
  await openShop(page);
  await page.getByRole('link', { name: 'Listings' }).click();
  await expect(page.getByText('60 listings')).toBeVisible();
  await page.getByRole('tab', { name: /^Live/ }).click();
  const rows = page.getByRole('rowgroup').getByRole('row');
  await expect(page.getByText('23 listings')).toBeVisible();
  const newest = (await rows.nth(0).getByRole('checkbox').getAttribute('aria-label')) ?? '';
  await page.getByLabel('Sort by').selectOption('oldest');
  // The old rows stay until the new order has been read.
  await expect(rows.nth(0).getByRole('checkbox')).not.toHaveAccessibleName(newest);
  await expect(rows.nth(12)).toContainText('Live');

  const seller = countPresses(page, 'ten prices and three ends');
  await seller.click(rows.nth(0).getByRole('checkbox'));
  await seller.click(rows.nth(12).getByRole('checkbox'), { modifiers: ['Shift'] });
  await seller.click(page.getByRole('button', { name: 'Price −10%…' }));
  const preview = page.getByRole('dialog', { name: 'Change 13 at once' });
  const ends = preview.getByRole('button', { name: /^End instead/ });
  for (const at of [2, 6, 11]) await seller.click(ends.nth(at));
  await seller.click(preview.getByRole('button', { name: 'Change 13 live listings…' }));
  const batch = page.getByRole('dialog', { name: 'Change 10, end 3' });
  const yes = batch.getByRole('button', { name: 'Change 10, end 3' });
  await expect(yes).toBeEnabled();
  await seller.click(yes);
  await expect(page.getByRole('dialog', { name: '10 changed, 3 ended' })).toBeVisible({ timeout: 120_000 });
  seller.done();
});

const found = z.object({ listings: z.array(z.looseObject({ listingId: z.string() })) });

test('the person approves five requests of an assistant with at most twelve keys', async ({ host }) => {
  const { page } = host;
  await openShop(page);
  const assistant = await pairAssistant(page, await host.bridgeUrl(), 'Tidy Helper');
  const idsOf = async (status: string): Promise<string[]> =>
    found
      .parse((await assistant.call('GET', `/listings?status=${status}`)).body)
      .listings.map(({ listingId }) => listingId);
  const live = await idsOf('published');
  const asks = [
    ...live.slice(0, 2).map((id) => [`/market/revise/${id}`, { price: 1_250 }] as const),
    ...live.slice(2, 4).map((id) => [`/market/end/${id}`, {}] as const),
    ...live.slice(4, 5).map((id) => [`/market/revise/${id}`, { quantity: 2 }] as const),
  ];
  // Only the first approval opens a prompt; the others wait until the person opens them.
  for (const [path, body] of asks) expect(await assistant.call('POST', path, body)).toMatchObject({ status: 202 });
  const prompt = page.getByRole('dialog');
  const yes = prompt.getByRole('button', { name: /^(Change it live|End for good)/ });
  const seller = countPresses(page, 'five asks of an assistant');
  for (const left of [4, 3, 2, 1, 0]) {
    await expect(prompt.getByRole('button', { name: 'Not now' })).toBeFocused();
    await expect(yes).toBeEnabled();
    await seller.press('Control+Enter');
    await expect(yes).toHaveCount(0);
    if (left === 0) continue;
    const next = prompt.getByRole('button', { name: `Next (${left} left)` });
    await expect(
      next.or(prompt.getByRole('button', { name: 'Take it back' })).and(page.locator(':focus')),
    ).toBeVisible();
    // During the undo window the focus is on its button.
    while (!(await next.evaluate((button) => button === document.activeElement))) await seller.press('Shift+Tab');
    await seller.press('Enter');
  }
  seller.done();
  const states = async (): Promise<string[]> =>
    Promise.all(
      live
        .slice(2, 4)
        .map(
          async (id) =>
            z.looseObject({ status: z.string() }).parse((await assistant.call('GET', `/listings/${id}`)).body).status,
        ),
    );
  await expect.poll(states, { timeout: 30_000 }).toEqual(['ended', 'ended']);
});
