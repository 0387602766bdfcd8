import * as z from 'zod';
import type { Db } from '../../database.ts';

const rows = z.array(z.object({ path: z.string() }));

export type WatchedFilesTable = ReturnType<typeof createWatchedFilesTable>;

export const createWatchedFilesTable = (db: Db) => {
  const all = db.prepare('select path from watched_files where folder = ?');
  const add = db.prepare('insert or ignore into watched_files (folder, path) values (?, ?)');
  const forget = db.prepare('delete from watched_files');
  const addAll = db.transaction((folder: string, paths: readonly string[]): void => {
    for (const path of paths) add.run(folder, path);
  });
  return {
    of: (folder: string): Set<string> => new Set(rows.parse(all.all(folder)).map(({ path }) => path)),
    add: addAll,
    forget: (): void => void forget.run(),
  };
};
