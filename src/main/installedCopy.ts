import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The installer stores this id in the shortcut. Windows shows notifications only for a shortcut with this id. */
export const appId = 'org.listing-companion.app';

/** An unpackaged copy has no shortcut, so Windows groups its windows by the path of the program. */
export const chooseUserModelId = ({ packaged, program }: { packaged: boolean; program: string }): string =>
  packaged ? appId : program;

type AppPlatform = { platform: NodeJS.Platform; packaged: boolean };

/**
 * Chooses how to start the app when the person signs in to the computer: with an autostart file on Linux, else with a
 * login item of the system. Returns null for an unpackaged copy on other systems, because a login item cannot name the
 * folder of the app and would start Electron without it.
 */
export const chooseAutostartMethod = ({ platform, packaged }: AppPlatform): 'file' | 'system' | null => {
  if (platform === 'linux') return 'file';
  return packaged ? 'system' : null;
};

type AppCopy = { packaged: boolean; platform: NodeJS.Platform; env: NodeJS.ProcessEnv; resourcesDir: string };

/** The packager writes app-update.yml only if the build has an update address. */
export const canUpdateItself = ({ packaged, platform, env, resourcesDir }: AppCopy): boolean =>
  packaged && (platform !== 'linux' || 'APPIMAGE' in env) && existsSync(join(resourcesDir, 'app-update.yml'));
