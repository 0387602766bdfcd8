import { app } from 'electron';
import { homedir } from 'node:os';
import { linuxEntries } from './linuxEntries.ts';

const args = ['--hidden'];

/** Where the program is: an AppImage runs from a folder that is gone after the run. */
const startWords = (): string[] => [
  process.env['APPIMAGE'] ?? process.execPath,
  ...(app.isPackaged ? [] : [app.getAppPath()]),
];

const entries = () => linuxEntries({ env: process.env, home: homedir(), start: startWords() });

/** Whether the companion starts when the person logs in, and setting it: in the way of each system. */
export const startAtLogin = {
  get: async (): Promise<boolean> =>
    process.platform === 'linux' ? entries().login.isThere() : app.getLoginItemSettings({ args }).openAtLogin,
  set: async (on: boolean): Promise<void> => {
    if (process.platform === 'linux') return entries().login.set(on);
    app.setLoginItemSettings({ openAtLogin: on, args });
  },
};

/** "Add to Listing Companion" in the file manager: on Linux by an entry of its own; elsewhere the installer's (null). */
export const addFromFileManager = {
  get: async (): Promise<boolean | null> => (process.platform === 'linux' ? entries().fileManager.isThere() : null),
  set: async (on: boolean): Promise<void> => {
    if (process.platform === 'linux') await entries().fileManager.set(on);
  },
};
