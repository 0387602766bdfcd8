import { readFile } from 'node:fs/promises';

const columns = { local: 1, user: 7, inode: 9 } as const;

/**
 * Returns whether another user has a socket on this local port. Ignores sockets with inode 0, because they belong to no
 * process.
 */
export const hasForeignSocketInTable = (table: string, port: number, user: number): boolean =>
  table.split('\n').some((line) => {
    const row = line.trim().split(/\s+/);
    const [local = '', holder, inode] = [row[columns.local], row[columns.user], row[columns.inode]];
    const isOnPort = parseInt(local.slice(local.lastIndexOf(':') + 1), 16) === port;
    return isOnPort && inode !== undefined && inode !== '0' && holder !== String(user);
  });

const tables = ['/proc/net/tcp', '/proc/net/tcp6'];

/**
 * Returns whether another user has sockets on a port of this computer. On Linux, if another program bound a socket to
 * the port before the companion listened, that program might pretend to be the companion. On other systems, returns
 * false.
 */
export const hasForeignSocketOnPort = async (port: number): Promise<boolean> => {
  const user = process.geteuid?.();
  if (process.platform !== 'linux' || user === undefined) return false;
  const read = await Promise.all(tables.map((path) => readFile(path, 'latin1').catch(() => '')));
  return read.some((table) => hasForeignSocketInTable(table, port, user));
};
