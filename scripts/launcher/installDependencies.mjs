import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { npmHasInstalled } from './npmRecord.mjs';
import { inRoot, root } from './root.mjs';

const hashOf = (file) => createHash('sha256').update(readFileSync(file)).digest('hex');

const isCurrent = (stamp, hash) => existsSync(stamp) && readFileSync(stamp, 'utf8') === hash;

/** A link is somebody's own arrangement: npm would empty what it leads to. */
const isLink = (path) => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;

const npmCi = (folder) => {
  const args = ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund'];
  // npm says where its own script is; started without npm, the npm of the path is asked.
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
 * Installs what a folder's lock file names, when that is not what is installed there. What somebody has installed with npm
 * is left as it is: a fetched Electron lies in it, and installing it again takes as long as the first time.
 * @param {string} folder
 * @param {{ meanwhile: string, failed: string }} sentences what is said while it is installed, and when it could not be
 * @returns {boolean} whether it is there
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

/** Installs the dependencies. Answers whether they are there. */
export const installDependencies = () =>
  installFrom(root, {
    meanwhile: 'Installing dependencies; this takes about half a minute.',
    failed: 'The dependencies could not be installed.',
  });

/** Installs the programs that tests run. Never ends the command: a test whose program is not there says so itself. */
export const installTools = () =>
  installFrom(inRoot('tools'), {
    meanwhile: 'Installing the programs that tests run; this takes about half a minute.',
    failed: 'The programs that tests run could not be installed; the tests that need them will fail.',
  });
