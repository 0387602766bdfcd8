import { ipcMain, type WebContents } from 'electron';
import type { StartReport } from '../host/startReport.ts';
import type { CallReply } from '../ipc/calls.ts';
import { isOwnFrame } from './appAddress.ts';

export type WindowCallHandler = (
  contents: WebContents,
  name: unknown,
  input: unknown,
  proofId: unknown,
) => Promise<CallReply>;

const foreignFrameReply: CallReply = {
  ok: false,
  problem: { code: 'NOT_THE_WINDOW', sentence: 'Only the window of the companion may ask for this.' },
};

/**
 * Answers each call with its reply as JSON. A call waits if it arrives before the companion runs, unless it is about the
 * start.
 */
export const serveWindowCalls = (
  callHandler: Promise<WindowCallHandler>,
  startReport: Pick<StartReport, 'serve'>,
): void =>
  ipcMain.handle('companion:call', async (event, name: unknown, input: unknown, proofId: unknown) => {
    if (!isOwnFrame(event.senderFrame)) return JSON.stringify(foreignFrameReply);
    const { sender } = event;
    return JSON.stringify(
      await startReport.serve(name, input, async () => (await callHandler)(sender, name, input, proofId)),
    );
  });
