import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createClockJumpDetector } from '../../../src/main/system/watchMachine.ts';
import { formatDesktopEntry, createLinuxEntries } from '../../../src/main/system/desktopEntries.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'system-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('a desktop entry quotes a program path with special characters', () => {
  const text = formatDesktopEntry({ name: 'A\nB', comment: 'c', exec: ['/opt/50% "a" $b `c` \\d/app', '--hidden'] });
  expect(text).toContain('Name=A B\n');
  expect(text.match(/^Exec=(.*)$/m)?.[1]).toBe('"/opt/50%% \\\\"a\\\\" \\\\$b \\\\`c\\\\` \\\\\\\\d/app" "--hidden"');
});

test('desktop entries for login and the file manager can be created and removed', async () => {
  const env = { XDG_CONFIG_HOME: join(folder, 'config'), XDG_DATA_HOME: join(folder, 'share') };
  const entries = createLinuxEntries({ env, home: folder, start: ['/opt/companion/app'] });
  expect(await entries.login.isThere()).toBe(false);
  await entries.login.set(true);
  await entries.fileManager.set(true);
  expect([await entries.login.isThere(), await entries.fileManager.isThere()]).toEqual([true, true]);
  const manager = readFileSync(join(folder, 'share', 'applications', 'listing-companion-add.desktop'), 'utf8');
  expect(manager).toContain('Exec="/opt/companion/app" %F');
  expect(manager).toContain('inode/directory;');
  await entries.login.set(false);
  await entries.login.set(false);
  expect(existsSync(join(folder, 'config', 'autostart', 'listing-companion.desktop'))).toBe(false);
});

const validator = '/usr/bin/desktop-file-validate';
// The Debian package desktop-file-utils can be missing.
test.skipIf(!existsSync(validator))('the system’s validator accepts the desktop entry', () => {
  const path = join(folder, 'one.desktop');
  writeFileSync(
    path,
    formatDesktopEntry({ name: 'N', comment: 'c', exec: ['/opt/a b/app', '%F'], mimeTypes: ['inode/directory'] }),
  );
  const read = spawnSync(validator, [path], { encoding: 'utf8' });
  expect([read.status, read.stdout]).toEqual([0, '']);
});

test('a changed clock and a sleep of the machine are detected as clock jumps', () => {
  let wall = 1_000_000;
  let steady = 0;
  const isSet = createClockJumpDetector({ wall: () => wall, steady: () => steady });
  const pass = (wallMs: number, steadyMs: number): boolean => {
    wall += wallMs;
    steady += steadyMs;
    return isSet();
  };
  expect(pass(10_000, 10_000)).toBe(false);
  expect(pass(10_020, 10_000)).toBe(false);
  expect(pass(3_600_000, 10_000)).toBe(true);
  expect(pass(10_000, 10_000)).toBe(false);
  expect(pass(-7_200_000, 10_000)).toBe(true);
  expect(pass(10_000, 10_000)).toBe(false);
});
