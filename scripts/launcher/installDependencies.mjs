import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { npmHasInstalled } from './npmRecord.mjs';
import { inRoot, root } from './root.mjs';

const hashOf = (file) => createHash('sha256').update(readFileSync(file)).digest('hex');

const isCurrent = (stamp, hash) => existsSync(stamp) && readFileSync(stamp, 'utf8') === hash;

/** A linked folder is not reinstalled, because npm would empty its target. */
const isLink = (path) => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;

const npmCi = (folder) => {
  const args = ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund'];
  // npm sets `npm_execpath` to its own script. Without npm as the parent, npm is found through PATH.
  const npm = process.env['npm_execpath'];
  const [command, all, shell] = npm?.endsWith('.js')
    ? [process.execPath, [npm, ...args], false]
    : ['npm', args, process.platform === 'win32'];
  return spawnSync(command, all, {
    cwd: folder,
    encoding: 'utf8',
    shell,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
};

/**
 * Installs the packages of a folder's lock file if they are not installed. Packages that the person installed with npm
 * remain, because fetching Electron again takes long.
 * @param {string} folder
 * @param {{ meanwhile: string, failed: string }} sentences printed during the installation and after a failure
 * @returns {boolean} whether the packages are installed
 */
const installFrom = (folder, { meanwhile, failed }) => {
  const modules = join(folder, 'node_modules');
  const stamp = join(modules, '.installed-from');
  const hash = hashOf(join(folder, 'package-lock.json'));
  if (isCurrent(stamp, hash) || isLink(modules)) return true;
  if (!npmHasInstalled(folder)) {
    console.error(meanwhile);
    const done = npmCi(folder);
    if (done.status !== 0) {
      console.error(`${done.stdout ?? ''}${done.stderr ?? ''}`.trim());
      console.error(failed);
      return false;
    }
  }
  writeFileSync(stamp, hash);
  return true;
};

export const installDependencies = () =>
  installFrom(root, {
    meanwhile: 'Installing dependencies; this takes about half a minute.',
    failed: 'The dependencies could not be installed.',
  });

/** Installs the programs that tests run. A failure does not end the command, because each test reports a missing program. */
export const installTools = () =>
  installFrom(inRoot('tools'), {
    meanwhile: 'Installing the programs that tests run; this takes about half a minute.',
    failed: 'The programs that tests run could not be installed; the tests that need them will fail.',
  });
