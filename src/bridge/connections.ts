import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { entryOf } from '../contract/index.ts';
import { Problem } from '../core/base/problem.ts';
import { problemBody, sendProblem } from './bridgeProblem.ts';

/**
 * Keeps at most so many connections open. One more does not wait behind those that only sit there: the oldest on which
 * no whole request is being answered makes room, so a flood of silent or slow ones shuts nobody out.
 */
export const capConnections = (server: Server, most: number): void => {
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
/** What is no request, or one of another protocol. */
export const malformed = new Problem('INVALID_REQUEST', 'This is not a request that the companion understands.');
const expects = new Problem('EXPECTATION_REFUSED', 'The companion knows no expectation but 100-continue.');
const tunnel = new Problem('METHOD_NOT_ALLOWED', 'The companion is no proxy.');

const answer = (socket: Duplex, problem: Problem): void => {
  // What goes wrong while it is refused is nobody's business any more.
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

/** Requests that never become one: broken, too slow, too large before a body, or asking for a tunnel. Each gets its sentence. */
export const refuseMalformed = (server: Server): void => {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) =>
    answer(socket, entryOf(sentences, error.code ?? '') ?? malformed),
  );
  server.on('checkExpectation', (_request, response) => sendProblem(response, expects));
  server.on('connect', (_request, socket) => answer(socket, tunnel));
};
