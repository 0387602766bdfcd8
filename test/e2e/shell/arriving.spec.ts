import { copyFileSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { drawTextlessItem } from '../drawItem.ts';
import { startAgain } from '../electronHost.ts';
import { watchOutside } from '../outside/watchOutside.ts';
import { expect, test } from './shell.ts';

test('a folder passed by a second start or dropped on the app icon becomes an item', async ({ start, folder }) => {
  const host = await start();
  const { app, page } = host;
  await page.getByRole('button', { name: 'Start with an empty shop' }).click();
  await expect(page.getByRole('region', { name: 'Drop photos here' })).toBeVisible();
  await page.getByRole('link', { name: 'Settings' }).click();
  const [handed, dropped] = ['Canon EOS 250D camera', 'Olympus XA2 camera'].map((name) => join(folder, name));
  await drawTextlessItem(handed ?? '');
  await drawTextlessItem(dropped ?? '');

  expect((await startAgain(host, handed ?? '')).code).toBe(0);
  await expect.poll(() => page.evaluate(() => location.hash)).toBe('#/');
  await expect(page.getByRole('listitem', { name: /Canon/ })).toBeVisible();

  await app.evaluate(({ app: own }, path) => void own.emit('open-file', { preventDefault: () => {} }, path), dropped);
  await expect(page.getByRole('listitem', { name: /Olympus/ })).toBeVisible();
});

test('a second start passes only paths to the running app, not values of options', async ({ start, folder }) => {
  const host = await start();
  const { page } = host;
  await page.getByRole('button', { name: 'Start with an empty shop' }).click();
  await expect(page.getByRole('region', { name: 'Drop photos here' })).toBeVisible();
  const path = join(folder, 'Canon EOS 250D camera');
  await drawTextlessItem(path);
  await host.app.evaluate(({ app: own }) => {
    const handed: unknown[] = [];
    Object.assign(globalThis, { handed });
    own.on('second-instance', (_event, argv, _folder, data) => void handed.push([argv, data]));
  });
  const handed = (): Promise<[string[], unknown][]> =>
    host.app.evaluate(() => (globalThis as unknown as { handed: [string[], unknown][] }).handed);

  // Chromium separates the values of the test's own options (a folder, "memory", a port) from their switches.
  expect((await startAgain(host, path)).code).toBe(0);
  await expect(page.getByRole('listitem', { name: /Canon/ })).toBeVisible();
  const [[argv, data] = [[], null]] = await handed();
  expect(argv.indexOf('--data') + 1).not.toBe(argv.indexOf(join(folder, 'data')));
  expect(data).toEqual({ arrival: { link: null, paths: [path] } });
  expect(await page.getByRole('alert').count()).toBe(0);
  expect(await page.getByRole('listitem', { name: /memory|data/ }).count()).toBe(0);
});

test('a second start passes hundreds of folders to the running app', async ({ start, folder }) => {
  const first = await start();
  const outside = await watchOutside(first.app);
  await first.page.getByRole('button', { name: 'Start with an empty shop' }).click();
  await expect(first.page.getByRole('region', { name: 'Drop photos here' })).toBeVisible();
  // The test needs no generated listings, so all work is paused.
  await first.page.evaluate(async () => {
    const { companion } = window as unknown as { companion: { call: (name: string, input: unknown) => unknown } };
    await companion.call('app.pause', { paused: true });
  });
  await drawTextlessItem(join(folder, 'drawn'));
  const paths = Array.from({ length: 240 }, (_none, at) => join(folder, `${'a long name '.repeat(14)}${String(at)}`));
  for (const path of paths) {
    mkdirSync(path);
    copyFileSync(join(folder, 'drawn', 'IMG_0001.jpg'), join(path, 'IMG_0001.jpg'));
  }
  expect(Buffer.byteLength(paths.join('\0'))).toBeGreaterThan(32 * 1024);
  const lists = (): string[] => readdirSync(join(folder, 'data', 'arriving'));

  expect((await startAgain(first, ...paths)).code).toBe(0);
  await expect.poll(async () => (await outside.now()).menu).toContain('240 items in progress, paused');
  expect(lists()).toEqual([]);
});

test('a folder passed to the app at its start becomes an item', async ({ start, folder }) => {
  const first = await start();
  await first.page.getByRole('button', { name: 'Start with an empty shop' }).click();
  await expect(first.page.getByRole('region', { name: 'Drop photos here' })).toBeVisible();
  await first.quit();
  const path = join(folder, 'Canon EOS 250D camera');
  await drawTextlessItem(path);
  const { page } = await start({ args: [path] });
  await expect(page.getByRole('listitem', { name: /Canon/ })).toBeVisible();
});

test('a link to the app opens a screen and does nothing else', async ({ start }) => {
  const host = await start();
  const { app, page } = host;
  await page.getByRole('button', { name: 'Start with an empty shop' }).click();
  await expect(page.getByRole('region', { name: 'Drop photos here' })).toBeVisible();
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.hide());
  const items = (): Promise<number> => page.getByRole('listitem', { name: /review|photos|draft/i }).count();
  const before = await items();

  expect((await startAgain(host, 'listing-companion://settings')).code).toBe(0);
  await expect.poll(() => page.evaluate(() => location.hash)).toBe('#/settings');
  for (const link of [
    'listing-companion://approvals/ap_1/approve',
    'listing-companion://items/..%2F..%2Fsettings?do=publish',
    'listing-companion://connect?key=abc',
  ]) {
    expect((await startAgain(host, link)).code).toBe(0);
  }
  await app.evaluate(({ app: own }) => void own.emit('open-url', { preventDefault: () => {} }, 'listing-companion://'));
  expect(await page.evaluate(() => location.hash)).toBe('#/settings');
  expect(
    await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().map((one) => one.isVisible())),
  ).toEqual([true]);
  expect(await items()).toBe(before);
});

