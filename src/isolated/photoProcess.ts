import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { StartProcess } from './processClient.ts';
import { getPackagesDir, startIsolated, type ProcessRuntime, type SandboxParts } from './startIsolated.ts';

type PhotoProcessDescription = {
  name: string;
  /** Paths below `src`. */
  source: { entry: string; thread: string; folders: readonly string[] };
  built: { entry: string; thread: string };
  maxBytes: number;
};

export type PhotoProcessCode = { entry: URL; thread: URL; readable: readonly string[] };

type Options = {
  /** Uses the WebAssembly build of sharp. Electron on Linux always uses it. */
  wasm?: boolean;
  sandbox?: SandboxParts | undefined;
};

export const definePhotoProcess = ({ name, source, built, maxBytes }: PhotoProcessDescription) => ({
  source: (root: string): PhotoProcessCode => {
    const resolveSourcePath = (path: string): string => join(root, 'src', path);
    return {
      entry: pathToFileURL(resolveSourcePath(source.entry)),
      thread: pathToFileURL(resolveSourcePath(source.thread)),
      readable: [...source.folders.map(resolveSourcePath), join(root, 'package.json'), join(root, 'node_modules')],
    };
  },

  built: (root: string): PhotoProcessCode => {
    const dir = join(root, 'out', 'main');
    return {
      entry: pathToFileURL(join(dir, built.entry)),
      thread: pathToFileURL(join(dir, built.thread)),
      readable: [dir, join(root, 'package.json'), getPackagesDir(root)],
    };
  },

  /** Returns a function that starts the process in the strongest sandbox that the system supports. */
  starter: (
    code: PhotoProcessCode,
    program: ProcessRuntime,
    { wasm: asked = false, sandbox: wished }: Options = {},
  ) => {
    const { entry, thread, readable } = code;
    // The native build loads its own GLib, but Electron on Linux has already loaded the system's GLib. A process with
    // two copies crashes.
    const wasm = asked || (program.kind === 'fork' && process.platform === 'linux');
    // The WebAssembly build starts threads, which is forbidden to a thread under Node's permission model.
    const sandbox = wasm ? { permissions: false, namespaces: true } : wished;
    const args = [`--thread=${thread.href}`, ...(wasm ? ['--wasm'] : [])];
    // libvips must decode large photos in memory, because the process cannot write files.
    const env = { VIPS_DISC_THRESHOLD: '4g' };
    const options = { program, name, entry, args, readable, env, maxBytes, sandbox };
    const startPhotoProcess: StartProcess = async (onMessage) => {
      const started = await startIsolated(options, onMessage);
      return { ...started, facts: { ...started.facts, build: wasm ? 'WebAssembly' : 'native' } };
    };
    return startPhotoProcess;
  },
});
