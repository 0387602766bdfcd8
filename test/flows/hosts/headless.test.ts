import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import * as z from 'zod';
import { runHeadless, startHeadless, testFlags, type Ended } from '../../helpers/hosts/startHeadless.ts';
import { waitUntil } from '../../helpers/testClock.ts';
import { createUiClient } from '../../helpers/hosts/createUiClient.ts';
import { openWindowCalls } from '../../helpers/hosts/windowCalls.ts';

let dataDir: string;

beforeEach(() => {
  dataDir = join(mkdtempSync(join(tmpdir(), 'companion-')), 'data');
});
afterEach(() => rmSync(join(dataDir, '..'), { recursive: true, force: true }));

const oneSentence = ({ stderr }: Ended): boolean => /^\S.*[.\]]\n$/.test(stderr);

// Windows has no signal for a graceful stop.
const testGracefulStop = test.skipIf(process.platform === 'win32');

testGracefulStop('the headless host prints working addresses and stops on Ctrl-C', async () => {
  const headless = await startHeadless(testFlags(dataDir));
  expect(new URL(headless.ui).hostname).toMatch(/^[0-9a-f]{40}\.localhost$/);
  expect((await createUiClient(headless.ui).ask('/')).status).toBe(200);
  expect(await createUiClient(headless.ui).enter()).not.toBe('');
  expect((await fetch(new URL('/health', headless.bridge))).ok).toBe(true);
  expect(existsSync(join(dataDir, 'bridge.json'))).toBe(true);
  expect(await headless.stop('SIGINT')).toBe(0);
  expect(existsSync(join(dataDir, 'bridge.json'))).toBe(false);
});

testGracefulStop('a restart from the window keeps the address and the key of this run', async () => {
  const headless = await startHeadless(testFlags(dataDir));
  const page = await openWindowCalls(headless.ui);
  await page.ask('connect.practice', { shop: 'empty', fresh: false });
  const closed = page.closed();
  await page.ask('start.restart', {});
  await closed;
  const again = await waitUntil(() => page.openAnother().catch(() => null), 'the window after the restart');
  expect(await again.ask('app.state', {})).toMatchObject({ connection: 'connected', readOnly: null });
  again.close();
  expect(await headless.stop('SIGINT')).toBe(0);
});

test.skipIf(process.platform !== 'linux')(
  'the browser opens a private page whose link appears in no process argument',
  async () => {
    const home = join(dataDir, '..', 'home');
    const seen = join(home, 'seen');
    mkdirSync(home);
    const opener = `#!/bin/sh\nprintf '%s\\n' "$@" > "${seen}.part" && mv "${seen}.part" "${seen}"\n`;
    writeFileSync(join(home, 'xdg-open'), opener, { mode: 0o755 });
    const flags = testFlags(dataDir).filter((flag) => flag !== '--no-open');
    const headless = await startHeadless(flags, { HOME: home, PATH: `${home}:${process.env['PATH'] ?? ''}` });
    const argv = await waitUntil(() => (existsSync(seen) ? readFileSync(seen, 'utf8') : null), 'the opener');
    const page = argv.trimEnd();
    expect(argv).toBe(`${page}\n`);
    expect(page.startsWith(join(home, 'listing-companion-link'))).toBe(true);
    expect(lstatSync(page).mode & 0o777).toBe(0o600);

    const link = /location\.replace\((".*?")\)/.exec(readFileSync(page, 'utf8'))?.[1] ?? '';
    const client = createUiClient(z.string().parse(JSON.parse(link)));
    expect(argv).not.toContain(client.token);
    const { socket } = await client.open(await client.enter());
    socket.close();
    await waitUntil(() => !existsSync(join(home, 'listing-companion-link')), 'the page to go');

    // The printed link is a separate link. A second use of this link is reported in the terminal.
    expect(await createUiClient(headless.ui).enter()).not.toBe('');
    expect(headless.terminal()).toBe('');
    expect((await createUiClient(headless.ui).tryToken()).status).toBe(410);
    await waitUntil(() => headless.terminal().includes('opened a second time'), 'the terminal');
    expect(headless.terminal()).not.toContain(createUiClient(headless.ui).token);
    expect(await headless.stop()).toBe(0);
  },
);

