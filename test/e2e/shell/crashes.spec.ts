import type { ElectronApplication } from 'playwright';
import { expect, test } from './shell.ts';

/** Evaluates a script in the window through the app, because Playwright loses control of a page that has crashed. */
const evaluateInWindow = (app: ElectronApplication, script: string): Promise<unknown> =>
  app.evaluate(async ({ BrowserWindow }, text) => {
    const [window] = BrowserWindow.getAllWindows();
    // A script in a page that is ending may never settle.
    const late = new Promise<null>((resolve) => setTimeout(() => resolve(null), 1_000));
    const answered = window?.webContents.executeJavaScript(text).catch(() => null) as Promise<unknown>;
    return Promise.race([answered, late]);
  }, script);
const readHash = (app: ElectronApplication): Promise<unknown> => evaluateInWindow(app, 'location.hash');
const readHeading = (app: ElectronApplication): Promise<unknown> =>
  evaluateInWindow(app, `document.querySelector('h1')?.textContent ?? ''`);

/** Crashes the window's page and waits until the app has been notified. */
const crashPage = (app: ElectronApplication): Promise<void> =>
  app.evaluate(
    ({ BrowserWindow }) =>
      new Promise<void>((resolve) => {
        const contents = BrowserWindow.getAllWindows()[0]?.webContents;
        contents?.once('render-process-gone', () => resolve());
        contents?.forcefullyCrashRenderer();
      }),
  );

test('a crashed page is reloaded on the same screen and listed in the diagnostics', async ({ start }) => {
  const { app, page } = await start();
  await page.getByRole('button', { name: 'Start with an empty shop' }).click();
  await expect(page.getByRole('region', { name: 'Drop photos here' })).toBeVisible();
  await page.getByRole('link', { name: 'Assistants' }).click();
  await expect.poll(() => readHash(app)).toBe('#/assistants');

  const gpu = { type: 'GPU', reason: 'crashed', exitCode: 139 };
  await app.evaluate(({ app: own }, details) => void own.emit('child-process-gone', {}, details), gpu);
  await crashPage(app);
  await expect.poll(() => readHeading(app)).toBe('Assistants');
  expect(await readHash(app)).toBe('#/assistants');
  const text = await evaluateInWindow(
    app,
    `companion.call('app.diagnostics', {}).then((reply) => JSON.parse(reply).value.text)`,
  );
  expect(JSON.parse(String(text))).toMatchObject({
    crashes: [
      { process: 'GPU', reason: 'crashed', exitCode: 139 },
      { process: 'page of the main window', reason: expect.stringMatching(/^(crashed|killed)$/) as unknown },
    ],
  });
});

test('a page that crashes repeatedly is reloaded only on a click', async ({ start }) => {
  const { app, page } = await start();
  await page.getByRole('button', { name: 'Start with an empty shop' }).click();
  await expect(page.getByRole('region', { name: 'Drop photos here' })).toBeVisible();
  await page.getByRole('link', { name: 'Settings' }).click();
  for (let times = 0; times < 3; times += 1) {
    await expect.poll(() => readHeading(app)).toBe('Settings');
    await crashPage(app);
  }
  await expect.poll(() => readHeading(app)).toBe('Settings');
  await crashPage(app);
  await expect.poll(() => readHeading(app)).toBe('This window keeps failing');
  expect(await evaluateInWindow(app, `'companion' in window && document.scripts.length`)).toBe(0);
  await evaluateInWindow(app, `document.querySelector('button').click()`);
  await expect.poll(() => readHeading(app)).toBe('Settings');
});

test('the tour resumes at its step after a crash', async ({ start }) => {
  const { app, page } = await start();
  await page.getByRole('button', { name: 'Start with an empty shop' }).click();
  const tour = page.getByRole('region', { name: 'Tour' });
  await tour.getByRole('button', { name: 'Next' }).click();
  await expect(tour).toContainText('Step 2 of 3');
  await crashPage(app);
  await expect
    .poll(() => evaluateInWindow(app, `document.querySelector('[aria-label=Tour]')?.textContent`))
    .toContain('Step 2 of 3');
});

test('a screen requested during a crash is shown after the reload', async ({ start }) => {
  const { app, page } = await start();
  await page.getByRole('button', { name: 'Start with an empty shop' }).click();
  await expect(page.getByRole('region', { name: 'Drop photos here' })).toBeVisible();
  await app.evaluate(({ BrowserWindow, Menu }) => {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents;
    contents?.once('render-process-gone', () => {
      Menu.getApplicationMenu()?.getMenuItemById('settings')?.click();
    });
    contents?.forcefullyCrashRenderer();
  });
  await expect.poll(() => readHeading(app)).toBe('Settings');
});

test('a hanging page is ended and reloaded', async ({ start }) => {
  const { app, page } = await start();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await evaluateInWindow(app, 'globalThis.isOld = true');
  await app.evaluate(({ BrowserWindow }) => {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents;
    contents?.emit('unresponsive');
  });
  await expect.poll(() => evaluateInWindow(app, `'isOld' in globalThis`)).toBe(false);
  await expect.poll(() => readHeading(app)).not.toBe('');
});

test('a window requested while the old window closes opens afterwards', async ({ start }) => {
  const { app, page } = await start();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const closed = page.waitForEvent('close');
  await app.evaluate(({ app: own, BrowserWindow }) => {
    BrowserWindow.getAllWindows()[0]?.close();
    own.emit('activate');
  });
  await closed;
  await expect
    .poll(() => app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().map((one) => one.isVisible())))
    .toEqual([true]);
});
