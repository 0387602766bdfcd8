import type { Server } from 'node:http';
import { createServer as createTcpServer, type Server as TcpServer } from 'node:net';
import { createServerCloser, listenOnPort, getSystemErrorCode } from './http.ts';

const maxTries = 20;

const closeTcpServer = (server: TcpServer): Promise<void> =>
  server.listening ? new Promise((resolve) => server.close(() => resolve())) : Promise.resolve();

/** Returns true if this machine has no IPv6. Then no other program can listen on an IPv6 address either. */
const isAddressMissingError = (error: unknown): boolean =>
  ['EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes(getSystemErrorCode(error) ?? '');

const listenOnBothAddresses = async (server: Server, second: TcpServer, port: number): Promise<number> => {
  const got = await listenOnPort(server, port, '127.0.0.1');
  try {
    await listenOnPort(second, got, '::1');
  } catch (error) {
    if (isAddressMissingError(error)) return got;
    await closeTcpServer(server);
    throw error;
  }
  return got;
};

/**
 * Browsers resolve a name below `localhost` to 127.0.0.1 or ::1, so the server listens on both addresses. Otherwise
 * another program could listen on one of them and receive the link. Rejects with the system's error.
 */
export const listenOnLoopback = async (
  server: Server,
  port: number,
): Promise<{ port: number; stop: () => Promise<void> }> => {
  const second = createTcpServer((socket) => void server.emit('connection', socket));
  const closeFirst = createServerCloser(server);
  for (let left = maxTries; ; left -= 1) {
    try {
      const got = await listenOnBothAddresses(server, second, port);
      // The second server passes its connections to the first server, so `closeFirst` closes them.
      const stop = async (): Promise<void> => void (await Promise.all([closeTcpServer(second), closeFirst()]));
      return { port: got, stop };
    } catch (error) {
      // If the system chose a port that another program uses on the second address, try another port.
      if (port !== 0 || left === 0 || getSystemErrorCode(error) !== 'EADDRINUSE') throw error;
    }
  }
};
