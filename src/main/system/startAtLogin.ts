import { app } from 'electron';
import { homedir } from 'node:os';
import { linuxEntries } from './desktopEntries.ts';
import { loginItemMethod } from '../installedCopy.ts';

const args = ['--hidden'];

/** An AppImage runs from a mount that disappears after the run, so APPIMAGE is used. */
const startCommand = (): string[] => [
  process.env['APPIMAGE'] ?? process.execPath,
  ...(app.isPackaged ? [] : [app.getAppPath()]),
];

const entries = () => linuxEntries({ env: process.env, home: homedir(), start: startCommand() });

const method = () => loginItemMethod({ platform: process.platform, packaged: app.isPackaged });

/** Reads and sets whether the companion starts at login; null if it cannot be set. */
export const startAtLogin = {
  get: async (): Promise<boolean | null> => {
    if (method() === 'file') return entries().login.isThere();
    return method() === 'system' ? app.getLoginItemSettings({ args }).openAtLogin : null;
  },
  set: async (on: boolean): Promise<void> => {
    if (method() === 'file') return entries().login.set(on);
    if (method() === 'system') app.setLoginItemSettings({ openAtLogin: on, args });
  },
};

/** Whether macOS started this run at login; macOS reports it here because login items have no arguments. */
export const wasOpenedAtLogin = (): boolean =>
  process.platform === 'darwin' && app.isPackaged && app.getLoginItemSettings().wasOpenedAtLogin;

/** "Add to Listing Companion" in the file manager: a desktop entry on Linux, otherwise the installer's (null). */
export const addFromFileManager = {
  get: async (): Promise<boolean | null> => (process.platform === 'linux' ? entries().fileManager.isThere() : null),
  set: async (on: boolean): Promise<void> => {
    if (process.platform === 'linux') await entries().fileManager.set(on);
  },
};
