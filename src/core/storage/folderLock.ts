import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { diskProblem, problem } from '../base/problem.ts';

/**
 * Locks the data folder for this process; returns the function that unlocks it. Uses SQLite's lock on an empty
 * database: the system releases it when the process ends, so a crash leaves no lock behind. Throws `ALREADY_RUNNING`,
 * `DISK_FULL` or `DATA_UNWRITABLE`.
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
