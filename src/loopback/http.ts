import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Server, Socket } from 'node:net';

/** The port that a server listens on. Throws where it listens on none. */
export const portOf = (server: Server): number => {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server listens on no port.');
  return address.port;
};

/** Listens on a port, 0 for a free one; answers the port that the server listens on. Rejects with the system's error. */
export const listen = (server: Server, port: number, host = '127.0.0.1'): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host, exclusive: true }, () => {
      server.off('error', reject);
      // Later ones are connections that could not be taken, as with too many open files: the next may be again.
      server.on('error', () => undefined);
      resolve(portOf(server));
    });
  });

/** The code of an error of the system, such as `EADDRINUSE` or `ENOENT`; undefined for other errors. */
export const systemCodeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

/** How many hosts a request names: of two, one program would believe the first and another the second. */
export const hostsIn = ({ rawHeaders }: IncomingMessage): number =>
  rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length;

/** Whether the first line of a request is meant for us: an address of another host, or another protocol, is not. */
export const isForUs = ({ url = '', httpVersionMajor }: IncomingMessage): boolean =>
  url.startsWith('/') && !url.startsWith('//') && httpVersionMajor === 1;

/** Serves one request, whenever it is done with it. */
export type Serve = (request: IncomingMessage, response: ServerResponse) => void;
type Waiting = { request: IncomingMessage; response: ServerResponse };

/** So many requests may stand behind the one that is being answered; whoever sends more at once does not read. */
const mostBehind = 8;

/**
 * Serves the requests of a connection one after the other, each when the answer before has left. All requests that came
 * in one piece are parsed at once: answered at once, each would hold its whole answer while the first is still read.
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
 * Keeps what answers that were not taken yet hold together below so many bytes: when one more goes over it, those that
 * have waited longest for their reader are cut off.
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
 * What still comes after a refusal is thrown away: so much of it, for so long. Of whoever sends more nothing is taken for a
 * moment, in which they can do nothing but read the answer, and then the connection is closed.
 */
const mostDropped = 4 * 2 ** 20;
const longestMs = 2_000;
const momentMs = 200;

/**
 * Ends an answer to a request of which there is more than anybody reads. All of the answer goes out at once; the end of the
 * connection comes a little later, as what is closed while bytes arrive is reset, and a reset takes the answer with it.
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
 * Node's `createServer`. An ES import of `node:http` reads every export of it, among them those that load the whole of
 * Node's own HTTP client: a twentieth of what the start of an empty window takes.
 */
export const { createServer } = process.getBuiltinModule('node:http');

/** Serves requests by what is loaded with the first of them: a start does without its code. */
export const lazyHandler = (load: () => Promise<Serve>): ((...request: Parameters<Serve>) => Promise<void>) => {
  let loading: Promise<Serve> | undefined;
  return async (request, response) => {
    loading ??= load();
    const serve = await loading;
    serve(request, response);
  };
};

/**
 * Answers how to close a server together with all of its connections. Node's own `closeAllConnections` knows only those
 * that still speak HTTP: one that asked for a tunnel or another protocol, was refused, and keeps its half open would hold
 * the end of the server for as long as the other side likes.
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
