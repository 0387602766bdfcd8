import type { Updater } from './updates.ts';

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
