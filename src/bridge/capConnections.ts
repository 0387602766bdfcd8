import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Keeps at most so many connections open. One more does not wait behind those that only sit there: the oldest on which
 * no whole request is being answered makes room, so a flood of them shuts nobody out.
 */
export const capConnections = (server: Server, most: number): void => {
  const open = new Map<Socket, number>();
  const busy = (socket: Socket, change: number) => {
    const now = open.get(socket);
    if (now !== undefined) open.set(socket, now + change);
  };
  server.on('connection', (socket: Socket) => {
    if (open.size >= most) {
      const idle = [...open].find(([, answering]) => answering === 0)?.[0];
      (idle ?? socket).destroy();
    }
    if (socket.destroyed) return;
    open.set(socket, 0);
    socket.once('close', () => open.delete(socket));
  });
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    busy(socket, 1);
    response.once('close', () => busy(socket, -1));
  });
};
