import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { StartProcess } from './processClient.ts';
import { findPackagesDir, startIsolated, type Program, type SandboxParts } from './startIsolated.ts';

/** A process that decodes photos; modules and folders are given as paths. */
type PhotoProcessDescription = {
  name: string;
  /** Paths below `src`: the entry module, the module of its threads, and the folders of its code. */
  source: { entry: string; thread: string; folders: readonly string[] };
  /** The same modules below `out/main` after the build. */
  built: { entry: string; thread: string };
  maxBytes: number;
};

/** Where the code of such a process is: the entry module, the module of its threads, and all paths that it may read. */
export type PhotoProcessCode = { entry: URL; thread: URL; readable: readonly string[] };

type Options = {
  /** Uses sharp's WebAssembly build. Electron processes on Linux always use it. */
  wasm?: boolean;
  /** The sandbox parts to set up; tests choose single ones. */
  sandbox?: SandboxParts | undefined;
};

/** Returns where the code of a photo-decoding process is, and a function that starts it. */
export const definePhotoProcess = ({ name, source, built, maxBytes }: PhotoProcessDescription) => ({
  /** The code in a checkout, for a Node that runs TypeScript. */
  source: (root: string): PhotoProcessCode => {
    const resolveSourcePath = (path: string): string => join(root, 'src', path);
    return {
      entry: pathToFileURL(resolveSourcePath(source.entry)),
      thread: pathToFileURL(resolveSourcePath(source.thread)),
      readable: [...source.folders.map(resolveSourcePath), join(root, 'package.json'), join(root, 'node_modules')],
    };
  },

  /** The built code; `root` contains `out`, and the packages are in it or beside it. */
  built: (root: string): PhotoProcessCode => {
    const dir = join(root, 'out', 'main');
    return {
      entry: pathToFileURL(join(dir, built.entry)),
      thread: pathToFileURL(join(dir, built.thread)),
      readable: [dir, join(root, 'package.json'), findPackagesDir(root)],
    };
  },

  /** Returns a function that starts the process with the strongest sandbox that the system supports. */
  starter: (code: PhotoProcessCode, program: Program, { wasm: asked = false, sandbox: wished }: Options = {}) => {
    const { entry, thread, readable } = code;
    // The native build brings its own GLib. Electron on Linux has loaded the system's, and two in one process crash.
    const wasm = asked || (program.kind === 'fork' && process.platform === 'linux');
    // The WebAssembly build starts threads, which a thread under the permission model must not.
    const sandbox = wasm ? { permissions: false, namespaces: true } : wished;
    const args = [`--thread=${thread.href}`, ...(wasm ? ['--wasm'] : [])];
    // libvips must decode in memory regardless of size, because the process cannot write files.
    const env = { VIPS_DISC_THRESHOLD: '4g' };
    const options = { program, name, entry, args, readable, env, maxBytes, sandbox };
    const startPhotoProcess: StartProcess = async (onMessage) => {
      const started = await startIsolated(options, onMessage);
      return { ...started, facts: { ...started.facts, build: wasm ? 'WebAssembly' : 'native' } };
    };
    return startPhotoProcess;
  },
});
