import { app } from 'electron';
import { homedir } from 'node:os';
import { linuxEntries } from './desktopEntries.ts';
import { loginItemMethod } from '../installedCopy.ts';

const args = ['--hidden'];

/** Where the program is: an AppImage runs from a folder that is gone after the run. */
const startCommand = (): string[] => [
  process.env['APPIMAGE'] ?? process.execPath,
  ...(app.isPackaged ? [] : [app.getAppPath()]),
];

const entries = () => linuxEntries({ env: process.env, home: homedir(), start: startCommand() });

const method = () => loginItemMethod({ platform: process.platform, packaged: app.isPackaged });

/** Whether the companion starts when the person logs in, and setting it; null where it cannot be set. */
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

/** Whether the login has started this run: a Mac passes no arguments on, and tells it in this way. */
export const wasOpenedAtLogin = (): boolean =>
  process.platform === 'darwin' && app.isPackaged && app.getLoginItemSettings().wasOpenedAtLogin;

/** "Add to Listing Companion" in the file manager: on Linux by an entry of its own; elsewhere the installer's (null). */
export const addFromFileManager = {
  get: async (): Promise<boolean | null> => (process.platform === 'linux' ? entries().fileManager.isThere() : null),
  set: async (on: boolean): Promise<void> => {
    if (process.platform === 'linux') await entries().fileManager.set(on);
  },
};
