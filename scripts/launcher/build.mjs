import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { nodePath } from './runNode.mjs';
import { hasSources, inRoot, root } from './root.mjs';

const stamp = inRoot('out', '.built-from');

const filesOf = (path, isFolder = statSync(path).isDirectory()) =>
  isFolder
    ? readdirSync(path, { withFileTypes: true })
        .sort((one, other) => (one.name < other.name ? -1 : 1))
        .flatMap((entry) => filesOf(`${path}/${entry.name}`, entry.isDirectory()))
    : [path];

/** Hashes the times and sizes of all sources. A build takes only seconds, so reading their contents is not worthwhile. */
const sourcesHash = () => {
  const paths = ['src', 'electron.vite.config.ts', 'package-lock.json'].flatMap((name) => filesOf(inRoot(name)));
  const lines = paths.map((path) => {
    const { mtimeMs, size } = statSync(path);
    return `${path}\0${mtimeMs}\0${size}\n`;
  });
  return createHash('sha256').update(lines.join('')).digest('hex');
};

/** Returns whether `out/` matches the sources. An installed package has no sources and is always built. */
export const isBuilt = () => !hasSources || (existsSync(stamp) && readFileSync(stamp, 'utf8') === sourcesHash());

/** The bundle for desktop clients is part of the build, because the app offers it for download. */
const bundle = [inRoot('scripts', 'packMcpb.mjs'), inRoot('out', 'listing-companion.mcpb')];

const runQuietly = (args) => {
  const done = spawnSync(nodePath(), args, {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (done.status === 0) return true;
  console.error(`${done.stdout ?? ''}${done.stderr ?? ''}`.trim());
  console.error('The app could not be built.');
  return false;
};

/**
 * Builds `out/` if a source has changed. Prints nothing unless the build fails.
 * @param {{ always?: boolean }} [more]
 * @returns {number} the exit code
 */
export const build = ({ always = false } = {}) => {
  if (!always && isBuilt()) return 0;
  const hash = sourcesHash();
  const args = [inRoot('node_modules', 'electron-vite', 'bin', 'electron-vite.js'), 'build', '--logLevel', 'warn'];
  if (!runQuietly(args) || !runQuietly(bundle)) return 1;
  writeFileSync(stamp, hash);
  return 0;
};
