import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { runHeadless, startHeadless, testFlags, type Ended } from '../../helpers/hosts/startHeadless.ts';
import { settled } from '../../helpers/testClock.ts';
import { uiClient } from '../../helpers/hosts/uiClient.ts';

// Each test starts the whole companion, some of them three times.
vi.setConfig({ testTimeout: 120_000 });

let dataDir: string;

beforeEach(() => {
  dataDir = join(mkdtempSync(join(tmpdir(), 'companion-')), 'data');
});
afterEach(() => rmSync(join(dataDir, '..'), { recursive: true, force: true }));

const oneSentence = ({ stderr }: Ended): boolean => /^\S.*[.\]]\n$/.test(stderr);

// Windows has no signal that a program could answer: there a stop is always rude.
const politely = test.skipIf(process.platform === 'win32');

politely('the headless host prints its addresses, admits the person and stops on Ctrl-C', async () => {
  const headless = await startHeadless(testFlags(dataDir));
  expect(new URL(headless.ui).hostname).toMatch(/^[0-9a-f]{40}\.localhost$/);
  expect((await uiClient(headless.ui).ask('/')).status).toBe(200);
  expect(await uiClient(headless.ui).enter()).not.toBe('');
  expect((await fetch(new URL('/health', headless.bridge))).ok).toBe(true);
  expect(existsSync(join(dataDir, 'bridge.json'))).toBe(true);
  expect(await headless.stop('SIGINT')).toBe(0);
  expect(existsSync(join(dataDir, 'bridge.json'))).toBe(false);
});

test.skipIf(process.platform !== 'linux')(
  'the browser is opened with a page that only its user can read, and no process argument contains a link',
  async () => {
    const home = join(dataDir, '..', 'home');
    const seen = join(home, 'seen');
    mkdirSync(home);
    const opener = `#!/bin/sh\nprintf '%s\\n' "$@" > "${seen}.part" && mv "${seen}.part" "${seen}"\n`;
    writeFileSync(join(home, 'xdg-open'), opener, { mode: 0o755 });
    const flags = testFlags(dataDir).filter((flag) => flag !== '--no-open');
    const headless = await startHeadless(flags, { HOME: home, PATH: `${home}:${process.env['PATH'] ?? ''}` });
    const argv = await settled(() => (existsSync(seen) ? readFileSync(seen, 'utf8') : null), 'the opener');
    const page = argv.trimEnd();
    expect(argv).toBe(`${page}\n`);
    expect(page.startsWith(join(home, 'listing-companion-link'))).toBe(true);
    expect(lstatSync(page).mode & 0o777).toBe(0o600);

    const link = /location\.replace\((".*?")\)/.exec(readFileSync(page, 'utf8'))?.[1] ?? '';
    const client = uiClient(z.string().parse(JSON.parse(link)));
    expect(argv).not.toContain(client.token);
    const { socket } = await client.open(await client.enter());
    socket.close();
    await settled(() => !existsSync(join(home, 'listing-companion-link')), 'the page to go');

    // The printed link is a separate link; a second use of it is reported in the terminal.
    expect(await uiClient(headless.ui).enter()).not.toBe('');
    expect(headless.terminal()).toBe('');
    expect((await uiClient(headless.ui).tryToken()).status).toBe(410);
    await settled(() => headless.terminal().includes('opened a second time'), 'the terminal');
    expect(headless.terminal()).not.toContain(uiClient(headless.ui).token);
    expect(await headless.stop()).toBe(0);
  },
);

politely(
  'the headless host ends even if a refused window stays connected and a system call never returns',
  async () => {
    const pipe = join(dataDir, '..', 'pipe');
    execFileSync('mkfifo', [pipe]);
    // A file on a drive that does not answer, as far as this process can tell.
    const code = `import{open}from'node:fs';import{isMainThread}from'node:worker_threads';isMainThread&&open(${JSON.stringify(pipe)},()=>0)`;
    const headless = await startHeadless(testFlags(dataDir), {
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}`,
    });
    const { host, port } = new URL(headless.ui);
    const socket = connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true });
    socket.on('error', () => undefined);
    socket.write(`GET /other HTTP/1.1\r\nHost: ${host}\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n`);
    await once(socket.resume(), 'end');
    // Not with a code of its own: nothing but force ends a process whose threads hang.
    expect(await headless.stop('SIGINT')).toBeNull();
    socket.destroy();
    expect(existsSync(join(dataDir, 'bridge.json'))).toBe(false);
    expect(headless.terminal()).not.toContain('did not stop');
  },
);

politely('the headless host stops cleanly when its terminal is closed, even on repeated signals', async () => {
  const headless = await startHeadless(testFlags(dataDir));
  const ended = [headless.stop('SIGHUP'), headless.stop('SIGHUP')];
  expect(await Promise.all(ended)).toEqual([0, 0]);
  expect(existsSync(join(dataDir, 'bridge.json'))).toBe(false);
});

politely('the headless host restarts on the same data after SIGTERM and after SIGKILL', async () => {
  expect(await (await startHeadless(testFlags(dataDir))).stop('SIGTERM')).toBe(0);
  await (await startHeadless(testFlags(dataDir))).stop('SIGKILL');
  expect(await (await startHeadless(testFlags(dataDir))).stop()).toBe(0);
});

politely('a second headless host on the same data ends with an error', async () => {
  const first = await startHeadless(testFlags(dataDir));
  const second = (await runHeadless(testFlags(dataDir))) as Ended;
  expect(second.code).toBe(1);
  expect(oneSentence(second)).toBe(true);
  expect(await first.stop()).toBe(0);
});

test.each([[['--colour']], [['--ui-port', 'x']], [['--service', 'ftp://shop.example']]])(
  'invalid arguments %j end the headless host with an error and exit code 2',
  async (flags) => {
    const ended = (await runHeadless(flags)) as Ended;
    expect([ended.code, oneSentence(ended) || ended.stderr]).toEqual([2, true]);
  },
);

politely('the headless host ends with an error if its folder is not writable or its port is taken', async () => {
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
