import { readFileSync } from 'node:fs';
import type { Locator } from 'playwright/test';
import { expect, test } from '../page.ts';
import { takeRenderedRows, watchRenderedRows } from '../renderedRows.ts';

test('the history can be searched, paged and exported, and reports manipulation', async ({ open }) => {
  const page = await open('#/approvals', { brokenAt: 118 });
  const rows = page.getByRole('group', { name: 'Rows of the history' }).getByRole('listitem');
  await expect(
    page.getByText('The history was changed outside the companion at row 118. It is shown as it is.'),
  ).toBeVisible();
  // The eleven rows belong to four approvals and one other event.
  await expect(rows).toHaveCount(23);
  await page.getByRole('button', { name: 'Load more' }).click();
  await expect(rows).toHaveCount(46);
  await page.getByLabel('Search the history').fill('MARKET_REFUSED');
  await expect(rows.first()).toContainText('Refused by the service');
  await expect(rows).toHaveCount(11);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export CSV' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('companion-history.csv');
  expect(readFileSync(await download.path(), 'utf8')).toContain('seq,at,kind');
});

test('an approval in the history expands into its steps and offers its receipt', async ({ open }) => {
  const page = await open('#/approvals', {});
  const history = page.getByRole('region', { name: 'History' });
  const question = history.getByRole('button', { name: /Published.*Publish on the US site/ }).first();
  await expect(question).toHaveAttribute('aria-expanded', 'false');
  await question.press('Enter');
  await expect(question).toHaveAttribute('aria-expanded', 'true');
  const steps = history.getByRole('list', { name: 'Steps of this question' }).getByRole('listitem');
  await expect(steps).toHaveText([/Asked: Publish on the US site/, /You said yes/, /Sent to the service/, /Done/]);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    history.getByRole('button', { name: 'Save the receipt' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^receipt-apr_0/);
  await question.press('Space');
  await expect(steps).toHaveCount(0);
});

test('the fingerprint, the exports and the numbers of the rows are behind “Signed”', async ({ open }) => {
  const page = await open('#/approvals', {});
  const history = page.getByRole('region', { name: 'History' });
  const signed = history.getByRole('button', { name: 'Signed' });
  const newest = history.getByRole('listitem').first();
  await expect(newest).toBeVisible();
  await expect(newest.getByText('120 ·')).toBeHidden();
  await expect(history.getByRole('button', { name: 'Export CSV' })).toHaveCount(0);
  await signed.press('Enter');
  await expect(signed).toHaveAttribute('aria-expanded', 'true');
  await expect(history.getByText('Fingerprint of the key: 3f2a 91bc 04de 77a1 c0de')).toBeVisible();
  await expect(history.getByText('No row was changed outside the companion.')).toBeVisible();
  await expect(history.getByRole('button', { name: /^Export/ })).toHaveCount(3);
  await expect(newest.getByText('120 ·')).toBeVisible();
});

for (const [name, width] of [
  ['a wide', 1920],
  ['a small', 900],
] as const)
  test(`in ${name} window each event of the history is one row of 56 px with its amount at the right edge`, async ({
    open,
  }) => {
    const page = await open('#/approvals', {}, { width });
    const history = page.getByRole('group', { name: 'Rows of the history' });
    const rows = history.getByRole('listitem');
    await expect(rows.first()).toBeVisible();
    const heights = await rows.evaluateAll((all) =>
      all.map((row) => Math.round((row.firstElementChild ?? row).getBoundingClientRect().height)),
    );
    expect(heights.filter((px) => px > 40 && px !== 56 && px !== 57)).toEqual([]);
    const published = rows.filter({ hasText: 'Published' }).first();
    await expect(published).toHaveText(
      /Published · Vintage Red Fox .*Publish on the US site · Claude Desktop · \d{1,2}:\d{2}.*US\$0\.35/,
    );
    const findEdge = async (locator: Locator): Promise<number> => {
      const box = await locator.boundingBox();
      return (box?.x ?? NaN) + (box?.width ?? NaN);
    };
    expect(await findEdge(published.getByText('US$0.35'))).toBeCloseTo(await findEdge(history), 0);
  });

test('the history is in days, and each day shows its fees', async ({ open }) => {
  const page = await open('#/approvals', {});
  await page.evaluate(() => {
    const [today, before] = [new Date().setHours(12, 0), new Date(2026, 2, 6, 12).getTime()];
    window.fake.record = window.fake.record.map((row) => {
      const isOld = row.seq <= 109;
      return { ...row, day: isOld ? '2026-03-06' : 'today', at: isOld ? before : today };
    });
    window.fake.changed('approvals');
  });
  const history = page.getByRole('group', { name: 'Rows of the history' });
  const headings = history.getByRole('heading');
  // The first page ends within the second day, whose fees are complete.
  await expect(headings).toHaveText(['TodayFees US$0.35', 'Friday, March 6, 2026Fees US$3.50']);
  await expect(history.getByRole('list', { name: 'Today' }).getByRole('listitem')).toHaveCount(5);
  await page.getByLabel('Search the history').fill('Fox');
  await expect(headings).toHaveText(['Today', 'Friday, March 6, 2026']);
});

test('the history is filtered by answer and by who asked, and J and K move between its rows', async ({ open }) => {
  const page = await open('#/approvals', {});
  const rows = page.getByRole('group', { name: 'Rows of the history' }).getByRole('listitem');
  await expect(rows.first()).toContainText('Refused by the service');
  await page.getByRole('tab', { name: 'All' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('tab', { name: 'Yes' })).toHaveAttribute('aria-selected', 'true');
  await expect(rows.filter({ hasText: 'You declined' })).toHaveCount(0);
  await expect(rows.filter({ hasText: 'Published' }).first()).toBeVisible();
  await page.getByRole('tab', { name: 'No', exact: true }).click();
  await expect(rows.filter({ hasText: 'Published' })).toHaveCount(0);
  await expect(rows.filter({ hasText: 'You declined' }).first()).toBeVisible();
  await page.getByLabel('Asked by', { exact: true }).selectOption('Garage helper');
  await expect(rows.filter({ hasText: 'You declined' })).toHaveCount(0);
  await expect(rows.first()).toContainText('Garage helper');
  await page.getByLabel('Asked by', { exact: true }).blur();
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await expect(rows.nth(1).getByRole('button')).toBeFocused();
  await page.getByRole('tab', { name: 'Waiting' }).click();
  await expect(rows).toHaveCount(0);
  await expect(page.getByText('Nothing in the history matches.')).toBeVisible();
});

test('an alarm about the history is shown on every screen until the person dismisses it', async ({ open }) => {
  const ledgerAlarm = { kind: 'cut', rows: 40, keptRows: 42, row: null, copy: null, at: 0 } as const;
  const page = await open('#/items', { state: { ledgerAlarm, keychain: { kind: 'memory', problem: null } } });
  const line = page.getByRole('status').filter({ hasText: 'Rows are missing at the end of your history' });
  await expect(line).toContainText('at least 42, and there are 40');
  await page.getByRole('link', { name: 'Approvals' }).click();
  await page.getByRole('button', { name: 'Signed' }).click();
  await expect(page.getByText('this key is for this run only')).toBeVisible();
  await line.getByRole('button', { name: 'I have read it' }).click();
  await expect(line).toHaveCount(0);
});

test('a refused call names what it would have done, and its repeats their number', async ({ open }) => {
  const page = await open('#/listings', {});
  await page.evaluate(() => {
    const [newest] = window.fake.record;
    const { seq = 0, at = 0, day = '' } = newest ?? {};
    const about = [{ act: 'Resume an assistant', says: null, title: 'Assistant: Tidy Helper' }];
    const row = { at, day, kind: 'proof.missing', title: null, act: null, approval: null, about };
    const first = { ...row, seq: seq + 1, facts: { call: 'assistants.change' } };
    const tenth = { ...row, seq: seq + 2, facts: { call: 'assistants.change', count: 10 } };
    window.fake.record = [tenth, first, ...window.fake.record];
  });
  await page.evaluate(() => window.location.replace('#/approvals'));
  const rows = page.getByRole('group', { name: 'Rows of the history' }).getByRole('listitem');
  const words = 'Not done, because it was not confirmed · Resume an assistant: Assistant: Tidy Helper';
  await expect(rows.nth(0)).toContainText(words);
  await expect(rows.nth(0)).toContainText('at least 10 times within a minute');
  await expect(rows.nth(1)).toContainText(words);
  await expect(rows.nth(1)).not.toContainText('times');
});

test('a running export shows its progress, a waiting one says so, and each can be cancelled', async ({ open }) => {
  const running = { exportId: 'e1', kind: 'history' as const, isWaiting: false, done: 1_200, total: 4_500 };
  const waiting = { exportId: 'e2', kind: 'receipts' as const, isWaiting: true, done: 0, total: 0 };
  const page = await open('#/approvals', { exports: [running, waiting] });
  const history = page.getByRole('region', { name: 'History' });
  await history.getByRole('button', { name: 'Signed' }).click();
  const progress = history.getByText('Exporting the history: 1,200 of 4,500 rows.');
  await expect(progress).toBeVisible();
  await progress.getByRole('button', { name: 'Cancel' }).click();
  await expect(progress).toBeHidden();
  const wait = history.getByText('Waiting until another export or copy ends.');
  await wait.getByRole('button', { name: 'Cancel' }).click();
  await expect(wait).toBeHidden();
});

test('a key in the search of the history does not render its rows', async ({ open }) => {
  const page = await open('#/approvals', {});
  await watchRenderedRows(page, 'div');
  await page.reload();
  const rows = page.getByRole('group', { name: 'Rows of the history' });
  await expect(rows.getByRole('listitem').first()).toBeVisible();
  await expect.poll(() => takeRenderedRows(page)).not.toContain('Rows of the history');
  const field = page.getByLabel('Search the history');
  // A space alone finds the same rows.
  await field.press('Space');
  await expect(field).toHaveValue(' ');
  expect(await takeRenderedRows(page)).not.toContain('Rows of the history');
});
