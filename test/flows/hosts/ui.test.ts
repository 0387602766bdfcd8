import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import * as z from 'zod';
import { defaultLabelChoice } from '../../../src/contract/labelSheets.ts';
import type { ExportedFile } from '../../../src/core/companion/dataTasks/fileExports.ts';
import { startUi } from '../../../src/headless/startUi.ts';
import { createStartReport } from '../../../src/host/startReport.ts';
import { createFakeRunning } from '../../helpers/hosts/createFakeRunning.ts';
import { waitUntil, createTestClock, type TestClock } from '../../helpers/testClock.ts';
import { createUiClient } from '../../helpers/hosts/createUiClient.ts';

const html =
  '<!doctype html><html><head><title>t</title><link rel="stylesheet" href="./assets/a.css"></head>' +
  '<body><script type="module" src="./assets/a.js"></script></body></html>';

let running: ReturnType<typeof createFakeRunning>;
let exported: Map<string, ExportedFile>;
let clock: TestClock;
let triedAgain: number;
const startReport = createStartReport(() => undefined);
let ui: Awaited<ReturnType<typeof startUi>>;
let client: ReturnType<typeof createUiClient>;
let rendererDir: string;

beforeEach(async () => {
  rendererDir = mkdtempSync(join(tmpdir(), 'renderer-'));
  mkdirSync(join(rendererDir, 'assets'));
  writeFileSync(join(rendererDir, 'index.html'), html);
  writeFileSync(join(rendererDir, 'assets', 'a.js'), 'export {}');
  exported = new Map();
  running = { ...createFakeRunning(), exportedFile: (exportId) => exported.get(exportId) ?? null };
  clock = createTestClock();
  triedAgain = 0;
  ui = await startUi({
    running: Promise.resolve(running),
    startReport,
    rendererDir,
    port: 0,
    clock,
    onLinkReused: () => (triedAgain += 1),
  });
  client = createUiClient(ui.url);
});

afterEach(async () => {
  await ui.stop();
  rmSync(rendererDir, { recursive: true, force: true });
});

const getCode = (body: string): unknown => (JSON.parse(body) as { code: unknown }).code;

test('a second use of a link to the window is refused and reported to the person', async () => {
  const first = await client.tryToken();
  expect(first.status).toBe(200);
  expect(first.headers['cache-control']).toBe('no-store');
  expect((JSON.parse(first.body) as { secret: string }).secret).toMatch(/^[\w-]{32}$/);
  expect(triedAgain).toBe(0);

  const second = await client.tryToken();
  expect([second.status, getCode(second.body), triedAgain]).toEqual([410, 'LINK_USED', 1]);
  // Repeated attempts are reported at most once in ten seconds.
  await client.tryToken();
  expect(triedAgain).toBe(1);
  clock.advance(10_000);
  await client.tryToken();
  expect(triedAgain).toBe(2);

  const guessed = await client.tryToken('x'.repeat(32));
  expect([guessed.status, getCode(guessed.body), triedAgain]).toEqual([401, 'LINK_ENDED', 2]);
});

test('the use of one link to the window does not use up another link', async () => {
  const other = ui.newLink();
  let used = false;
  void other.used.then(() => (used = true));
  await client.enter();
  expect(used).toBe(false);
  expect((await createUiClient(other.url).tryToken()).status).toBe(200);
  expect(used).toBe(true);
  expect((await createUiClient(other.url).tryToken()).status).toBe(410);
});

test('loading the page of a link to the window does not use up the link', async () => {
  const page = await client.ask(`/${new URL(ui.url).search}`);
  expect([page.status, page.headers['set-cookie'], page.headers['referrer-policy']]).toEqual([
    200,
    undefined,
    'no-referrer',
  ]);
  expect(page.body).not.toContain(client.token);
  const secret = await client.enter();
  const { base } = await client.open(secret);
  const again = await client.ask('/');
  for (const hidden of [secret, base]) expect(again.body + JSON.stringify(again.headers)).not.toContain(hidden);
});

