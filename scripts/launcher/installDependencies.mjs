import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readFileSync, writeFileSync } from 'node:fs';
import { inRoot, root } from './root.mjs';

const stamp = inRoot('node_modules', '.installed-from');

const lockHash = () =>
  createHash('sha256')
    .update(readFileSync(inRoot('package-lock.json')))
    .digest('hex');

const isCurrent = (hash) => existsSync(stamp) && readFileSync(stamp, 'utf8') === hash;

/** A link is somebody's own arrangement: npm would empty what it leads to. */
const isLink = () => lstatSync(inRoot('node_modules'), { throwIfNoEntry: false })?.isSymbolicLink() ?? false;

const npmCi = () => {
  const args = ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund'];
  // npm says where its own script is; started without npm, the npm of the path is asked.
  const npm = process.env['npm_execpath'];
  const [command, all, shell] = npm?.endsWith('.js')
    ? [process.execPath, [npm, ...args], false]
    : ['npm', args, process.platform === 'win32'];
  return spawnSync(command, all, {
    cwd: root,
    encoding: 'utf8',
    shell,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
};

/** Installs the dependencies when the lock file is not the one they were installed from. Answers whether they are there. */
export const installDependencies = () => {
  const hash = lockHash();
  if (isCurrent(hash) || isLink()) return true;
  console.error('Installing dependencies; this takes about half a minute.');
  const done = npmCi();
  if (done.status !== 0) {
    console.error(`${done.stdout ?? ''}${done.stderr ?? ''}`.trim());
    console.error('The dependencies could not be installed.');
    return false;
  }
  writeFileSync(stamp, hash);
  return true;
};
