import { problem } from '../core/base/problem.ts';
import type { ShellState, UpdateAct } from '../ipc/shell.ts';

/** A process of the app that has gone by itself. */
export type Crash = { at: string; process: string; reason: string; exitCode: number };

/** What a desktop host gives besides the companion: everything that touches the system around the window. */
export type Shell = {
  state: () => Promise<ShellState>;
  startAtLogin: (on: boolean) => Promise<void>;
  addFromFileManager: (on: boolean) => Promise<void>;
  showLogs: (dir: string) => Promise<void>;
  update: (act: UpdateAct) => Promise<void>;
  /** Hands over the text on the clipboard, to this process alone. What was of use is then taken from the clipboard. */
  useClipboard: (use: (text: string) => Promise<void>) => Promise<void>;
  /** Of this run; the log has the ones before. */
  crashes: () => readonly Crash[];
};

/** Refuses what needs a desktop around the window. */
export const desktopOnly = async (): Promise<never> => {
  throw problem('DESKTOP_ONLY');
};

/** A host without a desktop around it. */
export const noShell: Shell = {
  state: async () => ({ startAtLogin: null, addFromFileManager: null, update: null }),
  startAtLogin: desktopOnly,
  addFromFileManager: desktopOnly,
  showLogs: desktopOnly,
  update: desktopOnly,
  useClipboard: desktopOnly,
  crashes: () => [],
};
