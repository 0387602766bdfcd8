import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { StartKitchen } from '../core/photos/kitchenClient.ts';
import { codeRoot, isBuilt } from './codeFiles.ts';
import { packagesOf, startIsolated, type Program, type Walls } from '../isolated/startIsolated.ts';
import type { StartReader } from '../practice/writer/reading/readerClient.ts';
import { builtReader, readerStarter, sourceReader } from '../practice/writer/startReader.ts';

/** Where the code of the process that decodes photos lies: what it starts with, its threads' module, all that it reads. */
export type KitchenCode = { entry: URL; thread: URL; readable: readonly string[] };

/** Pictures that come with one answer; nothing that is made of a photo comes near it. */
const mostBytes = 256 * 2 ** 20;

/** The code as it lies in a checkout, for a Node that runs TypeScript. */
export const sourceKitchen = (root: string): KitchenCode => {
  const src = (...parts: string[]): string => join(root, 'src', ...parts);
  return {
    entry: pathToFileURL(src('kitchen', 'index.ts')),
    thread: pathToFileURL(src('kitchen', 'worker.ts')),
    readable: [
      src('kitchen'),
      src('isolated'),
      src('i18n'),
      src('photoContract'),
      join(root, 'package.json'),
      join(root, 'node_modules'),
    ],
  };
};

/** The code as it was built; `root` holds `out` and the packages, or lies beside them. */
export const builtKitchen = (root: string): KitchenCode => {
  const dir = join(root, 'out', 'main');
  return {
    entry: pathToFileURL(join(dir, 'kitchen.js')),
    thread: pathToFileURL(join(dir, 'kitchenThread.js')),
    readable: [dir, join(root, 'package.json'), packagesOf(root)],
  };
};

type Options = {
  /** Uses sharp's WebAssembly build everywhere; in a process of Electron on Linux it is used anyway. */
  wasm?: boolean;
  walls?: Walls;
};

/** What starts the process that decodes photos, locked as well as this system can. */
export const kitchenStarter = (
  { entry, thread, readable }: KitchenCode,
  program: Program,
  { wasm: asked = false, walls: wished }: Options = {},
): StartKitchen => {
  // The native build brings its own GLib; Electron on Linux has the system's loaded, and two in one process crash.
  const wasm = asked || (program.kind === 'fork' && process.platform === 'linux');
  // The WebAssembly build starts threads of its own, which a locked thread may not.
  const walls = wasm ? { permissions: false, namespaces: true } : wished;
  const args = [`--thread=${thread.href}`, ...(wasm ? ['--wasm'] : [])];
  // Pictures are decoded in memory, however large they are: no file can be written for them.
  const env = { VIPS_DISC_THRESHOLD: '4g' };
  const options = { program, name: 'Photos', entry, args, readable, env, mostBytes, walls };
  return async (onMessage) => {
    const started = await startIsolated(options, onMessage);
    return { ...started, facts: { ...started.facts, build: wasm ? 'WebAssembly' : 'native' } };
  };
};

/** The same where a plain Node runs the companion: it runs the process as well, from the sources or as it was built. */
export const plainKitchenStarter = (): StartKitchen =>
  kitchenStarter(isBuilt ? builtKitchen(codeRoot) : sourceKitchen(codeRoot), { kind: 'node', path: process.execPath });

/** What starts the process in which the practice service reads photos, in the same way. */
export const plainReaderStarter = (): StartReader =>
  readerStarter(isBuilt ? builtReader(codeRoot) : sourceReader(codeRoot), { kind: 'node', path: process.execPath });
