import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { inRoot } from './root.mjs';
import { nodePath } from './runNode.mjs';

const fetchLimitMs = 60_000;

const packageDir = () => {
  try {
    return dirname(createRequire(inRoot('package.json')).resolve('electron/package.json'));
  } catch {
    return null;
  }
};

const installed = (folder) => {
  const pathFile = join(folder, 'path.txt');
  // Electron's own package reads this variable in the same way.
  const elsewhere = process.env['ELECTRON_OVERRIDE_DIST_PATH'];
  if (elsewhere === undefined && !existsSync(pathFile)) return null;
  const name = existsSync(pathFile) ? readFileSync(pathFile, 'utf8').trim() : 'electron';
  const path = join(elsewhere ?? join(folder, 'dist'), name);
  return existsSync(path) ? path : null;
};

/** Checks that the download host answers, because Electron's installer would retry for minutes. */
const canBeFetched = async () => {
  const host =
    process.env['ELECTRON_MIRROR'] ??
    process.env['npm_config_electron_mirror'] ??
    'https://github.com/electron/electron';
  try {
    await fetch(host, { method: 'HEAD', redirect: 'manual', signal: globalThis.AbortSignal.timeout(4_000) });
    return true;
  } catch {
    return false;
  }
};

/**
 * Returns the path of Electron's executable, or null. Fetches a missing executable if that takes at most a minute.
 * @returns {Promise<string | null>}
 */
export const electronBinary = async () => {
  const folder = packageDir();
  if (folder === null) return null;
  const there = installed(folder);
  const installer = join(folder, 'install.js');
  if (there !== null || !existsSync(installer) || !(await canBeFetched())) return there;
  console.error('Fetching Electron.');
  spawnSync(nodePath(), [installer], { stdio: 'ignore', timeout: fetchLimitMs });
  return installed(folder);
};
