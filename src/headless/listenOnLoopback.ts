import type { Server } from 'node:http';
import { createServer as createTcpServer, type Server as TcpServer } from 'node:net';
import { Problem } from '../core/base/problem.ts';
import { closeWithAll, listen, systemCodeOf } from '../loopback/http.ts';

const mostTries = 20;

const close = (server: TcpServer): Promise<void> =>
  server.listening ? new Promise((resolve) => server.close(() => resolve())) : Promise.resolve();

/** Whether the machine has no IPv6, so that no other program can take that address. */
const isMissing = (error: unknown): boolean => ['EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes(systemCodeOf(error) ?? '');

const listenOnBoth = async (server: Server, second: TcpServer, port: number): Promise<number> => {
  const got = await listen(server, port, '127.0.0.1');
  try {
    await listen(second, got, '::1');
  } catch (error) {
    if (isMissing(error)) return got;
    await close(server);
    throw error;
  }
  return got;
};

const refusedPort = (error: unknown, port: number): Problem => {
  const sentence =
    systemCodeOf(error) === 'EADDRINUSE'
      ? `Port ${port} is taken; choose another one with --ui-port.`
      : `The window cannot be served on port ${port}; choose another one with --ui-port.`;
  return new Problem('UI_PORT', sentence, { cause: error });
};

/**
 * Listens on both loopback addresses with one port; port 0 picks a free one. Browsers resolve names below `localhost`
 * to either address, IPv6 first. Another program on that address would receive the link. Returns the port, and `stop`.
 */
export const listenOnLoopback = async (
  server: Server,
  port: number,
): Promise<{ port: number; stop: () => Promise<void> }> => {
  const second = createTcpServer((socket) => void server.emit('connection', socket));
  const closeFirst = closeWithAll(server);
  for (let left = mostTries; ; left -= 1) {
    try {
      const got = await listenOnBoth(server, second, port);
      // Connections of the second server are passed to the first, which closes them.
      const stop = async (): Promise<void> => void (await Promise.all([close(second), closeFirst()]));
      return { port: got, stop };
    } catch (error) {
      // A free port was chosen by the first address only; another program may have it on the second.
      if (port !== 0 || left === 0 || systemCodeOf(error) !== 'EADDRINUSE') throw refusedPort(error, port);
    }
  }
};
