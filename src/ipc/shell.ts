/** The state of the app in the operating system. A field is null if the host does not support it. */
export type ShellState = {
  /** Whether the companion starts at login, without a window. */
  startAtLogin: boolean | null;
  /** Whether the companion added "Add to Listing Companion" to the file manager. */
  addFromFileManager: boolean | null;
  update: UpdateState | null;
};

/** `held`: the person confirmed the installation, and it waits until no work runs and no approval is pending. */
export type UpdateState =
  | { state: 'none' | 'checking' | 'current' | 'failed' }
  | { state: 'found' | 'loading' | 'ready' | 'held'; version: string };

/** The acts of an update: check for, download or install a new version. */
export type UpdateAct = 'check' | 'load' | 'install';

export type SavedFile = { name: string; type: string; text: string };
