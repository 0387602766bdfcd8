import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type RawData, type WebSocket } from 'ws';
import * as z from 'zod';
import type { Topic } from '../core/ports.ts';
import type { Reply } from '../ipc/calls.ts';

const message = z.object({ id: z.int().min(0), name: z.string(), input: z.unknown().optional() });

/** Enough for the longest list of dropped files; a photo's bytes never come this way. */
const largestMessageBytes = 48 * 1024 * 1024;

type Parts = {
  server: Server;
  /** Why a connection is not taken, as a status; null when it is. */
  refusal: (request: IncomingMessage) => number | null;
  serve: (name: unknown, input: unknown) => Promise<Reply>;
  onChanged: (listener: (topic: Topic) => void) => () => void;
};

const parse = (data: RawData): z.infer<typeof message> | null => {
  try {
    return message.parse(JSON.parse((data as Buffer).toString('utf8')));
  } catch {
    return null;
  }
};

const answer = async (socket: WebSocket, data: RawData, serve: Parts['serve']): Promise<void> => {
  const asked = parse(data);
  if (asked === null) return socket.close(1008, 'Not a call');
  const reply = await serve(asked.name, asked.input);
  if (socket.readyState === socket.OPEN) socket.send(JSON.stringify({ id: asked.id, reply }));
};

const refuse = (socket: Duplex, status: number): void => {
  socket.end(`HTTP/1.1 ${status} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
};

/** Serves the calls of the windows at `/calls`, and tells every window what has changed. */
export const serveSockets = ({ server, refusal, serve, onChanged }: Parts): { stop: () => void } => {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: largestMessageBytes });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    const status = request.url === '/calls' ? refusal(request) : 404;
    if (status !== null) return refuse(socket, status);
    sockets.handleUpgrade(request, socket, head, (open) => {
      open.on('error', () => open.terminate());
      open.on('message', (data) => void answer(open, data, serve));
    });
  });
  const silence = onChanged((topic) => {
    for (const open of sockets.clients) open.send(JSON.stringify({ topic }));
  });
  return {
    stop: () => {
      silence();
      for (const open of sockets.clients) open.terminate();
      sockets.close();
    },
  };
};
