import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, test } from 'vitest';
import * as z from 'zod';
import { openSocket, buildRawRequest, sendRaw } from '../../helpers/bridge/raw.ts';

const megabyte = 1024 * 1024;
const maxGrowth = 150 * megabyte;

let dataDir: string;
let child: ChildProcess;
let url: string;
let sockets: Socket[];
let memory: () => Promise<{ now: number; most: number }>;

beforeEach(async () => {
  sockets = [];
  dataDir = await mkdtemp(join(tmpdir(), 'companion-'));
  const program = join(import.meta.dirname, '..', '..', 'helpers', 'processes', 'bridgeProcess.ts');
  child = spawn(process.execPath, [program, dataDir], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })[Symbol.asyncIterator]();
  const readMessage = async (): Promise<unknown> => JSON.parse((await lines.next()).value as string);
  ({ url } = z.object({ url: z.string() }).parse(await readMessage()));
  memory = async () => {
    child.stdin?.write('\n');
    return z.object({ now: z.number(), most: z.number() }).parse(await readMessage());
  };
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  const ended = once(child, 'exit');
  child.stdin?.end();
  await ended;
  await rm(dataDir, { recursive: true, force: true });
});

const buildGet = (path: string, headers: string[] = []): string => buildRawRequest(url, `GET ${path}`, { headers });
const checkHealth = async (): Promise<void> => {
  expect((await sendRaw(url, buildGet('/health'))).status).toBe(200);
};
/** Opens a connection that sends bytes and never reads. */
const sendOnly = async (bytes: string): Promise<Socket> => {
  const socket = await openSocket(url);
  sockets.push(socket);
  socket.pause();
  await new Promise<void>((resolve) => socket.write(bytes, () => resolve()));
  return socket;
};
/** Returns how far the memory peaks above its previous use, after every sent byte has been processed. */
const measureGrowth = async (attack: () => Promise<void>): Promise<number> => {
  // The first request for a document creates its shared buffer.
  for (const path of ['/companion/openapi.json', '/companion/guide', '/llms.txt'])
    expect((await sendRaw(url, buildGet(path))).status).toBe(200);
  const before = await memory();
  await attack();
  for (let turn = 0; turn < 20; turn += 1) await checkHealth();
  return (await memory()).most - before.now;
};

test('memory stays bounded for four connections with 57 kB of requests each', async () => {
  const many = buildGet('/companion/openapi.json').repeat(950);
  const growth = await measureGrowth(async () => {
    for (let index = 0; index < 4; index += 1) await sendOnly(many);
  });
  expect(growth).toBeLessThan(maxGrowth);
});

test('memory stays bounded for 400 connections that never read the requested document', async () => {
  const growth = await measureGrowth(async () => {
    for (let index = 0; index < 400; index += 1) await sendOnly(buildGet('/companion/openapi.json').repeat(9));
  });
  expect(growth).toBeLessThan(maxGrowth);
});

test('memory stays bounded for 400 bodies of almost 1 MiB that never end', async () => {
  const headers = ['Content-Type: application/json', `Content-Length: ${megabyte}`];
  const half = buildRawRequest(url, 'POST /companion/pairings', { headers }) + `{"name":"${'x'.repeat(megabyte / 2)}`;
  const growth = await measureGrowth(async () => {
    for (let index = 0; index < 400; index += 1) {
      const socket = await openSocket(url);
      sockets.push(socket);
      // The bridge can refuse the request before all bytes are sent.
      socket.write(half);
    }
  });
  expect(growth).toBeLessThan(maxGrowth);
});
