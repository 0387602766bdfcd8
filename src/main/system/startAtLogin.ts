import { app } from 'electron';
import { homedir } from 'node:os';
import { createLinuxEntries } from './desktopEntries.ts';
import { chooseLoginMethod } from '../installedCopy.ts';

const args = ['--hidden'];

/** An AppImage runs from a mount that disappears after the run, so APPIMAGE is used. */
const readStartCommand = (): string[] => [
  process.env['APPIMAGE'] ?? process.execPath,
  ...(app.isPackaged ? [] : [app.getAppPath()]),
];

const readLinuxEntries = () => createLinuxEntries({ env: process.env, home: homedir(), start: readStartCommand() });

const readLoginMethod = () => chooseLoginMethod({ platform: process.platform, packaged: app.isPackaged });

/** Reads and sets whether the companion starts at login; null if it cannot be set. */
export const startAtLogin = {
  get: async (): Promise<boolean | null> => {
    if (readLoginMethod() === 'file') return readLinuxEntries().login.isThere();
    return readLoginMethod() === 'system' ? app.getLoginItemSettings({ args }).openAtLogin : null;
  },
  set: async (on: boolean): Promise<void> => {
    if (readLoginMethod() === 'file') return readLinuxEntries().login.set(on);
    if (readLoginMethod() === 'system') app.setLoginItemSettings({ openAtLogin: on, args });
  },
};

/** Whether macOS started this run at login; macOS reports it here because login items have no arguments. */
export const wasOpenedAtLogin = (): boolean =>
  process.platform === 'darwin' && app.isPackaged && app.getLoginItemSettings().wasOpenedAtLogin;

/** "Add to Listing Companion" in the file manager: a desktop entry on Linux, otherwise the installer's (null). */
export const addFromFileManager = {
  get: async (): Promise<boolean | null> =>
    process.platform === 'linux' ? readLinuxEntries().fileManager.isThere() : null,
  set: async (on: boolean): Promise<void> => {
    if (process.platform === 'linux') await readLinuxEntries().fileManager.set(on);
  },
};
