import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  sendHttpRequest,
  UnansweredError,
  createIdleTimeout,
  createAgentOpener,
} from '../../../../src/core/service/sendHttpRequest.ts';
import { waitUntil, createTestClock } from '../../../helpers/testClock.ts';

const mebibyte = 1024 * 1024;
const openAgent = createAgentOpener();
const idleTimeout = { wait: () => ({ heard: () => undefined, begun: () => undefined, over: () => undefined }) };

let server: Server;
let url: URL;
let open: ServerResponse[];
beforeEach(async () => {
  open = [];
  server = createServer((_request, response) => {
    response.on('error', () => undefined);
    open.push(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise<void>((resolve) => server.close(() => resolve()));
});

/**
 * Starts this number of requests at once. `done` holds the size of each complete response, or null if it was dropped.
 */
const sendRequests = (count: number) => {
  const done: (number | null)[] = [];
  const all = Array.from({ length: count }, async () => {
    const { text } = await sendHttpRequest(await openAgent(), idleTimeout, {
      method: 'GET',
      url,
      headers: {},
      body: null,
      signal: undefined,
    });
    done.push(text === null ? null : text.length);
  });
  return { done, all: Promise.all(all) };
};

test('a response is read only up to 16 MiB', async () => {
  const { done, all } = sendRequests(1);
  await waitUntil(() => open.length === 1, 'the request');
  open[0]?.write(Buffer.alloc(17 * mebibyte, ' '));
  await all;
  expect(done).toEqual([null]);
});

test('if concurrent responses exceed 64 MiB in total, only one response is dropped', async () => {
  const { done, all } = sendRequests(6);
  await waitUntil(() => open.length === 6, 'the requests');
  for (const response of open) response.write(Buffer.alloc(12 * mebibyte, ' '));
  await waitUntil(() => done.length === 1, 'the dropped response');
  expect(done).toEqual([null]);
  for (const response of open) response.end();
  await all;
  expect(done.slice(1)).toEqual(Array.from({ length: 5 }, () => 12 * mebibyte));

  // Finished responses no longer use the limit.
  const again = sendRequests(1);
  await waitUntil(() => open.length === 7, 'the next request');
  open[6]?.end(Buffer.alloc(15 * mebibyte, ' '));
  await again.all;
  expect(again.done).toEqual([15 * mebibyte]);
});

test('an endless slow response is aborted after five minutes', async () => {
  const clock = createTestClock();
  const asked = { method: 'GET', url, headers: {}, body: null, signal: undefined };
  const got = sendHttpRequest(await openAgent(), createIdleTimeout(clock), asked);
  const ended = got.then(
    () => null,
    (error: unknown) => error,
  );
  let isOver = false;
  void ended.then(() => (isOver = true));
  await waitUntil(() => open.length === 1, 'the request');
  let beats = 0;
  for (; !isOver && beats < 60; beats += 1) {
    open[0]?.write(' ');
    await new Promise((resolve) => setTimeout(resolve, 10));
    clock.advance(15_000);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  expect(await ended).toBeInstanceOf(UnansweredError);
  expect(beats).toBeGreaterThan(15);
  expect(beats).toBeLessThan(25);
});
