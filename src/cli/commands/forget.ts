import { clearKeychainSecrets } from '../../host/keychain.ts';
import { forgetDataIfRequested } from '../../host/data/forgetting.ts';
import { lockDataFolder } from '../../core/storage/folderLock.ts';
import type { Command } from '../command.ts';

/** Removes the key and all data, but only if the person requested this in the window or while uninstalling. */
export const forgetCommand: Command = {
  takes: [],
  flags: {},
  help: `Removes the key and all data of the companion, where the person asked for it: in Settings, or while uninstalling.
Without their request nothing is removed. The companion must not be running.`,
  run: async ({ out, place }) => {
    const unlock = lockDataFolder(place.dataDir);
    try {
      const isForgotten = await forgetDataIfRequested(place, () => clearKeychainSecrets(place));
      const line = isForgotten
        ? 'Everything is forgotten.'
        : 'Nothing was removed, as the person did not ask for it. Choose “Forget everything” in Settings.';
      out.result([line], { forgotten: isForgotten });
      return isForgotten ? 'ok' : 'refused';
    } finally {
      unlock();
    }
  },
};
