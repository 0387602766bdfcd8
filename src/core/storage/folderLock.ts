import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { findDiskProblem, createProblem } from '../base/problem.ts';

/**
 * Locks the data folder for this process and returns the unlock function. The operating system releases the lock even
 * after a crash. Throws `ALREADY_RUNNING`, `DISK_FULL` or `DATA_UNWRITABLE`.
 */
export const lockDataFolder = (dataDir: string): (() => void) => {
  const db = openLockDatabase(dataDir);
  try {
    db.pragma('busy_timeout = 0');
    db.exec('begin exclusive');
  } catch (error) {
    db.close();
    if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')) {
      throw createProblem('ALREADY_RUNNING', { cause: error });
    }
    throw toLockProblem(error);
  }
  return () => {
    db.exec('rollback');
    db.close();
  };
};

const openLockDatabase = (dataDir: string) => {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    return new Database(join(dataDir, 'companion.lock'));
  } catch (error) {
    throw toLockProblem(error);
  }
};

const toLockProblem = (cause: unknown) => findDiskProblem(cause) ?? createProblem('DATA_UNWRITABLE', { cause });
