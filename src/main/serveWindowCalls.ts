import { BrowserWindow, ipcMain, type WebContents } from 'electron';
import * as z from 'zod';
import { problemView } from '../core/problem.ts';
import type { Running } from '../host/runCompanion.ts';
import type { Handlers, Reply } from '../ipc/calls.ts';
import { serveCalls } from '../ipc/serveCalls.ts';
import { isOwnFrame } from './appAddress.ts';
import { dragPhotos } from './window/dragPhotos.ts';

const stranger: Reply = {
  ok: false,
  problem: { code: 'NOT_THE_WINDOW', sentence: 'Only the window of the companion may ask for this.' },
};

const answer = z.object({
  name: z.enum(['approvals.approve', 'approvals.decline']),
  input: z.object({ approvalId: z.string() }),
});

type Parts = {
  /** The windows may ask before the companion runs; they are answered as soon as it does. */
  running: Promise<Pick<Running, 'handlers' | 'onChanged' | 'photo'>>;
  /** Told before the person's answer to an approval is carried out: in which window it was given. */
  onAnswer: (contents: WebContents, approvalId: string) => void;
};

const handlersFor = (contents: WebContents, { handlers, photo }: Awaited<Parts['running']>): Handlers => ({
  ...handlers,
  'app.dragOut': ({ photoIds }) => dragPhotos(contents, photo, photoIds),
});

/** Answers the windows' calls, and tells every window what has changed. */
export const serveWindowCalls = ({ running, onAnswer }: Parts): void => {
  ipcMain.handle('companion:call', async (event, name: unknown, input: unknown) => {
    if (!isOwnFrame(event.senderFrame)) return stranger;
    const { sender } = event;
    const answered = answer.safeParse({ name, input });
    if (answered.success) onAnswer(sender, answered.data.input.approvalId);
    return serveCalls(handlersFor(sender, await running), problemView)(name, input);
  });
  void running.then(({ onChanged }) =>
    onChanged((topic) => {
      for (const window of BrowserWindow.getAllWindows()) window.webContents.send('companion:changed', topic);
    }),
  );
};