test('a cookie gives no access to the window’s server', async () => {
  const secret = await client.enter();
  const cookies = [`companion_${new URL(ui.url).port}=${secret}`, `companion=${secret}`, `secret=${client.token}`];
  for (const Cookie of cookies) {
    for (const path of ['/photos/there/thumb', '/listing-photos/a/0', `/bound-photos/${'0'.repeat(64)}`])
      expect([path, (await client.ask(path, { Cookie })).status]).toEqual([path, 404]);
    expect((await client.ask('/intake', { Cookie, Origin: client.origin }, 'POST', 'x')).status).toBe(404);
    const socket = await client.connect({ Cookie });
    const end = client.ended(socket);
    socket.send(JSON.stringify({ id: 1, name: 'app.state', input: {} }));
    expect(await end).toEqual({ code: 4401, said: [] });
  }
  expect(running.received).toEqual([]);
});

test.each([
  ['a call', { id: 1, name: 'app.state', input: {} }],
  ['a guessed secret', { secret: 'x'.repeat(32) }],
  ['the link’s token', null],
  ['an object instead of a secret', { secret: { length: 32 } }],
  ['an empty message', {}],
])('a socket that begins with %s receives nothing and is closed', async (_what, given) => {
  const end = client.connect().then(async (socket) => {
    running.change('items');
    socket.send(JSON.stringify(given ?? { secret: client.token }));
    socket.send(JSON.stringify({ id: 2, name: 'app.state', input: {} }));
    return client.ended(socket);
  });
  expect(await end).toEqual({ code: 4401, said: [] });
});

test('a silent socket receives nothing and is closed after five seconds', async () => {
  const socket = await client.connect();
  const end = client.ended(socket);
  await waitUntil(() => clock.next() === 5_000, 'the wait for the secret');
  running.change('approvals');
  clock.advance(5_000);
  expect(await end).toEqual({ code: 4408, said: [] });
});

test('sockets without a valid secret are limited in number, and their messages in size', async () => {
  const large = await client.connect();
  large.on('error', () => undefined);
  const end = client.ended(large);
  large.send(JSON.stringify({ secret: 'x'.repeat(8 * 1024 * 1024) }));
  expect(await end).toEqual({ code: 1006, said: [] });

  const silent = await Promise.all(Array.from({ length: 32 }, () => client.connect()));
  await expect(client.connect()).rejects.toThrow('503');
  const gone = silent.map((socket) => client.ended(socket));
  clock.advance(5_000);
  await Promise.all(gone);
  const { socket } = await client.open(await client.enter());
  expect(await client.call(socket, 'app.state', {})).toMatchObject({ ok: true });
});

test('requests with another host name, port, site or origin are refused, even with valid secrets', async () => {
  const { base } = await client.open(await client.enter());
  const picture = `${base}/photos/there/thumb`;
  const { hostname, port } = new URL(ui.url);
  const otherPort = `http://${hostname}:${Number(port) - 1}`;
  const address = `127.0.0.1:${port}`;
  const otherName = `${'0'.repeat(40)}.localhost:${port}`;
  for (const Host of ['shop.example', address, `localhost:${port}`, `[::1]:${port}`, otherName, hostname])
    for (const path of ['/', picture]) expect([Host, (await client.ask(path, { Host })).status]).toEqual([Host, 421]);
  for (const Origin of ['https://shop.example', otherPort, `http://${address}`, `http://localhost:${port}`, 'null']) {
    expect((await client.ask(picture, { Origin })).status).toBe(403);
    expect((await client.ask(`${base}/intake`, { Origin }, 'POST', 'x')).status).toBe(403);
    const body = JSON.stringify({ token: client.token });
    expect((await client.ask('/enter', { Origin, 'Content-Type': 'application/json' }, 'POST', body)).status).toBe(403);
    await expect(client.connect({ Origin })).rejects.toThrow('403');
  }
  expect((await client.ask(`${base}/intake`, {}, 'POST', 'x')).status).toBe(403);
  for (const site of ['cross-site', 'same-site'])
    expect((await client.ask(picture, { 'Sec-Fetch-Site': site })).status).toBe(403);
  for (const Host of ['shop.example', address])
    await expect(client.connect({ Host, Origin: `http://${Host}` })).rejects.toThrow('421');
  expect(running.received).toEqual([]);
});

