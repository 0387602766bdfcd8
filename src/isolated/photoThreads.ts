import * as nodeModule from 'node:module';
import { parseArgs } from 'node:util';
import { parentPort, workerData, type MessagePort } from 'node:worker_threads';

export type ThreadStart = { wasm: boolean };

/** Parses the arguments that `definePhotoProcess` gives to a photo process. Returns how the process starts a thread. */
export const parseThreadOptions = (entryUrl: string) => {
  const { values } = parseArgs({ options: { thread: { type: 'string' }, wasm: { type: 'boolean', default: false } } });
  const start: ThreadStart = { wasm: values.wasm };
  return {
    url: new URL(values.thread ?? './worker.ts', entryUrl),
    start,
    // Threads do not inherit permission flags from the process. `--allow-worker` is not passed on, so that a thread
    // cannot start threads.
    flags: process.execArgv.filter((flag) => /^--(permission|allow-addons|allow-fs-read=.*)$/.test(flag)),
  };
};

/** Returns the port and the start options of the current photo thread. Throws in a process that is no thread. */
export const openPhotoThread = (): { port: MessagePort; start: ThreadStart } => {
  if (!parentPort) throw new Error('This file runs as a worker thread only.');
  return { port: parentPort, start: workerData as ThreadStart };
};

const nativeForLinux = /^@img\/sharp-linux(musl)?-[a-z0-9]+\/sharp\.node$/;

/**
 * Makes later imports of sharp load its WebAssembly build. The oldest supported Node does not have `registerHooks`, but
 * only Electron needs this build.
 */
export const blockNativeSharp = (): void => {
  nodeModule.registerHooks({
    resolve(specifier, context, nextResolve) {
      if (!nativeForLinux.test(specifier)) return nextResolve(specifier, context);
      throw Object.assign(new Error('The native build is left out on purpose.'), { code: 'MODULE_NOT_FOUND' });
    },
  });
};
