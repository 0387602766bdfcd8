import { execFileSync } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test, vi } from 'vitest';
import { findWorkingNamespaces } from '../../../src/isolated/linuxSandbox.ts';
import { startIsolated, type IsolatedProcess, type SandboxParts } from '../../../src/isolated/startIsolated.ts';
import type { Message } from '../../../src/isolated/frames.ts';
import { createTempDir } from '../../helpers/photos/photoWorld.ts';

const isolated = join(import.meta.dirname, '..', '..', '..', 'src', 'isolated');
const hasNamespaces =
  process.platform === 'linux' &&
  (await findWorkingNamespaces(process.execPath, [process.execPath, isolated], isolated)) !== null;

/** Prepares code in its own folder. Returns a function that starts the code and the count of spawned processes. */
const prepareCode = async (
  code: string,
  { name = 'code', sandbox }: { name?: string; sandbox?: SandboxParts } = {},
) => {
  const dir = join(await createTempDir(), name);
  await mkdir(dir);
  await writeFile(join(dir, 'entry.mjs'), code);
  const counts = { spawned: 0 };
  const count = (): void => void (counts.spawned += 1);
  subscribe('child_process', count);
  onTestFinished(() => void unsubscribe('child_process', count));
  const options = {
    program: { kind: 'node', path: process.execPath },
    ...{
      name: 'test',
      entry: pathToFileURL(join(dir, 'entry.mjs')),
      maxBytes: 1_000,
      readable: [dir, isolated],
      sandbox,
    },
  } as const;
  const start = async (onMessage: (message: Message) => void = () => undefined): Promise<IsolatedProcess> => {
    const made = await startIsolated(options, onMessage);
    onTestFinished(async () => {
      made.kill();
      await made.ended;
    });
    return made;
  };
  return { start, counts };
};

const channel = pathToFileURL(join(isolated, 'childChannel.ts')).href;

test.skipIf(!hasNamespaces)('no separate test run is needed to start a process in available namespaces', async () => {
  const { start, counts } = await prepareCode(
    `import { openParentChannel } from ${JSON.stringify(channel)}; openParentChannel(1_000, () => undefined);`,
  );
  expect((await start()).facts.sandbox).toContain('namespaces');
  expect((await start()).facts.sandbox).toContain('namespaces');
  expect(counts.spawned).toBe(2);
});

test.skipIf(!hasNamespaces)('code that exits during its start does not weaken the sandbox', async () => {
  const { start, counts } = await prepareCode('process.exit(3);');
  const made = await start();
  expect(made.facts.sandbox).toContain('namespaces');
  expect(await made.ended).toMatchObject({ cause: 'start' });
  // First the likely namespaces, then every kind of namespace was tried.
  expect(counts.spawned).toBeGreaterThan(2);
});

/** Code that answers a message with the value of `what`. */
const createAnsweringCode = (what: string): string => `
import { readdirSync, readFileSync } from 'node:fs';
import { openParentChannel } from ${JSON.stringify(channel)};
const send = openParentChannel(1_000, () => void send({ head: ${what}, parts: [] }));`;

/** Returns the answer of such code and the sandbox in which it runs. */
const runAnsweringCode = async (what: string, how?: Parameters<typeof prepareCode>[1]) => {
  const { start } = await prepareCode(createAnsweringCode(what), how);
  const response = Promise.withResolvers<unknown>();
  const made = await start(({ head }) => response.resolve(head));
  made.keepParentAlive(true);
  void made.ended.then((end) => response.reject(new Error(JSON.stringify(end))));
  void made.send({ head: 'asked', parts: [] });
  return { answer: await response.promise, sandbox: made.facts.sandbox };
};

test.skipIf(!hasNamespaces)('shell characters in a folder name are not executed in the sandbox', async () => {
  const name = `it's "odd" $(touch run) name`;
  const { answer, sandbox } = await runAnsweringCode('readdirSync(".")', { name });
  expect(answer).toEqual(['entry.mjs']);
  expect(sandbox).toContain('namespaces');
});

test.skipIf(!hasNamespaces)('every file system in the sandbox is read-only except /dev/null and /proc', async () => {
  const { answer: mounts } = await runAnsweringCode(`readFileSync('/proc/self/mounts', 'utf8')`, {
    sandbox: { permissions: false, namespaces: true },
  });
  const writable = String(mounts)
    .trimEnd()
    .split('\n')
    .map((line) => line.split(' '))
    .filter(([, , , flags = '']) => !flags.split(',').includes('ro'));
  expect(writable.map(([, place]) => place)).toEqual(['/dev/null', '/proc']);
});

/** Runs code in a mount namespace with a file system for user folders that is common on Linux. */
const withPlainFolder =
  'mount -t tmpfs -o nosuid,nodev none "$1" && exec "$2" --input-type=module-typescript -e "$3" "$1"';
const runUnshared = (...command: string[]): string =>
  execFileSync('unshare', ['--user', '--map-root-user', '--mount', 'sh', '-c', ...command], { encoding: 'utf8' });
const hasUnshare = (): boolean => {
  try {
    return process.platform === 'linux' && runUnshared('true') === '';
  } catch {
    return false;
  }
};

test.skipIf(!hasUnshare())('a folder on a nodev file system is also read-only in the sandbox', async () => {
  const dir = await createTempDir();
  const mounts = runUnshared(
    withPlainFolder,
    'sh',
    dir,
    process.execPath,
    `import { spawnSync } from 'node:child_process';
     import { guessLikelyNamespaces } from ${JSON.stringify(pathToFileURL(join(isolated, 'linuxSandbox.ts')).href)};
     const dir = process.argv[1];
     const inside = guessLikelyNamespaces([process.execPath, dir]);
     const read = "process.stdout.write(require('node:fs').readFileSync('/proc/self/mounts'))";
     const [program, ...args] = inside([process.execPath, '-e', read]);
     process.stdout.write(spawnSync(program, args, { cwd: dir, env: {} }).stdout);`,
  );
  const flags = mounts.split('\n').flatMap((line) => (line.split(' ')[1] === dir ? [line.split(' ')[3]] : []));
  expect(flags).toEqual([expect.stringMatching(/^ro,.*nosuid/)]);
});

test('an isolated process uses the time zone of its parent', async () => {
  const zone = 'Intl.DateTimeFormat().resolvedOptions().timeZone';
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  vi.stubEnv('TZ', undefined);
  onTestFinished(() => void vi.unstubAllEnvs());
  expect((await runAnsweringCode(zone)).answer).toBe(here);
  vi.stubEnv('TZ', 'Europe/Zurich');
  expect((await runAnsweringCode(zone)).answer).toBe('Europe/Zurich');
});
