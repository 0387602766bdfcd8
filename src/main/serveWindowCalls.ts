import { BrowserWindow, ipcMain, type WebContents } from 'electron';
import * as z from 'zod';
import { problemView } from '../core/problem.ts';
import type { Running } from '../host/runCompanion.ts';
import type { Reply } from '../ipc/calls.ts';
import { serveCalls } from '../ipc/serveCalls.ts';
import { isOwnFrame } from './appAddress.ts';

const stranger: Reply = {
  ok: false,
  problem: { code: 'NOT_THE_WINDOW', sentence: 'Only the window of the companion may ask for this.' },
};

const answer = z.object({
  name: z.enum(['approvals.approve', 'approvals.decline']),
  input: z.object({ approvalId: z.string() }),
});

type Parts = {
  running: Pick<Running, 'handlers' | 'onChanged'>;
  /** Told before the person's answer to an approval is carried out: in which window it was given. */
  onAnswer: (contents: WebContents, approvalId: string) => void;
};

/** Answers the windows' calls, and tells every window what has changed. */
export const serveWindowCalls = ({ running, onAnswer }: Parts): void => {
  const serve = serveCalls(running.handlers, problemView);
  ipcMain.handle('companion:call', (event, name: unknown, input: unknown) => {
    if (!isOwnFrame(event.senderFrame)) return stranger;
    const answered = answer.safeParse({ name, input });
    if (answered.success) onAnswer(event.sender, answered.data.input.approvalId);
    return serve(name, input);
  });
  running.onChanged((topic) => {
    for (const window of BrowserWindow.getAllWindows()) window.webContents.send('companion:changed', topic);
  });
};
