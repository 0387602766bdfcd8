import { createProblem } from '../core/base/problem.ts';
import type { ShellState, UpdateAct } from '../ipc/shell.ts';

export type Crash = { at: string; process: string; reason: string; exitCode: number };

export type Shell = {
  state: () => Promise<ShellState>;
  startAtLogin: (on: boolean) => Promise<void>;
  addFromFileManager: (on: boolean) => Promise<void>;
  showLogs: (dir: string) => Promise<void>;
  /** Opens a PDF in the PDF program of this computer, which can print it. */
  openPdf: (pdf: Uint8Array) => Promise<void>;
  update: (act: UpdateAct) => Promise<void>;
  /** The text stays in this process. The clipboard is cleared if `use` succeeds. */
  useClipboard: (use: (text: string) => Promise<void>) => Promise<void>;
  /** Returns only the crashes of this run. The log contains earlier crashes. */
  crashes: () => readonly Crash[];
};

export const refuseWithoutDesktop = async (): Promise<never> => {
  throw createProblem('DESKTOP_ONLY');
};

export const noShell: Shell = {
  state: async () => ({ startAtLogin: null, addFromFileManager: null, update: null }),
  startAtLogin: refuseWithoutDesktop,
  addFromFileManager: refuseWithoutDesktop,
  showLogs: refuseWithoutDesktop,
  openPdf: refuseWithoutDesktop,
  update: refuseWithoutDesktop,
  useClipboard: refuseWithoutDesktop,
  crashes: () => [],
};
