// Shared functions for the checks of a packed app. The app runs with temporary data and the practice service.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

export const patienceMs = 60_000;
/** Chromium refuses to start with its sandbox as root. */
export const sandbox = process.platform === 'linux' && process.getuid?.() === 0 ? ['--no-sandbox'] : [];

export const check = (holds, failure) => {
  if (!holds) throw new Error(failure);
};

/** Polls `look` until it returns a truthy value, and returns the value. Throws after `patienceMs`. */
export const waitFor = async (look, failure) => {
  for (const until = performance.now() + patienceMs; performance.now() < until; await wait(250)) {
    const found = await look();
    if (found) return found;
  }
  throw new Error(failure);
};

export const askToPair = async (url, name) => {
  const request = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ name }) };
  const pairing = await fetch(new URL('/companion/pairings', url), request);
  check(pairing.ok, `A pairing was refused with ${pairing.status}.`);
  return pairing.json();
};

const findBridge = async (folder) => {
  const discovery = join(folder, 'bridge.json');
  if (!existsSync(discovery)) return null;
  const { url } = JSON.parse(readFileSync(discovery, 'utf8'));
  const health = await fetch(new URL('/health', url)).catch(() => null);
  return health?.ok ? url : null;
};

/** Starts the packed app that the command line names and checks it. The exit code is 0 if the app passes. */
export const checkPacked = async (checkApp) => {
  const [, script, program] = process.argv;
  if (program === undefined) {
    console.error(`Use: node ${script} <program>`);
    process.exit(2);
  }
  const folder = mkdtempSync(join(tmpdir(), 'companion-packed-'));
  const flags = [...sandbox, '--data', folder, '--keychain', 'memory', '--bridge-port', '0', '--verbose'];
  const child = spawn(resolve(program), flags, { stdio: 'inherit' });
  const lookForBridge = () => {
    check(child.exitCode === null, `The packed app ended with ${child.exitCode}.`);
    return findBridge(folder);
  };
  let works = true;
  try {
    const url = await waitFor(lookForBridge, 'The packed app did not answer.');
    await checkApp({ program: resolve(program), pid: child.pid, folder, url });
  } catch (error) {
    works = false;
    console.error(error instanceof Error ? error.message : error);
  }
  child.kill();
  await Promise.race([new Promise((done) => child.once('exit', done)), wait(10_000)]);
  // On Windows the app's processes keep files open briefly after the app has ended.
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  console.log(works ? 'The packed app works.' : 'The packed app does not work.');
  process.exit(works ? 0 : 1);
};
