import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Electron's `--version` takes at most a second. If it hangs, the window would not open either. */
const startLimitMs = 15_000;

/**
 * @typedef {object} SandboxProbe The means of Chromium's sandbox. Each is probed only when needed.
 * @property {() => { uid: number, mode: number } | null} helper the set-uid program beside Electron's executable
 * @property {() => boolean} appArmorRestricts whether AppArmor allows user namespaces only to known programs
 * @property {() => boolean | null} userNamespace whether this user can create a user namespace; null if unknown
 * @property {() => boolean} starts whether Electron starts, which requires one of these means
 */

/**
 * Returns whether Chromium's sandbox works. Without it Electron ends at once and reports the reason only in a terminal.
 * @param {SandboxProbe} probe
 * @returns {boolean}
 */
export const hasSandbox = (probe) => {
  const helper = probe.helper();
  // Chromium requires a helper that root owns, with set-uid, and that all users can run.
  if (helper !== null && helper.uid === 0 && (helper.mode & 0o4001) === 0o4001) return true;
  // If AppArmor restricts namespaces, the result for `unshare` says nothing about Electron.
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
 * Creates a probe of this system for the given Electron executable.
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
 * Returns commands, ready to paste, that enable the sandbox.
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
