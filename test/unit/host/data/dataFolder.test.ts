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

const createWindowsMachine = () => ({
  platform: 'win32' as const,
  env: { APPDATA: join(home, 'Roaming'), LOCALAPPDATA: join(home, 'Local') },
  home,
});
const getRoamingDir = () => join(home, 'Roaming', 'Listing Companion');
const getLocalDir = () => join(home, 'Local', 'Listing Companion');
const writeData = (folder: string, text: string): void => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'companion.db'), text);
};
const readData = (folder: string): string => readFileSync(join(folder, 'companion.db'), 'utf8');
const moveUsualData = (disk?: Disk) =>
  moveRoamingData({ dataDir: getDefaultDataDir(createWindowsMachine()), ownData: false }, createWindowsMachine(), disk);

test('the data folder follows the conventions of each platform', () => {
  const share = { platform: 'linux', env: { XDG_DATA_HOME: '/data' }, home: '/home/ada' } as const;
  expect(getDefaultDataDir(share)).toBe(join('/data', 'listing-companion'));
  expect(getDefaultDataDir({ platform: 'darwin', env: {}, home: '/Users/ada' })).toContain('Application Support');
  expect(getDefaultDataDir(createWindowsMachine())).toBe(getLocalDir());
  const bare = getDefaultDataDir({ platform: 'win32', env: {}, home });
  expect(bare).toBe(join(home, 'AppData', 'Local', 'Listing Companion'));
});

test('on Windows, data of an earlier version is moved out of the roaming profile once', () => {
  writeData(getRoamingDir(), 'mine');
  mkdirSync(join(home, 'Local'));
  // Before the move, read-only commands find the data in the old folder.
  expect(getDefaultDataDir(createWindowsMachine())).toBe(getRoamingDir());
  expect(moveUsualData().dataDir).toBe(getLocalDir());
  expect(readData(getLocalDir())).toBe('mine');
  // An earlier version that runs after the move creates a new folder, which must not replace the moved data.
  writeData(getRoamingDir(), 'other');
  expect(moveUsualData().dataDir).toBe(getLocalDir());
  expect([readData(getLocalDir()), readData(getRoamingDir())]).toEqual(['mine', 'other']);
});

test('after the move, a marker in the roaming profile stops earlier versions from starting', () => {
  writeData(getRoamingDir(), 'mine');
  mkdirSync(join(home, 'Local'));
  moveUsualData();
  expect(() => openMigratedDatabase(join(getRoamingDir(), 'companion.db'))).toThrow('written by a newer version');
  moveUsualData();
  expect(readData(getLocalDir())).toBe('mine');
  // The marker is not mistaken for data of an earlier version after the data is deleted.
  rmSync(getLocalDir(), { recursive: true });
  expect([getDefaultDataDir(createWindowsMachine()), moveUsualData().dataDir]).toEqual([getLocalDir(), getLocalDir()]);
  expect(existsSync(getLocalDir())).toBe(false);
});

test('a deletion of all data also removes the marker in the roaming profile', async () => {
  mkdirSync(getLocalDir(), { recursive: true });
  moveUsualData();
  const forget = async () => {
    storeForgetRequest(getLocalDir());
    await forgetDataIfRequested(
      { dataDir: getLocalDir(), ownData: false },
      async () => undefined,
      createWindowsMachine(),
    );
    return existsSync(getRoamingDir());
  };
  expect(existsSync(getRoamingDir())).toBe(true);
  expect(await forget()).toBe(false);
  writeData(getRoamingDir(), 'of an earlier version');
  expect(await forget()).toBe(true);
});

test('data that cannot be moved stays in place until the next start', () => {
  writeData(getRoamingDir(), 'mine');
  mkdirSync(join(home, 'Local'));
  for (const code of ['EPERM', 'EBUSY', 'EXDEV']) {
    const fail = (): never => {
      throw Object.assign(new Error(code), { code });
    };
    const held: Disk = { ...systemDisk, isWindows: true, renameSync: fail, waitSync: () => undefined };
    expect(moveUsualData(held).dataDir).toBe(getRoamingDir());
    expect([readData(getRoamingDir()), existsSync(getLocalDir()), getDefaultDataDir(createWindowsMachine())]).toEqual([
      'mine',
      false,
      getRoamingDir(),
    ]);
  }
  expect(moveUsualData().dataDir).toBe(getLocalDir());
  expect(readData(getLocalDir())).toBe('mine');
});

test('only the default data folder on Windows is moved', () => {
  writeData(getRoamingDir(), 'mine');
  mkdirSync(join(home, 'Local'));
  const named = { dataDir: join(home, 'named'), ownData: true };
  expect(moveRoamingData(named, createWindowsMachine())).toBe(named);
  const onLinux = { dataDir: join(home, 'usual'), ownData: false };
  expect(moveRoamingData(onLinux, { ...createWindowsMachine(), platform: 'linux' })).toBe(onLinux);
  expect(readData(getRoamingDir())).toBe('mine');
});

test('the keychain names of assistant tokens stay the same after the data is moved', () => {
  const before = { dataDir: getRoamingDir(), ownData: false };
  const after = { dataDir: getLocalDir(), ownData: false };
  expect(getKeychainFolder(after, createWindowsMachine())).toBe(getKeychainFolder(before, createWindowsMachine()));
  expect(getKeychainFolder(after, createWindowsMachine())).toBe(getRoamingDir());
  expect(getKeychainFolder({ ...after, ownData: true }, createWindowsMachine())).toBe(getLocalDir());
  const [one, other] = [getRoamingDir(), getLocalDir()].map((dataDir) =>
    getTokenKeychainName('lci_1', { dataDir, ownData: true }),
  );
  expect(one).not.toBe(other);
});

test('on Windows, a data folder outside the profile is reported as readable by others', () => {
  const ada = { platform: 'win32' as const, env: {}, home: String.raw`C:\Users\ada` };
  const formatWarning = (
    dataDir: string,
    machine: Parameters<typeof formatUnprotectedFolderWarning>[1] = ada,
    ownData = true,
  ) => formatUnprotectedFolderWarning({ dataDir, ownData }, machine);
  for (const folder of [String.raw`D:\mine`, String.raw`C:\Users\adam\mine`, String.raw`C:\shared`])
    expect(formatWarning(folder)).toContain(`may be able to read ${folder}`);
  expect(formatWarning(String.raw`c:\users\ADA\mine`)).toBeNull();
  expect(formatWarning(String.raw`D:\mine`, ada, false)).toBeNull();
  expect(formatWarning('/srv/mine', { platform: 'linux', env: {}, home: '/home/ada' })).toBeNull();
});
