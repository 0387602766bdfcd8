import { existsSync } from 'node:fs';
import { join } from 'node:path';

type Copy = { packaged: boolean; platform: NodeJS.Platform; env: NodeJS.ProcessEnv; resourcesDir: string };

/**
 * Whether this copy can put another one in its place: an installer has put it here, and it was built with an address at which
 * newer ones are. The packager writes that address down only where it was given one.
 */
export const updatesItself = ({ packaged, platform, env, resourcesDir }: Copy): boolean =>
  packaged && (platform !== 'linux' || 'APPIMAGE' in env) && existsSync(join(resourcesDir, 'app-update.yml'));
