import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Server, Socket } from 'node:net';

export const getServerPort = (server: Server): number => {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server listens on no port.');
  return address.port;
};

/** Listens on a port (0 for a free port) and returns the actual port. Rejects with the system's error. */
export const listenOnPort = (server: Server, port: number, host = '127.0.0.1'): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host, exclusive: true }, () => {
      server.off('error', reject);
      // A later error means that one connection was not accepted, for example because too many files are open. The
      // server still accepts the next connection.
      server.on('error', () => undefined);
      resolve(getServerPort(server));
    });
  });

export const getSystemErrorCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

/**
 * Counts the Host headers of a request. Two Host headers are ambiguous, because programs differ in which header they
 * use.
 */
export const countHostHeaders = ({ rawHeaders }: IncomingMessage): number =>
  rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length;

/** Returns whether the request is HTTP/1 and its target is a path. A request to a proxy has an absolute URL instead. */
export const isOriginFormRequest = ({ url = '', httpVersionMajor }: IncomingMessage): boolean =>
  url.startsWith('/') && !url.startsWith('//') && httpVersionMajor === 1;

export type ServeRequest = (request: IncomingMessage, response: ServerResponse) => void;
type QueuedRequest = { request: IncomingMessage; response: ServerResponse };

const maxQueuedRequests = 8;

/**
 * Serves the requests of a connection one after another. Node parses all pipelined requests at once, so the answers
 * would fill the memory if the client does not read them.
 */
export const serveSequentially = (serve: ServeRequest): ServeRequest => {
  const queues = new WeakMap<Socket, QueuedRequest[]>();

  const serveNextRequest = (socket: Socket): void => {
    const waiting = queues.get(socket)?.shift();
    if (socket.destroyed || waiting === undefined) queues.delete(socket);
    else beginQueuedRequest(socket, waiting);
  };
  const beginQueuedRequest = (socket: Socket, { request, response }: QueuedRequest): void => {
    response.once('close', () => serveNextRequest(socket));
    serve(request, response);
  };

  return (request, response) => {
    const { socket } = request;
    if (socket.destroyed) return;
    const queue = queues.get(socket);
    if (queue === undefined) {
      queues.set(socket, []);
      beginQueuedRequest(socket, { request, response });
    } else if (queue.length < maxQueuedRequests) queue.push({ request, response });
    else socket.destroy();
  };
};

/**
 * Limits the total bytes of unread answers. If a new answer exceeds the limit, the oldest unread answers are destroyed.
 */
export const createUnreadBytesLimiter = (maxBytes: number): ((response: ServerResponse, bytes: number) => void) => {
  const waiting = new Map<ServerResponse, number>();
  let totalBytes = 0;
  const forgetResponse = (response: ServerResponse): void => {
    totalBytes -= waiting.get(response) ?? 0;
    waiting.delete(response);
  };
  return (response, bytes) => {
    for (const oldest of waiting.keys()) {
      if (totalBytes + bytes <= maxBytes) break;
      forgetResponse(oldest);
      oldest.destroy();
    }
    totalBytes += bytes;
    waiting.set(response, bytes);
    response.once('close', () => forgetResponse(response));
  };
};

/**
 * The body of a refused request is discarded up to these limits. The client then has `readGraceMs` to read the answer
 * before the connection closes.
 */
const maxDiscardedBytes = 4 * 2 ** 20;
const maxDiscardMs = 2_000;
const readGraceMs = 200;

/**
 * Answers a request before its whole body has arrived, but closes the connection later. An immediate close would reset
 * the connection, so that the client loses the answer.
 */
export const answerAndClose = (response: ServerResponse, text: string): void => {
  const { req: request } = response;
  response.setHeader('Connection', 'close');
  response.setHeader('Content-Length', Buffer.byteLength(text));
  response.write(text);
  const endResponse = (): void => {
    clearTimeout(timer);
    request.off('data', discardPiece);
    if (!request.complete) request.pause();
    response.end();
  };
  let timer = setTimeout(endResponse, maxDiscardMs);
  let discardedBytes = 0;
  const discardPiece = (piece: Buffer): void => {
    discardedBytes += piece.length;
    if (discardedBytes <= maxDiscardedBytes) return;
    request.off('data', discardPiece).pause();
    clearTimeout(timer);
    timer = setTimeout(endResponse, readGraceMs);
  };
  request.on('data', discardPiece).once('end', endResponse).once('close', endResponse).resume();
};

/** A static import of `node:http` also loads Node's HTTP client, which takes 5 % of the start time. */
export const { createServer } = process.getBuiltinModule('node:http');

/** `load` loads the handler before its first request. */
export type LazyHandler = { (...request: Parameters<ServeRequest>): Promise<void>; load: () => Promise<void> };

export const createLazyHandler = (load: () => Promise<ServeRequest>): LazyHandler => {
  let loading: Promise<ServeRequest> | undefined;
  const loadOnce = (): Promise<ServeRequest> => (loading ??= load());
  const serveRequest = async (...[request, response]: Parameters<ServeRequest>): Promise<void> => {
    const serve = await loadOnce();
    serve(request, response);
  };
  return Object.assign(serveRequest, { load: async () => void (await loadOnce()) });
};

/**
 * Returns a function that closes a server and all its connections. Node's `closeAllConnections` misses connections that
 * requested a tunnel or an upgrade, so a half-open connection would keep the server open.
 */
export const createServerCloser = (server: Server): (() => Promise<void>) => {
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  return async () => {
    const closed = server.listening ? new Promise<void>((resolve) => server.close(() => resolve())) : Promise.resolve();
    for (const socket of open) socket.destroy();
    await closed;
  };
};
