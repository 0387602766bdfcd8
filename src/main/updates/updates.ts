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
  mayEnd: () => Promise<boolean>;
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
export const createUpdates = ({ updater, mayEnd, log }: UpdatesContext): Updates => {
  let now: UpdateState = { state: 'none' };

  const failed = (error: unknown): void => {
    log('warn', 'update failed', { reason: error instanceof Error ? error.message : 'unknown' });
    now = { state: 'failed' };
  };

  const check = async (): Promise<void> => {
    now = { state: 'checking' };
    const found = await updater.check();
    now = found === null ? { state: 'current' } : { state: 'found', version: found.version };
  };

  const load = async (version: string): Promise<void> => {
    now = { state: 'loading', version };
    await updater.load();
    now = { state: 'ready', version };
  };

  const install = async (version: string): Promise<void> => {
    now = { state: 'held', version };
    if (await mayEnd()) updater.install();
  };

  const acts: Record<UpdateAct, () => Promise<void>> = {
    check: async () => {
      if (now.state !== 'checking' && !('version' in now)) await check();
    },
    load: async () => {
      if (now.state === 'found') await load(now.version);
    },
    install: async () => {
      if (now.state === 'ready' || now.state === 'held') await install(now.version);
    },
  };

  return {
    state: () => now,
    act: (act) => acts[act]().catch(failed),
    retryInstall: async () => {
      if (now.state === 'held') await acts.install().catch(failed);
    },
  };
};

/** Creates the installed app's updater; it downloads and installs only when called. */
export const electronUpdater = async (): Promise<Updater> => {
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
export const lazyUpdater = (make: () => Promise<Updater>): Updater => {
  let made: Promise<Updater> | null = null;
  let ready: Updater | null = null;
  const get = async (): Promise<Updater> => (ready = await (made ??= make()));
  return {
    check: async () => (await get()).check(),
    load: async () => (await get()).load(),
    install: () => ready?.install(),
  };
};