test('each page load gets a new nonce', async () => {
  const page = await client.ask('/');
  const policy = String(page.headers['content-security-policy']);
  const nonce = /script-src 'nonce-([^']+)'/.exec(policy)?.[1] ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toContain('unsafe-eval');
  expect(page.body).toContain(`content="${nonce}"`);
  expect(page.body).toContain(`<script nonce="${nonce}" type="module"`);
  expect(page.body).toContain('window.companion=');
  expect((await client.ask('/')).headers['content-security-policy']).not.toBe(policy);
});

test('the window’s server delivers photos only below a secret address', async () => {
  const { base } = await client.open(await client.enter());
  const there = await client.ask(`${base}/photos/there/thumb`);
  expect([there.status, there.headers['content-type']]).toEqual([200, 'image/png']);
  expect(there.headers['cache-control']).toContain('immutable');
  expect(there.headers['x-content-type-options']).toBe('nosniff');
  expect(there.headers['cross-origin-resource-policy']).toBe('same-origin');
  const guessed = `${base.slice(0, -1)}${base.endsWith('A') ? 'B' : 'A'}`;
  for (const path of [
    '/photos/there/thumb',
    `${guessed}/photos/there/thumb`,
    `${base}/photos/gone/full`,
    `${base}/photos/there/huge`,
    `${base}/photos/..%2f..%2fetc/full`,
    `${base}/listing-photos/x/-1`,
  ]) {
    expect([path, (await client.ask(path)).status]).toEqual([path, 404]);
  }
});

