/** A field is null if the host does not support it. */
export type ShellState = {
  startAtLogin: boolean | null;
  addFromFileManager: boolean | null;
  update: UpdateState | null;
};

/**
 * `held` means that the person confirmed the update. The update is installed when no work runs and no approval is
 * pending.
 */
export type UpdateState =
  | { state: 'none' | 'checking' | 'current' | 'failed' }
  | { state: 'found' | 'loading' | 'ready' | 'held'; version: string };

export type UpdateAct = 'check' | 'load' | 'install';

export type SavedFile = { name: string; type: string; text: string };
