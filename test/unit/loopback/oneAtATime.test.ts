import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createUnreadBytesLimiter, serveSequentially } from '../../../src/loopback/http.ts';
import { waitUntil } from '../../helpers/testClock.ts';

let server: Server;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  server.closeAllConnections();
  await new Promise<void>((resolve) => server.close(() => resolve()));
});

type Serve = Parameters<typeof serveSequentially>[0];
const startServer = async (serve: Serve): Promise<void> => {
  server = createServer(serveSequentially(serve));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
};
const openSocket = async (): Promise<Socket & { got: () => string }> => {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  sockets.push(socket);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  let got = '';
  socket.on('data', (chunk: Buffer) => (got += chunk.toString('latin1')));
  return Object.assign(socket, { got: () => got });
};
const formatGet = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

test('pipelined requests are answered one after another', async () => {
  const held: ServerResponse[] = [];
  await startServer((_request, response) => void held.push(response));
  const socket = await openSocket();
  socket.write(formatGet('/1') + formatGet('/2') + formatGet('/3'));
  for (const index of [0, 1, 2]) {
    await waitUntil(() => held.length === index + 1, 'the next request');
    held[index]?.end(`answer ${index}`);
    await waitUntil(() => socket.got().includes(`answer ${index}`), 'its answer');
    if (index < 2) await waitUntil(() => held.length === index + 2, 'the one after');
  }
  expect(held).toHaveLength(3);
});

test('a connection with too many pipelined requests is closed', async () => {
  let begun = 0;
  await startServer(() => void (begun += 1));
  const socket = await openSocket();
  const closed = once(socket, 'close');
  socket.write(formatGet('/').repeat(1_000));
  await closed;
  expect(begun).toBe(1);
  expect(socket.got()).toBe('');
});

test('pipelined requests each receive their own body', async () => {
  const bodies: string[] = [];
  await startServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      bodies.push(body);
      response.end(`read ${body}`);
    });
  });
  const socket = await openSocket();
  const post = (body: string): string => `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  socket.write(post('one') + post('two') + post('three'));
  await waitUntil(() => socket.got().includes('read three'), 'the last answer');
  expect(bodies).toEqual(['one', 'two', 'three']);
});

test('if too much data is buffered, the longest stalled connection is closed', async () => {
  const document = Buffer.alloc(16 * 1024 * 1024, 'x');
  const hold = createUnreadBytesLimiter(2 * document.length);
  await startServer((_request, response) => {
    hold(response, document.length);
    response.writeHead(200, { 'Content-Length': document.length }).end(document);
  });
  const readers = [];
  for (let index = 0; index < 3; index += 1) {
    const reader = await openSocket();
    reader.pause();
    reader.write(formatGet('/'));
    readers.push(reader);
    await waitUntil(() => reader.bytesRead > 0 || reader.readableLength > 0, 'the beginning of its answer');
  }
  const [first, second, third] = readers;
  first?.resume();
  await once(first as Socket, 'close');
  expect(first?.got().length).toBeLessThan(document.length);
  for (const reader of [second, third]) {
    reader?.resume();
    await waitUntil(() => (reader?.got().length ?? 0) > document.length, 'the whole answer');
  }
});
