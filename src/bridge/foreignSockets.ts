import { readFile } from 'node:fs/promises';

/** A row of `/proc/net/tcp`: slot, local address and port, remote ones, state, queues, timers, retransmits, user, timeout, inode. */
const columns = { local: 1, user: 7, inode: 9 } as const;

/** Whether a table of sockets has one on this local port that a process of another user holds. Sockets of no process have the inode 0. */
export const hasForeignRow = (table: string, port: number, user: number): boolean =>
  table.split('\n').some((line) => {
    const row = line.trim().split(/\s+/);
    const [local = '', holder, inode] = [row[columns.local], row[columns.user], row[columns.inode]];
    const isOnPort = parseInt(local.slice(local.lastIndexOf(':') + 1), 16) === port;
    return isOnPort && inode !== undefined && inode !== '0' && holder !== String(user);
  });

const tables = ['/proc/net/tcp', '/proc/net/tcp6'];

/**
 * Whether a process of another user has sockets on a port of this computer. On Linux, one that bound them before the companion
 * listened can take a caller's connection by opening one to the caller's port at the same moment: the caller believes to be
 * connected to the companion. False where the system has no such table.
 */
export const hasForeignSocket = async (port: number): Promise<boolean> => {
  const user = process.geteuid?.();
  if (process.platform !== 'linux' || user === undefined) return false;
  const read = await Promise.all(tables.map((path) => readFile(path, 'latin1').catch(() => '')));
  return read.some((table) => hasForeignRow(table, port, user));
};
