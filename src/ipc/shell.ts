/** How the app itself stands with the system it runs on. A field is null where the host has no such thing. */
export type ShellState = {
  /** Whether the companion starts, without a window, when the person logs in. */
  startAtLogin: boolean | null;
  /** Whether the file manager offers "Add to Listing Companion" by an entry that the companion wrote. */
  addFromFileManager: boolean | null;
  update: UpdateState | null;
};

/** `held`: the person said yes, and it waits until nothing runs and nothing waits for an answer. */
export type UpdateState =
  | { state: 'none' | 'checking' | 'current' | 'failed' }
  | { state: 'found' | 'loading' | 'ready' | 'held'; version: string };

/** Looks for a newer version, downloads it, installs it. */
export type UpdateAct = 'check' | 'load' | 'install';

/** A text file for a window to save. */
export type SavedFile = { name: string; type: string; text: string };
