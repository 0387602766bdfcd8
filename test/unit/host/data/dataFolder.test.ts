import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openMigratedDatabase } from '../../../../src/core/storage/database.ts';
import { systemDisk, type Disk } from '../../../../src/disk/disk.ts';
import { forgetDataIfRequested, storeForgetRequest } from '../../../../src/host/data/forgetting.ts';
import { getTokenKeychainName } from '../../../../src/host/clientTokens.ts';
import {
  getDefaultDataDir,
  getKeychainFolder,
  moveRoamingData,
  formatUnprotectedFolderWarning,
} from '../../../../src/host/data/dataFolder.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'profile-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const windows = () => ({
  platform: 'win32' as const,
  env: { APPDATA: join(home, 'Roaming'), LOCALAPPDATA: join(home, 'Local') },
  home,
});
const roaming = () => join(home, 'Roaming', 'Listing Companion');
const local = () => join(home, 'Local', 'Listing Companion');
const keep = (folder: string, text: string): void => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'companion.db'), text);
};
const kept = (folder: string): string => readFileSync(join(folder, 'companion.db'), 'utf8');
const usual = (disk?: Disk) =>
  moveRoamingData({ dataDir: getDefaultDataDir(windows()), ownData: false }, windows(), disk);

test('the data folder follows the conventions of each platform', () => {
  const share = { platform: 'linux', env: { XDG_DATA_HOME: '/data' }, home: '/home/ada' } as const;
  expect(getDefaultDataDir(share)).toBe(join('/data', 'listing-companion'));
  expect(getDefaultDataDir({ platform: 'darwin', env: {}, home: '/Users/ada' })).toContain('Application Support');
  expect(getDefaultDataDir(windows())).toBe(local());
  const bare = getDefaultDataDir({ platform: 'win32', env: {}, home });
  expect(bare).toBe(join(home, 'AppData', 'Local', 'Listing Companion'));
});

test('on Windows, data of an earlier version is moved out of the roaming profile once', () => {
  keep(roaming(), 'mine');
  mkdirSync(join(home, 'Local'));
  // Until then, a command that only looks finds them where they are.
  expect(getDefaultDataDir(windows())).toBe(roaming());
  expect(usual().dataDir).toBe(local());
  expect(kept(local())).toBe('mine');
  // An earlier version that was started again since began another folder: it replaces nothing.
  keep(roaming(), 'other');
  expect(usual().dataDir).toBe(local());
  expect([kept(local()), kept(roaming())]).toEqual(['mine', 'other']);
});

test('a marker in the roaming profile stops earlier versions after the move, and this version ignores the marker', () => {
  keep(roaming(), 'mine');
  mkdirSync(join(home, 'Local'));
  usual();
  expect(() => openMigratedDatabase(join(roaming(), 'companion.db'))).toThrow('written by a newer version');
  usual();
  expect(kept(local())).toBe('mine');
  // Nor is it taken for data of an earlier version once the data themselves are gone.
  rmSync(local(), { recursive: true });
  expect([getDefaultDataDir(windows()), usual().dataDir]).toEqual([local(), local()]);
  expect(existsSync(local())).toBe(false);
});

test('deleting all data removes the marker in the roaming profile, but not data of an earlier version', async () => {
  mkdirSync(local(), { recursive: true });
  usual();
  const forget = async () => {
    storeForgetRequest(local());
    await forgetDataIfRequested({ dataDir: local(), ownData: false }, async () => undefined, windows());
    return existsSync(roaming());
  };
  expect(existsSync(roaming())).toBe(true);
  expect(await forget()).toBe(false);
  keep(roaming(), 'of an earlier version');
  expect(await forget()).toBe(true);
});

test('data that cannot be moved stays in place until the next start moves it', () => {
  keep(roaming(), 'mine');
  mkdirSync(join(home, 'Local'));
  for (const code of ['EPERM', 'EBUSY', 'EXDEV']) {
    const fail = (): never => {
      throw Object.assign(new Error(code), { code });
    };
    const held: Disk = { ...systemDisk, isWindows: true, renameSync: fail, waitSync: () => undefined };
    expect(usual(held).dataDir).toBe(roaming());
    expect([kept(roaming()), existsSync(local()), getDefaultDataDir(windows())]).toEqual(['mine', false, roaming()]);
  }
  expect(usual().dataDir).toBe(local());
  expect(kept(local())).toBe('mine');
});

test('a data folder named by the person or used on another system is never moved', () => {
  keep(roaming(), 'mine');
  mkdirSync(join(home, 'Local'));
  const named = { dataDir: join(home, 'named'), ownData: true };
  expect(moveRoamingData(named, windows())).toBe(named);
  const onLinux = { dataDir: join(home, 'usual'), ownData: false };
  expect(moveRoamingData(onLinux, { ...windows(), platform: 'linux' })).toBe(onLinux);
  expect(kept(roaming())).toBe('mine');
});

test('the token names of assistants stay the same when the data is moved', () => {
  const before = { dataDir: roaming(), ownData: false };
  const after = { dataDir: local(), ownData: false };
  expect(getKeychainFolder(after, windows())).toBe(getKeychainFolder(before, windows()));
  expect(getKeychainFolder(after, windows())).toBe(roaming());
  expect(getKeychainFolder({ ...after, ownData: true }, windows())).toBe(local());
  const [one, other] = [roaming(), local()].map((dataDir) => getTokenKeychainName('lci_1', { dataDir, ownData: true }));
  expect(one).not.toBe(other);
});

test('only on Windows, a data folder outside the profile is reported as readable by others', () => {
  const ada = { platform: 'win32' as const, env: {}, home: String.raw`C:\Users\ada` };
  const said = (dataDir: string, machine: Parameters<typeof formatUnprotectedFolderWarning>[1] = ada, ownData = true) =>
    formatUnprotectedFolderWarning({ dataDir, ownData }, machine);
  for (const folder of [String.raw`D:\mine`, String.raw`C:\Users\adam\mine`, String.raw`C:\shared`])
    expect(said(folder)).toContain(`may be able to read ${folder}`);
  expect(said(String.raw`c:\users\ADA\mine`)).toBeNull();
  expect(said(String.raw`D:\mine`, ada, false)).toBeNull();
  expect(said('/srv/mine', { platform: 'linux', env: {}, home: '/home/ada' })).toBeNull();
});
