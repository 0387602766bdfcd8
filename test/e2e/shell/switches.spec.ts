import { startAgain } from '../electronHost.ts';
import { expect, test } from './shell.ts';

test('Chromium switches do not end the app, and a mistyped app option is reported', async ({ start }) => {
  const host = await start({
    args: ['--password-store=basic', '--proxy-server=direct://', '--enable-features=Nothing', '--v=0'],
  });
  await expect(host.page.getByRole('button', { name: 'Try it with practice data' })).toBeVisible();
  const { code, stderr } = await startAgain(host, '--brigde-port', '1');
  expect(code).toBe(2);
  expect(stderr).toContain('did you mean --bridge-port?');
});

test('the heap of a window grows slowly, and its collections do not block frames for long', async ({ start }) => {
  const { app, page } = await start();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  expect(await app.evaluate((electron) => electron.app.commandLine.getSwitchValue('js-flags'))).toBe(
    '--heap-growing-percent=30 --max-semi-space-size=2',
  );
});
