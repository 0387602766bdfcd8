import type { Server, Socket } from 'node:net';

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
