import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { testFlags } from '../../helpers/hosts/startHeadless.ts';

// Each test starts the whole companion, and the first test may need a build.
const getLauncherUrl = (file: string): string =>
  pathToFileURL(join(import.meta.dirname, '..', '..', '..', 'scripts', 'launcher', file)).href;
const buildNodeCommand = (code: string, ...args: string[]): string[] => [
  process.execPath,
  ...['--input-type=module', '-e', code, '--', ...args],
];

/**
 * Replaces Electron's program. It looks for a sandbox like Electron: first a user namespace, then the helper. Without a
 * sandbox it ends like Electron.
 */
const fakeElectron = `#!/bin/sh
case "$*" in *--no-sandbox*) sandbox=none ;; esac
unshare -Ur true 2>/dev/null && sandbox=namespace
[ "$(stat -c '%u %a' "$(dirname "$0")/chrome-sandbox")" = '0 4755' ] && sandbox=helper
if [ -z "$sandbox" ]; then
  echo 'FATAL:setuid_sandbox_host.cc The SUID sandbox helper binary was found, but is not configured correctly.' >&2
  kill -TRAP $$
fi
echo "window $*"
`;

const isRoot = process.getuid?.() === 0;
const unprivileged = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'];
/** The prefix that makes root run a command as an ordinary user. */
const ordinary = isRoot ? unprivileged : [];
/** The prefix that runs a command in a system without user namespaces. */
const forbidding = [
  ...['unshare', '--user', '--map-current-user', '--keep-caps', 'sh', '-c'],
  ...['echo 0 > /proc/sys/user/max_user_namespaces && exec "$@"', 'sh'],
];

const canRun = ([program = '', ...args]: readonly string[]): boolean =>
  spawnSync(program, args, { stdio: 'ignore' }).status === 0;
/** Whether an ordinary user can read the project’s folder. */
const canBeOrdinary =
  process.platform === 'linux' &&
  canRun([...ordinary, process.execPath, '--check', fileURLToPath(getLauncherUrl('startCompanion.mjs'))]);
const namespaces = canBeOrdinary && canRun([...ordinary, 'unshare', '-Ur', 'true']);
const forbidden = namespaces ? [...ordinary, ...forbidding] : ordinary;
const canForbid = canBeOrdinary && (!namespaces || canRun([...forbidden, 'true']));

let folder: string;
beforeAll(async () => {
  // The ordinary user cannot write to the project, so the build must exist.
  const built = await import(getLauncherUrl('build.mjs')).then((it) => (it as { build: () => number }).build());
  expect(built).toBe(0);
});
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'companion-start-'));
  mkdirSync(join(folder, 'dist'));
  writeFileSync(join(folder, 'dist', 'electron'), fakeElectron);
  writeFileSync(join(folder, 'dist', 'chrome-sandbox'), '');
  // The file mode mask of this process can deny access to other users.
  for (const name of ['dist', 'dist/electron']) chmodSync(join(folder, name), 0o755);
  chmodSync(folder, 0o777);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Starts the companion as an installed `npm start` does. Returns its first line, its errors and a stop function. */
const startAs = async (who: readonly string[]) => {
  const code = `import { startCompanion } from ${JSON.stringify(getLauncherUrl('startCompanion.mjs'))};
    process.exitCode = await startCompanion(process.argv.slice(1));`;
  const [program = '', ...args] = [...who, ...buildNodeCommand(code, ...testFlags(join(folder, 'data')))];
  const child = spawn(program, args, {
    env: { ...process.env, DISPLAY: ':0', HOME: folder, ELECTRON_OVERRIDE_DIST_PATH: join(folder, 'dist') },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const ended = once(child, 'close').then(([status]) => status as number | null);
  const line = await Promise.race([
    once(createInterface(child.stdout), 'line').then(([text]) => String(text)),
    ended.then((status) => `ended with ${status}`),
  ]);
  return {
    line,
    stderr: () => stderr,
    stop: () => {
      child.kill('SIGINT');
      return ended;
    },
  };
};

const addresses = z.object({ ui: z.url(), bridge: z.url() });

describe.skipIf(!canForbid)('a start as an ordinary user without user namespaces', () => {
  test('the companion opens in the browser and explains how to set up Electron’s sandbox', async () => {
    const started = await startAs(forbidden);
    const { bridge } = addresses.parse(JSON.parse(started.line));
    expect((await fetch(new URL('/health', bridge))).ok).toBe(true);
    const helper = join(folder, 'dist', 'chrome-sandbox');
    expect(started.stderr()).toContain(`sudo chown root:root ${helper}\n  sudo chmod 4755 ${helper}\n`);
    expect(started.stderr()).not.toContain('FATAL');
    expect(await started.stop()).toBe(0);
  });
});

test.skipIf(!namespaces)('the window opens with its sandbox if user namespaces are allowed', async () => {
  const started = await startAs(ordinary);
  expect(started.line).toMatch(/^window /);
  expect(started.line).not.toContain('sandbox');
  await started.stop();
  expect(existsSync(join(folder, 'data'))).toBe(false);
});

test.skipIf(!isRoot || process.platform !== 'linux')('the window opens without a sandbox for root', async () => {
  const started = await startAs([]);
  expect(started.line).toMatch(/^window --no-sandbox /);
  await started.stop();
});
