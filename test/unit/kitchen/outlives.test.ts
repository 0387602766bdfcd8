import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { findWorkingNamespaces } from '../../../src/isolated/linuxSandbox.ts';
import { startIsolated } from '../../../src/isolated/startIsolated.ts';
import { listDescendants } from '../../helpers/hosts/listDescendants.ts';
import { createTempDir } from '../../helpers/photos/photoWorld.ts';
import { waitUntil } from '../../helpers/testClock.ts';

const linux = process.platform === 'linux';
const namespaces = linux
  ? await findWorkingNamespaces(process.execPath, [process.execPath, import.meta.dirname], import.meta.dirname)
  : null;

/** Code that reports its open files and keeps running even if its channel is closed. */
const stayingCode = `
  import { fstatSync, readdirSync, writeSync } from 'node:fs';
  const send = (head) => {
    const words = Buffer.from(JSON.stringify({ head, sizes: [] }));
    const length = Buffer.alloc(4);
    length.writeUInt32LE(words.length);
    writeSync(3, Buffer.concat([length, words]));
  };
  const isFile = (fd) => { try { return fstatSync(Number(fd)).isFile(); } catch { return false; } };
  send('ready');
  send({ files: readdirSync('/proc/self/fd').filter(isFile) });
  setInterval(() => undefined, 1_000);`;

/** Code that additionally asks the system to keep it running after the end of its parent. */
const createOutlivingCode = (next: string): string => `
  ${stayingCode}
  import { existsSync } from 'node:fs';
  const free = ['setpriv', '--pdeathsig', 'clear', '--', ${JSON.stringify(process.execPath)}, ${JSON.stringify(next)}];
  if (existsSync('/bin/setpriv')) process.execve('/bin/setpriv', free, {});`;

const writeCode = async (dir: string, name: string, code: string): Promise<string> => {
  const path = join(dir, name);
  await writeFile(path, code);
  return path;
};

/** Returns whether a process is still running; an ended process can stay in the list for a while. */
const isRunning = (pid: number): boolean => {
  try {
    return !/^\d+ \(.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
};
/** Kills the processes that are still running after the test. */
const endAfter = (pids: readonly number[]): void =>
  onTestFinished(() => {
    for (const pid of pids.filter(isRunning)) process.kill(pid, 'SIGKILL');
  });
const waitForEnd = (pids: readonly number[]): Promise<boolean> =>
  waitUntil(() => !pids.some(isRunning), 'the end of all processes');

test.skipIf(namespaces === null)('malicious code in an isolated process cannot outlive the process', async () => {
  const dir = await createTempDir();
  const next = await writeCode(dir, 'next.mjs', 'setInterval(() => undefined, 1_000);');
  const entry = pathToFileURL(await writeCode(dir, 'entry.mjs', createOutlivingCode(next)));
  const started = Promise.withResolvers<void>();
  const isolated = await startIsolated(
    {
      ...{ program: { kind: 'node', path: process.execPath }, name: 'probe', entry, readable: [dir], maxBytes: 1e6 },
      sandbox: { permissions: false, namespaces: true },
    },
    () => started.resolve(),
  );
  onTestFinished(isolated.kill);
  isolated.keepParentAlive(true);
  await started.promise;
  const all = listDescendants(isolated.pid ?? 0);
  endAfter(all);
  const isFree = (pid: number): boolean => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(next);
  await waitUntil(() => all.some((pid) => isRunning(pid) && isFree(pid)), 'the process that wants to stay');
  isolated.kill();
  expect(await waitForEnd(all)).toBe(true);
});

const reportSchema = z.object({ pid: z.number(), files: z.array(z.string()) });

/** Starts a program that starts an isolated process and has itself inherited an open file. */
const startHost = async () => {
  const dir = await createTempDir();
  const entry = pathToFileURL(await writeCode(dir, 'entry.mjs', stayingCode));
  const module = fileURLToPath(new URL('../../../src/isolated/startIsolated.ts', import.meta.url));
  const options = { name: 'probe', entry: entry.href, readable: [dir], maxBytes: 1e6 };
  const code = `
    import { startIsolated } from ${JSON.stringify(pathToFileURL(module).href)};
    const options = ${JSON.stringify(options)};
    const program = { kind: 'node', path: process.execPath };
    const sandbox = { permissions: false, namespaces: true };
    const tell = ({ head }) => console.log(JSON.stringify({ pid: started.pid, ...head }));
    const started = await startIsolated({ ...options, entry: new URL(options.entry), program, sandbox }, tell);
    started.keepParentAlive(true);`;
  const secret = openSync(await writeCode(dir, 'secret', 'the key'), 'r');
  const none = Array<'ignore'>(30).fill('ignore');
  const host = spawn(process.execPath, [await writeCode(dir, 'host.mjs', code)], {
    stdio: ['ignore', 'pipe', 'ignore', ...none, secret],
  });
  closeSync(secret);
  onTestFinished(() => void host.kill('SIGKILL'));
  if (host.stdout === null) throw new Error('The program has no output.');
  for await (const line of createInterface(host.stdout)) return { host, ...reportSchema.parse(JSON.parse(line)) };
  throw new Error('The program said nothing.');
};

test.skipIf(!linux)('an isolated process inherits no open files of the companion', async () => {
  const { files } = await startHost();
  expect(files).toEqual([]);
});

test.skipIf(namespaces === null)('an isolated process ends if the companion is killed', async () => {
  const { host, pid } = await startHost();
  const all = [pid, ...listDescendants(pid)];
  endAfter(all);
  expect(all.filter(isRunning)).toEqual(all);
  host.kill('SIGKILL');
  expect(await waitForEnd(all)).toBe(true);
});
