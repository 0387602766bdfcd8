import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { entryOf } from '../contract/index.ts';
import { Problem } from '../core/base/problem.ts';
import { problemBody, sendProblem } from './bridgeProblem.ts';
import type { Log } from '../core/base/ports.ts';
import type { Companion } from '../core/companion/createCompanion.ts';
import type { Disk } from '../disk/disk.ts';
import { oneAtATime, createServer, listen, closeWithAll, lazyHandler, systemCodeOf } from '../loopback/http.ts';
import { createAssistantApi } from './assistantApi.ts';
import { keepDiscovery } from './discovery.ts';
import { hasForeignSocket } from './foreignSockets.ts';
import { guard, pathOf } from './guard.ts';
import { createServiceProxy } from './serviceProxy.ts';

/**
 * Limits the number of open connections. At the limit, a new connection closes the oldest one on which no complete
 * request is being answered, so that idle or slow connections cannot lock out other callers.
 */
const capConnections = (server: Server, most: number): void => {
  const open = new Map<Socket, IncomingMessage | null>();
  server.on('connection', (socket: Socket) => {
    if (open.size >= most) {
      const idle = [...open].find(([, request]) => request?.complete !== true)?.[0];
      (idle ?? socket).destroy();
      if (idle) open.delete(idle);
    }
    if (socket.destroyed) return;
    open.set(socket, null);
    socket.once('close', () => open.delete(socket));
  });
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    if (open.has(socket)) open.set(socket, request);
    response.once('close', () => {
      if (open.get(socket) === request) open.set(socket, null);
    });
  });
};

const sentences: Record<string, Problem> = {
  HPE_HEADER_OVERFLOW: new Problem('HEADERS_TOO_LARGE', 'The headers are too large.'),
  ERR_HTTP_REQUEST_TIMEOUT: new Problem('SLOW_BODY', 'The request did not arrive in time.'),
};
/** The refusal of a malformed request or of another protocol. */
const malformed = new Problem('INVALID_REQUEST', 'This is not a request that the companion understands.');
const expects = new Problem('EXPECTATION_REFUSED', 'The companion knows no expectation but 100-continue.');
const tunnel = new Problem('METHOD_NOT_ALLOWED', 'The companion is no proxy.');

const answer = (socket: Duplex, problem: Problem): void => {
  // Ignore errors of a connection that is being refused.
  socket.on('error', () => socket.destroy());
  if (!socket.writable) return void socket.destroy();
  const { status, body } = problemBody(problem);
  const text = JSON.stringify(body);
  socket.end(
    [
      `HTTP/1.1 ${status} Refused`,
      'Content-Type: application/json; charset=utf-8',
      'Cache-Control: no-store',
      'Connection: close',
      `Content-Length: ${Buffer.byteLength(text)}`,
      '',
      text,
    ].join('\r\n'),
  );
};

/**
 * Refuses input that never becomes a request: malformed, too slow, too large before the body, or a request for a
 * tunnel. Each gets its own sentence.
 */
const refuseMalformed = (server: Server): void => {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) =>
    answer(socket, entryOf(sentences, error.code ?? '') ?? malformed),
  );
  server.on('checkExpectation', (_request, response) => sendProblem(response, expects));
  server.on('connect', (_request, socket) => answer(socket, tunnel));
};

type BridgeContext = {
  companion: Companion;
  dataDir: string;
  port: number;
  version: string;
  /** Brings the companion's window forward; absent if this host has no window of its own. */
  showWindow?: (() => void) | undefined;
  log?: Log;
  disk?: Disk;
};

const mostConnections = 512;
/** Time limits for a request. `checkRequestHeaders` refuses a request without a host, with its own sentence. */
const options = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 5_000,
  requireHostHeader: false,
};
/** Paths of the companion's own operations; every other path goes to the proxy for the service. */
const ownPath = /^\/(companion|mcp|uploads)(\/|$)|^\/(health|llms\.txt)$/;

/** A running bridge. `stop` also closes every connection. */
export type Bridge = { url: string; stop: () => Promise<void> };

/**
 * Starts the loopback API for assistants on 127.0.0.1; port 0 picks a free one. Throws `PORT_TAKEN`.
 *
 * Two handlers share one guard. The paths of the service are proxied with plain `node:http`: one handler serves all of
 * them, and the contract matches paths more strictly than any router. The companion's own operations are an Express app
 * (`createApp.ts`), which offers parameters, ordered middleware and one error handler. The app is loaded with its first
 * request to keep the start fast. Both handlers read bodies with `readBody.ts`, because `express.json` accepts
 * duplicate keys.
 */
export const startBridge = async (context: BridgeContext): Promise<Bridge> => {
  const { companion, dataDir, port, version, showWindow } = context;
  let url = '';
  let actualPort = port;
  const api = createAssistantApi(companion, () => url);
  const own = lazyHandler(async () => {
    const { createApp } = await import('./createApp.ts');
    return createApp(companion, api, { version, url: () => url, showWindow: showWindow ?? null });
  });
  const proxy = createServiceProxy(api, companion.assistants);

  const serve = async (request: IncomingMessage, response: ServerResponse, passed?: () => void): Promise<void> => {
    try {
      if (request.httpVersionMajor !== 1) throw malformed;
      guard(request, response, actualPort);
      passed?.();
      if (ownPath.test(pathOf(request))) await own(request, response);
      else await proxy(request, response);
    } catch (error) {
      sendProblem(response, error);
      // Discard the rest of a refused request.
      if (!request.complete) request.resume();
    }
  };
  const isAsking = ({ headers }: IncomingMessage): boolean => /^100-continue$/i.test(headers.expect ?? '');
  const one = oneAtATime((request, response) => {
    void serve(request, response, isAsking(request) ? () => response.writeContinue() : undefined);
  });
  const server = createServer(options, one);
  const close = closeWithAll(server);
  // A client that sends `Expect: 100-continue` is checked before it sends its body.
  server.on('checkContinue', one);
  capConnections(server, mostConnections);
  refuseMalformed(server);
  actualPort = await listen(server, port).catch((error: unknown) => {
    throw listenProblem(error, port);
  });
  if (await hasForeignSocket(actualPort)) {
    await close();
    throw portTaken(actualPort);
  }
  url = `http://127.0.0.1:${actualPort}`;
  const removeDiscovery = await keepDiscovery(dataDir, { url, version }, context);
  return {
    url,
    stop: async () => {
      // Close the connections even if the discovery file cannot be removed.
      await Promise.all([removeDiscovery(), close()]);
    },
  };
};

const portTaken = (port: number): Problem =>
  new Problem(
    'PORT_TAKEN',
    `Port ${port} is taken by another program. Choose another one with --bridge-port, or 0 for any free one.`,
  );

const listenProblem = (error: unknown, port: number): Problem =>
  systemCodeOf(error) === 'EADDRINUSE'
    ? portTaken(port)
    : new Problem('BRIDGE_FAILED', 'The bridge for assistants could not start.', { cause: error });
