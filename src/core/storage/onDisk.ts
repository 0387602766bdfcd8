import { closeSync, existsSync, fdatasync, openSync } from 'node:fs';
import { promisify } from 'node:util';
import { failpoint } from '../base/failpoints.ts';
import { diskProblem, problem } from '../base/problem.ts';
import type { Db } from './database.ts';

/** Syncs an open file to disk. */
type Sync = (file: number) => Promise<void>;

/** The sync state of a database: how many unsynced writes were made, and how many of them are safe. */
type Way = { written: number; safe: number; flushing: Promise<void> | null; isDoubtful: boolean };

const ways = new WeakMap<Db, Way>();

const wayOf = (db: Db): Way => {
  const way = ways.get(db) ?? { written: 0, safe: 0, flushing: null, isDoubtful: false };
  ways.set(db, way);
  return way;
};

/**
 * Writes without syncing. The write survives a crash of the companion; only a power cut before the next `waitUntilSynced`
 * can lose it. Every request that changes something calls `waitUntilSynced` first. A later synced write also makes it safe.
 */
export const withoutWaiting = <T>(db: Db, write: () => T): T => {
  // Inside a transaction, the transaction decides.
  if (db.inTransaction) return write();
  db.exec('pragma synchronous = normal');
  try {
    return write();
  } finally {
    db.exec('pragma synchronous = full');
    wayOf(db).written += 1;
  }
};

const logOf = (db: Db): string => `${db.name}-wal`;

/** Syncs the log of a database without blocking this thread. */
const syncLog = async (db: Db, sync: Sync): Promise<void> => {
  // Closing this file releases no lock, because SQLite's locks are on the other files.
  const log = openSync(logOf(db), 'r+');
  try {
    await sync(log);
  } finally {
    closeSync(log);
  }
};

/** Moves the log into the database. Needed after a failed sync, because systems then drop the unwritten data. */
const emptyLog = (db: Db): void => {
  const [done] = db.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[];
  if (done?.busy !== 0) throw problem('DATA_UNWRITABLE');
};

const flush = async (db: Db, way: Way, sync: Sync): Promise<void> => {
  const { written } = way;
  failpoint('before: what was written is on disk');
  try {
    // On some network drives SQLite has no log and writes to the database directly.
    if (way.isDoubtful || !existsSync(logOf(db))) emptyLog(db);
    else await syncLog(db, sync);
  } catch (error) {
    way.isDoubtful = true;
    throw diskProblem(error) ?? problem('DATA_UNWRITABLE', { cause: error });
  }
  way.isDoubtful = false;
  way.safe = written;
  failpoint('after: what was written is on disk');
};

/**
 * Waits until all unsynced writes are on disk, without blocking the process. Concurrent calls share one sync. Throws
 * `DISK_FULL`, `DATA_UNWRITABLE`.
 */
export const untilOnDisk = async (db: Db, sync: Sync = promisify(fdatasync)): Promise<void> => {
  const way = wayOf(db);
  const { written } = way;
  while (way.safe < written)
    await (way.flushing ??= flush(db, way, sync).finally(() => {
      way.flushing = null;
    }));
};