test('printed labels have a secret address of their own, and the newest four stay readable', async () => {
  let made = 0;
  running.handlers['shelf.labels'] = async () => ({
    ...{ name: 'labels.pdf', type: 'application/pdf' },
    base64: Buffer.from(`%PDF ${(made += 1)}`).toString('base64'),
  });
  const opened = await client.open(await client.enter());
  const input = { listingIds: ['lst_1'], choice: defaultLabelChoice, startAt: 0 };
  const urls: string[] = [];
  for (let count = 0; count < 5; count += 1) {
    const reply = await client.call(opened.socket, 'shelf.printLabels', input);
    urls.push(z.object({ value: z.object({ url: z.string() }) }).parse(reply).value.url);
  }
  expect(new Set(urls).size).toBe(5);
  const [oldest, ...newest] = await Promise.all(urls.map((url) => client.ask(opened.base + url)));
  expect(oldest?.status).toBe(404);
  expect(newest.map(({ body }) => body)).toEqual(['%PDF 2', '%PDF 3', '%PDF 4', '%PDF 5']);
  expect(newest[0]?.headers).toMatchObject({
    ...{ 'content-type': 'application/pdf', 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' },
    'content-disposition': 'inline; filename="labels.pdf"',
  });
  expect((await client.ask(urls[4] ?? '')).status).toBe(404);
});

test('an exported file can be downloaded once, and again after a broken download', async () => {
  const path = join(rendererDir, 'history.csv');
  writeFileSync(path, Buffer.alloc(20_000_000, 'a'));
  exported.set('e1', { name: 'history.csv', path, remove: () => exported.delete('e1') });
  const { base } = await client.open(await client.enter());
  const url = `${base}/exports/e1`;
  expect((await client.ask(url, {}, 'HEAD')).headers).toMatchObject({
    ...{ 'content-length': '20000000', 'cache-control': 'no-store' },
    'content-disposition': 'attachment; filename=history.csv',
  });
  const broken = connect(client.port, '127.0.0.1');
  broken.write(`GET ${url} HTTP/1.1\r\nHost: ${client.host}\r\n\r\n`);
  await once(broken, 'data');
  broken.destroy();
  await once(broken, 'close');
  const whole = await client.ask(url, { Range: 'bytes=19999999-' });
  expect([whole.status, whole.body.length]).toEqual([200, 20_000_000]);
  await waitUntil(() => exported.size === 0, 'the removal');
  expect((await client.ask(url)).status).toBe(404);
});

test('photo bytes are streamed to the companion, and uploads of more than 250 MB are refused', async () => {
  const { base } = await client.open(await client.enter());
  const headers = { Origin: client.origin };
  const taken = await client.ask(`${base}/intake`, headers, 'POST', Buffer.alloc(100_000));
  expect(JSON.parse(taken.body)).toEqual({ uploadId: '00000000-0000-4000-8000-000000000000' });
  expect(running.received).toEqual([100_000]);
  const tooLarge = { ...headers, 'Content-Length': String(251 * 1024 * 1024) };
  const large = await client.ask(`${base}/intake`, tooLarge, 'POST');
  expect([large.status, getCode(large.body)]).toEqual([413, 'TOO_LARGE']);
});

test('calls from the window are validated, and failures are returned as problems', async () => {
  const { socket } = await client.open(await client.enter());
  expect(await client.call(socket, 'items.get', { itemId: 'a', more: 1 })).toEqual({
    ok: true,
    value: { name: 'items.get', input: { itemId: 'a' } },
  });
  expect(await client.call(socket, 'items.get', {})).toMatchObject({ ok: false, problem: { field: 'itemId' } });
  expect(await client.call(socket, 'constructor', {})).toMatchObject({ problem: { code: 'UNKNOWN_CALL' } });
  expect(await client.call(socket, 'connect.forget', undefined)).toEqual({
    ok: false,
    problem: { code: 'NOT_NOW', sentence: 'This cannot be done now.', retryAfterS: 3 },
  });
  const message = client.next(socket);
  running.change('items');
  expect(await message).toEqual({ topic: 'items' });
  socket.send('nonsense');
  const [code] = (await once(socket, 'close')) as [number];
  expect(code).toBe(1008);
});

test('if the port is already taken, the start fails with an error that names the port', async () => {
  const port = Number(new URL(ui.url).port);
  await expect(startUi({ running: Promise.resolve(running), startReport, rendererDir, port, clock })).rejects.toThrow(
    `Port ${port} is taken; choose another one`,
  );
});

test('each start uses its own random host name', async () => {
  const { hostname, host } = new URL(ui.url);
  expect(hostname).toMatch(/^[0-9a-f]{40}\.localhost$/);
  const other = await startUi({ running: Promise.resolve(running), startReport, rendererDir, port: 0, clock });
  expect(new URL(other.url).hostname).not.toBe(hostname);
  await other.stop();
  const { headers } = await client.ask('/');
  expect(headers['content-security-policy']).toContain(`connect-src 'self' ws://${host};`);
});

const withIpv6 = test.skipIf(
  !Object.values(networkInterfaces()).some((all) => all?.some((one) => one.address === '::1')),
);

withIpv6('the window listens on its port on both the IPv4 and the IPv6 loopback address', async () => {
  const port = Number(new URL(ui.url).port);
  const answer = await client.ask('/', {}, 'GET', undefined, '::1');
  expect([answer.status, answer.body]).toEqual([200, expect.stringContaining('window.companion=')]);

  const stranger = createServer();
  const [error] = (await once(stranger.listen(port, '::1'), 'error')) as [NodeJS.ErrnoException];
  expect(error.code).toBe('EADDRINUSE');
  await ui.stop();
  await once(stranger.listen(port, '::1'), 'listening');
  await expect(startUi({ running: Promise.resolve(running), startReport, rendererDir, port, clock })).rejects.toThrow(
    `Port ${port} is taken`,
  );
  await new Promise((resolve) => stranger.close(resolve));
  ui = await startUi({ running: Promise.resolve(running), startReport, rendererDir, port, clock });
});
