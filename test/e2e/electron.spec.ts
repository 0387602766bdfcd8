import type { ElectronApplication } from 'playwright';
import { appOf, expect, test, type Host } from './host.ts';

/** This file runs in the Electron project only. */
const electronOf = (host: Host): ElectronApplication => {
  const app = appOf(host);
  if (app === null) throw new Error('This host is not Electron.');
  return app;
};

test('the window cannot leave the app, open another one, or reach Node', async ({ host }) => {
  const { page } = host;
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const app = electronOf(host);
  await app.evaluate(({ shell }) => {
    const opened: string[] = [];
    Object.assign(globalThis, { opened });
    shell.openExternal = (url) => Promise.resolve(void opened.push(url));
  });
  expect(await page.evaluate(() => window.open('https://example.com/a') === null)).toBe(true);
  expect(await page.evaluate(() => window.open('file:///etc/passwd') === null)).toBe(true);
  expect(await app.evaluate(() => (globalThis as unknown as { opened: string[] }).opened)).toEqual([
    'https://example.com/a',
  ]);

  // An address that does answer: leaving for it would end this script.
  const stays = page.evaluate(
    (away) => {
      location.href = away;
      return new Promise((resolve) => setTimeout(() => resolve(location.host), 1_500));
    },
    await host.bridgeUrl(),
  );
  expect(await stays).toContain('companion');
  expect(await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1);
  expect(await page.evaluate(() => ['require', 'process', 'module'].filter((name) => name in window))).toEqual([]);
});

test('the preload gives the window three ways in and nothing else', async ({ host }) => {
  await expect(host.page.getByRole('heading', { level: 1 })).toBeVisible();
  const keys = await host.page.evaluate(() => Object.keys((window as unknown as { companion: object }).companion));
  const stopped = await host.page.evaluate(() => {
    const { companion } = window as unknown as { companion: { onChanged: (listener: () => void) => () => unknown } };
    return companion.onChanged(() => undefined)() === undefined;
  });
  expect(stopped).toBe(true);
  expect(keys.sort()).toEqual(['call', 'host', 'onChanged', 'pathOf']);
});

test('a closed window leaves the companion running, and opens again', async ({ host }) => {
  const app = electronOf(host);
  const bridge = await host.bridgeUrl();
  await expect(host.page.getByRole('heading', { level: 1 })).toBeVisible();
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
  expect((await fetch(new URL('/health', bridge))).ok).toBe(true);
  const [page] = await Promise.all([
    app.waitForEvent('window'),
    app.evaluate(({ app: electron }) => void electron.emit('activate')),
  ]);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
});
