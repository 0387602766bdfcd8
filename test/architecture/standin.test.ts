import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const standin = join(root, 'test', 'electron-standin');
/** Imports an untyped part of the stand-in. */
const importPart = (name: string): Promise<unknown> => import(join(standin, 'parts', `${name}.mjs`));

/** The rows of the table of differences, each with the file and the title of its test. */
const rows = readFileSync(join(standin, 'README.md'), 'utf8')
  .split('\n')
  .flatMap((line) => {
    const [, side, , , heldBy = ''] = line.split('|').map((cell) => cell.trim());
    const [, path = '', title = ''] = /^`([^`]+)`: (.+)$/.exec(heldBy) ?? [];
    return side === 'kinder' || side === 'harsher' ? [[side, path, title] as const] : [];
  });

test('the stand-in’s README lists where the stand-in is kinder or harsher than Electron', () => {
  expect(new Set(rows.map(([side]) => side))).toEqual(new Set(['kinder', 'harsher']));
});

test.each(rows)('the test cited for a %s difference of the stand-in exists: %s: %s', (_side, path, title) => {
  expect(existsSync(join(root, path)), path).toBe(true);
  const named = readFileSync(join(root, path), 'utf8').match(/^test[^]*?=>/gm) ?? [];
  expect(
    named.some((one) => one.includes(title)),
    title,
  ).toBe(true);
});

test('a second start receives its arguments in Chromium’s order, with switches first', async () => {
  const { asHandedOver } = (await importPart('singleInstance')) as { asHandedOver: (argv: string[]) => string[] };
  expect(asHandedOver(['app', '.', '--data', 'mine', '--verbose', 'photos', '--ui-port=7', '--', '--odd'])).toEqual([
    ...['app', '--data', '--verbose', '--ui-port=7', '--allow-file-access-from-files'],
    ...['.', 'mine', 'photos', '--', '--odd'],
  ]);
});

test('the stand-in desktop has one screen and no notifications', async () => {
  const { Notification } = (await importPart('notification')) as { Notification: { isSupported: () => boolean } };
  const { screen } = (await importPart('desktop')) as { screen: { getAllDisplays: () => unknown[] } };
  expect([Notification.isSupported(), screen.getAllDisplays().length]).toEqual([false, 1]);
});

test.each([{ sandbox: false }, { contextIsolation: false }, { nodeIntegration: true }])(
  'the stand-in refuses a window without its sandbox or isolation: %j',
  async (webPreferences) => {
    const { BrowserWindow } = (await importPart('browserWindow')) as {
      BrowserWindow: new (options: unknown) => unknown;
    };
    expect(() => new BrowserWindow({ webPreferences })).toThrow('only windows with context isolation');
  },
);

/** Runs this code as an app in the stand-in. */
const runApp = (code: string) => {
  const folder = mkdtempSync(join(tmpdir(), 'standin-'));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'app', type: 'module', main: 'main.js' }));
  writeFileSync(join(folder, 'main.js'), code);
  const ended = spawnSync(join(standin, 'dist', 'electron'), [folder], {
    encoding: 'utf8',
    env: { ...process.env, STANDIN_NODE: process.execPath },
  });
  rmSync(folder, { recursive: true, force: true });
  return ended;
};

test.skipIf(process.platform === 'win32')('an unhandled promise rejection ends the app in the stand-in', () => {
  const { status, stderr } = runApp(
    "Promise.reject(new Error('nobody waits')); await new Promise((go) => setTimeout(go, 10_000));",
  );
  expect(status).toBe(1);
  expect(stderr).toContain('nobody waits');
});

test.skipIf(process.platform === 'win32')(
  'all threads of an app in the stand-in share one heap of a fixed limit',
  () => {
    const code =
      'const { env } = process; console.log(env.MALLOC_ARENA_MAX, env.MALLOC_MMAP_THRESHOLD_); process.exit(0);';
    expect(runApp(code).stdout).toBe('1 1048576\n');
  },
);
