import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { StartProcess } from './processClient.ts';
import { packagesOf, startIsolated, type Program, type SandboxParts } from './startIsolated.ts';

/** A process that decodes photos. Modules and folders are told by their paths. */
type Description = {
  /** As lists of processes show it. */
  name: string;
  /** Below `src`: the module that it starts with, its threads' module, and the folders of its code. */
  source: { entry: string; thread: string; folders: readonly string[] };
  /** The same modules below `out/main`, as they were built. */
  built: { entry: string; thread: string };
  /** Bytes of pictures that may come with one answer. */
  mostBytes: number;
};

/** Where the code of such a process lies: what it starts with, its threads' module, all that it reads. */
export type PhotoProcessCode = { entry: URL; thread: URL; readable: readonly string[] };

type Options = {
  /** Uses sharp's WebAssembly build everywhere; in a process of Electron on Linux it is used anyway. */
  wasm?: boolean;
  /** Those that a test looks at alone. */
  sandbox?: SandboxParts | undefined;
};

/** Tells where the code of a process that decodes photos lies, and what starts it. */
export const photoProcess = ({ name, source, built, mostBytes }: Description) => ({
  /** The code as it lies in a checkout, for a Node that runs TypeScript. */
  source: (root: string): PhotoProcessCode => {
    const src = (path: string): string => join(root, 'src', path);
    return {
      entry: pathToFileURL(src(source.entry)),
      thread: pathToFileURL(src(source.thread)),
      readable: [...source.folders.map(src), join(root, 'package.json'), join(root, 'node_modules')],
    };
  },

  /** The code as it was built; `root` holds `out` and the packages, or lies beside them. */
  built: (root: string): PhotoProcessCode => {
    const dir = join(root, 'out', 'main');
    return {
      entry: pathToFileURL(join(dir, built.entry)),
      thread: pathToFileURL(join(dir, built.thread)),
      readable: [dir, join(root, 'package.json'), packagesOf(root)],
    };
  },

  /** What starts the process, locked as well as this system can. */
  starter: (code: PhotoProcessCode, program: Program, { wasm: asked = false, sandbox: wished }: Options = {}) => {
    const { entry, thread, readable } = code;
    // The native build brings its own GLib; Electron on Linux has the system's loaded, and two in one process crash.
    const wasm = asked || (program.kind === 'fork' && process.platform === 'linux');
    // The WebAssembly build starts threads of its own, which a locked thread may not.
    const sandbox = wasm ? { permissions: false, namespaces: true } : wished;
    const args = [`--thread=${thread.href}`, ...(wasm ? ['--wasm'] : [])];
    // Pictures are decoded in memory, however large they are: no file can be written for them.
    const env = { VIPS_DISC_THRESHOLD: '4g' };
    const options = { program, name, entry, args, readable, env, mostBytes, sandbox };
    const start: StartProcess = async (onMessage) => {
      const started = await startIsolated(options, onMessage);
      return { ...started, facts: { ...started.facts, build: wasm ? 'WebAssembly' : 'native' } };
    };
    return start;
  },
});
