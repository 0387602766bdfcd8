import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { findOwnEntry } from '../contract/index.ts';
import { Problem } from '../core/base/problem.ts';
import { toProblemBody, sendProblemAnswer, setSafeHeaders } from './bridgeProblem.ts';
import type { Log } from '../core/base/ports.ts';
import type { Companion } from '../core/companion/createCompanion.ts';
import type { Disk } from '../disk/disk.ts';
import {
  serveSequentially,
  createServer,
  listenOnPort,
  createServerCloser,
  createLazyHandler,
  getSystemErrorCode,
} from '../loopback/http.ts';
import { createAssistantApi } from './assistantApi.ts';
import { publishDiscoveryFile } from './discovery.ts';
import { hasForeignSocketOnPort } from './foreignSockets.ts';
import { refuseUnsafeHeaders, getRequestPath } from './guard.ts';
import { createServiceProxy } from './serviceProxy.ts';

/**
 * At the limit, a new connection closes the oldest connection without a complete request, so that idle or slow
 * connections cannot lock out other callers.
 */
const limitOpenConnections = (server: Server, maxOpen: number): void => {
  const open = new Map<Socket, IncomingMessage | null>();
  server.on('connection', (socket: Socket) => {
    if (open.size >= maxOpen) {
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

const clientErrorProblems: Record<string, Problem> = {
  HPE_HEADER_OVERFLOW: new Problem('HEADERS_TOO_LARGE', 'The headers are too large.'),
  ERR_HTTP_REQUEST_TIMEOUT: new Problem('SLOW_BODY', 'The request did not arrive in time.'),
};
const malformed = new Problem('INVALID_REQUEST', 'This is not a request that the companion understands.');
const expectationRefused = new Problem('EXPECTATION_REFUSED', 'The companion knows no expectation but 100-continue.');
const tunnelRefused = new Problem('METHOD_NOT_ALLOWED', 'The companion is no proxy.');

const sendProblemToSocket = (socket: Duplex, problem: Problem): void => {
  socket.on('error', () => socket.destroy());
  if (!socket.writable) return void socket.destroy();
  const { status, body } = toProblemBody(problem);
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

/** A malformed, slow or too large request never reaches a handler, so it is refused on the raw socket. */
const refuseMalformedRequests = (server: Server): void => {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) =>
    sendProblemToSocket(socket, findOwnEntry(clientErrorProblems, error.code ?? '') ?? malformed),
  );
  server.on('checkExpectation', (_request, response) => sendProblemAnswer(response, expectationRefused));
  server.on('connect', (_request, socket) => sendProblemToSocket(socket, tunnelRefused));
};

type BridgeContext = {
  companion: Companion;
  dataDir: string;
  port: number;
  version: string;
  showWindow?: (() => void) | undefined;
  log?: Log;
  disk?: Disk;
};

const maxConnections = 512;
const options = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 5_000,
  requireHostHeader: false,
};
/** The paths of the bridge's own operations. All other paths are routes of the service. */
const ownPath = /^\/(companion|mcp|uploads)(\/|$)|^\/(health|llms\.txt)$/;

export type Bridge = { url: string; stop: () => Promise<void> };

/**
 * Starts the loopback API for assistants on 127.0.0.1; port 0 chooses a free port. Throws `PORT_TAKEN`. The Express app
 * is loaded with its first request, because it would slow down the start. Bodies are read by `readBody.ts`, because
 * `express.json` accepts duplicate keys.
 */
export const startBridge = async (context: BridgeContext): Promise<Bridge> => {
  const { companion, dataDir, port, version, showWindow } = context;
  let url = '';
  let actualPort = port;
  const api = createAssistantApi(companion, () => url);
  const serveOwnPath = createLazyHandler(async () => {
    const { createApp } = await import('./createApp.ts');
    return createApp(companion, api, { version, url: () => url, showWindow: showWindow ?? null });
  });
  const proxyToService = createServiceProxy(api, companion.assistants);

  const serveBridgeRequest = async (
    request: IncomingMessage,
    response: ServerResponse,
    onAccepted?: () => void,
  ): Promise<void> => {
    try {
      if (request.httpVersionMajor !== 1) throw malformed;
      refuseUnsafeHeaders(request, actualPort);
      const problem = companion.dataCheck.findProblem();
      if (problem) throw problem;
      onAccepted?.();
      if (!ownPath.test(getRequestPath(request))) return await proxyToService(request, response);
      setSafeHeaders(response);
      await serveOwnPath(request, response);
    } catch (error) {
      sendProblemAnswer(response, error);
      if (!request.complete) request.resume();
    }
  };
  const expectsContinue = ({ headers }: IncomingMessage): boolean => /^100-continue$/i.test(headers.expect ?? '');
  const handleOneAtATime = serveSequentially((request, response) => {
    void serveBridgeRequest(request, response, expectsContinue(request) ? () => response.writeContinue() : undefined);
  });
  const server = createServer(options, handleOneAtATime);
  const close = createServerCloser(server);
  // Check a request with `Expect: 100-continue` before the client sends its body.
  server.on('checkContinue', handleOneAtATime);
  limitOpenConnections(server, maxConnections);
  refuseMalformedRequests(server);
  actualPort = await listenOnPort(server, port).catch((error: unknown) => {
    throw toListenProblem(error, port);
  });
  if (await hasForeignSocketOnPort(actualPort)) {
    await close();
    throw createPortTakenProblem(actualPort);
  }
  url = `http://127.0.0.1:${actualPort}`;
  const removeDiscovery = await publishDiscoveryFile(dataDir, { url, version }, context);
  return {
    url,
    stop: async () => {
      // Close the connections even if the discovery file cannot be removed.
      await Promise.all([removeDiscovery(), close()]);
    },
  };
};

const createPortTakenProblem = (port: number): Problem =>
  new Problem(
    'PORT_TAKEN',
    `Port ${port} is taken by another program. Choose another one with --bridge-port, or 0 for any free one.`,
  );

const toListenProblem = (error: unknown, port: number): Problem =>
  getSystemErrorCode(error) === 'EADDRINUSE'
    ? createPortTakenProblem(port)
    : new Problem('BRIDGE_FAILED', 'The bridge for assistants could not start.', { cause: error });
