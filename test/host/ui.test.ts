import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request, type IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { startUi } from '../../src/headless/startUi.ts';
import { fakeRunning } from '../helpers/fakeRunning.ts';

const html =
  '<!doctype html><html><head><title>t</title><link rel="stylesheet" href="./assets/a.css"></head>' +
  '<body><script type="module" src="./assets/a.js"></script></body></html>';

type Answer = { status: number; headers: IncomingHttpHeaders; body: string };

let running: ReturnType<typeof fakeRunning>;
let ui: Awaited<ReturnType<typeof startUi>>;
let rendererDir: string;

beforeEach(async () => {
  rendererDir = mkdtempSync(join(tmpdir(), 'renderer-'));
  mkdirSync(join(rendererDir, 'assets'));
  writeFileSync(join(rendererDir, 'index.html'), html);
  writeFileSync(join(rendererDir, 'assets', 'a.js'), 'export {}');
  running = fakeRunning();
  ui = await startUi({ running, rendererDir, port: 0 });
});

afterEach(async () => {
  await ui.stop();
  rmSync(rendererDir, { recursive: true, force: true });
});

const origin = (): string => new URL(ui.url).origin;

/** node:http, as fetch would not let a test choose its Host and Origin. */
const ask = (path: string, headers: Record<string, string> = {}, method = 'GET', body?: Buffer): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const asked = request(origin() + path, { method, headers, agent: false }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: text }));
    });
    asked.once('error', reject);
    asked.end(body);
  });

const enter = async (): Promise<{ Cookie: string }> => {
  const answer = await ask(`/${new URL(ui.url).search}`);
  return { Cookie: answer.headers['set-cookie']?.[0]?.split(';')[0] ?? '' };
};

const connect = async (headers: Record<string, string>): Promise<WebSocket> => {
  const socket = new WebSocket(`${origin().replace('http', 'ws')}/calls`, {
    headers: { Origin: origin(), ...headers },
  });
  await once(socket, 'open');
  return socket;
};

const call = async (socket: WebSocket, name: string, input: unknown): Promise<unknown> => {
  socket.send(JSON.stringify({ id: 7, name, input }));
  const [data] = (await once(socket, 'message')) as [Buffer];
  return (JSON.parse(data.toString()) as { reply: unknown }).reply;
};

test('the link lets one browser in, once', async () => {
  const first = await ask(`/${new URL(ui.url).search}`);
  expect(first.status).toBe(303);
  expect(first.headers.location).toBe('/');
  expect(first.headers['set-cookie']?.[0]).toMatch(/^companion_\d+=.{32}; Path=\/; HttpOnly; SameSite=Strict$/);
  const Cookie = first.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
  expect((await ask('/', { Cookie })).status).toBe(200);
  expect((await ask(`/${new URL(ui.url).search}`, { Cookie })).headers.location).toBe('/');

  const second = await ask(`/${new URL(ui.url).search}`);
  expect(second.status).toBe(401);
  expect(second.body).toContain('This link has been used');
});

test('without the cookie there is nothing', async () => {
  for (const path of ['/', '/assets/a.js', '/photos/there/thumb', '/?token=wrong']) {
    expect([path, (await ask(path)).status]).toEqual([path, 401]);
  }
  const forged = { Cookie: (await enter()).Cookie.replace(/=.*/, '=guessed') };
  expect((await ask('/', forged)).status).toBe(401);
  await expect(connect(forged)).rejects.toThrow('401');
  expect((await ask('/intake', { Origin: origin() }, 'POST', Buffer.from('x'))).status).toBe(401);
  await expect(connect({})).rejects.toThrow('401');
  expect(running.received).toEqual([]);
});

test('another host’s name, another site and another origin are refused, cookie or not', async () => {
  const cookie = await enter();
  expect((await ask('/', { ...cookie, Host: 'shop.example' })).status).toBe(421);
  expect((await ask('/', { ...cookie, Origin: 'https://shop.example' })).status).toBe(403);
  expect((await ask('/photos/there/thumb', { ...cookie, 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403);
  expect((await ask('/intake', cookie, 'POST', Buffer.from('x'))).status).toBe(403);
  await expect(connect({ ...cookie, Origin: 'https://shop.example' })).rejects.toThrow('403');
  await expect(connect({ ...cookie, Host: 'shop.example' })).rejects.toThrow('421');
});

test('the page has one nonce for its policy, its scripts and its styles, new each time', async () => {
  const cookie = await enter();
  const page = await ask('/', cookie);
  const policy = String(page.headers['content-security-policy']);
  const nonce = /script-src 'nonce-([^']+)'/.exec(policy)?.[1] ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toContain('unsafe-eval');
  expect(page.body).toContain(`content="${nonce}"`);
  expect(page.body).toContain(`<script nonce="${nonce}" type="module"`);
  expect(page.body).toContain('window.companion=');
  expect((await ask('/', cookie)).headers['content-security-policy']).not.toBe(policy);
});

test('pictures keep for ever under their name; what is not there is 404', async () => {
  const cookie = await enter();
  const there = await ask('/photos/there/thumb', cookie);
  expect([there.status, there.headers['content-type']]).toEqual([200, 'image/png']);
  expect(there.headers['cache-control']).toContain('immutable');
  expect(there.headers['x-content-type-options']).toBe('nosniff');
  for (const path of [
    '/photos/gone/full',
    '/photos/there/huge',
    '/photos/..%2f..%2fetc/full',
    '/listing-photos/x/-1',
  ]) {
    expect([path, (await ask(path, cookie)).status]).toEqual([path, 404]);
  }
});

test('photo bytes are handed on as they come, and refused beyond 250 MB', async () => {
  const headers = { ...(await enter()), Origin: origin() };
  const taken = await ask('/intake', headers, 'POST', Buffer.alloc(100_000));
  expect(JSON.parse(taken.body)).toEqual({ uploadId: '00000000-0000-4000-8000-000000000000' });
  expect(running.received).toEqual([100_000]);
  const large = await ask('/intake', { ...headers, 'Content-Length': String(251 * 1024 * 1024) }, 'POST');
  expect([large.status, (JSON.parse(large.body) as { code: string }).code]).toEqual([413, 'TOO_LARGE']);
});

test('calls are parsed by the table, and what goes wrong comes back as a sentence', async () => {
  const socket = await connect(await enter());
  expect(await call(socket, 'items.get', { itemId: 'a', more: 1 })).toEqual({
    ok: true,
    value: { name: 'items.get', input: { itemId: 'a' } },
  });
  expect(await call(socket, 'items.get', {})).toMatchObject({ ok: false, problem: { field: 'itemId' } });
  expect(await call(socket, 'constructor', {})).toMatchObject({ ok: false, problem: { code: 'UNKNOWN_CALL' } });
  expect(await call(socket, 'connect.forget', undefined)).toEqual({
    ok: false,
    problem: { code: 'NOT_NOW', sentence: 'This cannot be done now.', retryAfterS: 3 },
  });
  running.change('items');
  const [told] = (await once(socket, 'message')) as [Buffer];
  expect(JSON.parse(told.toString())).toEqual({ topic: 'items' });
  socket.send('nonsense');
  const [code] = (await once(socket, 'close')) as [number];
  expect(code).toBe(1008);
});

test('a taken port is said in a sentence', async () => {
  const port = Number(new URL(ui.url).port);
  await expect(startUi({ running, rendererDir, port })).rejects.toThrow(`Port ${port} is taken; choose another one`);
});
