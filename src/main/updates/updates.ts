import type { Log } from '../../core/base/ports.ts';
import type { UpdateAct, UpdateState } from '../../ipc/shell.ts';

/** Checks for, downloads and installs new versions, only when called. */
export type Updater = {
  check: () => Promise<{ version: string } | null>;
  load: () => Promise<void>;
  /** Ends the app, installs the downloaded version, and starts the app again. */
  install: () => void;
};

type UpdatesContext = {
  updater: Updater;
  /** Whether no work runs and no approval is pending, so that the app may quit. */
  mayQuit: () => Promise<boolean>;
  log: Log;
};

export type Updates = {
  state: () => UpdateState;
  /** Performs one step; a step out of order does nothing. Never rejects: an error becomes the state `failed`. */
  act: (act: UpdateAct) => Promise<void>;
  /** Retries a deferred install after work has ended or an approval was answered. */
  retryInstall: () => Promise<void>;
};

/**
 * Controls updates: checking, downloading and installing each need the person's consent. A confirmed install is
 * deferred while items run or approvals are pending, until `retryInstall` finds neither.
 */
export const createUpdates = ({ updater, mayQuit: mayEnd, log }: UpdatesContext): Updates => {
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

  const loadUpdate = async (version: string): Promise<void> => {
    now = { state: 'loading', version };
    await updater.load();
    now = { state: 'ready', version };
  };

  const installUpdate = async (version: string): Promise<void> => {
    now = { state: 'held', version };
    if (await mayEnd()) updater.install();
  };

  const acts: Record<UpdateAct, () => Promise<void>> = {
    check: async () => {
      if (now.state !== 'checking' && !('version' in now)) await checkForUpdate();
    },
    load: async () => {
      if (now.state === 'found') await loadUpdate(now.version);
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

/** Creates the installed app's updater; it downloads and installs only when called. */
export const createElectronUpdater = async (): Promise<Updater> => {
  // Loaded lazily: electron-updater takes longer to load than the rest of the shell.
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

/** Returns an updater that is created at its first use. */
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
