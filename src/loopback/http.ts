import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Server, Socket } from 'node:net';

/** Returns the port that a server listens on. Throws if it listens on no port. */
export const portOf = (server: Server): number => {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server listens on no port.');
  return address.port;
};

/** Listens on a port (0 for a free port) and returns the actual port. Rejects with the system's error. */
export const listen = (server: Server, port: number, host = '127.0.0.1'): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host, exclusive: true }, () => {
      server.off('error', reject);
      // Later errors are connections that could not be accepted, e.g. with too many open files. The server can still
      // accept the next connection.
      server.on('error', () => undefined);
      resolve(portOf(server));
    });
  });

/** Returns the code of a system error, such as `EADDRINUSE` or `ENOENT`, or undefined. */
export const systemCodeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

/** Counts the Host headers of a request. Two Host headers are ambiguous: programs differ in which of them they use. */
export const hostsIn = ({ rawHeaders }: IncomingMessage): number =>
  rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length;

/** Returns whether the request line is acceptable: HTTP/1 with a path. A proxy request has an absolute URL instead. */
export const isForUs = ({ url = '', httpVersionMajor }: IncomingMessage): boolean =>
  url.startsWith('/') && !url.startsWith('//') && httpVersionMajor === 1;

export type Serve = (request: IncomingMessage, response: ServerResponse) => void;
type Waiting = { request: IncomingMessage; response: ServerResponse };

/** The maximum number of pipelined requests per connection. A client that sends more is not reading its answers. */
const mostBehind = 8;

/**
 * Serves the requests of a connection sequentially. Node parses pipelined requests all at once; without this queue,
 * each answer would stay in memory until the previous answer is read.
 */
export const oneAtATime = (serve: Serve): Serve => {
  const behind = new WeakMap<Socket, Waiting[]>();

  const next = (socket: Socket): void => {
    const waiting = behind.get(socket)?.shift();
    if (socket.destroyed || waiting === undefined) behind.delete(socket);
    else begin(socket, waiting);
  };
  const begin = (socket: Socket, { request, response }: Waiting): void => {
    response.once('close', () => next(socket));
    serve(request, response);
  };

  return (request, response) => {
    const { socket } = request;
    if (socket.destroyed) return;
    const line = behind.get(socket);
    if (line === undefined) {
      behind.set(socket, []);
      begin(socket, { request, response });
    } else if (line.length < mostBehind) line.push({ request, response });
    else socket.destroy();
  };
};

/**
 * Limits the total bytes of unread answers. When a new answer exceeds the limit, it destroys the responses that have
 * waited longest.
 */
export const heldBytes = (most: number): ((response: ServerResponse, bytes: number) => void) => {
  const waiting = new Map<ServerResponse, number>();
  let held = 0;
  const letGo = (response: ServerResponse): void => {
    held -= waiting.get(response) ?? 0;
    waiting.delete(response);
  };
  return (response, bytes) => {
    for (const oldest of waiting.keys()) {
      if (held + bytes <= most) break;
      letGo(oldest);
      oldest.destroy();
    }
    held += bytes;
    waiting.set(response, bytes);
    response.once('close', () => letGo(response));
  };
};

/**
 * Limits for discarding the rest of a refused request: bytes and time. After the byte limit, the client gets a short
 * time to read the answer before the connection closes.
 */
const mostDropped = 4 * 2 ** 20;
const longestMs = 2_000;
const momentMs = 200;

/**
 * Answers a request whose body is not read to the end. It sends the answer at once and closes the connection later:
 * closing while bytes arrive would reset the connection and lose the answer.
 */
export const closeUnread = (response: ServerResponse, text: string): void => {
  const { req: request } = response;
  response.setHeader('Connection', 'close');
  response.setHeader('Content-Length', Buffer.byteLength(text));
  response.write(text);
  const end = (): void => {
    clearTimeout(timer);
    request.off('data', drop);
    if (!request.complete) request.pause();
    response.end();
  };
  let timer = setTimeout(end, longestMs);
  let dropped = 0;
  const drop = (piece: Buffer): void => {
    dropped += piece.length;
    if (dropped <= mostDropped) return;
    request.off('data', drop).pause();
    clearTimeout(timer);
    timer = setTimeout(end, momentMs);
  };
  request.on('data', drop).once('end', end).once('close', end).resume();
};

/**
 * Node's `createServer`. A static import of `node:http` would also load Node's HTTP client, which takes 5 % of the
 * start of an empty window.
 */
export const { createServer } = process.getBuiltinModule('node:http');

/** Loads a request handler on the first request, to keep its code out of the start. */
export const lazyHandler = (load: () => Promise<Serve>): ((...request: Parameters<Serve>) => Promise<void>) => {
  let loading: Promise<Serve> | undefined;
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
export const closeWithAll = (server: Server): (() => Promise<void>) => {
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
