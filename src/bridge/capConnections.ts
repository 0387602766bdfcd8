import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

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
