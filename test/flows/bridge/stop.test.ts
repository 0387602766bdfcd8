import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startWorld, type World } from '../../helpers/world.ts';
import { buildRawRequest } from '../../helpers/bridge/raw.ts';

let world: World;
let sockets: Socket[];
beforeEach(async () => {
  sockets = [];
  world = await startWorld({ person: null });
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await world.close();
});

const openSocketWith = async (url: string, text: string): Promise<Socket> => {
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', allowHalfOpen: true });
  sockets.push(socket);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(text);
  return socket;
};

test('the bridge stops even if a client keeps a refused tunnel open', async () => {
  const bridge = await world.bridge();
  const socket = await openSocketWith(bridge.url, buildRawRequest(bridge.url, 'CONNECT example.com:443'));
  socket.resume();
  await once(socket, 'end');
  await bridge.stop();
  expect(existsSync(join(world.dataDir, 'bridge.json'))).toBe(false);
});

test('the bridge closes all connections when it stops, even if bridge.json cannot be removed', async () => {
  const bridge = await world.bridge();
  const file = join(world.dataDir, 'bridge.json');
  await rm(file);
  await mkdir(join(file, 'in the way'), { recursive: true });
  const socket = await openSocketWith(bridge.url, '');
  const ended = once(socket.resume(), 'end');
  await expect(bridge.stop()).rejects.toThrow();
  await ended;
  await expect(fetch(`${bridge.url}/companion`)).rejects.toThrow();
});
