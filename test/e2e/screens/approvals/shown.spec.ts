import type { Page } from 'playwright/test';
import { expect, test } from '../page.ts';

type Row = { approvalId: string; digest: string; drawnAs: string };
type Report = { isAutomated: boolean; rows: Row[] };

const yes = { name: /^Publish/ } as const;
const listReports = (page: Page): Promise<Report[]> =>
  page.evaluate(() =>
    window.fake.asked.flatMap(({ name, input }) => (name === 'approvals.shown' ? [input as Report] : [])),
  );
const readForms = async (page: Page): Promise<string[] | undefined> =>
  (await listReports(page)).at(-1)?.rows.map(({ drawnAs }) => drawnAs);
const setVisibility = (page: Page, state: 'hidden' | 'visible'): Promise<void> =>
  page.evaluate((now) => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, value: now });
    document.dispatchEvent(new Event('visibilitychange'));
  }, state);

test('the window reports a prompt when it is painted, and that it is gone when it closes', async ({ open }) => {
  const page = await open('', { waiting: ['publish'] });
  const prompt = page.getByRole('dialog', yes);
  await expect(prompt.getByRole('button', yes)).toBeEnabled();
  const [first] = await listReports(page);
  expect(first?.rows).toMatchObject([{ drawnAs: 'prompt' }]);
  // Playwright drives this browser, and the browser says so.
  expect(first?.isAutomated).toBe(true);
  await prompt.getByRole('button', { name: 'Not now' }).click();
  await expect.poll(() => readForms(page)).toEqual([]);
});

test('a hidden window reports no prompt, and its approve button waits again', async ({ open }) => {
  const page = await open('', { waiting: ['publish'] });
  const button = page.getByRole('dialog', yes).getByRole('button', yes);
  await expect(button).toBeEnabled();
  await setVisibility(page, 'hidden');
  await expect(button).toBeDisabled();
  await expect.poll(() => readForms(page)).toEqual([]);
  await setVisibility(page, 'visible');
  await expect.poll(() => readForms(page)).toEqual(['prompt']);
  await expect(button).toBeEnabled();
});

test('a batch reports which of its rows are visible as lines, also after it is scrolled', async ({ open }) => {
  const page = await open('', { batches: ['assistant'] });
  await page.setViewportSize({ width: 900, height: 560 });
  const prompt = page.getByRole('dialog', { name: 'Publish 11 of 12' });
  await expect(prompt.getByRole('button', yes)).toBeEnabled();
  const lines = prompt.getByRole('listitem');
  await lines.first().scrollIntoViewIfNeeded();
  await expect.poll(async () => (await readForms(page))?.[0]).toBe('row');
  await expect.poll(async () => (await readForms(page))?.at(-1)).toBe('summary');
  await lines.last().scrollIntoViewIfNeeded();
  await expect.poll(async () => (await readForms(page))?.at(-1)).toBe('row');
});

test('a prompt says why it cannot be approved if the companion cannot note that it is shown', async ({ open }) => {
  const page = await open('', {});
  await page.evaluate(() => {
    const { companion } = window;
    if (!companion) throw new Error('There is no companion.');
    const call = companion.call;
    const problem = { code: 'DISK_FULL', sentence: 'The disk is full.' };
    companion.call = async (name, input) => (name === 'approvals.shown' ? { ok: false, problem } : call(name, input));
    window.fake.approvals = [window.fake.publish()];
    window.fake.changed('approvals');
  });
  const prompt = page.getByRole('dialog', yes);
  await expect(prompt).toContainText('The disk is full.');
  await expect(prompt.getByRole('button', yes)).toBeDisabled();
});