/** Starts the app once with a window and then hidden, as after the login of the person. */
const startHidden = async (start: () => Promise<{ quit: () => Promise<void> }>, folder: string) => {
  const { launchDesktop: launch, quitApp } = await import('../electronHost.ts');
  const first = await start();
  await first.quit();
  const app = await launch(join(folder, 'data'), { args: ['--hidden'] });
  await expect.poll(() => app.evaluate(({ Menu }) => Menu.getApplicationMenu() !== null)).toBe(true);
  return { app, quit: () => quitApp(app) };
};

test('an app started hidden opens no window until the person requests it', async ({ start, folder }) => {
  const { app, quit } = await startHidden(start, folder);
  expect(await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(0);
  const [page] = await Promise.all([
    app.waitForEvent('window'),
    app.evaluate(({ app: own }) => void own.emit('activate')),
  ]);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await quit();
});

test('a second start shows the window of a hidden app before the companion runs', async ({ start, folder }) => {
  const { app, quit } = await startHidden(start, folder);
  const windows = await app.evaluate(({ app: own, BrowserWindow }) => {
    own.emit('second-instance', {}, [], '', { arrival: { paths: [], link: null } });
    return BrowserWindow.getAllWindows().length;
  });
  expect(windows).toBe(1);
  await quit();
});

test('a restart adds no folder again and shows a window', async ({ start, folder }) => {
  const path = join(folder, 'Canon EOS 250D camera');
  await drawTextlessItem(path);
  const { app, page } = await start({ args: [path, '--hidden'] });
  await page.getByRole('button', { name: 'Start with an empty shop' }).waitFor();
  const note = join(folder, 'relaunched.json');
  const ended = app.waitForEvent('close');
  await app.evaluate(({ app: own }, file) => {
    // The new process could not be driven, so the arguments are recorded.
    own.relaunch = (options) =>
      void process.getBuiltinModule('node:fs').writeFileSync(file, JSON.stringify(options?.args));
  }, note);
  await page.evaluate(() => {
    const { companion } = window as unknown as { companion: { call: (name: string, input: unknown) => unknown } };
    void companion.call('start.restart', {});
  });
  await ended;
  const args = z.array(z.string()).parse(JSON.parse(readFileSync(note, 'utf8')));
  expect([args.includes(path), args.includes('--hidden'), args.includes(join(folder, 'data'))]).toEqual([
    ...[false, false, true],
  ]);
});
