import { execFileSync } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test, vi } from 'vitest';
import { findWorkingNamespaces } from '../../../src/isolated/linuxSandbox.ts';
import { startIsolated, type IsolatedProcess, type SandboxParts } from '../../../src/isolated/startIsolated.ts';
import type { Message } from '../../../src/isolated/frames.ts';
import { tempDir } from '../../helpers/photos/photoWorld.ts';

const isolated = join(import.meta.dirname, '..', '..', '..', 'src', 'isolated');
const hasNamespaces =
  process.platform === 'linux' &&
  (await findWorkingNamespaces(process.execPath, [process.execPath, isolated], isolated)) !== null;

/** Starts some code in a folder of its own, and counts the processes that this one starts for it. */
const starterOf = async (code: string, { name = 'code', sandbox }: { name?: string; sandbox?: SandboxParts } = {}) => {
  const dir = join(await tempDir(), name);
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

test.skipIf(!hasNamespaces)('an isolated process starts in available namespaces without a test run first', async () => {
  const { start, counts } = await starterOf(
    `import { openParentChannel } from ${JSON.stringify(channel)}; openParentChannel(1_000, () => undefined);`,
  );
  expect((await start()).facts.sandbox).toContain('namespaces');
  expect((await start()).facts.sandbox).toContain('namespaces');
  expect(counts.spawned).toBe(2);
});

test.skipIf(!hasNamespaces)(
  'code that exits before its greeting counts as failed and does not weaken the sandbox',
  async () => {
    const { start, counts } = await starterOf('process.exit(3);');
    const made = await start();
    expect(made.facts.sandbox).toContain('namespaces');
    expect(await made.ended).toMatchObject({ cause: 'start' });
    // The namespaces that are likely there, and then each kind was tried.
    expect(counts.spawned).toBeGreaterThan(2);
  },
);

/** Code that says something once it is asked. */
const answers = (what: string): string => `
import { readdirSync, readFileSync } from 'node:fs';
import { openParentChannel } from ${JSON.stringify(channel)};
const send = openParentChannel(1_000, () => void send({ head: ${what}, parts: [] }));`;

/** What such code says, and in which sandbox. */
const answerOf = async (what: string, how?: Parameters<typeof starterOf>[1]) => {
  const { start } = await starterOf(answers(what), how);
  const heard = Promise.withResolvers<unknown>();
  const made = await start(({ head }) => heard.resolve(head));
  made.keepParentAlive(true);
  void made.ended.then((end) => heard.reject(new Error(JSON.stringify(end))));
  void made.send({ head: 'asked', parts: [] });
  return { answer: await heard.promise, sandbox: made.facts.sandbox };
};

test.skipIf(!hasNamespaces)(
  'a folder with shell characters in its name is visible in the sandbox and never executed',
  async () => {
    const name = `it's "odd" $(touch run) name`;
    const { answer, sandbox } = await answerOf('readdirSync(".")', { name });
    expect(answer).toEqual(['entry.mjs']);
    expect(sandbox).toContain('namespaces');
  },
);

test.skipIf(!hasNamespaces)('everything visible in the sandbox is read-only', async () => {
  const { answer: mounts } = await answerOf(`readFileSync('/proc/self/mounts', 'utf8')`, {
    sandbox: { permissions: false, namespaces: true },
  });
  const writable = String(mounts)
    .trimEnd()
    .split('\n')
    .map((line) => line.split(' '))
    .filter(([, , , flags = '']) => !flags.split(',').includes('ro'));
  expect(writable.map(([, place]) => place)).toEqual(['/dev/null', '/proc']);
});

/** A mount namespace of its own, with a file system for people's folders as many systems have them. */
const withPlainFolder =
  'mount -t tmpfs -o nosuid,nodev none "$1" && exec "$2" --input-type=module-typescript -e "$3" "$1"';
const outer = (...command: string[]): string =>
  execFileSync('unshare', ['--user', '--map-root-user', '--mount', 'sh', '-c', ...command], { encoding: 'utf8' });
const hasUnshare = (): boolean => {
  try {
    return process.platform === 'linux' && outer('true') === '';
  } catch {
    return false;
  }
};

test.skipIf(!hasUnshare())('a folder on a file system without devices is read-only too', async () => {
  const dir = await tempDir();
  const mounts = outer(
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
  expect((await answerOf(zone)).answer).toBe(here);
  vi.stubEnv('TZ', 'Europe/Zurich');
  expect((await answerOf(zone)).answer).toBe('Europe/Zurich');
});
