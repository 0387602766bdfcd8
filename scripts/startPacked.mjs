// Starts a packed app and ends well when it works: node scripts/startPacked.mjs <program>
// Its fuses keep out every tool that could press a button, so this looks from outside: the bridge answers and takes a pairing,
// the commands find the companion, and its own photo process prepares photos with the native modules that were packed.
import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';

const patienceMs = 60_000;
const [program] = process.argv.slice(2);
if (program === undefined) {
  console.error('Use: node scripts/startPacked.mjs <program>');
  process.exit(2);
}

const folder = mkdtempSync(join(tmpdir(), 'companion-packed-'));
// Chromium's sandbox does not start as root.
const sandbox = process.platform === 'linux' && process.getuid?.() === 0 ? ['--no-sandbox'] : [];
const child = spawn(
  resolve(program),
  [...sandbox, '--data', folder, '--keychain', 'memory', '--bridge-port', '0', '--verbose'],
  { stdio: 'inherit' },
);
const discovery = join(folder, 'bridge.json');

const bridgeUrl = async () => {
  if (!existsSync(discovery)) return null;
  const { url } = JSON.parse(readFileSync(discovery, 'utf8'));
  return fetch(new URL('/health', url)).then(
    ({ ok }) => (ok ? url : null),
    () => null,
  );
};

const started = async () => {
  for (const until = Date.now() + patienceMs; child.exitCode === null && Date.now() < until; await wait(250)) {
    const url = await bridgeUrl();
    if (url !== null) return url;
  }
  throw new Error('The packed app did not answer.');
};

const check = (holds, failure) => {
  if (!holds) throw new Error(failure);
};

/** A command of the packed app: its exit code, and what it wrote. */
const run = (...words) =>
  promisify(execFile)(resolve(program), [...sandbox, ...words], { timeout: patienceMs }).then(
    ({ stdout, stderr }) => ({ code: 0, said: stdout + stderr }),
    ({ code, stdout, stderr }) => ({ code, said: `${stdout}${stderr}` }),
  );

const checkApp = async () => {
  const url = await started();
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ name: 'Check of the packed app' });
  const pairing = await fetch(new URL('/companion/pairings', url), { method: 'POST', headers, body });
  check(pairing.ok, `A pairing was refused with ${pairing.status}.`);
  const status = await run('status', '--data', folder, '--keychain', 'memory');
  check(status.code === 3 && /not paired/.test(status.said), `"status" ended with ${status.code}: ${status.said}`);
  const prepared = join(folder, 'prepared by the command');
  const samples = join(import.meta.dirname, '..', 'resources', 'samples', 'Tovalind mugs');
  const preparing = await run('prepare', samples, '--out', prepared);
  const photos = preparing.code === 0 ? readdirSync(prepared).filter((name) => name.endsWith('.jpg')) : [];
  check(photos.length === 3, `"prepare" ended with ${preparing.code} and ${photos.length} photos: ${preparing.said}`);
};

let works = true;
try {
  await checkApp();
} catch (error) {
  works = false;
  console.error(error instanceof Error ? error.message : error);
}
child.kill();
await Promise.race([new Promise((done) => child.once('exit', done)), wait(10_000)]);
// On Windows the processes of the app keep their files for a moment after it ended.
rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
console.log(works ? 'The packed app works.' : 'The packed app does not work.');
process.exit(works ? 0 : 1);
