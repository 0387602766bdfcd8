import { expect, onTestFinished, test } from 'vitest';
import { createServer, listenOnPort } from '../../../src/loopback/http.ts';

test('a failure to accept a connection does not end a listening server', async () => {
  const server = createServer((_request, response) => response.end('there'));
  onTestFinished(() => void server.close());
  const port = await listenOnPort(server, 0);
  expect(server.emit('error', new Error('accept EMFILE'))).toBe(true);
  expect(await (await fetch(`http://127.0.0.1:${port}`)).text()).toBe('there');
});

test('a server cannot listen on a port in use', async () => {
  const [first, second] = [createServer(), createServer()];
  onTestFinished(() => void first.close());
  const port = await listenOnPort(first, 0);
  await expect(listenOnPort(second, port)).rejects.toMatchObject({ code: 'EADDRINUSE' });
});
