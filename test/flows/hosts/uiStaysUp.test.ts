import { once } from 'node:events';
import { request } from 'node:http';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createProblem, toProblemView, type ProblemView } from '../../../src/core/base/problem.ts';
import { startUi } from '../../../src/headless/startUi.ts';
import { createStartReport } from '../../../src/host/startReport.ts';
import { createFakeRunning } from '../../helpers/hosts/createFakeRunning.ts';
import { waitUntil, createTestClock } from '../../helpers/testClock.ts';
import { createUiClient } from '../../helpers/hosts/createUiClient.ts';
import { openWindowCalls } from '../../helpers/hosts/windowCalls.ts';

let running: ReturnType<typeof createFakeRunning>;
const startReport = createStartReport(() => undefined);
let ui: Awaited<ReturnType<typeof startUi>>;
let client: ReturnType<typeof createUiClient>;
let rendererDir: string;

/** Serves a fake companion with the given differences. */
const serveWindow = async (differs: Partial<typeof running> = {}): Promise<void> => {
  running = { ...createFakeRunning(), ...differs };
  ui = await startUi({
    running: Promise.resolve(running),
    startReport,
    rendererDir,
    port: 0,
    clock: createTestClock(),
  });
  client = createUiClient(ui.url);
};

beforeEach(() => {
  rendererDir = mkdtempSync(join(tmpdir(), 'renderer-'));
  writeFileSync(join(rendererDir, 'index.html'), '<!doctype html><html><head></head></html>');
});

// After every test the host must still serve its window.
afterEach(async () => {
  const { socket } = await createUiClient(ui.newLink().url).open(await createUiClient(ui.newLink().url).enter());
  expect(await client.call(socket, 'app.state', {})).toMatchObject({ ok: true });
  await ui.stop();
  rmSync(rendererDir, { recursive: true, force: true });
});

test.each([
  [
    'contains itself',
    'UNEXPECTED_ANSWER',
    () => {
      const ring: unknown[] = [];
      return ring.push(ring) && ring;
    },
  ],
  ['cannot be written as JSON', 'INTERNAL', () => ({ amount: 10n })],
  [
    'throws while being serialized',
    'INTERNAL',
    () => ({
      toJSON: () => {
        throw new Error('/home/ada/secret');
      },
    }),
  ],
])('a call whose result %s is answered with a problem, and the socket stays open', async (_what, code, value) => {
  await serveWindow();
  running.handlers['offers.dismiss'] = (async () => value()) as never;
  const { socket } = await client.open(await client.enter());
  const reply = await client.call(socket, 'offers.dismiss', { offerId: 'o' });
  expect(reply).toMatchObject({ ok: false, problem: { code } });
  expect(JSON.stringify(reply)).not.toContain('/home/ada');
  expect(await client.call(socket, 'app.state', {})).toMatchObject({ ok: true });
});

test('the host gets the name of a call that fails unexpectedly', async () => {
  const failed: [unknown, string][] = [];
  const problemOf = (...fault: [unknown, string]): ProblemView => (failed.push(fault), toProblemView(fault[0]));
  await serveWindow({ problemOf });
  const fault = new Error('/home/ada/secret');
  running.handlers['offers.dismiss'] = () => Promise.reject(fault);
  const { socket } = await client.open(await client.enter());
  const reply = await client.call(socket, 'offers.dismiss', { offerId: 'o' });
  expect(reply).toMatchObject({ ok: false, problem: { code: 'INTERNAL' } });
  expect(failed).toEqual([[fault, 'offers.dismiss']]);
});

test('a photo that fails unexpectedly gets status 500 without the reason', async () => {
  const photo = async (): Promise<never> => {
    throw new Error('/home/ada/secret');
  };
  await serveWindow({ photo });
  const { base } = await client.open(await client.enter());
  const answer = await client.ask(`${base}/photos/there/thumb`);
  expect(answer.status).toBe(500);
  expect(answer.body).toContain('INTERNAL');
  expect(answer.body).not.toContain('/home/ada');
});

test('an aborted unread upload does not affect later requests', async () => {
  let began = false;
  const read = Promise.withResolvers<void>();
  const receivePhoto = async (): Promise<never> => {
    began = true;
    await read.promise;
    throw new Error('nothing was read');
  };
  await serveWindow({ receivePhoto });
  const { base } = await client.open(await client.enter());
  const headers = { Host: client.host, Origin: client.origin, 'Content-Length': '1000' };
  const sending = request(`http://127.0.0.1:${client.port}${base}/intake`, { method: 'POST', headers });
  sending.on('error', () => undefined).write('half');
  await waitUntil(() => began, 'the upload to arrive');
  sending.destroy();
  // When this later request is answered, the host has noticed the end of the earlier connection.
  await client.ask('/');
  read.resolve();
  expect((await client.ask('/')).status).toBe(200);
});

