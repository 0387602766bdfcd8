import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type RawData, type WebSocket } from 'ws';
import * as z from 'zod';
import type { Clock, Topic } from '../core/base/ports.ts';
import { toProblemView } from '../core/base/problem.ts';
import type { RunningCompanion } from '../host/runCompanion.ts';
import type { StartReport } from '../host/startReport.ts';
import type { CallReply } from '../ipc/calls.ts';
import type { Caller } from '../ipc/serveCalls.ts';

const firstMessage = z.object({ secret: z.string().max(200) });
const message = z.object({
  id: z.int().min(0),
  name: z.string(),
  input: z.unknown().optional(),
  proofId: z.unknown().optional(),
});
type CallMessage = z.infer<typeof message>;

/** The longest list of dropped files fits into this limit. Photos are never sent over the socket. */
const maxMessageBytes = 48 * 1024 * 1024;
/** These limits are valid until a socket sends the secret. */
const unauthenticatedLimits = { bytes: 1_024, ms: 5_000, maxSockets: 32 };
/** The page handles the code `secretRefused`, because it must not send a refused secret again. */
const secretRefused = 4401;
const timedOut = 4408;

type SocketServerParts = {
  server: Server;
  clock: Clock;
  /** Returns the HTTP status of the refusal, or null if the connection is accepted. */
  refusal: (request: IncomingMessage) => number | null;
  isSecret: (given: string) => boolean;
  greeting: object;
  serve: (name: unknown, input: unknown, caller: Caller) => Promise<CallReply>;
  running: Promise<Pick<RunningCompanion, 'windowSessions' | 'onChanged'>>;
  startReport: Pick<StartReport, 'serve' | 'onChanged'>;
};

type ServeCall = (name: unknown, input: unknown, proofId: unknown) => Promise<CallReply>;

const parseSocketMessage = <T>(shape: z.ZodType<T>, data: RawData): T | null => {
  try {
    return Buffer.isBuffer(data) ? shape.parse(JSON.parse(data.toString('utf8'))) : null;
  } catch {
    return null;
  }
};

const sendSocketText = (socket: WebSocket, text: string): void => {
  if (socket.readyState === socket.OPEN) socket.send(text);
};

/** The serialisation can also fail, because a handler might return a value that is not JSON. */
const createReplyText = async ({ id, name, input, proofId }: CallMessage, serve: ServeCall): Promise<string> => {
  try {
    return JSON.stringify({ id, reply: await serve(name, input, proofId) });
  } catch (error) {
    return JSON.stringify({ id, reply: { ok: false, problem: toProblemView(error) } });
  }
};

const answerSocketCall = (socket: WebSocket, data: RawData, serve: ServeCall): void => {
  const asked = parseSocketMessage(message, data);
  if (asked === null) return socket.close(1008, 'Not a call');
  createReplyText(asked, serve)
    .then((text) => sendSocketText(socket, text))
    .catch(() => socket.terminate());
};

/** Opens a window session when the companion runs. */
const openSocketSession = async (open: WebSocket, { running }: SocketServerParts): Promise<string> => {
  const { windowSessions } = await running;
  const windowSession = windowSessions.open('window');
  const closeSession = (): void => windowSessions.close(windowSession);
  if (open.readyState === open.OPEN) open.once('close', closeSession);
  else closeSession();
  return windowSession;
};

const refuseSocketUpgrade = (socket: Duplex, status: number): void => {
  socket.end(`HTTP/1.1 ${status} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
};

/**
 * Waits for the secret, which must be the first message. Returns null if the secret is correct, else the code to close
 * the socket with.
 */
const authenticateSocket = (
  open: WebSocket,
  raw: Duplex,
  { clock, isSecret }: SocketServerParts,
): Promise<number | null> =>
  new Promise((resolve) => {
    const over = new AbortController();
    let seen = 0;
    const countReceivedBytes = (chunk: Buffer): void => {
      seen += chunk.length;
      if (seen > unauthenticatedLimits.bytes && !over.signal.aborted) open.terminate();
    };
    const finishAuthentication = (why: number | null): void => {
      over.abort();
      raw.off('data', countReceivedBytes);
      resolve(why);
    };
    raw.on('data', countReceivedBytes);
    open.once('message', (data) => {
      const first = parseSocketMessage(firstMessage, data);
      finishAuthentication(first !== null && isSecret(first.secret) ? null : secretRefused);
    });
    open.once('close', () => finishAuthentication(timedOut));
    clock.sleep(unauthenticatedLimits.ms, over.signal).then(
      () => finishAuthentication(timedOut),
      () => undefined,
    );
  });

/** A socket receives nothing until it has sent the secret. */
export const serveSockets = (parts: SocketServerParts): { stop: () => void } => {
  const { server, refusal, greeting, serve, running, startReport } = parts;
  const sockets = new WebSocketServer({ noServer: true, maxPayload: maxMessageBytes });
  const windows = new Set<WebSocket>();

  const admitWindowSocket = async (open: WebSocket, raw: Duplex): Promise<void> => {
    open.on('error', () => open.terminate());
    open.once('close', () => windows.delete(open));
    const why = await authenticateSocket(open, raw, parts);
    if (why !== null) return open.close(why, 'Not let in');
    if (open.readyState !== open.OPEN) return;
    windows.add(open);
    const windowSession = openSocketSession(open, parts);
    // Each call reports that the companion did not start.
    windowSession.catch(() => undefined);
    const serveCall: ServeCall = (name, input, proofId) =>
      startReport.serve(name, input, async () => serve(name, input, { windowSession: await windowSession, proofId }));
    open.on('message', (data) => answerSocketCall(open, data, serveCall));
    sendSocketText(open, JSON.stringify(greeting));
  };

  const upgradeToSocket = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    const status = request.url === '/calls' ? refusal(request) : 404;
    if (status !== null) return refuseSocketUpgrade(socket, status);
    if (sockets.clients.size - windows.size >= unauthenticatedLimits.maxSockets)
      return refuseSocketUpgrade(socket, 503);
    sockets.handleUpgrade(
      request,
      socket,
      head,
      (open) => void admitWindowSocket(open, socket).catch(() => open.terminate()),
    );
  };

  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    try {
      upgradeToSocket(request, socket, head);
    } catch {
      socket.destroy();
    }
  });
  const announceTopic = (topic: Topic): void => {
    for (const open of windows) sendSocketText(open, JSON.stringify({ topic }));
  };
  const unsubscribe = [startReport.onChanged(() => announceTopic('start'))];
  running.then(
    ({ onChanged }) => unsubscribe.push(onChanged(announceTopic)),
    () => undefined,
  );
  return {
    stop: () => {
      for (const stop of unsubscribe) stop();
      for (const open of sockets.clients) open.terminate();
      sockets.close();
    },
  };
};
