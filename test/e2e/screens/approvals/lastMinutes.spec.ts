import type { Page } from 'playwright/test';
import { expect, test } from '../page.ts';

/** Moves the page's clock ahead without firing its timers. */
const advanceClock = (page: Page, minutes: number): Promise<void> =>
  page.evaluate((ms) => {
    // An earlier test on this page can have moved the clock already.
    const now = performance.now.bind(performance);
    performance.now = () => now() + ms;
  }, minutes * 60_000);

test('an approval about to expire is marked in its row and its prompt', async ({ open }) => {
  const page = await open('#/approvals', { waiting: ['publish'] });
  const prompt = page.getByRole('dialog');
  await expect(prompt).toContainText('min left');
  await expect(prompt).not.toContainText('Expires soon');
  await advanceClock(page, 23.5);
  await expect(prompt.getByRole('status').filter({ hasText: 'Expires soon' })).toHaveText('Expires soon');
  await expect(prompt).toContainText('Expires soon · 3 min left');
  await prompt.getByRole('button', { name: 'Not now' }).click();
  const row = page.getByRole('button', { name: /Publish on/ }).first();
  await expect(row).toContainText('Expires soon · 3 min left');
  await expect(row.locator('time').last()).toHaveAttribute('title', /\d{1,2}:\d{2}:\d{2}/);
  await advanceClock(page, 28);
  await expect(row).toContainText('Time is up');
  await expect(row).not.toContainText('Expires soon');
});

test('the rows of the history fit in a narrow window', async ({ open }) => {
  const page = await open('#/approvals', { history: true, language: 'de' }, { width: 480 });
  // The lists of the days. An opened row contains lists, too.
  const lines = page.getByRole('group', { name: 'Zeilen des Verlaufs' }).locator('> ol > li');
  await lines.first().getByRole('button').first().click();
  await expect(lines.first().getByRole('list')).toBeVisible();
  const right = await lines
    .locator('span, time, button')
    .evaluateAll((parts) => Math.max(...parts.map((part) => part.getBoundingClientRect().right)));
  expect(right).toBeLessThanOrEqual(await page.evaluate(() => document.documentElement.clientWidth));
  // The text uses the width of the line, and the time stays on one line.
  const last = lines.last();
  const [words, line] = [await last.locator('[class*=texts]').first().boundingBox(), await last.boundingBox()];
  expect(words?.width).toBeGreaterThan((line?.width ?? 0) * 0.7);
  const time = await last.locator('time').first().boundingBox();
  expect(time?.height).toBeLessThan(24);
});

test('in a narrow window an approval’s text uses the full width of its row', async ({ open }) => {
  const page = await open('#/approvals', { waiting: ['publish'], language: 'de' }, { width: 480 });
  await expect(page.getByRole('dialog')).toBeVisible();
  await advanceClock(page, 23.5);
  await page.getByRole('button', { name: 'Jetzt nicht' }).click();
  const row = page.getByRole('region', { name: 'Wartet auf Sie' }).getByRole('listitem');
  await expect(row).toContainText('Läuft bald ab');
  const [words, whole] = [await row.locator('[class*=what]').boundingBox(), await row.boundingBox()];
  expect(words?.width).toBeGreaterThan((whole?.width ?? 0) * 0.7);
});
