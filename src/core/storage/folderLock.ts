import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { diskProblem, problem } from '../base/problem.ts';

/**
 * Takes the data folder for this process; answers how to let it go. The lock is SQLite's own on an empty database: the
 * system drops it when the process ends in whatever way, so a crash never leaves a folder locked.
 * Throws `ALREADY_RUNNING`, `DISK_FULL` or `DATA_UNWRITABLE`.
 */
export const lockFolder = (dataDir: string): (() => void) => {
  const db = openLock(dataDir);
  try {
    db.pragma('busy_timeout = 0');
    db.exec('begin exclusive');
  } catch (error) {
    db.close();
    if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')) {
      throw problem('ALREADY_RUNNING', { cause: error });
    }
    throw unwritable(error);
  }
  return () => {
    db.exec('rollback');
    db.close();
  };
};

const openLock = (dataDir: string) => {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    return new Database(join(dataDir, 'companion.lock'));
  } catch (error) {
    throw unwritable(error);
  }
};

const unwritable = (cause: unknown) => diskProblem(cause) ?? problem('DATA_UNWRITABLE', { cause });
