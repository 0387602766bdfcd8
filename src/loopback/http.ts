import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Server, Socket } from 'node:net';

/** Returns the port that a server listens on. Throws if it listens on no port. */
export const readServerPort = (server: Server): number => {
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
      // Later errors are connections that could not be accepted, e.g. with too many open files. The server can still
      // accept the next connection.
      server.on('error', () => undefined);
      resolve(readServerPort(server));
    });
  });

/** Returns the code of a system error, such as `EADDRINUSE` or `ENOENT`, or undefined. */
export const readSystemErrorCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

/** Counts the Host headers of a request. Two Host headers are ambiguous: programs differ in which of them they use. */
export const countHostHeaders = ({ rawHeaders }: IncomingMessage): number =>
  rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length;

/** Returns whether the request line is acceptable: HTTP/1 with a path. A proxy request has an absolute URL instead. */
export const isOriginFormRequest = ({ url = '', httpVersionMajor }: IncomingMessage): boolean =>
  url.startsWith('/') && !url.startsWith('//') && httpVersionMajor === 1;

export type ServeRequest = (request: IncomingMessage, response: ServerResponse) => void;
type QueuedRequest = { request: IncomingMessage; response: ServerResponse };

/** The maximum number of pipelined requests per connection. A client that sends more is not reading its answers. */
const maxBehind = 8;

/**
 * Serves the requests of a connection sequentially. Node parses pipelined requests all at once; without this queue,
 * each answer would stay in memory until the previous answer is read.
 */
export const serveOneAtATime = (serve: ServeRequest): ServeRequest => {
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
    } else if (queue.length < maxBehind) queue.push({ request, response });
    else socket.destroy();
  };
};

/**
 * Limits the total bytes of unread answers. When a new answer exceeds the limit, it destroys the responses that have
 * waited longest.
 */
export const limitUnreadBytes = (maxBytes: number): ((response: ServerResponse, bytes: number) => void) => {
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
 * Limits for discarding the rest of a refused request: bytes and time. After the byte limit, the client gets a short
 * time to read the answer before the connection closes.
 */
const maxDropped = 4 * 2 ** 20;
const maxDiscardMs = 2_000;
const readGraceMs = 200;

/**
 * Answers a request whose body is not read to the end. It sends the answer at once and closes the connection later:
 * closing while bytes arrive would reset the connection and lose the answer.
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
    if (discardedBytes <= maxDropped) return;
    request.off('data', discardPiece).pause();
    clearTimeout(timer);
    timer = setTimeout(endResponse, readGraceMs);
  };
  request.on('data', discardPiece).once('end', endResponse).once('close', endResponse).resume();
};

/**
 * Node's `createServer`. A static import of `node:http` would also load Node's HTTP client, which takes 5 % of the
 * start of an empty window.
 */
export const { createServer } = process.getBuiltinModule('node:http');

/** Loads a request handler on the first request, to keep its code out of the start. */
export const createLazyHandler = (
  load: () => Promise<ServeRequest>,
): ((...request: Parameters<ServeRequest>) => Promise<void>) => {
  let loading: Promise<ServeRequest> | undefined;
  return async (request, response) => {
    loading ??= load();
    const serve = await loading;
    serve(request, response);
  };
};

/**
 * Returns a function that closes a server with all of its connections. Node's `closeAllConnections` misses connections
 * that asked for a tunnel or an upgrade; a refused one that stays half open would keep the server from closing.
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
