import { app } from 'electron';
import { homedir } from 'node:os';
import { createLinuxEntries } from './desktopEntries.ts';
import { chooseAutostartMethod } from '../installedCopy.ts';

const args = ['--hidden'];

/** An AppImage runs from a mount that disappears after the run, so the path of the AppImage file is used. */
const getStartCommand = (): string[] => [
  process.env['APPIMAGE'] ?? process.execPath,
  ...(app.isPackaged ? [] : [app.getAppPath()]),
];

const getLinuxEntries = () => createLinuxEntries({ env: process.env, home: homedir(), start: getStartCommand() });

const getAutostartMethod = () => chooseAutostartMethod({ platform: process.platform, packaged: app.isPackaged });

/** `get` returns null if start at login cannot be set. */
export const startAtLogin = {
  get: async (): Promise<boolean | null> => {
    if (getAutostartMethod() === 'file') return getLinuxEntries().login.isThere();
    return getAutostartMethod() === 'system' ? app.getLoginItemSettings({ args }).openAtLogin : null;
  },
  set: async (on: boolean): Promise<void> => {
    if (getAutostartMethod() === 'file') return getLinuxEntries().login.set(on);
    if (getAutostartMethod() === 'system') app.setLoginItemSettings({ openAtLogin: on, args });
  },
};

/** Login items of macOS have no arguments, so the app asks macOS instead of looking for `--hidden`. */
export const wasOpenedAtLogin = (): boolean =>
  process.platform === 'darwin' && app.isPackaged && app.getLoginItemSettings().wasOpenedAtLogin;

/** On Windows and macOS, the installer adds the entry to the file manager, so `get` returns null. */
export const addFromFileManager = {
  get: async (): Promise<boolean | null> =>
    process.platform === 'linux' ? getLinuxEntries().fileManager.isThere() : null,
  set: async (on: boolean): Promise<void> => {
    if (process.platform === 'linux') await getLinuxEntries().fileManager.set(on);
  },
};
