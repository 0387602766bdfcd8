import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type RawData, type WebSocket } from 'ws';
import * as z from 'zod';
import type { Clock, Topic } from '../core/base/ports.ts';
import { problemView } from '../core/base/problem.ts';
import type { Reply } from '../ipc/calls.ts';

const firstMessage = z.object({ secret: z.string().max(200) });
const message = z.object({ id: z.int().min(0), name: z.string(), input: z.unknown().optional() });
type Asked = z.infer<typeof message>;

/** Enough for the longest list of dropped files. Bytes of photos are never sent over the socket. */
const largestMessageBytes = 48 * 1024 * 1024;
/** The limits for sockets that have not sent the secret yet: bytes, time, and number. */
const unauthenticated = { bytes: 1_024, ms: 5_000, most: 32 };
/** The close codes for a wrong secret and for a timeout. The page handles the first. */
const secretRefused = 4401;
const timedOut = 4408;

type Parts = {
  server: Server;
  clock: Clock;
  /** Returns the HTTP status with which a connection is refused; null if it is accepted. */
  refusal: (request: IncomingMessage) => number | null;
  isSecret: (given: string) => boolean;
  /** The first message to a window after it is authenticated. */
  greeting: object;
  serve: (name: unknown, input: unknown) => Promise<Reply>;
  onChanged: (listener: (topic: Topic) => void) => () => void;
};

const parse = <T>(shape: z.ZodType<T>, data: RawData): T | null => {
  try {
    return Buffer.isBuffer(data) ? shape.parse(JSON.parse(data.toString('utf8'))) : null;
  } catch {
    return null;
  }
};

const send = (socket: WebSocket, text: string): void => {
  if (socket.readyState === socket.OPEN) socket.send(text);
};

/**
 * Returns the reply to a call as JSON. Serialising can fail too, because a handler may return a value that is not JSON.
 */
const replyTo = async ({ id, name, input }: Asked, serve: Parts['serve']): Promise<string> => {
  try {
    return JSON.stringify({ id, reply: await serve(name, input) });
  } catch (error) {
    return JSON.stringify({ id, reply: { ok: false, problem: problemView(error) } });
  }
};

const answer = (socket: WebSocket, data: RawData, serve: Parts['serve']): void => {
  const asked = parse(message, data);
  if (asked === null) return socket.close(1008, 'Not a call');
  replyTo(asked, serve)
    .then((text) => send(socket, text))
    .catch(() => socket.terminate());
};

const refuse = (socket: Duplex, status: number): void => {
  socket.end(`HTTP/1.1 ${status} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
};

/**
 * Waits until the socket sends the secret as its first message, within the limits. Resolves with null, or with the
 * close code.
 */
const authenticate = (open: WebSocket, raw: Duplex, { clock, isSecret }: Parts): Promise<number | null> =>
  new Promise((resolve) => {
    const over = new AbortController();
    let seen = 0;
    const count = (chunk: Buffer): void => {
      seen += chunk.length;
      if (seen > unauthenticated.bytes && !over.signal.aborted) open.terminate();
    };
    const end = (why: number | null): void => {
      over.abort();
      raw.off('data', count);
      resolve(why);
    };
    raw.on('data', count);
    open.once('message', (data) => {
      const first = parse(firstMessage, data);
      end(first !== null && isSecret(first.secret) ? null : secretRefused);
    });
    open.once('close', () => end(timedOut));
    clock.sleep(unauthenticated.ms, over.signal).then(
      () => end(timedOut),
      () => undefined,
    );
  });

/**
 * Serves the calls of the windows at `/calls`, and sends every window the topics that changed. A socket receives
 * nothing before it has sent the secret of the session.
 */
export const serveSockets = (parts: Parts): { stop: () => void } => {
  const { server, refusal, greeting, serve, onChanged } = parts;
  const sockets = new WebSocketServer({ noServer: true, maxPayload: largestMessageBytes });
  const windows = new Set<WebSocket>();

  const take = async (open: WebSocket, raw: Duplex): Promise<void> => {
    open.on('error', () => open.terminate());
    open.once('close', () => windows.delete(open));
    const why = await authenticate(open, raw, parts);
    if (why !== null) return open.close(why, 'Not let in');
    windows.add(open);
    open.on('message', (data) => answer(open, data, serve));
    send(open, JSON.stringify(greeting));
  };

  const upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    const status = request.url === '/calls' ? refusal(request) : 404;
    if (status !== null) return refuse(socket, status);
    if (sockets.clients.size - windows.size >= unauthenticated.most) return refuse(socket, 503);
    sockets.handleUpgrade(request, socket, head, (open) => void take(open, socket).catch(() => open.terminate()));
  };

  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    try {
      upgrade(request, socket, head);
    } catch {
      socket.destroy();
    }
  });
  const unsubscribe = onChanged((topic) => {
    for (const open of windows) send(open, JSON.stringify({ topic }));
  });
  return {
    stop: () => {
      unsubscribe();
      for (const open of sockets.clients) open.terminate();
      sockets.close();
    },
  };
};
