import { BrowserWindow, ipcMain, type IpcMainInvokeEvent } from 'electron';
import { problemView } from '../core/problem.ts';
import type { Running } from '../host/runCompanion.ts';
import type { Reply } from '../ipc/calls.ts';
import { serveCalls } from '../ipc/serveCalls.ts';
import { isOwnAddress } from './appAddress.ts';

const stranger: Reply = {
  ok: false,
  problem: { code: 'NOT_THE_WINDOW', sentence: 'Only the window of the companion may ask for this.' },
};

/** Only the top frame of a window of ours is answered: a listing shown in a frame must not reach the calls. */
const isOurs = ({ senderFrame }: IpcMainInvokeEvent): boolean =>
  senderFrame !== null && senderFrame.parent === null && isOwnAddress(senderFrame.url);

/** Answers the windows' calls, and tells every window what has changed. */
export const serveWindowCalls = ({ handlers, onChanged }: Running): void => {
  const serve = serveCalls(handlers, problemView);
  ipcMain.handle('companion:call', (event, name: unknown, input: unknown) =>
    isOurs(event) ? serve(name, input) : stranger,
  );
  onChanged((topic) => {
    for (const window of BrowserWindow.getAllWindows()) window.webContents.send('companion:changed', topic);
  });
};
