import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ElectronApplication } from 'playwright';
import { expect, test } from './shell.ts';

const boundsOf = (app: ElectronApplication) =>
  app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getBounds());

test('the window opens where it was, as large and as magnified as it was', async ({ start, folder }) => {
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
  expect(await boundsOf(second.app)).toEqual({ x: 120, y: 80, width: 1000, height: 700 });
  const zoom = (): Promise<number | undefined> =>
    second.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.getZoomLevel());
  await expect.poll(zoom).toBe(1);
});

test('a window that was on a screen that is gone opens on the one that is there', async ({ start, folder }) => {
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

test('closing the window is explained once, and never again', async ({ start }) => {
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
    await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
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

test('the menus lead to places, and press the window’s own keys', async ({ start }) => {
  const { app, page } = await start();
  const choose = (id: string): Promise<void> =>
    app.evaluate(({ Menu }, line) => {
      Menu.getApplicationMenu()?.getMenuItemById(line)?.click();
    }, id);
  await page.getByRole('button', { name: 'Try it with practice data' }).click();
  await expect(page.getByRole('region', { name: 'Drop photos here' })).toBeVisible();
  await choose('settings');
  await expect.poll(() => page.evaluate(() => location.hash)).toBe('#/settings');
  await choose('approvals');
  await expect.poll(() => page.evaluate(() => location.hash)).toBe('#/approvals');
  await choose('keys');
  await expect(page.getByRole('dialog', { name: 'Keys' })).toBeVisible();
});
