import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { requireCommandPath, createCommandText, installCommand } from '../../../src/main/system/installCommand.ts';

const onLinux = { platform: 'linux', env: {} } as const;
const onWindows = { platform: 'win32', env: { LOCALAPPDATA: String.raw`C:\Users\Zoë\AppData\Local` } } as const;

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'command-'));
  mkdirSync(join(home, '.local', 'bin'), { recursive: true });
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const findCommandPathOn = (path: string): string =>
  requireCommandPath({ platform: 'linux', env: { PATH: path }, home });

test('the command is installed on the PATH and passes its arguments to the program', () => {
  const file = findCommandPathOn(`/nowhere:${join(home, '.local', 'bin')}`);
  expect(file).toBe(join(home, '.local', 'bin', 'listing-companion'));
  const program = join(home, "Robin's app");
  writeFileSync(program, `#!/bin/sh\nprintf '%s|' "$@"\n`, { mode: 0o755 });
  installCommand(file, createCommandText(onLinux, { program, args: ['--ozone-platform=headless'] }));
  expect(execFileSync(file, ['add', 'my folder'], { encoding: 'utf8' })).toBe(
    '--ozone-platform=headless|add|my folder|',
  );
  // A newer app overwrites it.
  installCommand(file, createCommandText(onLinux, { program: '/newer', args: [] }));
  expect(readFileSync(file, 'utf8')).toContain('exec /newer');
});

test('without a suitable folder on the PATH, the error suggests suitable folders', () => {
  expect(() => findCommandPathOn('/nowhere')).toThrow(join(home, '.local', 'bin'));
});

test('an existing command of another program is not overwritten', () => {
  const file = findCommandPathOn(join(home, '.local', 'bin'));
  writeFileSync(file, '#!/bin/sh\necho mine\n');
  expect(() => installCommand(file, createCommandText(onLinux, { program: '/app', args: [] }))).toThrow(
    'Nothing was changed',
  );
  expect(readFileSync(file, 'utf8')).toBe('#!/bin/sh\necho mine\n');
});

test('on Windows the command is a cmd file with escaped percent signs', () => {
  expect(createCommandText(onWindows, { program: String.raw`C:\100% mine\app.exe`, args: [] })).toBe(
    '@rem Written by Listing Companion.\r\n@"C:\\100%% mine\\app.exe" %*\r\n',
  );
});

test('on Windows, the command refers to the person’s folder by an environment variable', () => {
  const program = String.raw`c:\users\Zoë\AppData\Local\Programs\100% mine\app.exe`;
  expect(createCommandText(onWindows, { program, args: [] })).toBe(
    '@rem Written by Listing Companion.\r\n@"%LOCALAPPDATA%\\Programs\\100%% mine\\app.exe" %*\r\n',
  );
  const beside = String.raw`C:\Users\Zoë\AppData\LocalLow\app.exe`;
  expect(createCommandText(onWindows, { program: beside, args: [] })).toContain(beside);
});

test('on Windows every line of the command outside the UTF-8 section is ASCII', () => {
  const text = createCommandText(onWindows, { program: String.raw`D:\Für alle\app.exe`, args: [] });
  const lines = text.split('\r\n');
  const at = lines.indexOf(String.raw`@"D:\Für alle\app.exe" %*`);
  expect(lines[at - 1]).toBe('@chcp 65001 >nul');
  expect(lines.toSpliced(at, 1).join('')).toMatch(/^[\x20-\x7e]+$/);
  expect(lines.slice(at + 1)).toEqual([
    '@set "exitCode=%errorlevel%"',
    '@chcp %codePage% >nul',
    '@exit /b %exitCode%',
    '',
  ]);
});

test.runIf(process.platform === 'win32')('cmd starts a program with a non-ASCII path and returns its exit code', () => {
  const program = join(home, 'Für alle 日本', 'node.exe');
  mkdirSync(dirname(program));
  copyFileSync(process.execPath, program);
  const args = ['-e', 'console.log(process.argv[1]); process.exitCode = 7'];
  const file = join(home, 'listing-companion.cmd');
  installCommand(file, createCommandText({ platform: 'win32', env: {} }, { program, args }));
  const { status, stdout } = spawnSync('cmd', ['/d', '/c', file, 'add'], { encoding: 'utf8' });
  expect([status, stdout.trim()]).toEqual([7, 'add']);
});
