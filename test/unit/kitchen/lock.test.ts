import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { findWorkingNamespaces } from '../../../src/isolated/linuxSandbox.ts';
import { startIsolated, type SandboxParts } from '../../../src/isolated/startIsolated.ts';
import { createTempDir } from '../../helpers/photos/photoWorld.ts';
import { kitchenCode } from '../../helpers/photos/startKitchen.ts';
import { readerCode } from '../../helpers/practice/startReader.ts';

const linux = process.platform === 'linux';
const namespaces = linux
  ? await findWorkingNamespaces(process.execPath, [process.execPath, import.meta.dirname], import.meta.dirname)
  : null;
if (namespaces === null) console.log('This system allows no namespaces, so these parts of the sandbox are not tried.');

/** Code that attempts what malicious code would attempt. Reports each result by name, or null if it was refused. */
const createAttemptsCode = (dataDir: string, ports: { bridge: number; other: number }): string => `
  import { execFileSync } from 'node:child_process';
  import { closeSync, fstatSync, futimesSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
  import inspector from 'node:inspector';
  import { Worker } from 'node:worker_threads';
  export const attempt = async (work) => {
    try { return String(await work()) || 'done'; } catch { return null; }
  };
  const connected = async (port) => (await fetch('http://127.0.0.1:' + port)).status;
  export const tryAll = async () => ({
    dataFolder: await attempt(() => readFileSync(${JSON.stringify(join(dataDir, 'secret'))}, 'utf8')),
    list: await attempt(() => readdirSync(${JSON.stringify(dataDir)})),
    passwords: await attempt(() => readFileSync('/etc/passwd', 'utf8')),
    parent: await attempt(() => readFileSync('/proc/${process.pid}/environ', 'utf8')),
    write: await attempt(() => writeFileSync(${JSON.stringify(join(dataDir, 'written'))}, 'x')),
    writeTemp: await attempt(() => writeFileSync('/tmp/kitchen-was-here', 'x')),
    // Its own code is readable, and a descriptor for reading is enough to change the times of a file.
    times: await attempt(() => {
      const file = openSync(new URL(import.meta.url));
      try { futimesSync(file, 1, 1); } finally { closeSync(file); }
    }),
    spawn: await attempt(() => execFileSync('/bin/true')),
    signal: await attempt(() => process.kill(${process.pid}, 0)),
    bridge: await attempt(() => connected(${ports.bridge})),
    otherPort: await attempt(() => connected(${ports.other})),
    thread: await attempt(() => void new Worker('', { eval: true }).on('error', () => undefined)),
    debugger: await attempt(() => { inspector.open(0, '127.0.0.1'); inspector.close(); }),
    descriptors: await attempt(() => {
      const open = [];
      for (let fd = 4; fd < 100; fd += 1) try { const stat = fstatSync(fd); if (stat.isFile() || stat.isDirectory()) open.push(fd); } catch {}
      if (open.length === 0) throw new Error('none');
      return open.join();
    }),
    // Bubblewrap sets PWD to the folder of its code.
    environment: JSON.stringify(Object.keys(process.env).filter((name) => name !== 'PWD').sort()),
  });`;

const answer = z.record(z.string(), z.string().nullable());

