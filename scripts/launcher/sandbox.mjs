import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Electron's `--version` takes a second at most; one that hangs is no window either. */
const startLimitMs = 15_000;

/**
 * @typedef {object} SandboxProbe What Chromium may lock its pages up with; each is asked only when it matters.
 * @property {() => { uid: number, mode: number } | null} helper the program beside Electron's that may run as root
 * @property {() => boolean} appArmorRestricts whether AppArmor gives user namespaces to the programs that it knows only
 * @property {() => boolean | null} userNamespace whether this user can make one; null where that cannot be tried
 * @property {() => boolean} starts whether Electron itself starts, as it tries both before anything else
 */

/**
 * Whether Chromium's sandbox can be set up. Without it Electron ends at once, and says so to a terminal only.
 * @param {SandboxProbe} probe
 * @returns {boolean}
 */
export const hasSandbox = (probe) => {
  const helper = probe.helper();
  // Root's, set-uid, and for everybody to run: what Chromium asks of it.
  if (helper !== null && helper.uid === 0 && (helper.mode & 0o4001) === 0o4001) return true;
  // AppArmor may know Electron and not the program that tries, or the other way round.
  const namespace = probe.appArmorRestricts() ? null : probe.userNamespace();
  return namespace ?? probe.starts();
};

const helperOf = (binary) => join(dirname(binary), 'chrome-sandbox');

const restriction = '/proc/sys/kernel/apparmor_restrict_unprivileged_userns';
const readOr = (path, otherwise) => {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return otherwise;
  }
};

/**
 * Asks this system, for an Electron that lies somewhere on it.
 * @param {string} binary
 * @returns {SandboxProbe}
 */
export const sandboxProbe = (binary) => ({
  helper: () => statSync(helperOf(binary), { throwIfNoEntry: false }) ?? null,
  appArmorRestricts: () => readOr(restriction, '0') !== '0',
  userNamespace: () => {
    const tried = spawnSync('unshare', ['-Ur', 'true'], { stdio: 'ignore' });
    return tried.error === undefined ? tried.status === 0 : null;
  },
  starts: () => spawnSync(binary, ['--version'], { stdio: 'ignore', timeout: startLimitMs }).status === 0,
});

const quoted = (path) => (/^[\w./@+-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`);

/**
 * What a person can do about a sandbox that cannot be set up, ready to be pasted.
 * @param {string} binary
 * @returns {string}
 */
export const sandboxAdvice = (binary) => {
  const helper = quoted(helperOf(binary));
  return [
    'Electron’s sandbox cannot be set up here, so the companion opens in your browser.',
    'These two lines set it up; then start again:',
    `  sudo chown root:root ${helper}`,
    `  sudo chmod 4755 ${helper}`,
  ].join('\n');
};
