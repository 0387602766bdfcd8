import { readFile } from 'node:fs/promises';

/**
 * Columns of `/proc/net/tcp`: slot, local address and port, remote address and port, state, queues, timers,
 * retransmits, user, timeout, inode.
 */
const columns = { local: 1, user: 7, inode: 9 } as const;

/**
 * Whether a socket table has a socket on this local port that belongs to another user. A socket with inode 0 belongs to
 * no process.
 */
export const hasForeignSocketRow = (table: string, port: number, user: number): boolean =>
  table.split('\n').some((line) => {
    const row = line.trim().split(/\s+/);
    const [local = '', holder, inode] = [row[columns.local], row[columns.user], row[columns.inode]];
    const isOnPort = parseInt(local.slice(local.lastIndexOf(':') + 1), 16) === port;
    return isOnPort && inode !== undefined && inode !== '0' && holder !== String(user);
  });

const tables = ['/proc/net/tcp', '/proc/net/tcp6'];

/**
 * Whether a process of another user has sockets on a port of this computer. On Linux, a process that bound such sockets
 * before the companion listened can intercept a caller: it connects to the caller's port at the same moment, and the
 * caller believes that it reached the companion. Returns false on systems without these tables.
 */
export const hasForeignSocket = async (port: number): Promise<boolean> => {
  const user = process.geteuid?.();
  if (process.platform !== 'linux' || user === undefined) return false;
  const read = await Promise.all(tables.map((path) => readFile(path, 'latin1').catch(() => '')));
  return read.some((table) => hasForeignSocketRow(table, port, user));
};
