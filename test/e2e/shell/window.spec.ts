import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ElectronApplication, Page } from 'playwright';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import * as z from 'zod';
import { pairAssistant } from '../assistant.ts';
import { expect, test } from './shell.ts';

const readBounds = (app: ElectronApplication) =>
  app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getBounds());

test('the window opens at its previous position, size and zoom', async ({ start, folder }) => {
  const first = await start();
  await expect(first.page.getByRole('heading', { level: 1 })).toBeVisible();
  await first.app.evaluate(({ BrowserWindow }) => {
    const [window] = BrowserWindow.getAllWindows();
    window?.setBounds({ x: 120, y: 80, width: 1000, height: 700 });
    window?.webContents.setZoomLevel(1);
  });
  await first.quit();
  const kept = JSON.parse(readFileSync(join(folder, 'data', 'window.json'), 'utf8')) as object;
  expect(kept).toMatchObject({ bounds: { x: 120, y: 80, width: 1000, height: 700 }, zoom: 1 });

  const second = await start();
  await expect(second.page.getByRole('heading', { level: 1 })).toBeVisible();
  expect(await readBounds(second.app)).toEqual({ x: 120, y: 80, width: 1000, height: 700 });
  const zoom = (): Promise<number | undefined> =>
    second.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.getZoomLevel());
  await expect.poll(zoom).toBe(1);
});

test('a window saved outside the screen opens inside the screen', async ({ start, folder }) => {
  const first = await start();
  await first.quit();
  const away = { x: 9_000, y: 9_000, width: 900, height: 700 };
  writeFileSync(join(folder, 'data', 'window.json'), JSON.stringify({ bounds: away, zoom: 'large' }));
  const { app } = await start();
  const { bounds, area } = await app.evaluate(({ BrowserWindow, screen }) => ({
    bounds: BrowserWindow.getAllWindows()[0]?.getBounds(),
    area: screen.getPrimaryDisplay().workArea,
  }));
  expect(bounds).toMatchObject({ width: Math.min(900, area.width), height: Math.min(700, area.height) });
  expect(bounds?.x).toBeLessThan(area.x + area.width);
  expect(bounds?.y).toBeLessThan(area.y + area.height);
});

test('when the window closes, a notification says only once that the app keeps running', async ({ start }) => {
  test.skip(process.platform === 'darwin', 'On a Mac, closing a window never ends an app.');
  const first = await start();
  const said = async (app: ElectronApplication): Promise<void> =>
    app.evaluate(({ Notification }) => {
      const shown: string[] = [];
      Object.assign(globalThis, { shown });
      Notification.isSupported = () => true;
      Notification.prototype.show = function (this: Electron.Notification) {
        shown.push(this.title);
      };
    });
  const shown = (app: ElectronApplication): Promise<string[]> =>
    app.evaluate(() => (globalThis as unknown as { shown: string[] }).shown);
  const closeAndOpen = async (app: ElectronApplication): Promise<void> => {
    // A closing window still exists, and no notification is shown, until its page has ended.
    await app.evaluate(
      ({ BrowserWindow }) =>
        new Promise<void>((closed) => {
          const [window] = BrowserWindow.getAllWindows();
          window?.once('closed', () => closed());
          window?.close();
        }),
    );
    await Promise.all([app.waitForEvent('window'), app.evaluate(({ app: own }) => void own.emit('activate'))]);
  };
  await said(first.app);
  await expect(first.page.getByRole('heading', { level: 1 })).toBeVisible();
  await closeAndOpen(first.app);
  await closeAndOpen(first.app);
  expect(await shown(first.app)).toEqual(['Listing Companion keeps running']);
  await first.quit();
  const second = await start();
  await said(second.app);
  await closeAndOpen(second.app);
  expect(await shown(second.app)).toEqual([]);
});

test('the menus open screens and the keys dialog', async ({ start }) => {
  const { app, page } = await start();
  const choose = (id: string): Promise<void> =>
    app.evaluate(({ Menu }, line) => {
      Menu.getApplicationMenu()?.getMenuItemById(line)?.click();
    }, id);
  await page.getByRole('button', { name: 'Start with an empty shop' }).click();
  await expect(page.getByRole('region', { name: 'Drop photos here' })).toBeVisible();
  await choose('settings');
  await expect.poll(() => page.evaluate(() => location.hash)).toBe('#/settings');
  await choose('approvals');
  await expect.poll(() => page.evaluate(() => location.hash)).toBe('#/approvals');
  await choose('keys');
  await expect(page.getByRole('dialog', { name: 'Keys' })).toBeVisible();
});

const result = z.looseObject({ structuredContent: z.looseObject({}) });
const draft = z.looseObject({ untrustedBody: z.looseObject({ listingId: z.string() }) });
const elicited = z.looseObject({ mode: z.literal('url'), url: z.string() });

test('a client’s link brings the window to the front and does nothing else', async ({ start }) => {
  const { app, page, bridgeUrl } = await start();
  await page.getByRole('button', { name: 'Start with an empty shop' }).click();
  await expect(page.getByRole('region', { name: 'Drop photos here' })).toBeVisible();
  const bridge = await bridgeUrl();
  const { token } = await pairAssistant(page, bridge, 'Tidy Helper');
  const place = (): Promise<string> => page.evaluate(() => location.hash);
  const was = await place();
  await app.evaluate(({ BrowserWindow, shell }) => {
    const openedOutside: string[] = [];
    Object.assign(globalThis, { openedOutside });
    shell.openExternal = async (url) => void openedOutside.push(url);
    BrowserWindow.getAllWindows()[0]?.hide();
  });
  const isShown = (): Promise<boolean | undefined> =>
    app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible());
  expect(await isShown()).toBe(false);

  const client = new Client(
    { name: 'Tidy Helper', version: '1' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } }, capabilities: { elicitation: { url: {} } } },
  );
  const opened: { url: string; status: number }[] = [];
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    const { url } = elicited.parse(params);
    expect(await isShown()).toBe(false);
    opened.push({ url, status: (await fetch(url)).status });
    return { action: 'accept' };
  });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', bridge), { requestInit }));
  const call = async (name: string, args: Record<string, unknown>) =>
    result.parse(await client.callTool({ name, arguments: args })).structuredContent;
  const made = draft.parse(await call('call_service', { route: 'createListing', body: {} }));
  const { listingId } = made.untrustedBody;
  const asked = await call('call_service', { route: 'deleteListing', params: { listingId }, waitS: 0 });

  expect(opened).toEqual([{ url: new URL('/companion/window', bridge).href, status: 200 }]);
  await expect.poll(isShown).toBe(true);
  expect(await place()).toBe(was);
  const { requestId } = asked;
  expect(await call('check_request', { requestId, waitS: 0 })).toMatchObject({ state: 'pending' });
  const outside = () => app.evaluate(() => (globalThis as unknown as { openedOutside: string[] }).openedOutside);
  expect(await outside()).toEqual([]);
  await client.close();
});

test('the first-run screen loads no app frame', async ({ start }) => {
  const countFrameLinks = (page: Page): Promise<number> =>
    page.evaluate(() => document.querySelectorAll('link[data-app-frame]').length);
  const { page } = await start();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  // The first page may load before the companion knows the connection.
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  expect(await countFrameLinks(page)).toBe(0);

  await page.getByRole('button', { name: 'Try it with practice data' }).click();
  await expect(page.getByRole('navigation')).toBeVisible();
  await page.reload();
  await expect(page.getByRole('navigation')).toBeVisible();
  expect(await countFrameLinks(page)).toBe(2);
});