test.each([
  ['its last bytes', 1_000, false],
  ['its first bytes', 20 * 2 ** 20, true],
])('if an upload fails at %s, the response contains the reason', async (_when, size, isEarly) => {
  const receivePhoto = async (bytes: Readable): Promise<never> => {
    if (isEarly) await once(bytes, 'readable');
    else await buffer(bytes);
    throw createProblem('DISK_FULL');
  };
  await serveWindow({ receivePhoto });
  const { base } = await client.open(await client.enter());
  const answer = await client.ask(`${base}/intake`, { Origin: client.origin }, 'POST', Buffer.alloc(size));
  expect(answer.status).toBe(400);
  expect(JSON.parse(answer.body)).toMatchObject({ code: 'DISK_FULL', error: createProblem('DISK_FULL').message });
});

const buildUpgrade = (target: string): string =>
  `GET ${target} HTTP/1.1\r\nHost: ${client.host}\r\nOrigin: ${client.origin}\r\nUpgrade: websocket\r\n` +
  'Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n';

test.each(['http://[', '//', '/%ff', '*', '/calls?x', '/calls%00', 'http://127.0.0.1:99999999/calls'])(
  'an upgrade to %s is refused',
  async (target) => {
    await serveWindow();
    expect(await client.raw(buildUpgrade(target))).toMatch(/^HTTP\/1\.1 4\d\d /);
  },
);

test.each([
  ['/%ff', '/%ff'],
  ['/%', '/%'],
  ['//', '//'],
  ['two tokens', '/?token=a&token=b'],
  ['a path that is not UTF-8', '/photos/%c0%af/full'],
  ['a photo below an invalid address', '/at/%ff/photos/x/full'],
  ['a very long path', `/${'x'.repeat(9_000)}`],
])('a request for %s does not cause a server error', async (_what, path) => {
  await serveWindow();
  expect((await client.ask(path)).status).toBeLessThan(500);
});

test.each([
  ['bytes that are not HTTP', '\u0016\u0003\u0001\u0002 not http\r\n\r\n'],
  ['a very long header', `GET / HTTP/1.1\r\nX: ${'x'.repeat(100_000)}`],
  ['two lengths', 'POST /enter HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n'],
])('a bad request is refused: %s', async (_what, bytes) => {
  await serveWindow();
  expect(await client.raw(bytes)).toMatch(/^HTTP\/1\.1 4\d\d /);
});

test.each([
  ['invalid JSON', '{'],
  ['an array', '[]'],
  ['a number', '{"token":1}'],
  ['a very long text', JSON.stringify({ token: 'x'.repeat(100_000) })],
])('the refusal of an invalid token does not repeat the token: %s', async (_what, body) => {
  await serveWindow();
  const headers = { Origin: client.origin, 'Content-Type': 'application/json' };
  const answer = await client.ask('/enter', headers, 'POST', body);
  expect(answer.status).toBeGreaterThanOrEqual(400);
  expect(answer.status).toBeLessThan(500);
  expect(answer.body).not.toContain('xxx');
  expect(answer.body).not.toContain('node_modules');
});

test('a window that opens before the companion runs reads the start, and its other calls wait', async () => {
  await serveWindow();
  await ui.stop();
  const { promise, resolve } = Promise.withResolvers<typeof running>();
  const report = createStartReport(() => undefined);
  ui = await startUi({ running: promise, startReport: report, rendererDir, port: 0, clock: createTestClock() });
  const page = await openWindowCalls(ui.url);
  const other = await page.openAnother();
  report.report({ name: 'copyBackup', progress: { done: 1, total: 4 } }, () => report.report(null));
  const stage = { name: 'copyBackup', progress: { done: 1, total: 4 }, isCancellable: true };
  expect(await page.ask('start.state', {})).toEqual(stage);
  const state = other.ask('app.state', {});
  await page.ask('start.cancel', {});
  expect(await page.ask('start.state', {})).toEqual({ name: 'open', progress: null, isCancellable: false });
  resolve(running);
  report.finish();
  expect(await page.ask('start.state', {})).toBeNull();
  expect(await state).toMatchObject({ name: 'app.state' });
});
