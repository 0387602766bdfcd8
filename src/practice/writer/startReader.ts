import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packagesOf, startIsolated, type Program, type Walls } from '../../isolated/startIsolated.ts';
import type { StartReader } from './reading/readerClient.ts';

/** Where the code of the process that reads photos lies: what it starts with, its threads' module, all that it reads. */
export type ReaderCode = { entry: URL; thread: URL; readable: readonly string[] };

/** A photo made small that comes with one answer; none comes near it. */
const mostBytes = 16 * 2 ** 20;

/** The code as it lies in a checkout, for a Node that runs TypeScript. */
export const sourceReader = (root: string): ReaderCode => {
  const src = (...parts: string[]): string => join(root, 'src', ...parts);
  return {
    entry: pathToFileURL(src('practice', 'writer', 'readerProcess.ts')),
    thread: pathToFileURL(src('practice', 'writer', 'worker.ts')),
    readable: [src('practice', 'writer'), src('isolated'), join(root, 'package.json'), join(root, 'node_modules')],
  };
};

/** The code as it was built; `root` holds `out` and `node_modules`. */
export const builtReader = (root: string): ReaderCode => {
  const dir = join(root, 'out', 'main');
  return {
    entry: pathToFileURL(join(dir, 'reader.js')),
    thread: pathToFileURL(join(dir, 'readerThread.js')),
    readable: [dir, join(root, 'package.json'), packagesOf(root)],
  };
};

/** What starts the process that reads photos for the writer, locked as well as this system can. */
export const readerStarter = (
  { entry, thread, readable }: ReaderCode,
  program: Program,
  walls?: Walls,
): StartReader => {
  // The native build brings its own GLib; Electron on Linux has the system's loaded, and two in one process crash.
  const wasm = program.kind === 'fork' && process.platform === 'linux';
  const args = [`--thread=${thread.href}`, ...(wasm ? ['--wasm'] : [])];
  // Pictures are decoded in memory, however large they are: no file can be written for them.
  const env = { VIPS_DISC_THRESHOLD: '4g' };
  const options = { program, name: 'Photos of the practice service', entry, args, readable, env, mostBytes, walls };
  return (onMessage) => startIsolated(options, onMessage);
};

/** The same where a plain Node runs from a checkout, which then runs the process as well. */
export const sourceReaderStarter = (root: string): StartReader =>
  readerStarter(sourceReader(root), { kind: 'node', path: process.execPath });
