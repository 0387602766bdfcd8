import { createProblem } from '../core/base/problem.ts';
import type { ShellState, UpdateAct } from '../ipc/shell.ts';

/** A process of the app that ended unexpectedly. */
export type Crash = { at: string; process: string; reason: string; exitCode: number };

/** What a desktop host provides besides the companion: everything that affects the system around the window. */
export type Shell = {
  state: () => Promise<ShellState>;
  startAtLogin: (on: boolean) => Promise<void>;
  addFromFileManager: (on: boolean) => Promise<void>;
  showLogs: (dir: string) => Promise<void>;
  update: (act: UpdateAct) => Promise<void>;
  /** Passes the text of the clipboard to `use`, in this process only. Clears the clipboard if the text was used. */
  useClipboard: (use: (text: string) => Promise<void>) => Promise<void>;
  /** The crashes of this run; the log contains earlier ones. */
  crashes: () => readonly Crash[];
};

/** Refuses a call that needs a desktop around the window. */
export const refuseWithoutDesktop = async (): Promise<never> => {
  throw createProblem('DESKTOP_ONLY');
};

export const noShell: Shell = {
  state: async () => ({ startAtLogin: null, addFromFileManager: null, update: null }),
  startAtLogin: refuseWithoutDesktop,
  addFromFileManager: refuseWithoutDesktop,
  showLogs: refuseWithoutDesktop,
  update: refuseWithoutDesktop,
  useClipboard: refuseWithoutDesktop,
  crashes: () => [],
};