/** Starts a local server that answers every client, unlike the bridge. */
const startServer = async (): Promise<number> => {
  const server = createServer((_request, response) => response.end('here'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
};

/** A process that receives photos, a request that it accepts, and the answer of its thread with `bytes`. */
type Probed = { code: Pick<typeof kitchenCode, 'entry' | 'readable'>; asked: object; answered: string };
const kitchen: Probed = {
  code: kitchenCode,
  asked: { type: 'thumbnail', id: 1, isWhole: true },
  answered: "{ type: 'result', result: { type: 'thumbnail', id: 1, result: 'made' }, pictures: bytes }",
};
const reader: Probed = {
  code: readerCode,
  asked: { type: 'read', id: 1, task: 'shrink' },
  answered: "{ head: { type: 'shrunk', id: 1 }, parts: bytes }",
};

/** Returns what malicious code can do in a thread of the process in this sandbox. */
const tryInside = async (sandbox: SandboxParts, { code: ownCode, asked, answered }: Probed = kitchen) => {
  const ports = { bridge: await startServer(), other: await startServer() };
  const dataDir = await createTempDir();
  await writeFile(join(dataDir, 'secret'), 'the key');
  const dir = await createTempDir();
  const code = { ...ownCode, readable: [...ownCode.readable, dir] };
  await mkdir(join(dir, 'probe'));
  await writeFile(join(dir, 'probe', 'attempts.mjs'), createAttemptsCode(dataDir, ports));
  await writeFile(
    join(dir, 'probe', 'thread.mjs'),
    `import { parentPort } from 'node:worker_threads';
     import { tryAll } from './attempts.mjs';
     parentPort.on('message', async () => {
       const codes = JSON.stringify(await tryAll());
       const bytes = [new Uint8Array(Buffer.from(codes))];
       parentPort.postMessage(${answered});
     });`,
  );
  const thread = pathToFileURL(join(dir, 'probe', 'thread.mjs'));
  process.env['COMPANION_TEST_SECRET'] = 'the key';
  onTestFinished(() => void delete process.env['COMPANION_TEST_SECRET']);
  const response = Promise.withResolvers<Uint8Array>();
  const isolated = await startIsolated(
    {
      program: { kind: 'node', path: process.execPath },
      name: 'probe',
      entry: code.entry,
      args: [`--thread=${thread.href}`],
      readable: code.readable,
      maxBytes: 1e6,
      sandbox,
    },
    ({ parts }) => response.resolve(parts[0] ?? new Uint8Array()),
  );
  onTestFinished(isolated.kill);
  isolated.keepParentAlive(true);
  void isolated.ended.then((end) => response.reject(new Error(JSON.stringify(end))));
  void isolated.send({ head: asked, parts: [Buffer.from('x')] });
  const got = answer.parse(JSON.parse(Buffer.from(await response.promise).toString('utf8')));
  return { got, written: await readdir(dataDir) };
};

/** What Node permissions refuse in addition. */
const nothingOfNode = { thread: null, debugger: null };

const nothing = {
  dataFolder: null,
  list: null,
  passwords: null,
  parent: null,
  write: null,
  writeTemp: null,
  times: null,
  spawn: null,
  descriptors: null,
  environment: JSON.stringify(linux ? ['TZ'] : process.platform === 'win32' ? ['SystemRoot', 'TZ'] : ['TZ']),
};

test('Node permissions alone deny the photo process access to files, programs and the network', async () => {
  const { got, written } = await tryInside({ permissions: true, namespaces: false });
  expect(got).toMatchObject({ ...nothing, ...nothingOfNode, bridge: null, otherPort: null });
  expect(written).toEqual(['secret']);
});

test.skipIf(namespaces === null)(
  'namespaces alone deny the photo process access to files, the network and other processes',
  async () => {
    const { got, written } = await tryInside({ permissions: false, namespaces: true });
    expect(got).toMatchObject({ ...nothing, signal: null, bridge: null, otherPort: null });
    expect(written).toEqual(['secret']);
  },
);

test.skipIf(namespaces === null)(
  'Node permissions and namespaces together deny the photo process every access',
  async () => {
    const { got, written } = await tryInside({ permissions: true, namespaces: true });
    expect(got).toEqual({ ...nothing, ...nothingOfNode, signal: null, bridge: null, otherPort: null });
    expect(written).toEqual(['secret']);
  },
);

test.skipIf(namespaces === null)('the photo reader of the practice service is also denied every access', async () => {
  const { got, written } = await tryInside({ permissions: true, namespaces: true }, reader);
  expect(got).toEqual({ ...nothing, ...nothingOfNode, signal: null, bridge: null, otherPort: null });
  expect(written).toEqual(['secret']);
});

test('without a sandbox, the attempted accesses succeed', async () => {
  const { got } = await tryInside({ permissions: false, namespaces: false });
  expect(got).toMatchObject({
    dataFolder: 'the key',
    bridge: '200',
    otherPort: '200',
    thread: 'undefined',
    debugger: 'undefined',
    times: 'undefined',
  });
  expect(kitchenCode.readable.length).toBeGreaterThan(0);
});
