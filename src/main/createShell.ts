import { shell as system } from 'electron';
import { problem } from '../core/base/problem.ts';
import type { Shell } from '../host/shell.ts';
import type { Crashes } from './system/createCrashes.ts';
import { addFromFileManager, startAtLogin } from './system/startAtLogin.ts';
import type { Updates } from './updates/updates.ts';

/** What the windows may ask of the desktop. `updates` is null in a copy that does not update itself. */
export const createShell = (updates: Updates | null, crashes: Pick<Crashes, 'list'>): Shell => ({
  state: async () => ({
    startAtLogin: await startAtLogin.get(),
    addFromFileManager: await addFromFileManager.get(),
    update: updates?.state() ?? null,
  }),
  startAtLogin: startAtLogin.set,
  addFromFileManager: addFromFileManager.set,
  showLogs: async (dir) => {
    const why = await system.openPath(dir);
    if (why !== '') throw problem('LOGS_NOT_SHOWN', { values: { dir } });
  },
  update: async (act) => {
    if (updates === null) throw problem('NOT_INSTALLED');
    await updates.act(act);
  },
  crashes: crashes.list,
});
