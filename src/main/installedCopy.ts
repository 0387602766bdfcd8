import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The installer's id of the app, which it writes into the shortcut that notifications on Windows belong to. */
export const appId = 'org.listing-companion.app';

/** By what Windows joins windows, notifications and shortcuts: a copy without a shortcut goes by its program. */
export const userModelId = ({ packaged, program }: { packaged: boolean; program: string }): string =>
  packaged ? appId : program;

type Program = { platform: NodeJS.Platform; packaged: boolean };

/**
 * How the start at the login is set: by a file on Linux, which names the app's folder too; by the system's own list elsewhere;
 * null for a copy that is run by a bare Electron, as that list would start Electron with no app in it.
 */
export const loginItemMethod = ({ platform, packaged }: Program): 'file' | 'system' | null => {
  if (platform === 'linux') return 'file';
  return packaged ? 'system' : null;
};

type Copy = { packaged: boolean; platform: NodeJS.Platform; env: NodeJS.ProcessEnv; resourcesDir: string };

/**
 * Whether this copy can put another one in its place: an installer has put it here, and it was built with an address at which
 * newer ones are. The packager writes that address down only where it was given one.
 */
export const canUpdateItself = ({ packaged, platform, env, resourcesDir }: Copy): boolean =>
  packaged && (platform !== 'linux' || 'APPIMAGE' in env) && existsSync(join(resourcesDir, 'app-update.yml'));