testGracefulStop('the headless host ends even if a connection and a system call hang', async () => {
  const pipe = join(dataDir, '..', 'pipe');
  execFileSync('mkfifo', [pipe]);
  // For this process, the pipe is like a file on a drive that does not respond.
  const code = `import{open}from'node:fs';import{isMainThread}from'node:worker_threads';isMainThread&&open(${JSON.stringify(pipe)},()=>0)`;
  const headless = await startHeadless(testFlags(dataDir), {
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}`,
  });
  const { host, port } = new URL(headless.ui);
  const socket = connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => undefined);
  socket.write(`GET /other HTTP/1.1\r\nHost: ${host}\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n`);
  await once(socket.resume(), 'end');
  // The exit code is null, because only a forced exit ends a process with hanging threads.
  expect(await headless.stop('SIGINT')).toBeNull();
  socket.destroy();
  expect(existsSync(join(dataDir, 'bridge.json'))).toBe(false);
  expect(headless.terminal()).not.toContain('did not stop');
});

testGracefulStop('the headless host stops cleanly when its terminal is closed, even on repeated signals', async () => {
  const headless = await startHeadless(testFlags(dataDir));
  const ended = [headless.stop('SIGHUP'), headless.stop('SIGHUP')];
  expect(await Promise.all(ended)).toEqual([0, 0]);
  expect(existsSync(join(dataDir, 'bridge.json'))).toBe(false);
});

testGracefulStop('the headless host stops cleanly when a supervisor and the launcher both signal it', async () => {
  const headless = await startHeadless(testFlags(dataDir));
  // The system merges two pending signals of the same kind.
  expect(await Promise.all([headless.stop('SIGTERM'), headless.stop('SIGINT')])).toEqual([0, 0]);
  expect(existsSync(join(dataDir, 'bridge.json'))).toBe(false);
});

testGracefulStop('the headless host can restart on the same data after SIGTERM and SIGKILL', async () => {
  expect(await (await startHeadless(testFlags(dataDir))).stop('SIGTERM')).toBe(0);
  await (await startHeadless(testFlags(dataDir))).stop('SIGKILL');
  expect(await (await startHeadless(testFlags(dataDir))).stop()).toBe(0);
});

testGracefulStop('a second headless host on the same data ends with an error', async () => {
  const first = await startHeadless(testFlags(dataDir));
  const second = (await runHeadless(testFlags(dataDir))) as Ended;
  expect(second.code).toBe(1);
  expect(oneSentence(second)).toBe(true);
  expect(await first.stop()).toBe(0);
});

test.each([[['--colour']], [['--ui-port', 'x']], [['--service', 'ftp://shop.example']]])(
  'the headless host rejects the invalid arguments %j with exit code 2',
  async (flags) => {
    const ended = (await runHeadless(flags)) as Ended;
    expect([ended.code, oneSentence(ended) || ended.stderr]).toEqual([2, true]);
  },
);

testGracefulStop('the headless host rejects an unwritable data folder or a taken port', async () => {
  const file = join(dataDir, '..', 'file');
  writeFileSync(file, '');
  const unwritable = (await runHeadless(testFlags(join(file, 'data')))) as Ended;
  expect([unwritable.code, oneSentence(unwritable) || unwritable.stderr]).toEqual([1, true]);

  const first = await startHeadless(testFlags(dataDir));
  const flags = [...testFlags(`${dataDir}-2`), '--ui-port', new URL(first.ui).port];
  const taken = (await runHeadless(flags)) as Ended;
  expect([taken.code, oneSentence(taken) || taken.stderr]).toEqual([1, true]);
  expect(await first.stop()).toBe(0);
});
