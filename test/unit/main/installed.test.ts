import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, matchesGlob } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { chooseAutostartMethod, appId, chooseUserModelId, canUpdateItself } from '../../../src/main/installedCopy.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const builder = readFileSync(join(root, 'electron-builder.yml'), 'utf8');
const readSetting = (name: string): string => new RegExp(`^ *${name}: '?([^'\\n]+)'?$`, 'm').exec(builder)?.[1] ?? '';

let resourcesDir: string;
beforeEach(() => {
  resourcesDir = mkdtempSync(join(tmpdir(), 'resources-'));
});
afterEach(() => rmSync(resourcesDir, { recursive: true, force: true }));

test('on Windows the app uses the id of its installed shortcut', () => {
  expect(appId).toBe(readSetting('appId'));
  expect(chooseUserModelId({ packaged: true, program: 'C:\\app.exe' })).toBe(appId);
  // A copy without a shortcut would show no notifications under that id.
  expect(chooseUserModelId({ packaged: false, program: 'C:\\electron.exe' })).toBe('C:\\electron.exe');
});

test('on Linux the windows use the name of the installed desktop entry', () => {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { desktopName?: string };
  expect(manifest.desktopName).toBe(`${readSetting('executableName')}.desktop`);
  expect(readSetting('syncDesktopName')).toBe('true');
});

test.each([
  ['node_modules/@img/sharp-darwin-x64/lib/sharp-darwin-x64.node', true],
  ['node_modules/@img/sharp-libvips-darwin-arm64/lib/libvips-cpp.dylib', true],
  ['node_modules/keytar/prebuilds/darwin-arm64/keytar.node', true],
  ['node_modules/better-sqlite3/prebuilds/darwin-x64.node', true],
  ['Electron Framework.framework/Electron Framework', false],
])('only library files for a single architecture are allowed in a universal Mac app: %s', (path, may) => {
  const inApp = join('Contents', 'Resources', 'app.asar.unpacked', path);
  expect(matchesGlob(inApp, readSetting('x64ArchFiles'))).toBe(may);
});

test.each([
  ['linux', false, 'file'],
  ['linux', true, 'file'],
  ['darwin', true, 'system'],
  ['win32', true, 'system'],
  // The system would start Electron without the app.
  ['darwin', false, null],
  ['win32', false, null],
] as const)('on %s (packaged: %s), the start at login is configured through: %s', (platform, packaged, by) => {
  expect(chooseAutostartMethod({ platform, packaged })).toBe(by);
});

test('the app updates itself only if it is installed and has an update source', () => {
  const installed = { packaged: true, platform: 'linux', env: { APPIMAGE: '/a' }, resourcesDir } as const;
  expect(canUpdateItself(installed)).toBe(false);
  writeFileSync(join(resourcesDir, 'app-update.yml'), 'provider: github');
  expect(canUpdateItself(installed)).toBe(true);
  expect(canUpdateItself({ ...installed, packaged: false })).toBe(false);
  expect(canUpdateItself({ ...installed, env: {} })).toBe(false);
  expect(canUpdateItself({ ...installed, platform: 'win32', env: {} })).toBe(true);
});
