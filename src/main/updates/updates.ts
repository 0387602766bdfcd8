import type { Log } from '../../core/base/ports.ts';
import type { UpdateAct, UpdateState } from '../../ipc/shell.ts';

export type Updater = {
  check: () => Promise<{ version: string } | null>;
  load: () => Promise<void>;
  install: () => void;
};

type UpdatesContext = {
  updater: Updater;
  mayQuit: () => Promise<boolean>;
  log: Log;
};

export type UpdateService = {
  state: () => UpdateState;
  /**
   * Does nothing if the state does not allow the action. Never rejects, because an error becomes the state `failed`.
   */
  act: (act: UpdateAct) => Promise<void>;
  /** Retries a deferred install. Call this after work ends or an approval is answered. */
  retryInstall: () => Promise<void>;
};

/** The person must confirm each action. A confirmed install is deferred while items run or approvals are pending. */
export const createUpdateService = ({ updater, mayQuit, log }: UpdatesContext): UpdateService => {
  let now: UpdateState = { state: 'none' };

  const recordUpdateFailure = (error: unknown): void => {
    log('warn', 'update failed', { reason: error instanceof Error ? error.message : 'unknown' });
    now = { state: 'failed' };
  };

  const checkForUpdate = async (): Promise<void> => {
    now = { state: 'checking' };
    const found = await updater.check();
    now = found === null ? { state: 'current' } : { state: 'found', version: found.version };
  };

  const downloadUpdate = async (version: string): Promise<void> => {
    now = { state: 'loading', version };
    await updater.load();
    now = { state: 'ready', version };
  };

  const installUpdate = async (version: string): Promise<void> => {
    now = { state: 'held', version };
    if (await mayQuit()) updater.install();
  };

  const acts: Record<UpdateAct, () => Promise<void>> = {
    check: async () => {
      if (now.state !== 'checking' && !('version' in now)) await checkForUpdate();
    },
    load: async () => {
      if (now.state === 'found') await downloadUpdate(now.version);
    },
    install: async () => {
      if (now.state === 'ready' || now.state === 'held') await installUpdate(now.version);
    },
  };

  return {
    state: () => now,
    act: (act) => acts[act]().catch(recordUpdateFailure),
    retryInstall: async () => {
      if (now.state === 'held') await acts.install().catch(recordUpdateFailure);
    },
  };
};

export const createElectronUpdater = async (): Promise<Updater> => {
  // electron-updater loads more slowly than all other code of the shell, so it is loaded when it is needed.
  const { autoUpdater } = (await import('electron-updater')).default;
  Object.assign(autoUpdater, { autoDownload: false, autoInstallOnAppQuit: false, allowDowngrade: false, logger: null });
  return {
    check: async () => {
      const result = await autoUpdater.checkForUpdates();
      return result?.isUpdateAvailable ? { version: result.updateInfo.version } : null;
    },
    load: async () => void (await autoUpdater.downloadUpdate()),
    install: () => autoUpdater.quitAndInstall(false, true),
  };
};

export const createLazyUpdater = (make: () => Promise<Updater>): Updater => {
  let made: Promise<Updater> | null = null;
  let ready: Updater | null = null;
  const loadUpdaterOnce = async (): Promise<Updater> => (ready = await (made ??= make()));
  return {
    check: async () => (await loadUpdaterOnce()).check(),
    load: async () => (await loadUpdaterOnce()).load(),
    install: () => ready?.install(),
  };
};
