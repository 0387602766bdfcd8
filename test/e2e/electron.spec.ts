import { join } from 'node:path';
import type { ElectronApplication, Page } from 'playwright';
import { calls, type CallReply, type CompanionWindow } from '../../src/ipc/calls.ts';
import { startAgain } from './electronHost.ts';
import { findElectronApp, expect, test, type Host } from './host.ts';

/** These tests run only in the Electron project. */
const requireElectronApp = (host: Host): ElectronApplication => {
  const app = findElectronApp(host);
  if (app === null) throw new Error('This host is not Electron.');
  return app;
};

test('the window cannot leave the app, open other windows or access Node', async ({ host }) => {
  const { page } = host;
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const app = requireElectronApp(host);
  await app.evaluate(({ shell }) => {
    const opened: string[] = [];
    Object.assign(globalThis, { opened });
    shell.openExternal = (url) => Promise.resolve(void opened.push(url));
  });
  expect(await page.evaluate(() => window.open('https://example.com/a') === null)).toBe(true);
  expect(await page.evaluate(() => window.open('file:///etc/passwd') === null)).toBe(true);
  expect(await app.evaluate(() => (globalThis as unknown as { opened: string[] }).opened)).toEqual([]);

  // The address responds: a navigation to it would end this script.
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

test('the preload exposes only base, call, host, onChanged and pathOf', async ({ host }) => {
  await expect(host.page.getByRole('heading', { level: 1 })).toBeVisible();
  const keys = await host.page.evaluate(() => Object.keys((window as unknown as { companion: object }).companion));
  const stopped = await host.page.evaluate(() => {
    const { companion } = window as unknown as { companion: { onChanged: (listener: () => void) => () => unknown } };
    return companion.onChanged(() => undefined)() === undefined;
  });
  expect(stopped).toBe(true);
  expect(keys.sort()).toEqual(['base', 'call', 'host', 'onChanged', 'pathOf']);
});

test('the companion keeps running after its window is closed, and can reopen the window', async ({ host }) => {
  const app = requireElectronApp(host);
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

test('every call from a foreign page is refused', async ({ host }) => {
  const app = requireElectronApp(host);
  await expect(host.page.getByRole('heading', { level: 1 })).toBeVisible();
  const [stranger] = await Promise.all([
    app.waitForEvent('window'),
    app.evaluate(
      ({ BrowserWindow }, { preload, url }) => {
        const window = new BrowserWindow({ webPreferences: { preload, contextIsolation: true, sandbox: true } });
        void window.loadURL(url);
      },
      {
        preload: join(import.meta.dirname, '..', '..', 'out', 'preload', 'index.cjs'),
        url: new URL('/health', await host.bridgeUrl()).href,
      },
    ),
  ]);
  const codes = async (page: Page): Promise<unknown> =>
    page.evaluate(
      async (names) => {
        const { companion } = window as unknown as { companion: CompanionWindow };
        // No call accepts this input, so a call whose sender is accepted is refused without an effect.
        const replies = await Promise.all(names.map((name) => companion.call(name, 'nonsense')));
        const parsed = replies.map((reply) => (typeof reply === 'string' ? (JSON.parse(reply) as CallReply) : reply));
        return [...new Set(parsed.map((reply) => (reply.ok ? 'ok' : reply.problem.code)))];
      },
      ['app.unheard', ...Object.keys(calls)],
    );
  await stranger.waitForFunction(() => location.pathname === '/health' && 'companion' in window);
  expect(await codes(stranger)).toEqual(['NOT_THE_WINDOW']);
  expect(await codes(host.page)).toEqual(['UNKNOWN_CALL', 'INVALID_INPUT']);
});

test('a second start on the same data shows the first window and exits', async ({ host }) => {
  const app = requireElectronApp(host);
  await expect(host.page.getByRole('heading', { level: 1 })).toBeVisible();
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.hide());
  const second = await startAgain(host);
  expect(second).toMatchObject({ code: 0, stdout: '' });
  expect(second.stderr).toContain('Listing Companion is running on this data already');
  await expect
    .poll(() => app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().map((one) => one.isVisible())))
    .toEqual([true]);
});
