import type { Log } from '../../core/base/ports.ts';
import type { UpdateAct, UpdateState } from '../../ipc/shell.ts';

/** What fetches and installs new versions. Nothing of it happens unless it is called. */
export type Updater = {
  /** The newer version that there is, or null. */
  check: () => Promise<{ version: string } | null>;
  load: () => Promise<void>;
  /** Ends the app, installs what was loaded, and starts again. */
  install: () => void;
};

type UpdatesContext = {
  updater: Updater;
  /** Whether nothing runs and nothing waits, so that the app may end now. */
  mayEnd: () => Promise<boolean>;
  log: Log;
};

export type Updates = {
  state: () => UpdateState;
  /** Does one step. One that is not next does nothing. Never rejects: what fails becomes the state `failed`. */
  act: (act: UpdateAct) => Promise<void>;
  /** Something has ended or was answered: perhaps what is held may happen now. */
  retryInstall: () => Promise<void>;
};

/**
 * Updates, one step a yes: looking, loading and installing each wait for the person. An install that was agreed to is held
 * back while items run or questions wait, and happens when it is tried again and none do.
 */
export const createUpdates = ({ updater, mayEnd, log }: UpdatesContext): Updates => {
  let now: UpdateState = { state: 'none' };

  const failed = (error: unknown): void => {
    log('warn', 'an update failed', { reason: error instanceof Error ? error.message : 'unknown' });
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

/** The installed app's updater. It loads and installs nothing by itself. */
export const electronUpdater = async (): Promise<Updater> => {
  // Loaded when it is wanted: it takes longer to load than all of the shell.
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

/** The same, made at the first use. */
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
