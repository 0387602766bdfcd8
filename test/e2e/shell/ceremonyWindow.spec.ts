import type { ElectronApplication, Page } from 'playwright';
import * as z from 'zod';
import { watchOutside } from '../outside/watchOutside.ts';
import { callInWindow } from '../practiceControl.ts';
import { expect, test } from './shell.ts';

const reply = z.object({ ok: z.literal(true), value: z.unknown() });
const begun = z.object({ token: z.string() });
const result = z.object({ state: z.string(), proofId: z.string().nullable() });
const state = z.object({ service: z.object({ url: z.url() }) });
const opened = z.object({ url: z.null() });

const call = async <T>(page: Page, shape: z.ZodType<T>, name: string, input: object = {}): Promise<T> =>
  shape.parse(reply.parse(await callInWindow(page, name, input)).value);
const readResult = (page: Page, token: string) => call(page, result, 'proofs.result', { token });

const signIn = async (page: Page): Promise<void> => {
  const { url } = (await call(page, state, 'app.state')).service;
  const { challengeId } = await call(page, z.object({ challengeId: z.string() }), 'proofs.startSignIn');
  const [mail] = z.array(z.object({ code: z.string() })).parse(await (await fetch(`${url}/practice/outbox`)).json());
  await call(page, z.unknown(), 'proofs.signIn', { challengeId, code: mail?.code ?? '' });
};

const connectAndSignIn = async (page: Page): Promise<void> => {
  await call(page, z.unknown(), 'connect.practice', { shop: 'empty' });
  await signIn(page);
};

const setPin = async (app: ElectronApplication, page: Page): Promise<void> => {
  const { token } = await call(page, begun, 'proofs.register', { kind: 'pin' });
  const [sheet] = await Promise.all([app.waitForEvent('window'), call(page, opened, 'proofs.open', { token })]);
  await expect(sheet.getByRole('heading', { name: 'Set up a PIN' })).toBeVisible();
  expect(await sheet.evaluate(() => 'companion' in globalThis)).toBe(false);
  await sheet.getByLabel('PIN', { exact: true }).fill('246813');
  await sheet.getByLabel('The same PIN again').fill('246813');
  await sheet.keyboard.press('Enter');
  await expect.poll(async () => (await readResult(page, token)).state).toBe('done');
};

test('a PIN is set and confirmed in its own window, which has no access to the app', async ({ start }) => {
  const { app, page } = await start();
  await expect(page.getByRole('button', { name: 'Try it with practice data' })).toBeVisible();
  await connectAndSignIn(page);
  await setPin(app, page);
  const yes = await call(page, begun, 'proofs.begin', { call: 'app.pause', input: { paused: false } });
  const [second] = await Promise.all([
    app.waitForEvent('window'),
    call(page, opened, 'proofs.open', { token: yes.token }),
  ]);
  await expect(second.getByText('Resume all work')).toBeVisible();
  await second.keyboard.press('Escape');
  await expect.poll(async () => (await readResult(page, yes.token)).state).toBe('cancelled');
});

test('the tray and the window say that a recovery runs, also after a restart, until the person cancels it', async ({
  start,
}) => {
  const { app, page, quit } = await start();
  await expect(page.getByRole('button', { name: 'Try it with practice data' })).toBeVisible();
  await connectAndSignIn(page);
  await setPin(app, page);
  const outside = await watchOutside(app);
  // A window gets one code a minute, and a loaded page counts as a new window.
  await page.reload();
  await expect(page.getByRole('navigation', { name: 'Places' })).toBeVisible();
  await signIn(page);
  await call(page, z.unknown(), 'proofs.startRecovery');
  const line = 'Your passkeys and PIN will be removed soon';
  await expect.poll(async () => (await outside.now()).menu[0]).toBe(line);
  await quit();

  const again = await start();
  await expect(again.page.getByText(/Your passkeys and PIN will be removed in 23 h/)).toBeVisible();
  const after = await watchOutside(again.app);
  // The menu is drawn again with the next change.
  await call(again.page, z.unknown(), 'app.pause', { paused: true });
  await expect.poll(async () => (await after.now()).menu[0]).toBe(line);
  await after.choose('recovery');
  await expect.poll(() => again.page.evaluate(() => location.hash)).toBe('#/settings');
  await again.page.getByRole('button', { name: 'Keep them' }).click();
  await expect.poll(async () => (await after.now()).menu).not.toContain(line);
});

test('work is resumed from the tray in the small window of the ceremony alone', async ({ start }) => {
  const { app, page } = await start();
  await expect(page.getByRole('button', { name: 'Try it with practice data' })).toBeVisible();
  await connectAndSignIn(page);
  await setPin(app, page);
  const outside = await watchOutside(app);
  await call(page, z.unknown(), 'app.pause', { paused: true });
  await expect.poll(async () => (await outside.now()).menu).toContain('Nothing in progress, paused');
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.hide());
  const [sheet] = await Promise.all([app.waitForEvent('window'), outside.choose('pause')]);
  await expect(sheet.getByText('Resume all work')).toBeVisible();
  await sheet.getByLabel('PIN', { exact: true }).fill('246813');
  await sheet.keyboard.press('Enter');
  await expect.poll(async () => (await outside.now()).menu).toContain('Nothing in progress');
  const isMainShown = await app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows().some(
      (window) => window.isVisible() && !window.webContents.getURL().includes('/presence/'),
    ),
  );
  expect(isMainShown).toBe(false);
});

test('where the app cannot use passkeys, it opens the page in the person’s browser', async ({ start }) => {
  test.skip(process.platform === 'win32', 'On Windows, the app uses passkeys itself.');
  const { app, page } = await start();
  await expect(page.getByRole('button', { name: 'Try it with practice data' })).toBeVisible();
  await connectAndSignIn(page);
  await app.evaluate(({ shell }) => {
    shell.openExternal = async (url) => void Object.assign(globalThis, { openedPage: url });
  });
  const { token } = await call(page, begun, 'proofs.register', { kind: 'passkey' });
  await call(page, opened, 'proofs.open', { token });
  const address = await app.evaluate(() => (globalThis as unknown as { openedPage: string }).openedPage);
  expect(address).toMatch(new RegExp(`^http://localhost:\\d+/presence/${token}$`));
  const shown = await fetch(address);
  expect([shown.status, shown.headers.get('content-security-policy')]).toEqual([
    200,
    expect.stringContaining("frame-ancestors 'none'"),
  ]);
});
