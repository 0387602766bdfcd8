// Starts a packed app and ends well when its bridge answers: node scripts/startPacked.mjs <program>
// Its fuses keep out every tool that could look inside, so this looks from outside.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

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

const answers = async () => {
  if (!existsSync(discovery)) return false;
  const { url } = JSON.parse(readFileSync(discovery, 'utf8'));
  return fetch(new URL('/health', url)).then(
    ({ ok }) => ok,
    () => false,
  );
};

let works = false;
for (const until = Date.now() + patienceMs; !works && child.exitCode === null && Date.now() < until; await wait(250)) {
  works = await answers();
}
child.kill();
await Promise.race([new Promise((done) => child.once('exit', done)), wait(10_000)]);
// On Windows the processes of the app keep their files for a moment after it ended.
rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
console.log(works ? 'The packed app answers.' : 'The packed app did not answer.');
process.exit(works ? 0 : 1);
