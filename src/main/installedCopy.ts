import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The installer's app id; Windows finds it in the shortcut that notifications belong to. */
export const appId = 'org.listing-companion.app';

/**
 * Returns the id by which Windows groups windows, notifications and shortcuts; an unpackaged copy has no shortcut and
 * uses its program path.
 */
export const chooseUserModelId = ({ packaged, program }: { packaged: boolean; program: string }): string =>
  packaged ? appId : program;

type AppPlatform = { platform: NodeJS.Platform; packaged: boolean };

/**
 * Returns how start at login is set: by a file on Linux, which can name the app's folder, or by the system's login
 * items. Null for an unpackaged copy elsewhere, because the login item would start Electron without an app.
 */
export const chooseLoginMethod = ({ platform, packaged }: AppPlatform): 'file' | 'system' | null => {
  if (platform === 'linux') return 'file';
  return packaged ? 'system' : null;
};

type AppCopy = { packaged: boolean; platform: NodeJS.Platform; env: NodeJS.ProcessEnv; resourcesDir: string };

/**
 * Whether this copy can update itself: an installer placed it, and it was built with an update address. The packager
 * writes app-update.yml only if it has that address.
 */
export const canUpdateItself = ({ packaged, platform, env, resourcesDir }: AppCopy): boolean =>
  packaged && (platform !== 'linux' || 'APPIMAGE' in env) && existsSync(join(resourcesDir, 'app-update.yml'));
