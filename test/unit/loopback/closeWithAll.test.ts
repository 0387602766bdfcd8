import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createServerCloser } from '../../../src/loopback/http.ts';

const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

const startServer = async (
  prepare: (server: Server) => void,
): Promise<{ port: number; close: () => Promise<void> }> => {
  const server = createServer();
  const close = createServerCloser(server);
  prepare(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as AddressInfo).port, close };
};

/** Opens a connection whose client half is never closed. */
const openHalf = async (port: number, text: string): Promise<Socket> => {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  sockets.push(socket);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(text);
  return socket;
};

test.each([
  ['a refused tunnel', 'CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['a refused protocol upgrade', 'GET / HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'],
  ['an invalid request', 'hello\r\n\r\n'],
])('a server closes after %s although the client keeps the connection half open', async (_what, text) => {
  const { port, close } = await startServer((server) => {
    const refuse = (socket: { end: (text: string) => unknown }): void =>
      void socket.end('HTTP/1.1 400 Refused\r\nContent-Length: 0\r\n\r\n');
    server.on('connect', (_request, socket) => refuse(socket));
    server.on('upgrade', (_request, socket) => refuse(socket));
    server.on('clientError', (_error, socket) => refuse(socket));
  });
  const socket = await openHalf(port, text);
  socket.resume();
  await once(socket, 'end');
  await close();
  expect(socket.destroyed).toBe(false);
});

test('a server closes despite open responses and idle connections', async () => {
  let asked = 0;
  const { port, close } = await startServer((server) => {
    server.on('request', (request, response) => {
      asked += 1;
      if (request.url === '/stream') response.write('data: 1\n\n');
    });
  });
  await openHalf(port, '');
  await openHalf(port, 'GET /held HTTP/1.1\r\nHost: x\r\n\r\n');
  const stream = await openHalf(port, 'GET /stream HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(stream, 'data');
  expect(asked).toBe(2);
  await close();
});

test('a server that does not listen closes at once', async () => {
  await createServerCloser(createServer())();
  expect(sockets).toEqual([]);
});
