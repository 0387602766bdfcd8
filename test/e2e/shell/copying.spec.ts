import type { Page } from 'playwright';
import { expect, test } from './shell.ts';

test('a Copy button writes to the clipboard, but the page cannot read the clipboard', async ({ start }) => {
  const { page } = await start();
  await page.getByRole('button', { name: 'Start with an empty shop' }).click();
  await expect(page.getByRole('region', { name: 'Drop photos here' })).toBeVisible();
  await page.getByRole('link', { name: 'Assistants' }).click();
  await page.getByRole('button', { name: /^Copy/ }).first().click();
  await expect(page.getByText('Copied', { exact: true })).toBeVisible();
  const read = await page.evaluate(() =>
    navigator.clipboard.readText().then(
      () => 'read',
      (error: unknown) => (error instanceof Error ? error.name : 'failed'),
    ),
  );
  expect(read).toBe('NotAllowedError');
});

test('a foreign page has no permission to write to the clipboard', async ({ start }) => {
  const { app, page, bridgeUrl } = await start();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const [stranger] = await Promise.all([
    app.waitForEvent('window'),
    app.evaluate(
      ({ BrowserWindow }, url) => void new BrowserWindow({}).loadURL(url),
      new URL('/health', await bridgeUrl()).href,
    ),
  ]);
  await stranger.waitForFunction(() => location.pathname === '/health');
  const mayWrite = (asked: Page): Promise<string> =>
    asked.evaluate(async () => {
      const { state } = await navigator.permissions.query({ name: 'clipboard-write' as PermissionName });
      return state;
    });
  expect([await mayWrite(page), await mayWrite(stranger)]).toEqual(['granted', 'denied']);
});
