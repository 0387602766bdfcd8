import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ElectronApplication, Page } from 'playwright';
import * as z from 'zod';
import { drawTextlessItem } from '../drawItem.ts';
import { watchOutside } from '../outside/watchOutside.ts';
import { artefacts } from '../host.ts';
import { callInWindow } from '../practiceControl.ts';
import { expect, test } from './shell.ts';

const startPractice = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Start with an empty shop' }).click();
  await expect(page.getByRole('region', { name: 'Drop photos here' })).toBeVisible();
};

/** Pauses or resumes the app's work, so that an item stays in progress. */
const setPaused = (page: Page, paused: boolean): Promise<unknown> =>
  page.evaluate((wanted) => {
    const { companion } = window as unknown as { companion: { call: (name: string, input: unknown) => unknown } };
    return companion.call('app.pause', { paused: wanted });
  }, paused);

/** Returns the app's exit code and its output until then. */
const waitForExit = async (app: ElectronApplication): Promise<{ code: number | null; said: string }> => {
  const child = app.process();
  let said = '';
  child.stderr?.on('data', (bytes: Buffer) => (said += bytes.toString()));
  const [code] = (await once(child, 'exit')) as [number | null];
  return { code, said };
};

const state = z.object({ value: z.object({ service: z.object({ url: z.string() }) }) });

/** Returns how many drafts the practice service has received after the app finished other work. */
const countDrafts = async (page: Page): Promise<number> => {
  for (let copies = 0; copies < 3; copies += 1) await callInWindow(page, 'backups.make');
  const { url } = state.parse(await callInWindow(page, 'app.state')).value.service;
  const journal = (await (await fetch(`${url}/practice/journal?since=0`)).json()) as { kind: string }[];
  return journal.filter(({ kind }) => kind === 'draft').length;
};

/** Quits between tasks: the debugger can interrupt running code, even a database query. */
const quitSoon = (app: ElectronApplication): Promise<void> =>
  app.evaluate(({ app: own }) => void setImmediate(() => own.quit()));

/** Answers the question about quitting and records its texts. */
const answerQuitting = (app: ElectronApplication, response: number): Promise<void> =>
  app.evaluate(({ dialog }, answer) => {
    const asked: string[] = [];
    Object.assign(globalThis, { asked });
    dialog.showMessageBox = (options: unknown) => {
      asked.push((options as { message: string }).message);
      return Promise.resolve({ response: answer, checkboxChecked: false });
    };
  }, response);
const listQuestions = (app: ElectronApplication): Promise<string[]> =>
  app.evaluate(() => (globalThis as unknown as { asked: string[] }).asked);

test('all work is paused and resumed from the tray', async ({ start, folder }) => {
  const { app, page, dropFolder } = await start();
  const outside = await watchOutside(app);
  await app.evaluate(({ BrowserWindow }) => {
    const bars: number[] = [];
    Object.assign(globalThis, { bars });
    const [window] = BrowserWindow.getAllWindows();
    if (window) window.setProgressBar = (done) => void bars.push(done);
  });
  await startPractice(page);
  await setPaused(page, true);
  await expect.poll(async () => (await outside.now()).menu).toContain('Nothing in progress, paused');
  await outside.choose('pause');
  await expect.poll(async () => (await outside.now()).menu).toContain('Nothing in progress');
  await outside.choose('pause');
  await expect.poll(async () => (await outside.now()).menu).toContain('Nothing in progress, paused');

  const path = join(folder, 'Canon EOS 250D camera');
  await drawTextlessItem(path);
  await dropFolder(path);
  await expect.poll(async () => (await outside.now()).menu).toContain('1 item in progress, paused');
  expect(await countDrafts(page)).toBe(0);
  expect((await outside.now()).menu).toContain('1 item in progress, paused');

  // A visible window shows no notification.
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.hide());
  await outside.choose('pause');
  await expect(page.getByRole('listitem', { name: /review/i })).toBeVisible({ timeout: 60_000 });
  await expect.poll(async () => (await outside.now()).menu).toContain('Nothing in progress');
  const bars = await app.evaluate(() => (globalThis as unknown as { bars: number[] }).bars);
  expect(Math.max(...bars)).toBeGreaterThan(0);
  expect(bars.at(-1)).toBe(-1);

  // A finished generation shows a notification that leads to the item.
  await expect
    .poll(async () => (await outside.now()).notifications.map(({ title }) => title))
    .toContain('Ready to review');
  await page.getByRole('link', { name: 'Settings' }).click();
  await outside.clickNotification();
  await expect.poll(() => page.evaluate(() => location.hash)).toMatch(/^#\/items\/it_/);
  await page.screenshot({ path: join(artefacts, 'electron-9-written.png') });
});

test('a sleeping machine starts no new work until it wakes up', async ({ start, folder }) => {
  const { app, page, dropFolder } = await start();
  await startPractice(page);
  await app.evaluate(({ powerMonitor }) => void powerMonitor.emit('suspend'));
  const path = join(folder, 'Canon EOS 250D camera');
  await drawTextlessItem(path);
  await dropFolder(path);
  const item = page.getByRole('listitem', { name: /Canon/ });
  await expect(item).toBeVisible();
  expect(await countDrafts(page)).toBe(0);
  await app.evaluate(({ powerMonitor }) => void powerMonitor.emit('resume'));
  await expect(page.getByRole('listitem', { name: /review/i })).toBeVisible({ timeout: 60_000 });
});

test('quitting during work needs a confirmation, and the work resumes at the next start', async ({ start, folder }) => {
  const first = await start();
  await startPractice(first.page);
  await setPaused(first.page, true);
  const path = join(folder, 'Canon EOS 250D camera');
  await drawTextlessItem(path);
  await first.dropFolder(path);
  await expect(first.page.getByRole('listitem', { name: /Canon/ })).toBeVisible();

  await answerQuitting(first.app, 1);
  await quitSoon(first.app);
  await expect.poll(() => listQuestions(first.app)).toEqual(['1 item is in progress.']);
  await expect(first.page.getByRole('listitem', { name: /Canon/ })).toBeVisible();
  await first.quit();

  const second = await start();
  await expect(second.page.getByRole('listitem', { name: /review/i })).toBeVisible({ timeout: 60_000 });
});

test('quitting while idle needs no confirmation', async ({ start }) => {
  const { app, page } = await start();
  await startPractice(page);
  await answerQuitting(app, 1);
  const [closed, ended] = [app.waitForEvent('close'), waitForExit(app)];
  await app.evaluate(({ app: own }) => void own.once('will-quit', () => own.quit()));
  await quitSoon(app);
  await closed;
  const { code, said } = await ended;
  expect([code, /exception|rejection|did not stop/i.exec(said)]).toEqual([0, null]);
});

test('the app exits even if a system call never returns', async ({ start, folder }) => {
  test.skip(process.platform === 'win32', 'Windows has no such pipes in folders.');
  const { app, page } = await start();
  await startPractice(page);
  // To the app this looks like a file on a drive that does not respond.
  execFileSync('mkfifo', [join(folder, 'pipe')]);
  await app.evaluate(
    (_electron, pipe) => {
      process.getBuiltinModule('node:fs').open(pipe, () => undefined);
    },
    join(folder, 'pipe'),
  );
  const closed = app.waitForEvent('close');
  await quitSoon(app);
  await closed;
  // All parts were stopped before, so no file claims that the bridge is running.
  expect(existsSync(join(folder, 'data', 'bridge.json'))).toBe(false);
});

test('a termination signal ends the app without a confirmation and without lost work', async ({ start, folder }) => {
  test.skip(process.platform === 'win32', 'Windows has no such signal.');
  const first = await start();
  await startPractice(first.page);
  await setPaused(first.page, true);
  const path = join(folder, 'Canon EOS 250D camera');
  await drawTextlessItem(path);
  await first.dropFolder(path);
  await expect(first.page.getByRole('listitem', { name: /Canon/ })).toBeVisible();
  await answerQuitting(first.app, 1);
  const closed = first.app.waitForEvent('close');
  first.app.process().kill('SIGTERM');
  await closed;

  const second = await start();
  await expect(second.page.getByRole('listitem', { name: /review/i })).toBeVisible({ timeout: 60_000 });
});
